//! [`verify_in_memory`] and [`verify`]: check tables against the rules of the game.
//!
//! The solver works backwards on sets of points. Verification works forwards: it generates the
//! moves of each position and checks that its value is the value of the best move. If this is true
//! for all positions of a sector and of the sectors to which it leads, all values are correct:
//!
//! * A stored win in n plies has a move to a stored loss in n - 1, and all moves from that position
//!   lead to wins in at most n - 2, and so on to the end of the game. Therefore the win can be
//!   forced, and likewise the loss.
//! * Suppose that some values are wrong. Among the positions with a wrong value, take one whose
//!   true value is a win or a loss in the fewest plies. Its value follows from the values of wins
//!   and losses in fewer plies, which are correct, so verification would have found the error.
//!   Draws are therefore correct too.
//!
//! The first argument needs the plies. In tables with only results, wins and losses that support
//! each other in a cycle would be consistent with their moves.
//!
//! [`verify`] checks one position after the other, with the game's move generator.
//! [`verify_in_memory`] is many times faster: it loads the tables of a sector and of its successors
//! and generates the moves of many positions together (see [`forward`]). It also derives every
//! 256th position with the game's move generator, and counts the results again. The solver and both
//! verifications share the [index](super::sector::index) and the rules of the game (who flies, what
//! a mill captures, which sector follows), which have separate tests.

pub(super) mod example;
mod forward;

use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::file::expanded::ExpandedTable;
use super::query::probe::final_value;
use super::sector::classes::ClassCache;
use super::sector::index;
use super::sector::subsets::subsets;
use super::value::{Metric, PositionValue};
use super::{Database, OutcomeCounts, Ruleset, Sector, SectorTable, StoredValues, TableError, WorkUnit};
use crate::game::{Cancel, Position as _};
use crate::morris::{Position, Variant};
use crate::parallel;
use forward::{Forward, Stop, WrongValue};

/// A value that differs from the value derived from the moves of its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("wrong value in sector {sector}: `{position}` is stored as {found}, but its moves give {expected}")]
#[non_exhaustive]
pub struct Mismatch {
    /// The sector.
    pub sector: Sector,
    /// The position as text.
    pub position: String,
    /// The value in the table.
    pub found: PositionValue,
    /// The correct value.
    pub expected: PositionValue,
}

/// Why verification failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A value is wrong.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The counts in the header of a table do not match its values.
    #[error(
        "the header of the table of sector {sector} has the wrong counts of results; delete the table and rebuild it"
    )]
    Counts {
        /// The sector.
        sector: Sector,
        /// The counts in the header.
        found: OutcomeCounts,
        /// The correct counts.
        expected: OutcomeCounts,
    },
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Sectors to which moves lead have no table.
    #[error("moves lead to sectors without a table; build --sectors {}", join_sectors(.0))]
    Missing(Vec<Sector>),
    /// The plies of a table cannot be verified, because tables of sectors to which moves lead do
    /// not store plies.
    #[error("moves lead to tables without plies; build --sectors {} --values distances", join_sectors(.0))]
    NoDistances(Vec<Sector>),
    /// Verification was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Checks the values of tables, and the counts in their headers, with the tables in memory. The
/// tables must belong to one unit and metric. `done` counts the slots checked. Returns one result
/// per table.
///
/// # Panics
/// If the database belongs to another variant, or if the tables do not belong to one unit and
/// metric.
#[must_use]
pub fn verify_in_memory(
    database: &Database,
    tables: &[&SectorTable],
    done: &AtomicU64,
    cancel: &Cancel,
) -> Vec<Result<(), VerifyError>> {
    let (class_cache, rules) = (database.class_cache(), database.rules());
    let unit_of = |table: &SectorTable| (WorkUnit::of(table.sector(), rules), table.metric());
    assert!(tables.iter().all(|table| unit_of(table) == unit_of(tables[0])), "the tables are of one unit");
    let mut memory = LoadedTables { database, tables: Vec::new() };
    let mut verify = |table: &SectorTable| {
        check_successors(database, table)?;
        let (sector, metric) = (table.sector(), table.metric());
        let needed = std::iter::once(sector).chain(sector.successors(rules));
        needed.into_iter().try_for_each(|sector| memory.load(sector, metric))?;
        let by_the_game = |own, other| {
            let lookup = |sector, own, other| Ok(memory.value(class_cache, sector, own, other));
            let value = rules.game.derive(rules, &rules.game.position(sector, own, other), metric, &lookup);
            value.expect("values in memory can be read")
        };
        let loaded = |sector| memory.get(sector).expect("it was just loaded");
        let forward = Forward::new(rules, class_cache, sector, metric, table.stored(), &loaded);
        let counts = forward.run(&by_the_game, done, cancel).map_err(|stop| match stop {
            Stop::Cancelled => VerifyError::Cancelled,
            Stop::Wrong(WrongValue { own, other, found, expected }) => {
                Mismatch { sector, position: rules.game.position(sector, own, other).to_string(), found, expected }
                    .into()
            }
        })?;
        if counts == table.counts() {
            Ok(())
        } else {
            Err(VerifyError::Counts { sector, found: table.counts(), expected: counts })
        }
    };
    tables.iter().map(|table| verify(table)).collect()
}

/// Returns the memory in bytes that [`verify_in_memory`] needs for the sectors of a unit, if their
/// tables have at most 256 different values.
#[must_use]
pub fn verification_memory(database: &Database, unit: WorkUnit) -> u64 {
    let sectors = unit.sectors().chain(unit.dependencies(database.rules()));
    sectors.map(|sector| sector.slots(database.class_cache())).sum()
}

