//! Replays games given as arrays of moves, and transforms boards and moves by symmetries.

use morello::game::{Color, Packed, Playable};
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{Element, IntoPyArray, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use super::rules::{board_array, masks_of};
use super::{
    Array, Boards, CHUNK, Matrix, MoveNumbers, NO_MOVE, black_points, for_game, integers, known_moves, on_boards,
    same_length,
};
use crate::errors::{illegal, invalid};
use crate::work;

/// A row of moves in an array, or lists of moves.
type MoveRows<'py> = Bound<'py, PyAny>;

/// The moves of a game, with the board before each.
struct Line {
    boards: Vec<Packed>,
    moves: Vec<u16>,
    /// Black's margin in points; 0 for an unfinished game.
    score: i8,
    /// The side to move at the start.
    first: Color,
}

/// Plays the moves of a row from a position. The moves end at the first `NO_MOVE` or -1; omitted
/// passes are inserted. The error is the index of the illegal move.
fn line<P: Playable>(start: P, row: impl Iterator<Item = i64>) -> Result<Line, usize> {
    let mut position = start;
    let mut line = Line { boards: Vec::new(), moves: Vec::new(), score: 0, first: start.side_to_move() };
    let mut halfmove_clock = 0;
    let mut play = |position: &mut P, m: P::Move| {
        line.boards.push(position.pack());
        line.moves.push(m.into());
        halfmove_clock = if position.is_irreversible(m) { 0 } else { halfmove_clock + 1 };
        position.play_unchecked(m);
        // Only the game's own rule applies; other draw rules are not part of a position.
        position.no_progress_limit().is_some_and(|limit| halfmove_clock >= limit)
    };
    let mut is_drawn = false;
    for (index, number) in row.take_while(|&number| number != i64::from(NO_MOVE) && number != -1).enumerate() {
        let m = u16::try_from(number).ok().and_then(super::known_move::<P>).filter(|_| !is_drawn).ok_or(index)?;
        if let Some(pass) = position.forced_pass().filter(|_| !P::is_pass(m)) {
            play(&mut position, pass);
        }
        if !position.is_legal(m) {
            return Err(index);
        }
        is_drawn = play(&mut position, m);
    }
    line.score = black_points(&position);
    Ok(line)
}

/// Plays games, and returns every position before a move.
///
/// Args:
///     moves: integers (n, k), such as "moves" of `random_games`: the moves of a game end at the
///         first `NO_MOVE` or -1. Forced passes may be omitted.
///     starts: uint64 (n, 3), the position in which each game starts, or (1, 3) for one position
///         for all games; None for the starting position of the game.
///
/// Returns:
///     a dict of arrays with one row per move of each game, including passes, in order:
///     "game": int64 (m,), the index of the game
///     "ply": int32 (m,), from 0
///     "board": uint64 (m, 3), the board before the move
///     "move": uint16 (m,)
///     "outcome": int8 (m,), the final margin in points for the side to move, negative if it lost;
///         0 for unfinished games
///     "mask": uint64 (m,), only for Othello: the legal moves, as returned by `legal_masks`
///
/// Raises:
///     IllegalMoveError: with the game and the index of the first illegal move.
#[pyfunction]
#[pyo3(signature = (moves, game="othello", *, starts=None))]
fn replay<'py>(
    py: Python<'py>,
    moves: MoveRows<'py>,
    game: &str,
    starts: Option<Boards<'py>>,
) -> PyResult<Bound<'py, PyDict>> {
    let array = integers(&moves, "moves")?;
    // A list without games has no second dimension.
    let array = if array.len()? == 0 { array.call_method1("reshape", (0, 0))? } else { array };
    let array: PyReadonlyArray2<'_, i64> =
        array.call_method1("astype", ("int64",))?.extract().map_err(|_| invalid("moves must have the shape (n, k)"))?;
    let starts = starts.map(|starts| super::boards(py, game, &starts)).transpose()?;
    let count = array.as_array().nrows();
    if let Some(starts) = starts.as_ref().filter(|starts| starts.len() != 1 && starts.len() != count) {
        return Err(invalid(format!("starts has {} boards, but moves has {count} games", starts.len())));
    }
    let lines = for_game!(game, P => lines::<P>(py, array.as_array(), starts.as_deref())?);
    lines_to_arrays(py, game, lines)
}

/// Replays all games on all cores.
fn lines<P: Playable>(py: Python<'_>, moves: ArrayView2<'_, i64>, starts: Option<&[Packed]>) -> PyResult<Vec<Line>> {
    let start = |game: usize| match starts {
        None => P::default(),
        Some([one]) => P::unpack(*one),
        Some(starts) => P::unpack(starts[game]),
    };
    let lines: Vec<Result<Line, (usize, usize)>> = work::on_boards(py, moves.len(), |cancel| {
        let play = |game: usize| {
            let row = moves.row(game);
            let row = row.iter().copied().take(if cancel.is_cancelled() { 0 } else { row.len() });
            line::<P>(start(game), row).map_err(|ply| (game, ply))
        };
        Ok((0..moves.nrows()).into_par_iter().with_min_len(CHUNK / 64).map(play).collect())
    })?;
    let lines: Result<Vec<Line>, _> = lines.into_iter().collect();
    lines.map_err(|(game, ply)| illegal(format!("moves[{game}, {ply}] is illegal: {}", moves[[game, ply]])))
}

