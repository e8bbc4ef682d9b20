//! Rules in batches: legal moves, play, results, canonical forms, perft, text.

use std::sync::atomic::{AtomicUsize, Ordering};

use morello::game::{AnyPosition, Cancel, GameRules as _, Packed, Position as _};
use morello::othello::{Board, SizedPosition};
use morello::{games, input};
use numpy::IntoPyArray;
use numpy::ndarray::Array2;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::{
    Array, Boards, CHUNK, Matrix, MoveNumbers, NO_MOVE, for_game, known_moves, offsets, on_boards, same_length,
};
use crate::errors::{illegal, invalid, natural, parse_error};
use crate::items::Items;
use crate::work;

/// Returns boards as an array of shape (n, 3).
pub fn board_array<'py>(py: Python<'py>, rows: Vec<Packed>) -> Matrix<'py, u64> {
    let shape = (rows.len(), 3);
    Array2::from_shape_vec(shape, rows.into_flattened()).expect("three numbers a board").into_pyarray(py)
}

/// Returns `count` copies of the starting position: uint64 (count, 3).
#[pyfunction]
#[pyo3(signature = (count, game="othello"))]
fn start_boards<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = natural)] count: usize,
    game: &str,
) -> PyResult<Matrix<'py, u64>> {
    work::check_memory(count, size_of::<Packed>(), "boards")?;
    let start = for_game!(game, P => P::default().pack());
    Ok(board_array(py, vec![start; count]))
}

/// Reads positions, or the moves of games, in any notation: uint64 (n, 3).
///
/// Raises:
///     ParseError: `line` is the number of the invalid text, from 1.
#[pyfunction]
#[pyo3(signature = (texts, game="othello"))]
fn parse_boards<'py>(py: Python<'py>, texts: Items<String>, game: &str) -> PyResult<Matrix<'py, u64>> {
    let any = games::get(game).map_err(invalid)?;
    let positions: Result<Vec<_>, _> = work::on_boards(py, texts.len(), |cancel| {
        let read = |(index, text): (usize, &String)| match input::read_position(any, text) {
            _ if cancel.is_cancelled() => Err((index, String::new())),
            read => read.map_err(|error| (index, error.to_string())),
        };
        Ok(texts.par_iter().enumerate().map(read).collect())
    })?;
    let positions = positions.map_err(|(index, error)| parse_error(py, &error, None, index as u64 + 1, 1))?;
    Ok(board_array(py, packed_rows(game, &positions)?))
}

/// Writes boards in the notation of the game.
#[pyfunction]
#[pyo3(signature = (boards, game="othello"))]
fn format_boards(py: Python<'_>, boards: Boards<'_>, game: &str) -> PyResult<Vec<String>> {
    let rows = super::boards(py, game, &boards)?;
    Ok(on_boards!(py, game, P, rows, cancel => Vec<String> {
        let text = |&row: &Packed| if cancel.is_cancelled() { String::new() } else { P::unpack(row).to_string() };
        rows.par_iter().map(text).collect()
    }))
}

/// Returns the legal moves of Othello boards with N rows, as masks.
fn masks<const N: usize>(rows: &[Packed], cancel: &Cancel) -> Vec<u64> {
    let part = |(rows, masks): (&[Packed], &mut [u64])| {
        if cancel.is_cancelled() {
            return;
        }
        let boards: Vec<_> = rows.iter().map(|&row| SizedPosition::<N>::unpack(row).board()).collect();
        for (mask, moves) in masks.iter_mut().zip(Board::moves_of_all(&boards)) {
            *mask = moves.bits();
        }
    };
    let mut masks = vec![0; rows.len()];
    rows.par_chunks(CHUNK).zip(masks.par_chunks_mut(CHUNK)).for_each(part);
    masks
}

/// Returns the masks of the legal moves of checked boards; `None` if the game has no such masks.
pub fn masks_of(py: Python<'_>, game: &str, rows: &[Packed]) -> PyResult<Option<Vec<u64>>> {
    let masks: fn(&[Packed], &Cancel) -> Vec<u64> = match game {
        "othello" => masks::<8>,
        "othello-6x6" => masks::<6>,
        "othello-4x4" => masks::<4>,
        _ => return Ok(None),
    };
    work::on_boards(py, rows.len(), |cancel| Ok(Some(masks(rows, cancel))))
}

/// Returns the legal moves of Othello boards as masks: uint64 (n,), bit s for square s (a1 is 0, b1
/// is 1, h8 is 63). 0 means a pass or the end.
#[pyfunction]
#[pyo3(signature = (boards, game="othello"))]
fn legal_masks<'py>(py: Python<'py>, boards: Boards<'_>, game: &str) -> PyResult<Array<'py, u64>> {
    let rows = super::boards(py, game, &boards)?;
    let masks = masks_of(py, game, &rows)?;
    let masks = masks.ok_or_else(|| invalid(format!("{game} has no masks of squares; use legal_moves")))?;
    Ok(masks.into_pyarray(py))
}

