//! Functions on NumPy arrays of boards: rules, perft, search, regret, random games and self-play.
//!
//! A board is a row of three `uint64`, the packed form of a position of any game. Every function
//! checks its boards first, works without the interpreter's lock and uses all cores.

mod generate;
mod rules;
mod searches;

use morello::game::Packed;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::invalid;

type Boards<'py> = PyReadonlyArray2<'py, u64>;
type MoveNumbers<'py> = PyReadonlyArray1<'py, u16>;
type Array<'py, T> = Bound<'py, PyArray1<T>>;
type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

/// The number that means no move in arrays of moves.
pub const NO_MOVE: u16 = u16::MAX;

/// Boards on which a thread works at a time.
const CHUNK: usize = 1 << 12;

/// Runs generic code on the type of a game that is known by name.
macro_rules! for_game {
    ($name:expr, $game:ident => $value:expr) => {
        morello::with_game!($name, $game => $value).map_err($crate::errors::invalid)?
    };
}
use for_game;

/// Runs generic code on checked boards, without the interpreter's lock.
macro_rules! on_boards {
    ($py:expr, $game:ident, $type:ident, $rows:ident => $output:ty $body:block) => {
        $py.detach(|| {
            $crate::work::in_pool(|| -> pyo3::PyResult<$output> {
                Ok($crate::batch::for_game!($game, $type => $body))
            })
        })?
    };
}
use on_boards;

/// Copies the rows of an array of boards, and checks that each is a position of the game.
fn boards(py: Python<'_>, game: &str, array: &Boards<'_>) -> PyResult<Vec<Packed>> {
    if array.shape()[1] != 3 {
        return Err(invalid(format!("boards must have the shape (n, 3), not {:?}", array.shape())));
    }
    let rows: Vec<Packed> = match array.as_slice() {
        Ok(numbers) if array.is_c_contiguous() => numbers.as_chunks().0.to_vec(),
        // Also the columns of a table, which are one after the other in memory.
        _ => array.as_array().rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect(),
    };
    let bad = on_boards!(py, game, P, rows => Option<usize> {
        let is_bad = |&row: &Packed| P::try_unpack(row).is_none();
        rows.par_iter().with_min_len(CHUNK).position_first(is_bad)
    });
    match bad {
        Some(index) => Err(invalid(format!("boards[{index}] is not a position of {game}: {:?}", rows[index]))),
        None => Ok(rows),
    }
}

/// Returns an error if two arrays differ in length.
fn same_length(boards: usize, other: usize, name: &str) -> PyResult<()> {
    if boards == other { Ok(()) } else { Err(invalid(format!("{boards} boards, but {other} {name}"))) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    rules::register(module)?;
    searches::register(module)?;
    generate::register(module)
}
