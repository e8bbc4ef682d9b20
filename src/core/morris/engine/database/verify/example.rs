//! Finds positions of a table by their value.

use std::sync::Mutex;

use super::super::sector::index;
use super::super::sector::subsets::subsets;
use super::super::{Database, PositionValue, SectorTable, TableError};
use crate::game::AnyPosition;
use crate::parallel;

impl Database {
    /// Returns the first position of a table, in the order of its slots, that has this value, with
    /// White to move. Uses all threads.
    ///
    /// # Errors
    /// [`TableError`] if an earlier block is damaged or cannot be read.
    pub fn example(&self, table: &SectorTable, value: PositionValue) -> Result<Option<AnyPosition>, TableError> {
        let first = Mutex::new((usize::MAX, Ok(None)));
        let lock = || first.lock().expect("no thread panics while it stores a slot");
        parallel::for_each(table.blocks(), &|block| {
            if block > lock().0 {
                return;
            }
            let slots = table.block_slots(block);
            let mut found = None;
            let read = table.read_block(block, &mut |of| {
                found = slots.clone().find(|slot| of(slot - slots.start) == value);
            });
            let mut first = lock();
            if (read.is_err() || found.is_some()) && block < first.0 {
                *first = (block, read.map(|()| found));
            }
        });
        let (_, slot) = first.into_inner().expect("no thread panics while it stores a slot");
        Ok(slot?.map(|slot| self.position_at(table, slot)))
    }

    /// Returns the positions of a table in the order of its slots, with White to move. Every
    /// position of the sector occurs at least once, up to symmetry.
    ///
    /// ```
    /// use morello::morris::ThreeMensMorris;
    /// use morello::morris::engine::database::{Database, Metric, Ruleset};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// database.solve_small_sectors()?;
    /// let table = database.table("3-3".parse()?, Metric::End).expect("the whole game is small");
    /// assert_eq!(database.positions(table).count() as u64, table.slots());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self, table: &SectorTable) -> impl Iterator<Item = AnyPosition> {
        let (class_cache, sector) = (self.class_cache(), table.sector());
        let sets = subsets(class_cache.board().len() - u32::from(sector.own), sector.other.into());
        let row_len = table.row_len();
        (0..table.slots() as usize).map(move |slot| {
            let (own, other) = index::men(class_cache, sector.own, slot / row_len, sets[slot % row_len]);
            self.rules().game.position(sector, own, other)
        })
    }

    /// Returns the position of a slot, with White to move.
    pub(crate) fn position_at(&self, table: &SectorTable, slot: usize) -> AnyPosition {
        let (class_cache, sector) = (self.class_cache(), table.sector());
        let rest = class_cache.board().len() - u32::from(sector.own);
        let set = subsets(rest, sector.other.into())[slot % table.row_len()];
        let (own, other) = index::men(class_cache, sector.own, slot / table.row_len(), set);
        self.rules().game.position(sector, own, other)
    }

    /// Returns the first position of a table with the longest win or, if there are no wins, the
    /// longest loss. Returns `None` if all positions are draws, or if the table does not store the
    /// plies.
    ///
    /// ```
    /// use morello::morris::ThreeMensMorris;
    /// use morello::morris::engine::database::{Database, Metric, Ruleset};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// database.solve_small_sectors()?;
    /// let table = database.table("3-3".parse()?, Metric::End).expect("the whole game is small");
    /// let position = database.longest(table)?.expect("a win");
    /// assert_eq!(position.to_string(), "0,0 a3,c2,c3 a1,b1,b2 W");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`example`](Self::example).
    pub fn longest(&self, table: &SectorTable) -> Result<Option<AnyPosition>, TableError> {
        let counts = table.counts();
        let longest = counts.longest_win.map(PositionValue::win).or(counts.longest_loss.map(PositionValue::loss));
        longest.map_or(Ok(None), |value| self.example(table, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, Position as _};
    use crate::morris::NineMensMorris;
    use crate::morris::engine::database::{Metric, Ruleset};

    #[test]
    fn finds_the_first_position_with_a_value() {
        let mut database = Database::new(Ruleset::of::<NineMensMorris>().unwrap());
        database.solve_small_sectors().unwrap();
        let table = database.table("3-3".parse().unwrap(), Metric::End).unwrap();
        for value in [PositionValue::win(39), PositionValue::win(1), PositionValue::loss(38), PositionValue::DRAW] {
            let position = database.example(table, value).unwrap().unwrap();
            assert_eq!(position.side_to_move(), Color::White);
            assert_eq!(database.probe(&position, 0).unwrap().unwrap().value, value);
            let one_thread = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let again = one_thread.install(|| database.example(table, value));
            assert_eq!(again.unwrap(), Some(position));
        }
        assert_eq!(database.example(table, PositionValue::win(41)).unwrap(), None);
        let longest = database.longest(table).unwrap().unwrap();
        assert_eq!(database.probe(&longest, 0).unwrap().unwrap().value, PositionValue::win(39));
    }
}
