//! [`Course`]: what the games of a match come to while they are played.

use std::io;

use super::games_file::GamesFile;
use crate::game::{AnyGame, Cancel};
use crate::tournament::plot::{History, Point};
use crate::tournament::{InOrder, Record, Sprt, Tally};

/// The games so far, counted in their order.
pub(super) struct Course<'a> {
    game: &'static dyn AnyGame,
    names: &'a [&'a str],
    in_order: InOrder,
    /// The games so far.
    pub tally: Tally,
    /// How it went on.
    pub history: History,
    games_file: Option<GamesFile>,
    sprt: Option<Sprt>,
    /// Whether the test is decided: what comes after that does not count.
    pub decided: bool,
}

impl<'a> Course<'a> {
    /// Begins without a game; `names` are those of the players.
    pub fn new(
        game: &'static dyn AnyGame,
        names: &'a [&'a str],
        sprt: Option<Sprt>,
        games_file: Option<GamesFile>,
    ) -> Self {
        Self {
            game,
            names,
            in_order: InOrder::default(),
            tally: Tally::new(names.len()),
            history: History::default(),
            games_file,
            sprt,
            decided: false,
        }
    }

    /// Adds a game; raises `give_up` when the test is decided.
    pub fn add(&mut self, record: Record, give_up: &Cancel) -> io::Result<()> {
        self.in_order.add(record);
        while !self.decided
            && let Some(record) = self.in_order.pop()
        {
            self.count(&record)?;
            if record.game % 2 == 1 && self.names.len() == 2 {
                let pairs = self.tally.pentanomial();
                let llr = self.sprt.map_or(0.0, |sprt| sprt.llr(&pairs));
                self.history.add(Point { games: self.tally.games(), elo: pairs.elo(), llr });
                if self.sprt.is_some_and(|sprt| sprt.verdict(llr).is_some()) {
                    self.decided = true;
                    give_up.cancel();
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, record: &Record) -> io::Result<()> {
        self.tally.add(record);
        self.games_file.as_mut().map_or(Ok(()), |file| file.write(self.game, record, self.names))
    }

    /// Counts the games that wait for one that was not finished, too; not in a test, which looks at games in their order alone.
    pub fn end(&mut self) -> io::Result<()> {
        let in_order = std::mem::take(&mut self.in_order);
        if self.sprt.is_none() {
            in_order.rest().try_for_each(|record| self.count(&record))?;
        }
        self.games_file.as_mut().map_or(Ok(()), GamesFile::flush)
    }
}
