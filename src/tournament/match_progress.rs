//! [`Course`]: what the games of a match come to while they are played.

use std::collections::BTreeMap;
use std::io;

use super::plot::{History, HistoryPoint};
use super::{FinishedGame, Sprt, Tally};

/// The games of a match so far, counted in the order of their numbers: so a test stops it at the same game for any number of threads.
#[derive(Debug)]
pub struct MatchProgress {
    /// Finished games that wait for one before them.
    waiting: BTreeMap<u64, FinishedGame>,
    next: u64,
    tally: Tally,
    history: History,
    players: usize,
    sprt: Option<Sprt>,
    is_decided: bool,
}

impl MatchProgress {
    /// Begins without a game of so many players.
    #[must_use]
    pub fn new(players: usize, sprt: Option<Sprt>) -> Self {
        Self {
            waiting: BTreeMap::new(),
            next: 0,
            tally: Tally::new(players),
            history: History::default(),
            players,
            sprt,
            is_decided: false,
        }
    }

    /// Returns what the games come to.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns how the match went on.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns whether the test is decided: games after that do not count.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Adds a finished game, and hands each that now counts to `counted`, in order.
    ///
    /// # Errors
    /// Those of `counted`.
    pub fn add(
        &mut self,
        record: FinishedGame,
        counted: &mut dyn FnMut(&FinishedGame) -> io::Result<()>,
    ) -> io::Result<()> {
        self.waiting.insert(record.game, record);
        while !self.is_decided
            && let Some(record) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.tally.add(&record);
            counted(&record)?;
            if record.game % 2 == 1 && self.players == 2 {
                let pairs = self.tally.pentanomial();
                let llr = self.sprt.map_or(0.0, |sprt| sprt.llr(&pairs));
                self.history.add(HistoryPoint { games: self.tally.games(), elo: pairs.elo(), llr });
                self.is_decided = self.sprt.is_some_and(|sprt| sprt.verdict(llr).is_some());
            }
        }
        Ok(())
    }

    /// Counts also the games that wait for one that was not finished; not in a test, which looks at games in their order alone.
    ///
    /// # Errors
    /// Those of `counted`.
    pub fn end(&mut self, counted: &mut dyn FnMut(&FinishedGame) -> io::Result<()>) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.values().filter(|_| self.sprt.is_none()).try_for_each(|record| {
            self.tally.add(record);
            counted(record)
        })
    }
}
