//! Looks up many positions of the mill games in an endgame database.

use std::cmp::Ordering;

use morello::game::{AnyPosition, Cancel};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use super::rules::any_positions;
use super::{Boards, CHUNK, integers, same_length};
use crate::database::Database;
use crate::errors::{failed, invalid};
use crate::work;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Default)]
struct Value {
    is_known: bool,
    result: i8,
    plies: i32,
    drawn_by_rule: bool,
}

/// Looks up boards in an endgame database.
///
/// Args:
///     boards: uint64 (n, 3), positions of the database's game.
///     database: a Database.
///     clock: the number of plies since the last capture or placement, for the ten-move rule of
///         Morabaraba: one number for all boards, or one per board.
///
/// Returns:
///     a dict of arrays (n,):
///     "known": bool, whether a table has the position
///     "result": int8, 1 for a win of the side to move, -1 for a loss, 0 for a draw or if unknown
///     "plies": int32, the number of plies to the end with best play; -1 for draws or if unknown
///     "drawn_by_rule": bool, as in `Probe`
///
/// Raises:
///     OSError: a table cannot be read.
#[pyfunction]
#[pyo3(signature = (boards, database, *, clock=None))]
fn probe<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    database: &Database,
    clock: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let game = database.name();
    let positions = any_positions(game, &super::boards(py, game, &boards)?)?;
    let clocks = clock.map_or_else(|| Ok(vec![0]), |clock| clocks(&clock))?;
    if clocks.len() != 1 {
        same_length(positions.len(), clocks.len(), "clocks")?;
    }
    let value = |cancel: &Cancel, (index, position): (usize, &AnyPosition)| {
        if cancel.is_cancelled() {
            return Ok(Value::default());
        }
        let clock = if clocks.len() == 1 { clocks[0] } else { clocks[index] };
        let Some(probe) = database.tables.probe(position, clock)? else {
            return Ok(Value { plies: -1, ..Value::default() });
        };
        Ok(Value {
            is_known: true,
            result: match probe.outcome() {
                Ordering::Greater => 1,
                Ordering::Equal => 0,
                Ordering::Less => -1,
            },
            plies: probe.plies().map_or(-1, |plies| plies as i32),
            drawn_by_rule: probe.drawn_by_rule,
        })
    };
    let values: Result<Vec<Value>, _> = work::on_boards(py, positions.len(), |cancel| {
        Ok(positions.par_iter().enumerate().with_min_len(CHUNK).map(|one| value(cancel, one)).collect())
    })?;
    let values = values.map_err(|error: morello::morris::engine::database::TableError| failed(&error))?;
    let dict = PyDict::new(py);
    dict.set_item("known", values.iter().map(|value| value.is_known).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("result", values.iter().map(|value| value.result).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("plies", values.iter().map(|value| value.plies).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item(
        "drawn_by_rule",
        values.iter().map(|value| value.drawn_by_rule).collect::<Vec<_>>().into_pyarray(py),
    )?;
    Ok(dict)
}

/// Reads numbers of plies.
fn clocks(clock: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let numbers: Vec<i64> = integers(clock, "clock")?.call_method0("ravel")?.call_method0("tolist")?.extract()?;
    let number = |number: i64| u32::try_from(number).map_err(|_| invalid(format!("clock must not be {number}")));
    numbers.into_iter().map(number).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(probe, module)?)
}