/// Returns the legal moves of boards.
///
/// Returns:
///     (offsets, moves), int64 (n + 1,) and uint16. The moves of board i are
///     `moves[offsets[i]:offsets[i + 1]]`. In Othello a move is the number of its square, 0 to 63,
///     and a pass is 64; see `move_texts`.
#[pyfunction]
#[pyo3(name = "legal_moves", signature = (boards, game="othello"))]
fn legal_moves<'py>(py: Python<'py>, boards: Boards<'_>, game: &str) -> PyResult<(Array<'py, i64>, Array<'py, u16>)> {
    let rows = super::boards(py, game, &boards)?;
    let parts = on_boards!(py, game, P, rows, cancel => Vec<(Vec<u16>, Vec<u16>)> {
        let part = |rows: &[Packed]| {
            if cancel.is_cancelled() {
                return (Vec::new(), Vec::new());
            }
            let (mut counts, mut moves) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len() * 8));
            for &row in rows {
                let before = moves.len();
                moves.extend(P::unpack(row).legal_moves().map(|m| -> u16 { m.into() }));
                counts.push((moves.len() - before) as u16);
            }
            (counts, moves)
        };
        rows.par_chunks(CHUNK).map(part).collect()
    });
    let counts = parts.iter().flat_map(|(counts, _)| counts).map(|&count| count.into());
    let offsets = offsets(counts);
    let all = parts.into_iter().map(|(_, moves)| moves).collect::<Vec<_>>().concat();
    Ok((offsets.into_pyarray(py), all.into_pyarray(py)))
}

/// Plays one move on each board: uint64 (n, 3).
///
/// Raises:
///     IllegalMoveError: with the index of the first illegal move.
#[pyfunction]
#[pyo3(signature = (boards, moves, game="othello"))]
fn play<'py>(py: Python<'py>, boards: Boards<'_>, moves: MoveNumbers<'_>, game: &str) -> PyResult<Matrix<'py, u64>> {
    let rows = super::boards(py, game, &boards)?;
    let moves = super::move_numbers(&moves)?;
    same_length(rows.len(), moves.len(), "moves")?;
    let next = on_boards!(py, game, P, rows, cancel => Result<Vec<Packed>, usize> {
            let first_illegal = AtomicUsize::new(usize::MAX);
            let play = |(index, (&row, &number)): (usize, (&Packed, &u16))| {
                if cancel.is_cancelled() {
                    return row;
                }
                let (position, m) = (P::unpack(row), P::unpack_move(number));
                // A number that is not a move of the game may unpack to a legal move.
                let same: u16 = m.into();
                if same == number && position.is_legal(m) {
                    return position.after(m).pack();
                }
                first_illegal.fetch_min(index, Ordering::Relaxed);
                row
            };
            let next = rows.par_iter().zip(&moves).enumerate().with_min_len(CHUNK).map(play).collect();
            match first_illegal.into_inner() {
                usize::MAX => Ok(next),
                index => Err(index),
            }
    });
    next.map(|rows| board_array(py, rows))
        .map_err(|index| illegal(format!("moves[{index}] is illegal on boards[{index}]")))
}

/// Returns which positions end the game, and the final scores.
///
/// Returns:
///     (over, scores): bool (n,) and int8 (n,), points for the side to move; 0 where the game is not over.
#[pyfunction]
#[pyo3(name = "results", signature = (boards, game="othello"))]
fn results<'py>(py: Python<'py>, boards: Boards<'_>, game: &str) -> PyResult<(Array<'py, bool>, Array<'py, i8>)> {
    let rows = super::boards(py, game, &boards)?;
    let (over, scores): (Vec<bool>, Vec<i8>) = on_boards!(py, game, P, rows, cancel => (Vec<bool>, Vec<i8>) {
        let result = |&row: &Packed| {
            if cancel.is_cancelled() {
                return (false, 0);
            }
            let position = P::unpack(row);
            let over = position.is_over();
            (over, if over { position.final_score() as i8 } else { 0 })
        };
        rows.par_iter().with_min_len(CHUNK).map(result).unzip()
    });
    Ok((over.into_pyarray(py), scores.into_pyarray(py)))
}

