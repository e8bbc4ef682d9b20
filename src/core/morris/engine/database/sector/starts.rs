//! Starting positions with other numbers of men.

use super::super::solve::SolverMemory;
use super::super::{
    BuildEstimate, Database, Metric, PositionValue, Ruleset, Sector, StoredValues, TableError, WorkUnit, plan,
};

/// Returns the sectors of all starts: each side has in hand from three men to all men of the game,
/// and none on the board.
///
/// ```
/// use morello::morris::ThreeMensMorris;
/// use morello::morris::engine::database::{Database, PositionValue, Ruleset, starts};
///
/// let rules = Ruleset::of::<ThreeMensMorris>()?;
/// let mut database = Database::new(rules);
/// database.solve_small_sectors()?;
/// let start = starts(&rules)[0];
/// assert_eq!(start.to_string(), "0-0+3-3");
/// assert_eq!(database.value_of_start(start)?, Some(PositionValue::win(9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn starts(rules: &Ruleset) -> Vec<Sector> {
    let men = rules.rules.men;
    let all = (3..=men).flat_map(|own| (3..=men).map(move |other| (own, other)));
    all.map(|(own_hand, other_hand)| Sector { own: 0, other: 0, own_hand, other_hand }).collect()
}

impl Database {
    /// Returns the value of a start for the first player; `None` if there is no table for it.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub fn value_of_start(&self, start: Sector) -> Result<Option<PositionValue>, TableError> {
        self.value(start, Metric::End, 0, 0)
    }

    /// Returns the units that must be built to get the tables of these sectors.
    #[must_use]
    pub fn missing_units(&self, sectors: &[Sector]) -> Vec<WorkUnit> {
        let mut units = plan(sectors, self.rules());
        units.retain(|&unit| !self.has_tables(unit, StoredValues::Distances));
        units
    }

    /// Estimates the cost of building units.
    ///
    /// ```
    /// use morello::morris::SixMensMorris;
    /// use morello::morris::engine::database::{Database, Ruleset, with_men_up_to};
    ///
    /// let rules = Ruleset::of::<SixMensMorris>()?;
    /// let database = Database::new(rules);
    /// let units = database.missing_units(&with_men_up_to(7, &rules));
    /// let estimate = database.estimate(&units);
    /// assert_eq!((estimate.units, estimate.slots), (2, 72_842));
    /// assert!(estimate.largest.is_some_and(|(_, memory)| memory.total() < 1 << 24));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn estimate(&self, units: &[WorkUnit]) -> BuildEstimate {
        let (rules, class_cache) = (self.rules(), self.class_cache());
        let memory = |&unit: &WorkUnit| (unit, SolverMemory::of(unit, rules, class_cache));
        let slots = |unit: &WorkUnit| unit.sectors().map(|sector| sector.slots(class_cache)).sum::<u64>();
        BuildEstimate {
            units: units.len(),
            slots: units.iter().map(slots).sum(),
            table_slots: units.iter().map(|unit| rules.metrics(*unit).count() as u64 * slots(unit)).sum(),
            largest: units.iter().map(memory).max_by_key(|&(_, memory)| memory.total()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyPosition, Position as _};
    use crate::morris::{NineMensMorris, Position, ThreeMensMorris};

    #[test]
    fn the_value_of_a_start_is_that_of_its_best_move() {
        let mut database = Database::new(Ruleset::of::<ThreeMensMorris>().unwrap());
        assert_eq!(database.missing_units(&starts(database.rules())).len(), 7);
        database.solve_small_sectors().unwrap();
        let all = starts(database.rules());
        assert_eq!(all.iter().map(Sector::to_string).collect::<Vec<_>>(), ["0-0+3-3"]);
        assert_eq!(database.missing_units(&all), []);
        let start = Position::<ThreeMensMorris>::default();
        let value = database.value_of_start(all[0]).unwrap().unwrap();
        assert_eq!(value, database.probe_moves(&AnyPosition::new(start), 0).unwrap().unwrap()[0].probe.value);
        assert_eq!((value, start.count_moves()), (PositionValue::win(9), 9));
    }

    #[test]
    fn plans_all_starts_of_nine_mens_morris() {
        let database = Database::new(Ruleset::of::<NineMensMorris>().unwrap());
        let all = starts(database.rules());
        assert_eq!((all.len(), all[0].to_string(), all[48].to_string()), (49, "0-0+3-3".into(), "0-0+9-9".into()));
        assert_eq!(database.value_of_start(all[0]).unwrap(), None);
        let whole = database.estimate(&database.missing_units(&all[48..]));
        assert_eq!((whole.units, whole.slots), (297, 27_837_741_912));
    }
}
