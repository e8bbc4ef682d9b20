//! [`MatchProgress`]: the results of a running match.

use std::collections::BTreeMap;
use std::io;

use super::plot::{History, HistoryPoint};
use super::{FinishedGame, Sprt, Tally};

/// The games of a match so far. They are counted in the order of their numbers, so that an SPRT stops at the same game for any number of threads.
#[derive(Debug)]
pub struct MatchProgress {
    /// Finished games that wait for an earlier one.
    waiting: BTreeMap<u64, FinishedGame>,
    next: u64,
    /// The part that is played, from 0, and the number of parts.
    shard: (u64, u64),
    tally: Tally,
    history: History,
    players: usize,
    sprt: Option<Sprt>,
    is_decided: bool,
}

impl MatchProgress {
    /// Creates the progress of a match that has not begun.
    #[must_use]
    pub fn new(players: usize, sprt: Option<Sprt>) -> Self {
        Self {
            waiting: BTreeMap::new(),
            next: 0,
            shard: (0, 1),
            tally: Tally::new(players),
            history: History::default(),
            players,
            sprt,
            is_decided: false,
        }
    }

    /// Expects only the games of a [shard](super::Schedule::shard).
    #[must_use]
    pub fn of_shard(self, shard: (u64, u64)) -> Self {
        Self { next: 2 * shard.0, shard, ..self }
    }

    /// Returns the sums over the counted games.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the history for plots.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns whether the SPRT has ended; later games do not count.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Adds a finished game and passes each game that now counts to `on_counted`, in order.
    ///
    /// # Errors
    /// Any error from `on_counted`.
    pub fn add(
        &mut self,
        record: FinishedGame,
        on_counted: &mut dyn FnMut(&FinishedGame) -> io::Result<()>,
    ) -> io::Result<()> {
        self.waiting.insert(record.game, record);
        while !self.is_decided
            && let Some(record) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            if self.next.is_multiple_of(2) {
                self.next += 2 * (self.shard.1 - 1);
            }
            self.tally.add(&record);
            on_counted(&record)?;
            if record.game % 2 == 1 && self.players == 2 {
                let pairs = self.tally.pentanomial();
                let llr = self.sprt.map_or(0.0, |sprt| sprt.llr(&pairs));
                self.history.add(HistoryPoint { games: self.tally.games(), elo: pairs.elo(), llr });
                self.is_decided = self.sprt.is_some_and(|sprt| sprt.verdict(llr).is_some());
            }
        }
        Ok(())
    }

    /// Also counts the games that still wait for an earlier one, except with an SPRT, which requires the order.
    ///
    /// # Errors
    /// Any error from `on_counted`.
    pub fn end(&mut self, on_counted: &mut dyn FnMut(&FinishedGame) -> io::Result<()>) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.values().filter(|_| self.sprt.is_none()).try_for_each(|record| {
            self.tally.add(record);
            on_counted(record)
        })
    }
}
