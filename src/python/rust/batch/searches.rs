//! Searches in batches: best moves and scores, regret, evaluation and features.

use std::path::PathBuf;

use morello::game::{AnyPosition, Cancel, Game, Limits, Packed, Position as _, Report, Searcher};
use morello::othello::engine::patterns::FULL;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use super::rules::any_positions;
use super::{CHUNK, NO_MOVE, for_game, same_length};
use crate::engine;
use crate::errors::illegal;
use crate::limits::LimitArguments;
use crate::position::game_named;
use crate::report::score_error;
use crate::work;

/// Creates a searcher for each thread, with the built-in evaluation.
fn searchers(
    game: &str,
    hash_mib: usize,
    threads: Option<usize>,
    database: Option<PathBuf>,
) -> PyResult<Vec<Box<dyn Searcher>>> {
    let game = game_named(game)?;
    engine::searchers(game, &engine::options(game, hash_mib, None, database, "trained")?, threads)
}

/// Searches a position without history.
fn search(searcher: &mut dyn Searcher, position: AnyPosition, limits: &Limits, cancel: &Cancel) -> Report {
    let rules = position.game().standard_draw_rules();
    searcher.search(&Game::with_draw_rules(position, rules), limits, cancel, &mut |_| ())
}

/// The score of a position for its side to move.
#[derive(Clone, Copy)]
struct Value {
    score: f64,
    exact: bool,
    /// In points; 0 for an exact score, NaN if unknown.
    error: f64,
}

impl Value {
    fn of(position: &AnyPosition, report: &Report) -> Self {
        let score = report.best().score;
        let exact = score.is_exact();
        let error = if exact { 0.0 } else { score_error(position, report, score).unwrap_or(f64::NAN) };
        Self { score: score.points(), exact, error }
    }
}

/// Searches every board.
///
/// Args:
///     boards: uint64 (n, 3).
///     depth, nodes, time, level, exact: the limits of each search, as in `Engine.search`.
///     confidence: the confidence of a selective search in percent.
///     hash_mib: the memory of the tables, which all threads share.
///     threads: the number of threads; None for all cores. Each searches another board.
///     database: the folder with the endgame tables of the game.
///     progress: a function of the number of boards done and their total.
///
/// Returns:
///     a dict of arrays (n,): "score" float64 in points for the side to move, "exact" bool, "error" float64 (the error in points that 95 % of
///     such estimates do not exceed; 0 if exact, NaN if unknown), "move" uint16 (`NO_MOVE` if the game is over), "depth" uint32 and
///     "nodes" uint64.
#[pyfunction]
#[pyo3(name = "search", signature = (boards, game="othello", *, depth=None, nodes=None, time=None, level=None, exact=false, confidence=None,
    hash_mib=64, threads=None, database=None, progress=None))]
#[expect(clippy::too_many_arguments)] // keyword arguments
fn search_boards<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'_, u64>,
    game: &str,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<f64>,
    level: Option<u32>,
    exact: bool,
    confidence: Option<u32>,
    hash_mib: usize,
    threads: Option<usize>,
    database: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let arguments = LimitArguments { depth, nodes, time, level, exact, confidence, lines: 1 };
    let limits = arguments.limits(game_named(game)?)?;
    let positions = any_positions(game, &super::boards(py, game, &boards)?)?;
    let states = searchers(game, hash_mib, threads, database)?;
    let reports = work::map(py, positions.len(), states, progress, |searcher, index, cancel| {
        search(&mut **searcher, positions[index], &limits, cancel)
    })?;
    let values: Vec<_> = positions.iter().zip(&reports).map(|(position, report)| Value::of(position, report)).collect();
    let dict = PyDict::new(py);
    set_values(&dict, "score", &values)?;
    let moves = reports.iter().map(|report| report.best_move().map_or(NO_MOVE, u16::from));
    dict.set_item("move", moves.collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("depth", reports.iter().map(|report| report.depth).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("nodes", reports.iter().map(|report| report.nodes).collect::<Vec<_>>().into_pyarray(py))?;
    Ok(dict)
}

/// Sets the arrays `name`, `exact` and `error`.
fn set_values(dict: &Bound<'_, PyDict>, name: &str, values: &[Value]) -> PyResult<()> {
    let py = dict.py();
    dict.set_item(name, values.iter().map(|value| value.score).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("exact", values.iter().map(|value| value.exact).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("error", values.iter().map(|value| value.error).collect::<Vec<_>>().into_pyarray(py))
}

/// Returns how much worse each move is than the best move of its board.
///
/// The regret is the score of the best move minus that of the given one, in points for the side to move, at least 0: discs in Othello; in the
/// mill games 1 from a win to a draw or from a draw to a loss. It is exact where the solver or the database proves both scores, and otherwise an
/// estimate; the arrays say which. The arguments are those of `search`; `exact=True` proves every regret in Othello.
///
/// Returns:
///     a dict of arrays (n,): "regret" float64, "exact" bool, "error" float64 (95 % of such estimates are within it; 0 if exact, NaN if
///     unknown), "best" uint16, the best move.
///
/// Raises:
///     IllegalMoveError: with the index of the first illegal move.
#[pyfunction]
#[pyo3(name = "regret", signature = (boards, moves, game="othello", *, depth=None, nodes=None, time=None, level=None, exact=false,
    confidence=None, hash_mib=64, threads=None, database=None, progress=None))]
