//! [`verify`]: a table against the rules of the game.
//!
//! The solver works backwards, on sets of points and with tables of its own. Here every position is looked at forwards: the moves are those
//! of the game's own move generator, and the value must be that of the best of them. Values that agree with those of their successors
//! everywhere are right, as each chain of them ends in a game that is over: distances grow by one along it. So the sectors that its moves
//! lead to are to be verified as well. What both have in common is the [index](super::index), which has tests of its own.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

use super::probe::final_value;
use super::subsets::subsets;
use super::value::{Metric, PositionValue};
use super::{Database, Sector, SectorTable, TableError, WorkUnit, index};
use crate::game::{Cancel, Position as _};
use crate::morris::{Position, Variant};

/// A value that is not what the moves of its position make it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{position}` is {found} in sector {sector}, and {expected} by its moves")]
pub struct Mismatch {
    /// The sector.
    pub sector: Sector,
    /// The text of the position.
    pub position: String,
    /// What the table says.
    pub found: PositionValue,
    /// What it should be.
    pub expected: PositionValue,
}

/// Why a table is not verified.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A value is wrong.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Sectors that its moves lead to have no table.
    #[error("its moves lead to sectors without a table: build --sectors {}", join_sectors(.0))]
    Missing(Vec<Sector>),
    /// It was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Derives the values of a table from those of the positions that its moves lead to: every one, or with `every` above 1 those of every
/// `every`-th block. `done` counts the slots.
///
/// # Errors
/// [`VerifyError`]: the first difference that was found, if there is one.
///
/// # Panics
/// If the database is of another variant.
pub fn verify<V: Variant>(
    database: &Database,
    table: &SectorTable,
    every: usize,
    done: &AtomicU64,
    cancel: &Cancel,
) -> Result<(), VerifyError> {
    assert_eq!(database.rules().name, V::NAME, "the database is of the variant");
    let (class_cache, sector) = (database.class_cache(), table.sector());
    let unit = WorkUnit::of(sector, database.rules());
    let needed = unit.sectors().chain(unit.dependencies(database.rules()));
    // Looked for beforehand, since a sample may not come to what is missing.
    let missing: Vec<_> = needed.filter(|&needed| database.table(needed, table.metric()).is_none()).collect();
    if !missing.is_empty() {
        return Err(VerifyError::Missing(missing));
    }
    let rest = class_cache.board().len() - u32::from(sector.own);
    let sets = subsets(rest, sector.other.into());
    (0..table.blocks()).into_par_iter().step_by(every.max(1)).try_for_each(|number| {
        if cancel.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        let block = table.block(number)?;
        for (slot, &set) in sets.iter().enumerate() {
            let position: Position<V> = index::position(class_cache, sector, number, set);
            let expected = derive(database, &position, table.metric())?;
            let found = block.value(slot);
            if found != expected {
                return Err(Mismatch { sector, position: position.to_string(), found, expected }.into());
            }
        }
        done.fetch_add(sets.len() as u64, Ordering::Relaxed);
        Ok(())
    })
}

fn join_sectors(sectors: &[Sector]) -> String {
    sectors.iter().map(Sector::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the value of a position by those of its moves; the tables that they lead to are there.
fn derive<V: Variant>(
    database: &Database,
    position: &Position<V>,
    metric: Metric,
) -> Result<PositionValue, TableError> {
    let mut best: Option<PositionValue> = None;
    for m in position.legal_moves() {
        let next = position.after(m);
        let after = if next.is_over() {
            final_value(&next)
        } else {
            let value = database.value(Sector::of(&next), metric, next.own(), next.other())?;
            let value = value.expect("the sectors that moves lead to were seen to be there");
            if m.captured().is_some() { database.rules().after_capture(value, metric) } else { value }
        };
        let value = after.predecessor();
        best = Some(best.filter(|best| best.rank() >= value.rank()).unwrap_or(value));
    }
    Ok(best.unwrap_or_else(|| final_value(position)))
}
