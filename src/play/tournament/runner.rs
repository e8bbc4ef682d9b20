//! Plays the games of a schedule on several threads, each with its own players.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use morello_core::game::{Cancel, Player};
use morello_core::threads;
use thiserror::Error;

use super::game_runner::{GameRunner, Unplayable};
use super::openings::OpeningSet;
use super::watchdog::{Watchdog, WatchedMove};
use super::{FinishedGame, MatchPlan};

/// How often to check for slow moves.
const SLOW_INTERVAL: Duration = Duration::from_millis(500);

/// What happens while games are played.
pub(super) enum RunEvent {
    /// A game has ended.
    Finished(Box<FinishedGame>),
    /// A move has become slow, with its time so far.
    Slow(WatchedMove, Duration),
}

/// One instance of every player, by its number. Each thread has its own set.
pub(super) type Players = Vec<Box<dyn Player>>;

/// Why a match was aborted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A [`MatchEvent`](super::MatchEvent) failed.
    #[error(transparent)]
    Event(#[from] io::Error),
    /// A game cannot be played.
    #[error("the engine `{name}` cannot play: the match was aborted")]
    Game {
        /// The name of the player who cannot play it.
        name: String,
        /// The reason.
        source: Box<Unplayable>,
    },
}

/// Plays games of a match, by number, with one thread per set of players. Passes finished games, in
/// no particular order, and slow moves to `sink`.
///
/// Raising `cancel` aborts the running games.
///
/// # Errors
/// The first error from `sink` or from a game. It aborts the running games.
///
/// # Panics
/// If a player panics, or if opening moves are not legal.
pub(super) fn run(
    plan: &MatchPlan,
    games: Range<u64>,
    openings: &OpeningSet,
    players: Vec<Players>,
    cancel: &Cancel,
    sink: &mut dyn FnMut(RunEvent) -> io::Result<()>,
) -> Result<(), RunError> {
    let next = AtomicU64::new(games.start);
    let abort = &cancel.child();
    let watchdog = &Watchdog::new(players.len(), abort);
    let (finished, records) = channel();
    let of_game = |source: Unplayable| RunError::Game {
        name: plan.entrants[source.player].name.clone(),
        source: Box::new(source),
    };
    thread::scope(|scope| {
        let _end = watchdog.until_dropped();
        threads::spawn_in(scope, Box::new(|| watchdog.run()));
        for (number, mut players) in players.into_iter().enumerate() {
            let (next, finished) = (&next, finished.clone());
            threads::spawn_in(
                scope,
                Box::new(move || {
                    let database = plan.database.as_ref();
                    let game_runner = GameRunner { rules: plan.rules, database, watchdog, number, abort };
                    while !abort.is_cancelled() {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= games.end {
                            return;
                        }
                        if plan.played.contains_key(&game) || !plan.schedule.contains(game) {
                            continue;
                        }
                        let pairing = plan.schedule.pairing(game);
                        let pair =
                            players.get_disjoint_mut(pairing.players).expect("the players of a game are different");
                        let Some(opening) = openings.opening(pairing.round, abort) else { return };
                        let times = plan.times(&pairing);
                        let record = game_runner.play(&pairing, opening, pair, times).transpose();
                        // The send fails once the sink has failed.
                        if record.is_none_or(|record| finished.send(record).is_err()) {
                            return;
                        }
                    }
                }),
            );
        }
        drop(finished);
        let mut receive = || -> Result<(), RunError> {
            let mut looked = Instant::now();
            loop {
                match records.recv_timeout(SLOW_INTERVAL) {
                    Ok(record) => sink(RunEvent::Finished(Box::new(record.map_err(of_game)?)))?,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                if looked.elapsed() >= SLOW_INTERVAL {
                    looked = Instant::now();
                    let mut slow = watchdog.slow_moves().into_iter();
                    slow.try_for_each(|(m, time)| sink(RunEvent::Slow(m, time)))?;
                }
            }
        };
        let result = receive();
        if result.is_err() {
            abort.cancel();
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use morello_core::game::{DrawRules, OpeningPolicy, any_game};
    use morello_core::othello;

    use super::*;
    use crate::players::{RandomPlayer, Spec};
    use crate::tournament::openings::RandomOpenings;

    #[test]
    fn cancelling_ends_the_draw_of_openings() {
        let (started, running) = channel();
        let check = move |_: &_, cancel: &Cancel| {
            started.send(()).unwrap();
            while !cancel.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            true
        };
        let policy = OpeningPolicy { plies: 4..=4, depth: 0, most_points: 0.0 };
        let (game, rules) = (any_game::<othello::Position>(), DrawRules::default());
        let openings = RandomOpenings::with_check(game, policy.clone(), rules, 1, Box::new(check));
        let openings = OpeningSet::random(openings, "random".into(), &policy);
        let entrants = ["name=a,random", "name=b,random"].map(|text| text.parse::<Spec>().unwrap().into());
        let plan = MatchPlan::new(game, entrants.into(), 8);
        let player = || Box::new(RandomPlayer::new(0)) as Box<dyn Player>;
        let players = (0..3).map(|_| vec![player(), player()]).collect();
        let cancel = &Cancel::new();
        thread::scope(|scope| {
            let (plan, openings) = (&plan, &openings);
            let mut no_game = |_| unreachable!("no game is played");
            let played = scope.spawn(move || run(plan, 0..8, openings, players, cancel, &mut no_game));
            running.recv().unwrap();
            cancel.cancel();
            assert!(played.join().unwrap().is_ok());
        });
    }
}
