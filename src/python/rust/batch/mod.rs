//! Functions on NumPy arrays of boards: rules, perft, search, regret, random games and self-play.
//!
//! A board is a row of three `uint64` values: a packed position of any game. Every function first
//! checks its boards, releases the interpreter's lock and uses all cores.

mod generate;
mod probe;
mod replay;
mod rules;
mod searches;

pub use generate::{Columns, Played, game_arrays, seed_of};
use morello::game::{Color, Packed, Playable};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use rayon::prelude::*;
pub use rules::{board_array, packed_rows};

use crate::errors::invalid;

/// Boards from Python: rows of three integers, in an array of any layout or in lists.
type Boards<'py> = Bound<'py, PyAny>;
/// Move numbers, in an array or in a list.
type MoveNumbers<'py> = Bound<'py, PyAny>;
pub type Array<'py, T> = Bound<'py, PyArray1<T>>;
type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

/// Means "no move" in arrays of moves.
pub const NO_MOVE: u16 = u16::MAX;

/// The number of boards that a thread processes at a time.
const CHUNK: usize = 1 << 12;

/// Runs generic code for the type of the game with a given name.
macro_rules! for_game {
    ($name:expr, $game:ident => $value:expr) => {
        morello::with_game!($name, $game => $value).map_err($crate::errors::invalid)?
    };
}
pub(crate) use for_game;

/// Runs generic code on checked boards: see [`crate::work::on_boards`].
macro_rules! on_boards {
    ($py:expr, $game:ident, $type:ident, $rows:ident, $cancel:ident => $output:ty $body:block) => {
        $crate::work::on_boards($py, $rows.len(), |$cancel| -> pyo3::PyResult<$output> {
            Ok($crate::batch::for_game!($game, $type => $body))
        })?
    };
}
use on_boards;

/// Copies the rows of an array of boards, and checks that each row is a position of the game.
fn boards(py: Python<'_>, game: &str, array: &Boards<'_>) -> PyResult<Vec<Packed>> {
    let array = integers(array, "boards")?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape.len() != 2 || shape[1] != 3 {
        let shape = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Err(invalid(format!("boards must have the shape (n, 3), not ({shape})")));
    }
    // Signed integers have the same bits.
    let array: PyReadonlyArray2<'_, u64> = array.call_method1("astype", ("uint64",))?.extract()?;
    let rows: Vec<Packed> = match array.as_slice() {
        Ok(numbers) if array.is_c_contiguous() => numbers.as_chunks().0.to_vec(),
        // This also handles the columns of a table, which are stored one after another.
        _ => array.as_array().rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect(),
    };
    let bad = on_boards!(py, game, P, rows, cancel => Option<usize> {
        let is_bad = |&row: &Packed| cancel.is_cancelled() || P::try_unpack(row).is_none();
        rows.par_iter().with_min_len(CHUNK).position_first(is_bad)
    });
    match bad {
        Some(index) => Err(invalid(format!("boards[{index}] is not a position of {game}: {:?}", rows[index]))),
        None => Ok(rows),
    }
}

/// Returns a value as an array of integers. An empty list is accepted.
pub fn integers<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if ["i", "u"].contains(&&*kind) || array.getattr("size")?.extract::<usize>()? == 0 {
        return Ok(array);
    }
    // NumPy converts lists of small and large integers to floats.
    if !value.hasattr("dtype")? {
        let objects = numpy.call_method1("asarray", (value, "object"))?;
        let numbers = objects.call_method0("ravel")?.call_method0("tolist")?;
        if numbers.try_iter()?.all(|number| number.is_ok_and(|number| number.is_instance_of::<PyInt>())) {
            return objects.call_method1("astype", ("uint64",));
        }
    }
    Err(PyTypeError::new_err(format!("{name} must be integers, not {dtype}")))
}

/// Reads move numbers.
pub fn move_numbers(moves: &MoveNumbers<'_>) -> PyResult<Vec<u16>> {
    let array = integers(moves, "moves")?;
    if array.getattr("ndim")?.extract::<usize>()? != 1 {
        return Err(invalid(format!("moves must have the shape (n,), not {}", array.getattr("shape")?)));
    }
    if let Ok(numbers) = array.extract::<PyReadonlyArray1<'_, u16>>() {
        return Ok(numbers.as_array().to_vec());
    }
    let numbers: PyReadonlyArray1<'_, i64> = array.call_method1("astype", ("int64",))?.extract()?;
    let number = |(index, &number): (usize, &i64)| {
        u16::try_from(number).map_err(|_| invalid(format!("moves[{index}] is not a move: {number}")))
    };
    numbers.as_array().iter().enumerate().map(number).collect()
}

/// Returns Black's margin in points if the position ends the game, otherwise 0.
pub fn black_points<P: Playable>(position: &P) -> i8 {
    let score = if position.is_over() { position.final_score() as i8 } else { 0 };
    if position.side_to_move() == Color::Black { score } else { -score }
}

/// Returns the move with this number; `None` if there is no such move.
fn known_move<P: Playable>(number: u16) -> Option<P::Move> {
    Some(P::unpack_move(number)).filter(|&m| Into::<u16>::into(m) == number)
}

/// Returns the moves with these numbers; `None` for `NO_MOVE`.
fn known_moves<P: Playable>(numbers: &[u16]) -> PyResult<Vec<Option<P::Move>>> {
    let known = |(index, &number): (usize, &u16)| match known_move::<P>(number) {
        _ if number == NO_MOVE => Ok(None),
        None => Err(invalid(format!("moves[{index}] is not a move of {}: {number}", P::INFO.name))),
        known => Ok(known),
    };
    numbers.iter().enumerate().map(known).collect()
}

/// Returns the start offsets of lists that are concatenated into one array, followed by the end of
/// the last list.
fn offsets(lengths: impl Iterator<Item = usize>) -> Vec<i64> {
    let mut offsets = vec![0];
    offsets.extend(lengths.scan(0, |end, length| {
        *end += length as i64;
        Some(*end)
    }));
    offsets
}

/// Returns an error if two arrays differ in length.
fn same_length(boards: usize, other: usize, name: &str) -> PyResult<()> {
    if boards == other { Ok(()) } else { Err(invalid(format!("{boards} boards, but {other} {name}"))) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    rules::register(module)?;
    searches::register(module)?;
    generate::register(module)?;
    replay::register(module)?;
    probe::register(module)
}