/// Returns the canonical form of each board, equal for all symmetric boards: uint64 (n, 3).
#[pyfunction]
#[pyo3(signature = (boards, game="othello"))]
fn canonical<'py>(py: Python<'py>, boards: Boards<'_>, game: &str) -> PyResult<Matrix<'py, u64>> {
    let rows = super::boards(py, game, &boards)?;
    let rows = on_boards!(py, game, P, rows, cancel => Vec<Packed> {
        let canonical = |&row: &Packed| if cancel.is_cancelled() { row } else { P::unpack(row).canonical().pack() };
        rows.par_iter().with_min_len(CHUNK / 8).map(canonical).collect()
    });
    Ok(board_array(py, rows))
}

/// Counts the leaves `depth` plies below each board: uint64 (n,).
///
/// Args:
///     convention: as in `Position.perft`.
///     progress: a function that receives the number of boards done and the total.
#[pyfunction]
#[pyo3(signature = (boards, depth, game="othello", *, convention="passes-count", threads=None, progress=None))]
fn perft<'py>(
    py: Python<'py>,
    boards: Boards<'_>,
    #[pyo3(from_py_with = natural)] depth: u32,
    game: &str,
    convention: &str,
    #[pyo3(from_py_with = natural)] threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Array<'py, u64>> {
    let convention = convention.parse().map_err(invalid)?;
    let rows = super::boards(py, game, &boards)?;
    let positions = any_positions(game, &rows)?;
    let functions = games::perft(game).map_err(invalid)?;
    let states = vec![(); work::thread_count(threads)?];
    let counts: Vec<_> = work::map(py, positions.len(), states, progress, |(), index, cancel| {
        // A cancelled count is dropped.
        functions.count_with(&positions[index], depth, convention, cancel).unwrap_or_default()
    })?;
    Ok(counts.into_pyarray(py))
}

/// Returns boards as positions.
pub fn any_positions(game: &str, rows: &[Packed]) -> PyResult<Vec<AnyPosition>> {
    Ok(for_game!(game, P => {
        rows.iter().map(|&row| AnyPosition::new(P::unpack(row))).collect()
    }))
}

/// Returns positions as boards.
pub fn packed_rows(game: &str, positions: &[AnyPosition]) -> PyResult<Vec<Packed>> {
    Ok(for_game!(game, P => {
        positions.iter().map(|position| position.typed::<P>().expect("the position is of this game").pack()).collect()
    }))
}

/// Converts move numbers to text, such as 37 to "f5" in Othello; `NO_MOVE` becomes "".
#[pyfunction]
#[pyo3(signature = (moves, game="othello"))]
fn move_texts(py: Python<'_>, moves: MoveNumbers<'_>, game: &str) -> PyResult<Vec<String>> {
    let moves = super::move_numbers(&moves)?;
    work::on_boards(py, moves.len(), |cancel| {
        for_game!(game, P => {
            let text = |m: Option<<P as morello::game::Position>::Move>| match m {
                Some(m) if !cancel.is_cancelled() => m.to_string(),
                _ => String::new(),
            };
            known_moves::<P>(&moves).map(|moves| moves.into_par_iter().map(text).collect())
        })
    })
}

/// Converts moves given as text, one per board, to move numbers: uint16 (n,).
///
/// Raises:
///     IllegalMoveError: with the index of the first illegal move.
#[pyfunction]
#[pyo3(signature = (boards, texts, game="othello"))]
fn move_numbers<'py>(
    py: Python<'py>,
    boards: Boards<'_>,
    texts: Items<String>,
    game: &str,
) -> PyResult<Array<'py, u16>> {
    let rows = super::boards(py, game, &boards)?;
    same_length(rows.len(), texts.len(), "texts")?;
    let number = |(index, (position, text)): (usize, (AnyPosition, String))| {
        if index % CHUNK == 0 {
            py.check_signals()?;
        }
        let m = position.find_move(&text).ok_or_else(|| illegal(format!("texts[{index}] is illegal: `{text}`")))?;
        Ok(u16::from(m))
    };
    let numbers: PyResult<Vec<u16>> =
        any_positions(game, &rows)?.into_iter().zip(texts).enumerate().map(number).collect();
    Ok(numbers?.into_pyarray(py))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("NO_MOVE", NO_MOVE)?;
    module.add_function(wrap_pyfunction!(start_boards, module)?)?;
    module.add_function(wrap_pyfunction!(parse_boards, module)?)?;
    module.add_function(wrap_pyfunction!(format_boards, module)?)?;
    module.add_function(wrap_pyfunction!(legal_masks, module)?)?;
    module.add_function(wrap_pyfunction!(legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(play, module)?)?;
    module.add_function(wrap_pyfunction!(results, module)?)?;
    module.add_function(wrap_pyfunction!(canonical, module)?)?;
    module.add_function(wrap_pyfunction!(perft, module)?)?;
    module.add_function(wrap_pyfunction!(move_texts, module)?)?;
    module.add_function(wrap_pyfunction!(move_numbers, module)?)
}