fn lines_to_arrays<'py>(py: Python<'py>, game: &str, lines: Vec<Line>) -> PyResult<Bound<'py, PyDict>> {
    let count = lines.iter().map(|line| line.moves.len()).sum();
    work::check_memory(count, 2 * (size_of::<Packed>() + 16), "positions")?;
    let (mut games, mut plies, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut boards, mut moves) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (index, line) in lines.into_iter().enumerate() {
        if index % CHUNK == 0 {
            py.check_signals()?;
        }
        games.resize(games.len() + line.moves.len(), index as i64);
        plies.extend(0..line.moves.len() as i32);
        let own = if line.first == Color::Black { line.score } else { -line.score };
        // Every move passes the turn.
        outcomes.extend((0..line.moves.len()).map(|ply| if ply % 2 == 0 { own } else { -own }));
        boards.extend(line.boards);
        moves.extend(line.moves);
    }
    let dict = PyDict::new(py);
    dict.set_item("game", games.into_pyarray(py))?;
    dict.set_item("ply", plies.into_pyarray(py))?;
    if let Some(masks) = masks_of(py, game, &boards)? {
        dict.set_item("mask", masks.into_pyarray(py))?;
    }
    dict.set_item("board", board_array(py, boards))?;
    dict.set_item("move", moves.into_pyarray(py))?;
    dict.set_item("outcome", outcomes.into_pyarray(py))?;
    Ok(dict)
}

/// Reads the symmetries of `count` values: one for all, or one for each value.
fn symmetries<P: Playable>(k: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<usize>> {
    let array = integers(k, "k")?;
    let numbers: Vec<i64> = array.call_method0("ravel")?.call_method0("tolist")?.extract()?;
    let all = P::INFO.symmetries;
    let number = |number: i64| usize::try_from(number).ok().filter(|&number| number < all);
    let numbers = numbers.into_iter().map(|k| number(k).ok_or(k)).collect::<Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|k| invalid(format!("k must be 0 to {}, not {k}", all - 1)))?;
    match numbers[..] {
        [one] => Ok(vec![one; count]),
        _ => same_length(count, numbers.len(), "values of k").map(|()| numbers),
    }
}

/// Returns the images of boards under the symmetries of the board: uint64 (n, 3).
///
/// For the images of moves, see `transform_moves`.
///
/// Args:
///     k: the number of the symmetry, one for all boards or one per board, as in
///         `Position.transform`: 0 (the identity) to `Position.symmetry_count - 1`.
#[pyfunction]
#[pyo3(signature = (boards, k, game="othello"))]
fn transform<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    k: Bound<'py, PyAny>,
    game: &str,
) -> PyResult<Matrix<'py, u64>> {
    let rows = super::boards(py, game, &boards)?;
    let k = for_game!(game, P => symmetries::<P>(&k, rows.len())?);
    let rows = on_boards!(py, game, P, rows, cancel => Vec<Packed> {
        let image = |(&row, &k): (&Packed, &usize)| {
            if cancel.is_cancelled() { row } else { P::unpack(row).transform(k).pack() }
        };
        rows.par_iter().zip(&k).with_min_len(CHUNK).map(image).collect()
    });
    Ok(board_array(py, rows))
}

/// Returns the images of moves under the symmetries of the board: uint16 (n,). `NO_MOVE` is
/// unchanged.
///
/// Args:
///     k: as in `transform`.
#[pyfunction]
#[pyo3(signature = (moves, k, game="othello"))]
fn transform_moves<'py>(
    py: Python<'py>,
    moves: MoveNumbers<'py>,
    k: Bound<'py, PyAny>,
    game: &str,
) -> PyResult<Array<'py, u16>> {
    let moves = super::move_numbers(&moves)?;
    let images: PyResult<Vec<u16>> = for_game!(game, P => {
        let k = symmetries::<P>(&k, moves.len())?;
        let image = |(m, k): (Option<_>, usize)| m.map_or(NO_MOVE, |m| P::transform_move(m, k).into());
        known_moves::<P>(&moves).map(|moves| moves.into_iter().zip(k).map(image).collect())
    });
    Ok(images?.into_pyarray(py))
}

/// Returns lists as rows of equal width, padded with `fill`. A list that is too long is an error.
pub fn rows<'py, T: Element + Copy>(
    py: Python<'py>,
    games: &[Vec<T>],
    width: Option<usize>,
    fill: T,
) -> PyResult<Matrix<'py, T>> {
    let longest = games.iter().map(Vec::len).max().unwrap_or(0);
    let width = width.unwrap_or(longest);
    if width < longest {
        return Err(invalid(format!("width must be at least {longest}, the length of the longest game, not {width}")));
    }
    // An array without rows has a width, too.
    work::check_memory(games.len().max(1), width.saturating_mul(size_of::<T>()), "rows of moves")?;
    let mut rows = vec![fill; width * games.len()];
    for (row, game) in rows.chunks_exact_mut(width.max(1)).zip(games) {
        row[..game.len()].copy_from_slice(game);
    }
    Ok(Array2::from_shape_vec((games.len(), width), rows).expect("one row a game").into_pyarray(py))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(replay, module)?)?;
    module.add_function(wrap_pyfunction!(transform, module)?)?;
    module.add_function(wrap_pyfunction!(transform_moves, module)?)
}
