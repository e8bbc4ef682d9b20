//! [`verify`]: a table against the rules of the game.
//!
//! The solver works backwards, on sets of points and with tables of its own. Here every position is looked at forwards: the moves are those
//! of the game's own move generator, and the value must be that of the best of them. Values that agree with those of their successors
//! everywhere are right, as each chain of them ends in a game that is over: distances grow by one along it.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

use super::probe::final_value;
use super::subsets::subsets;
use super::value::{Metric, Value};
use super::{Database, Sector, Table, TableError, index};
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
    pub found: Value,
    /// What it should be.
    pub expected: Value,
}

/// Why a table is not verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A value is wrong.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The tables of the sectors that its moves lead to are not all there.
    #[error("sector {0} cannot be verified: a sector that its moves lead to is missing")]
    Missing(Sector),
    /// It was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Derives every value of a table from those of the positions that its moves lead to. `done` counts the slots.
///
/// # Errors
/// [`VerifyError`]: the first difference that was found, if there is one.
///
/// # Panics
/// If the database is of another variant.
pub fn verify<V: Variant>(
    database: &Database,
    table: &Table,
    done: &AtomicU64,
    cancel: &Cancel,
) -> Result<(), VerifyError> {
    assert_eq!(database.rules().name, V::NAME, "the database is of the variant");
    let (geometry, sector) = (database.geometry(), table.sector());
    let rest = geometry.board().len() - u32::from(sector.own);
    let sets = subsets(rest, sector.other.into());
    (0..table.blocks()).into_par_iter().try_for_each(|number| {
        if cancel.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        let block = table.block(number)?;
        for (slot, &set) in sets.iter().enumerate() {
            let position: Position<V> = index::position(geometry, sector, number, set);
            let expected = derive(database, &position, table.metric())?.ok_or(VerifyError::Missing(sector))?;
            let found = block.value(slot);
            if found != expected {
                return Err(Mismatch { sector, position: position.to_string(), found, expected }.into());
            }
        }
        done.fetch_add(sets.len() as u64, Ordering::Relaxed);
        Ok(())
    })
}

/// Returns the value of a position by those of its moves; `None` if one of these is not known.
fn derive<V: Variant>(
    database: &Database,
    position: &Position<V>,
    metric: Metric,
) -> Result<Option<Value>, TableError> {
    let value_of = |position: &Position<V>, metric| {
        if position.is_over() {
            return Ok(Some(final_value(position)));
        }
        database.value(Sector::of(position), metric, position.own(), position.other())
    };
    let mut best = None;
    for m in position.legal_moves() {
        let next = position.after(m);
        let Some(after) = value_of(&next, Metric::End)? else { return Ok(None) };
        let value = match (metric, after.before().outcome()) {
            (Metric::End, _) => after.before(),
            (Metric::Capture, outcome) => {
                let ends = m.captured().is_some() || next.is_over();
                let plies = if ends { Some(0) } else { value_of(&next, Metric::Capture)?.and_then(Value::plies) };
                match (outcome, plies) {
                    (std::cmp::Ordering::Equal, _) => Value::DRAW,
                    (_, None) => return Ok(None),
                    (std::cmp::Ordering::Greater, Some(plies)) => Value::win(plies + 1),
                    (std::cmp::Ordering::Less, Some(plies)) => Value::loss(plies + 1),
                }
            }
        };
        best = best.max(Some((value.rank(), value)));
    }
    Ok(Some(best.map_or_else(|| final_value(position), |(_, value)| value)))
}
