//! [`verify`]: checks a table against the rules of the game.
//!
//! The solver works backwards on sets of points. Verification works forwards: it generates the moves of each position with the move
//! generator of the game and checks that the value is that of the best move. If all values agree with those of their successors, they are
//! correct, because distances grow by one from position to position until the game is over. This requires that the sectors that moves lead
//! to are verified as well. Solver and verification share only the [index](super::index), which has its own tests.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

use super::probe::final_value;
use super::subsets::subsets;
use super::value::{Metric, PositionValue};
use super::{Database, Sector, SectorTable, StoredValues, TableError, WorkUnit, index};
use crate::game::{Cancel, Position as _};
use crate::morris::{Position, Variant};

/// A value that differs from the one derived from the moves of its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("wrong value in sector {sector}: `{position}` is stored as {found}, but its moves give {expected}")]
pub struct Mismatch {
    /// The sector.
    pub sector: Sector,
    /// The text of the position.
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
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Sectors that the moves lead to have no table.
    #[error("moves lead to sectors without a table: build --sectors {}", join_sectors(.0))]
    Missing(Vec<Sector>),
    /// The plies of a table cannot be verified, because tables of sectors that the moves lead to do not store them.
    #[error("moves lead to tables without plies: build --sectors {} --values distances", join_sectors(.0))]
    NoDistances(Vec<Sector>),
    /// Verification was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Checks the values of a table against those of the positions after each move. With `every` above 1 checks only every `every`-th block of the
/// file. `done` counts the slots checked.
///
/// # Errors
/// [`VerifyError`], such as the first mismatch found.
///
/// # Panics
/// If the database belongs to another variant.
pub fn verify<V: Variant>(
    database: &Database,
    table: &SectorTable,
    every: usize,
    done: &AtomicU64,
    cancel: &Cancel,
) -> Result<(), VerifyError> {
    assert_eq!(database.rules().name, V::NAME, "the database belongs to the variant");
    let (class_cache, sector) = (database.class_cache(), table.sector());
    let unit = WorkUnit::of(sector, database.rules());
    let needed = unit.sectors().chain(unit.dependencies(database.rules()));
    // Checked in advance, since a sample may not reach the missing tables.
    let missing: Vec<_> = needed.filter(|&needed| database.table(needed, table.metric()).is_none()).collect();
    if !missing.is_empty() {
        return Err(VerifyError::Missing(missing));
    }
    if table.stored() == StoredValues::Distances {
        let lower = unit.sectors().chain(unit.dependencies(database.rules()));
        let results: Vec<_> = lower.filter(|&lower| !database.has_distances(lower, table.metric())).collect();
        if !results.is_empty() {
            return Err(VerifyError::NoDistances(results));
        }
    }
    let rest = class_cache.board().len() - u32::from(sector.own);
    let sets = subsets(rest, sector.other.into());
    (0..table.blocks()).into_par_iter().step_by(every.max(1)).try_for_each(|block| {
        if cancel.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        let slots = table.block_slots(block);
        done.fetch_add(slots.len() as u64, Ordering::Relaxed);
        table.read_block(block, |value| {
            for (number, slot) in slots.enumerate() {
                let set = sets[slot % table.row_len()];
                let position: Position<V> = index::position(class_cache, sector, slot / table.row_len(), set);
                let derived = derive(database, &position, table.metric())?;
                let expected = if table.stored() == StoredValues::Results { derived.result_only() } else { derived };
                let found = value(number);
                if found != expected {
                    return Err(Mismatch { sector, position: position.to_string(), found, expected }.into());
                }
            }
            Ok(())
        })?
    })
}

fn join_sectors(sectors: &[Sector]) -> String {
    sectors.iter().map(Sector::to_string).collect::<Vec<_>>().join(",")
}

/// Derives the value of a position from its moves. The tables of the positions after them must exist.
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
            let value = value.expect("`verify` checked that the tables exist");
            if m.captured().is_some() { database.rules().after_capture(value, metric) } else { value }
        };
        let value = after.predecessor();
        best = Some(best.filter(|best| best.rank() >= value.rank()).unwrap_or(value));
    }
    Ok(best.unwrap_or_else(|| final_value(position)))
}
