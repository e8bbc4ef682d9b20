//! The pool: threads that play the games of a schedule, each with players of its own.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::game_runner::{GameRunner, MatchRules, Unplayable};
use super::openings::Opening;
use super::watchdog::Watchdog;
use super::{FinishedGame, Schedule};
use crate::game::{Cancel, Player};

/// All players, by their number; each thread has its own.
pub type Players = Vec<Box<dyn Player>>;

/// What games are played, and how.
pub struct Match<'a> {
    /// Who plays whom.
    pub schedule: &'a Schedule,
    /// From where.
    pub openings: &'a [Opening],
    /// What ends a game.
    pub rules: MatchRules<'a>,
    /// How long the choice of a move may take before it forfeits the game.
    pub move_limit: Duration,
    /// Games that were played before, which are not played again.
    pub played: &'a BTreeMap<u64, FinishedGame>,
}

/// Why a match was broken off.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A finished game could not be handed over.
    #[error(transparent)]
    Sink(#[from] io::Error),
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] Unplayable),
}

/// Plays a match on as many threads as there are sets of players, and hands over each game as soon as it is finished, in no order.
///
/// A raised `stop` lets the running games end and begins no other; a raised `give_up` ends them unfinished.
///
/// # Errors
/// [`RunError`], the first of `sink` or of a game; the running games are then given up.
///
/// # Panics
/// If a player does, or the moves of an opening are not legal.
pub fn run(
    of: &Match<'_>,
    players: Vec<Players>,
    stop: &Cancel,
    abort: &Cancel,
    sink: &mut dyn FnMut(FinishedGame) -> io::Result<()>,
) -> Result<(), RunError> {
    let next = AtomicU64::new(0);
    let give_up = &abort.child();
    let watchdog = &Watchdog::new(players.len(), of.move_limit, give_up);
    let (finished, records) = channel();
    thread::scope(|scope| {
        let _end = watchdog.until_dropped();
        scope.spawn(|| watchdog.run());
        for (number, mut players) in players.into_iter().enumerate() {
            let (next, finished) = (&next, finished.clone());
            scope.spawn(move || {
                let referee = GameRunner { rules: of.rules, watchdog, number, give_up };
                while !stop.is_cancelled() && !give_up.is_cancelled() {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= of.schedule.games {
                        return;
                    }
                    if of.played.contains_key(&game) {
                        continue;
                    }
                    let pairing = of.schedule.pairing(game);
                    let seated =
                        players.get_disjoint_mut(pairing.seats).expect("the players of a game are two of them");
                    let record = referee.play(&pairing, &of.openings[pairing.opening], seated).transpose();
                    // Nobody takes it any more if the sink has failed.
                    if record.is_none_or(|record| finished.send(record).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(finished);
        let result = records.into_iter().try_for_each(|record| Ok(sink(record?)?));
        if result.is_err() {
            give_up.cancel();
        }
        result
    })
}
