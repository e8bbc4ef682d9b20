//! [`RuleDraws`]: the wins and losses that a rule turns into draws.

use super::super::file::write::counted_slots;
use super::super::sector::subsets::subsets;
use super::super::value::{Metric, PositionValue};
use super::super::{Database, Sector, TableError};
use crate::parallel;

/// The numbers of wins and losses of a sector that are drawn because the next capture comes later
/// than a rule allows. Symmetric positions are counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RuleDraws {
    /// The number of wins.
    pub wins: u64,
    /// The number of losses.
    pub losses: u64,
}

impl Database {
    /// Returns the numbers of wins and losses that become draws by the no-capture rule if its clock
    /// has just started. Returns `None` for a sector without a clock, or if a table is missing.
    /// Reads both tables of the sector into memory and uses all threads.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub fn rule_draws(&self, sector: Sector) -> Result<Option<RuleDraws>, TableError> {
        let Some(limit) = self.rules().rules.three_men_limit.filter(|_| sector.has_clock()) else { return Ok(None) };
        let tables = [Metric::End, Metric::Capture].map(|metric| self.table(sector, metric));
        let [Some(to_end), Some(to_capture)] = tables else { return Ok(None) };
        let (to_end, to_capture) = (to_end.expand()?, to_capture.expand()?);
        let class_cache = self.class_cache();
        let others = subsets(class_cache.board().len() - u32::from(sector.own), sector.other.into());
        let count_row = |row| {
            let (to_end, to_capture) = (to_end.row(row), to_capture.row(row));
            let is_counted = counted_slots(class_cache, sector, row, &others);
            let mut counts = RuleDraws::default();
            for slot in 0..others.len() {
                let value = to_end.value(slot);
                let is_drawn = || to_capture.value(slot).plies().is_none_or(|plies| plies > limit);
                if value != PositionValue::DRAW && is_drawn() && is_counted(slot) {
                    let count = if value.outcome().is_gt() { &mut counts.wins } else { &mut counts.losses };
                    *count += 1;
                }
            }
            counts
        };
        let sum = |a: RuleDraws, b: RuleDraws| RuleDraws { wins: a.wins + b.wins, losses: a.losses + b.losses };
        let rows = class_cache.classes(sector.own).len();
        Ok(Some(parallel::map(rows, &count_row).into_iter().fold(RuleDraws::default(), sum)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::morris::engine::database::Ruleset;
    use crate::morris::engine::database::sector::index;
    use crate::morris::{Morabaraba, NineMensMorris, Rules};

    #[test]
    fn rule_draws_are_those_with_a_capture_beyond_the_limit() {
        let morabaraba = Ruleset::of::<Morabaraba>().unwrap();
        // A short limit, because the real one does not draw anything in such small sectors.
        let limit = 6;
        let rules = Ruleset { rules: Rules { three_men_limit: Some(limit), ..morabaraba.rules }, ..morabaraba };
        let mut database = Database::new(rules);
        database.solve_small_sectors().unwrap();
        for text in ["3-3", "3-4"] {
            let sector: Sector = text.parse().unwrap();
            let others = subsets(24 - u32::from(sector.own), sector.other.into());
            let (mut seen, mut expected) = (HashSet::new(), RuleDraws::default());
            for row in 0..database.class_cache().classes(sector.own).len() {
                for &other in &others {
                    let (own, other) = index::men(database.class_cache(), sector.own, row, other);
                    let position = database.rules().game.position(sector, own, other);
                    let value = |metric| database.value(sector, metric, own, other);
                    let (value, to_capture) = (value(Metric::End).unwrap(), value(Metric::Capture).unwrap());
                    let (value, to_capture) = (value.unwrap(), to_capture.unwrap());
                    let is_drawn = value != PositionValue::DRAW && to_capture.plies().is_none_or(|plies| plies > limit);
                    if is_drawn && seen.insert(position.canonical()) {
                        let count = if value.outcome().is_gt() { &mut expected.wins } else { &mut expected.losses };
                        *count += 1;
                    }
                }
            }
            assert!(expected.wins > 100 && (expected.losses > 100 || text == "3-4"), "{text} {expected:?}");
            assert_eq!(database.rule_draws(sector).unwrap(), Some(expected), "{text}");
        }
        assert_eq!(database.rule_draws("4-4".parse().unwrap()).unwrap(), None);
        let mut nine = Database::new(Ruleset::of::<NineMensMorris>().unwrap());
        nine.add_packed_tables();
        assert_eq!(nine.rule_draws("3-3".parse().unwrap()).unwrap(), None);
    }
}
