//! [`MatchProgress`]: the results of a running match, and [`MatchEvent`]: what it reports.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::plot::{History, HistoryPoint};
use super::{FinishedGame, MatchPlan, Tally};

/// Something that happens in a match.
#[derive(Debug, Clone, Copy)]
pub enum MatchEvent<'a> {
    /// A game has ended. Games end in no particular order.
    Finished(&'a FinishedGame),
    /// The result of a game is counted, including games of an earlier run. Results are counted in
    /// the order of the games.
    Counted(&'a FinishedGame),
    /// The result of the match so far, after each game that has ended.
    Progress(&'a Tally),
    /// A player has been choosing a move for a long time: three times its time for the move, or
    /// half a minute if it has no time limit. Reported once per move.
    Slow {
        /// The number of the player.
        player: usize,
        /// The number of the game.
        game: u64,
        /// The time so far.
        time: Duration,
    },
}

/// Receives what happens in a match. An error aborts the match.
pub type OnMatchEvent<'a> = dyn FnMut(MatchEvent<'_>) -> io::Result<()> + 'a;

/// The games of a match so far. Games are counted in the order of their numbers, so that an SPRT
/// stops at the same game for any number of threads.
pub(super) struct MatchProgress<'a> {
    plan: &'a MatchPlan,
    /// Finished games that wait for an earlier one.
    waiting: BTreeMap<u64, FinishedGame>,
    next: u64,
    pub tally: Tally,
    pub history: History,
    /// Whether the SPRT has ended; later games do not count.
    pub is_decided: bool,
}

impl<'a> MatchProgress<'a> {
    /// Creates the progress of a match that has not begun.
    pub fn new(plan: &'a MatchPlan) -> Self {
        Self {
            plan,
            waiting: BTreeMap::new(),
            next: plan.schedule.shard.0.saturating_mul(2),
            tally: Tally::new(plan.entrants.len()),
            history: History::default(),
            is_decided: false,
        }
    }

    /// Adds a finished game and reports each game that now counts, in order.
    ///
    /// # Errors
    /// Any error from `on_event`.
    pub fn add(&mut self, record: FinishedGame, on_event: &mut OnMatchEvent<'_>) -> io::Result<()> {
        self.waiting.insert(record.game, record);
        while !self.is_decided
            && let Some(record) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            if self.next.is_multiple_of(2) {
                self.next = self.next.saturating_add((self.plan.schedule.shard.1 - 1).saturating_mul(2));
            }
            self.count(&record, on_event)?;
            if record.game % 2 == 1 && self.plan.entrants.len() == 2 {
                let sample = self.tally.pentanomial().sample();
                let llr = self.plan.sprt.map_or(0.0, |sprt| sprt.llr(&sample));
                self.history.add(HistoryPoint { games: self.tally.games(), elo: sample.elo(), llr });
                self.is_decided = self.plan.sprt.is_some_and(|sprt| sprt.verdict(llr).is_some());
            }
        }
        Ok(())
    }

    /// Also counts the games that still wait for an earlier one, except with an SPRT, which
    /// requires the order.
    ///
    /// # Errors
    /// Any error from `on_event`.
    pub fn end(&mut self, on_event: &mut OnMatchEvent<'_>) -> io::Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting).into_values().filter(|_| self.plan.sprt.is_none());
        waiting.try_for_each(|record| self.count(&record, on_event))
    }

    fn count(&mut self, record: &FinishedGame, on_event: &mut OnMatchEvent<'_>) -> io::Result<()> {
        self.tally.add(record);
        on_event(MatchEvent::Counted(record))
    }
}