#[expect(clippy::too_many_arguments)] // keyword arguments
fn regret<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'_, u64>,
    moves: PyReadonlyArray1<'_, u16>,
    game: &str,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<f64>,
    level: Option<u32>,
    exact: bool,
    confidence: Option<u32>,
    hash_mib: usize,
    threads: Option<usize>,
    database: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let arguments = LimitArguments { depth, nodes, time, level, exact, confidence, lines: 1 };
    let limits = arguments.limits(game_named(game)?)?;
    // The search after the move reaches as far as that before it.
    let mut after = limits;
    after.depth = limits.depth.map(|depth| depth.saturating_sub(1).max(1));
    let positions = any_positions(game, &super::boards(py, game, &boards)?)?;
    let moves = moves.as_array().to_vec();
    same_length(positions.len(), moves.len(), "moves")?;
    let mut played = Vec::with_capacity(moves.len());
    for (index, (position, &number)) in positions.iter().zip(&moves).enumerate() {
        let m = position.legal_moves().find(|&m| u16::from(m) == number);
        played.push(m.ok_or_else(|| illegal(format!("moves[{index}] is illegal on boards[{index}]")))?);
    }
    let states = searchers(game, hash_mib, threads, database)?;
    let results = work::map(py, positions.len(), states, progress, |searcher, index, cancel| {
        let (position, m) = (positions[index], played[index]);
        let report = search(&mut **searcher, position, &limits, cancel);
        let best = Value::of(&position, &report);
        if report.best_move() == Some(m) || position.count_moves() == 1 {
            return (Value { score: 0.0, ..best }, report.best_move());
        }
        let next = position.after(m);
        let reply = Value::of(&next, &search(&mut **searcher, next, &after, cancel));
        // The score of the move is the negative one of the position after it.
        let regret = Value {
            score: (best.score + reply.score).max(0.0),
            exact: best.exact && reply.exact,
            error: best.error.hypot(reply.error),
        };
        (regret, report.best_move())
    })?;
    let (values, best): (Vec<Value>, Vec<_>) = results.into_iter().unzip();
    let dict = PyDict::new(py);
    set_values(&dict, "regret", &values)?;
    let best = best.into_iter().map(|m| m.map_or(NO_MOVE, u16::from));
    dict.set_item("best", best.collect::<Vec<_>>().into_pyarray(py))?;
    Ok(dict)
}

/// Returns the static evaluation of each board without a search: float64 (n,), points for the side to move.
///
/// A finished game has its final score.
#[pyfunction]
#[pyo3(name = "evaluate", signature = (boards, game="othello"))]
fn evaluate<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'_, u64>,
    game: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let rows = super::boards(py, game, &boards)?;
    let values: Vec<f64> = py.detach(|| -> PyResult<_> {
        Ok(for_game!(game, P => {
            let value = |&row: &Packed| {
                let position = P::unpack(row);
                if position.is_over() { f64::from(position.final_score()) } else { f64::from(position.static_evaluation()) / 1000.0 }
            };
            rows.par_iter().with_min_len(CHUNK / 8).map(value).collect()
        }))
    })?;
    Ok(values.into_pyarray(py))
}

/// Returns the features of the trained evaluation: int32 (n, k).
///
/// In 8x8 Othello they are the configurations of the k patterns whose squares `pattern_squares` returns, from
/// -(3^s - 1) / 2 to (3^s - 1) / 2 for s squares. In the mill games they are the terms of
/// the evaluation, those of the side to move minus those of the opponent. The small Othello boards have none (k is 0).
#[pyfunction]
#[pyo3(name = "features", signature = (boards, game="othello"))]
fn features<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'_, u64>,
    game: &str,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let rows = super::boards(py, game, &boards)?;
    let count = rows.len();
    let rows: Vec<i32> = py.detach(|| -> PyResult<_> {
        Ok(for_game!(game, P => {
            rows.par_iter().with_min_len(CHUNK / 8).flat_map_iter(|&row| P::unpack(row).features()).collect()
        }))
    })?;
    let width = rows.len().checked_div(count).unwrap_or(0);
    Ok(Array2::from_shape_vec((count, width), rows).expect("a row has the same width for each board").into_pyarray(py))
}

/// Returns the squares of each pattern of `features`, for 8x8 Othello: a list of lists of square numbers.
#[pyfunction]
fn pattern_squares() -> Vec<Vec<u32>> {
    FULL.placements()
        .iter()
        .map(|placement| placement.squares().iter().map(|&square| square.into()).collect())
        .collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(search_boards, module)?)?;
    module.add_function(wrap_pyfunction!(regret, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(features, module)?)?;
    module.add_function(wrap_pyfunction!(pattern_squares, module)?)
}
