//! Finds positions of a table by their value.

use rayon::prelude::*;

use super::super::sector::index;
use super::super::sector::subsets::subsets;
use super::super::{Database, PositionValue, SectorTable, TableError};
use crate::morris::{Position, Variant};

impl Database {
    /// Returns the first position of a table, in the order of its slots, that has this value, with
    /// White to move. Searches on all threads.
    ///
    /// # Errors
    /// [`TableError`] if a block before it is damaged or cannot be read.
    ///
    /// # Panics
    /// If the database belongs to another variant.
    pub fn example<V: Variant>(
        &self,
        table: &SectorTable,
        value: PositionValue,
    ) -> Result<Option<Position<V>>, TableError> {
        assert_eq!(self.rules().name, V::NAME, "the database belongs to the variant");
        let found = (0..table.blocks()).into_par_iter().find_map_first(|block| {
            let slots = table.block_slots(block);
            let find = |of: &dyn Fn(usize) -> PositionValue| (0..slots.len()).find(|&slot| of(slot) == value);
            table.read_block(block, find).map(|slot| slot.map(|slot| slots.start + slot)).transpose()
        });
        Ok(found.transpose()?.map(|slot| self.position_at(table, slot)))
    }

    /// Returns the position of a slot, with White to move.
    pub(crate) fn position_at<V: Variant>(&self, table: &SectorTable, slot: usize) -> Position<V> {
        let (class_cache, sector) = (self.class_cache(), table.sector());
        let rest = class_cache.board().len() - u32::from(sector.own);
        let set = subsets(rest, sector.other.into())[slot % table.row_len()];
        index::position(class_cache, sector, slot / table.row_len(), set)
    }

    /// Returns the first position of a table with the longest win or, without wins, the longest
    /// loss; `None` if all are draws, or if the table does not store the plies.
    ///
    /// # Errors
    /// Same as [`example`](Self::example).
    ///
    /// # Panics
    /// If the database belongs to another variant.
    pub fn longest<V: Variant>(&self, table: &SectorTable) -> Result<Option<Position<V>>, TableError> {
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
            let position = database.example::<NineMensMorris>(table, value).unwrap().unwrap();
            assert_eq!(position.side_to_move(), Color::White);
            assert_eq!(database.probe(&position, 0).unwrap().unwrap().value, value);
            let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let again = one_thread.install(|| database.example::<NineMensMorris>(table, value));
            assert_eq!(again.unwrap(), Some(position));
        }
        assert_eq!(database.example::<NineMensMorris>(table, PositionValue::win(41)).unwrap(), None);
        let longest = database.longest::<NineMensMorris>(table).unwrap().unwrap();
        assert_eq!(database.probe(&longest, 0).unwrap().unwrap().value, PositionValue::win(39));
    }
}