/// Tables in memory.
struct LoadedTables<'a> {
    database: &'a Database,
    tables: Vec<(Sector, ExpandedTable)>,
}

impl LoadedTables<'_> {
    /// Loads a table if it is not loaded yet.
    fn load(&mut self, sector: Sector, metric: Metric) -> Result<(), TableError> {
        if self.get(sector).is_none() {
            let table = self.database.table(sector, metric).expect("the caller checked that the tables exist");
            self.tables.push((sector, table.expand()?));
        }
        Ok(())
    }

    fn get(&self, sector: Sector) -> Option<&ExpandedTable> {
        self.tables.iter().find(|(of, _)| *of == sector).map(|(_, table)| table)
    }

    fn value(&self, class_cache: &ClassCache, sector: Sector, own: u32, other: u32) -> PositionValue {
        let (row, slot) = index::place(class_cache, own, other);
        self.get(sector).expect("the tables of all successors are loaded").at(row, slot)
    }
}

/// Checks that the tables needed to verify a table exist.
fn check_successors(database: &Database, table: &SectorTable) -> Result<(), VerifyError> {
    let rules = database.rules();
    let unit = WorkUnit::of(table.sector(), rules);
    let needed = || unit.sectors().chain(unit.dependencies(rules));
    let missing: Vec<_> = needed().filter(|&needed| database.table(needed, table.metric()).is_none()).collect();
    if !missing.is_empty() {
        return Err(VerifyError::Missing(missing));
    }
    if table.stored() == StoredValues::Distances {
        let results: Vec<_> = needed().filter(|&lower| !database.has_distances(lower, table.metric())).collect();
        if !results.is_empty() {
            return Err(VerifyError::NoDistances(results));
        }
    }
    Ok(())
}

/// Checks the values of a table one after the other, with the game's move generator. If `every` is
/// above 1, checks only every `every`-th block of the file. `done` counts the slots checked.
///
/// ```
/// use std::sync::atomic::AtomicU64;
///
/// use morello::game::Cancel;
/// use morello::morris::ThreeMensMorris;
/// use morello::morris::engine::database::{
///     Build, BuildProgress, Database, Ruleset, StoredValues, verify,
/// };
///
/// let folder = tempfile::tempdir()?;
/// let (rules, sectors) = (Ruleset::of::<ThreeMensMorris>()?, ["3-3".parse()?]);
/// let build = Build::open(folder.path(), rules, &sectors, StoredValues::Distances)?;
/// build.run(&BuildProgress::default(), &Cancel::new(), |_| ())?;
/// let database = Database::open(folder.path(), rules)?;
/// let (table, done) = (database.tables()[0], AtomicU64::new(0));
/// verify(&database, table, 1, &done, &Cancel::new())?;
/// assert_eq!(done.into_inner(), table.slots());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`VerifyError`], for example the first mismatch found.
///
/// # Panics
/// If the database belongs to another variant.
pub fn verify(
    database: &Database,
    table: &SectorTable,
    every: usize,
    done: &AtomicU64,
    cancel: &Cancel,
) -> Result<(), VerifyError> {
    let (rules, class_cache, sector) = (database.rules(), database.class_cache(), table.sector());
    // Checked in advance, because a sample may not reach the missing tables.
    check_successors(database, table)?;
    let rest = class_cache.board().len() - u32::from(sector.own);
    let sets = subsets(rest, sector.other.into());
    let lookup = |sector, own, other| {
        let value = database.value(sector, table.metric(), own, other)?;
        Ok(value.expect("all tables exist"))
    };
    let check = |slot: usize, found: PositionValue| {
        let (own, other) = index::men(class_cache, sector.own, slot / table.row_len(), sets[slot % table.row_len()]);
        let position = rules.game.position(sector, own, other);
        let derived = rules.game.derive(rules, &position, table.metric(), &lookup)?;
        let expected = if table.stored() == StoredValues::Results { derived.result_only() } else { derived };
        if found != expected {
            return Err(Mismatch { sector, position: position.to_string(), found, expected }.into());
        }
        Ok(())
    };
    parallel::try_for_each(table.blocks().div_ceil(every.max(1)), &|number| {
        if cancel.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        let block = number * every.max(1);
        let slots = table.block_slots(block);
        done.fetch_add(slots.len() as u64, Ordering::Relaxed);
        let mut result = Ok(());
        table.read_block(block, &mut |value| {
            result = slots.clone().try_for_each(|slot| check(slot, value(slot - slots.start)));
        })?;
        result
    })
}

fn join_sectors(sectors: &[Sector]) -> String {
    sectors.iter().map(Sector::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the value of the position with these men in a sector.
pub(super) type Lookup<'a> = dyn Fn(Sector, u32, u32) -> Result<PositionValue, TableError> + 'a;

/// Derives the value of a position from its moves.
pub(super) fn derive<V: Variant>(
    rules: &Ruleset,
    position: &Position<V>,
    metric: Metric,
    lookup: &Lookup<'_>,
) -> Result<PositionValue, TableError> {
    let mut best: Option<PositionValue> = None;
    for m in position.legal_moves() {
        let next = position.after(m);
        let after = match final_value(&next) {
            Some(value) => value,
            None => {
                let value = lookup(Sector::of(&next), next.own(), next.other())?;
                if m.captured().is_some() { rules.after_capture(value, metric) } else { value }
            }
        };
        let value = after.predecessor();
        best = Some(best.filter(|best| best.rank() >= value.rank()).unwrap_or(value));
    }
    Ok(best.or_else(|| final_value(position)).expect("a position without a move ends the game"))
}
