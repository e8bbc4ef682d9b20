//! Searches in batches: best moves and scores, regret, evaluation and features.

use morello::game::{
    AnyGame, AnyMove, AnyPosition, Cancel, Game, Limits, Packed, Position as _, Report, Score, Searcher,
};
use morello::othello::engine::patterns::FULL;
use numpy::IntoPyArray;
use numpy::ndarray::Array2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use super::rules::any_positions;
use super::{Array, Boards, CHUNK, Matrix, MoveNumbers, NO_MOVE, offsets, on_boards, same_length};
use crate::engine;
use crate::errors::illegal;
use crate::limits::SearchOptions;
use crate::position::game_named;
use crate::report::score_error;
use crate::work;

/// The positions to search, and how.
struct Batch<'py> {
    game: &'static dyn AnyGame,
    positions: Vec<AnyPosition>,
    limits: Limits,
    options: SearchOptions<'py>,
}

impl<'py> Batch<'py> {
    /// `lines` is the number of best moves reported by each search; 0 for all.
    fn new(
        py: Python<'py>,
        boards: &Boards<'_>,
        name: &str,
        lines: usize,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let game = game_named(name)?;
        let options = SearchOptions::of(options, 64)?;
        let limits = options.limits.resolve(game, lines)?;
        Ok(Self { game, positions: any_positions(name, &super::boards(py, name, boards)?)?, limits, options })
    }

    /// Calls `work` for each position, with a thread's searcher. The searchers use the built-in
    /// evaluation.
    fn map<T: Send>(
        &self,
        py: Python<'py>,
        work: impl Fn(&mut dyn Searcher, usize, &Cancel) -> T + Sync,
    ) -> PyResult<Vec<T>> {
        let SearchOptions { hash_mib, threads, database, progress, .. } = &self.options;
        let options = engine::options(self.game, (*hash_mib, 1), None, database.clone(), "trained")?;
        let states = engine::searchers(self.game, &options, *threads)?;
        work::map(py, self.positions.len(), states, progress.as_ref(), |searcher, index, cancel| {
            work(&mut **searcher, index, cancel)
        })
    }
}

/// Searches a position without history.
fn search(searcher: &mut dyn Searcher, position: AnyPosition, limits: &Limits, cancel: &Cancel) -> Report {
    let rules = position.game().standard_draw_rules();
    searcher.search(&Game::with_draw_rules(position, rules), limits, cancel, &mut |_| ())
}

/// The score of a position for its side to move.
#[derive(Clone, Copy)]
struct BoardValue {
    score: f64,
    exact: bool,
    /// The error in points; 0 for an exact score, NaN if unknown.
    error: f64,
}

impl BoardValue {
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
///     options: the limits of each search, as in `Engine.search`, and
///         hash_mib: the memory for the search tables, which all threads share; 64 by default.
///         threads: the number of threads, each of which searches a different board; None for all
///             cores.
///         database: the directory of the game's endgame database.
///         progress: a function that receives the number of boards done and the total.
///
/// Returns:
///     a dict of arrays (n,):
///     "score": float64, in points for the side to move
///     "exact": bool, whether the score is proved
///     "error": float64, the error in points that 95 % of such estimates do not exceed; 0 if exact,
///         NaN if unknown
///     "move": uint16, the best move; `NO_MOVE` if the game is over
///     "depth": uint32, in plies
///     "nodes": uint64
#[pyfunction]
#[pyo3(name = "search", signature = (boards, game="othello", **options))]
fn search_boards<'py>(
    py: Python<'py>,
    boards: Boards<'_>,
    game: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let batch = Batch::new(py, &boards, game, 1, options)?;
    let Batch { positions, limits, .. } = &batch;
    let reports = batch.map(py, |searcher, index, cancel| search(searcher, positions[index], limits, cancel))?;
    let values: Vec<_> =
        positions.iter().zip(&reports).map(|(position, report)| BoardValue::of(position, report)).collect();
    let dict = PyDict::new(py);
    set_values(&dict, "score", &values)?;
    let moves = reports.iter().map(|report| report.best_move().map_or(NO_MOVE, u16::from));
    dict.set_item("move", moves.collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("depth", reports.iter().map(|report| report.depth).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("nodes", reports.iter().map(|report| report.nodes).collect::<Vec<_>>().into_pyarray(py))?;
    Ok(dict)
}

/// Sets the arrays `name`, `exact` and `error`.
fn set_values(dict: &Bound<'_, PyDict>, name: &str, values: &[BoardValue]) -> PyResult<()> {
    let py = dict.py();
    dict.set_item(name, values.iter().map(|value| value.score).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("exact", values.iter().map(|value| value.exact).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("error", values.iter().map(|value| value.error).collect::<Vec<_>>().into_pyarray(py))
}

/// Scores every move of every board, for policy targets.
///
/// For the arguments, see `search`.
///
/// Returns:
///     a dict of arrays:
///     "offsets": int64 (n + 1,) and "move": uint16, as returned by `legal_moves`
///     "score": float64, for each move, in points for the side to move; NaN if the search ended
///         before it
///     "exact": bool, for each move, whether the score is proved
#[pyfunction]
#[pyo3(signature = (boards, game="othello", **options))]
fn move_values<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    game: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let batch = Batch::new(py, &boards, game, 0, options)?;
    let Batch { positions, limits, .. } = &batch;
    let values = batch.map(py, |searcher, index, cancel| {
        let position = positions[index];
        let report = search(searcher, position, limits, cancel);
        let value = |m: AnyMove| {
            let score = report.lines.iter().find(|line| line.pv.first() == Some(&m)).map(|line| line.score);
            (u16::from(m), score.map_or(f64::NAN, Score::points), score.is_some_and(Score::is_exact))
        };
        position.legal_moves().map(value).collect::<Vec<_>>()
    })?;
    let offsets = offsets(values.iter().map(Vec::len));
    let (mut moves, mut scores, mut exact) = (Vec::new(), Vec::new(), Vec::new());
    for (m, score, is_exact) in values.into_iter().flatten() {
        moves.push(m);
        scores.push(score);
        exact.push(is_exact);
    }
    let dict = PyDict::new(py);
    dict.set_item("offsets", offsets.into_pyarray(py))?;
    dict.set_item("move", moves.into_pyarray(py))?;
    dict.set_item("score", scores.into_pyarray(py))?;
    dict.set_item("exact", exact.into_pyarray(py))?;
    Ok(dict)
}

/// Returns by how much each move is worse than the best move of its board.
///
/// The regret is the score of the best move minus the score of the given move, in points for the
/// side to move, at least 0. A point is a disc in Othello; in the mill games, the regret is 1 from
/// a win to a draw or from a draw to a loss. It is exact if the solver or the database proves both
/// scores, and otherwise an estimate; the "exact" array says which. For the other arguments, see
/// `search`; `exact=True` proves every regret in Othello.
///
/// Returns:
///     a dict of arrays (n,):
///     "regret": float64
///     "exact": bool
///     "error": float64, the error that 95 % of such estimates do not exceed; 0 if exact, NaN if
///         unknown
///     "best": uint16, the best move
///
/// Raises:
///     IllegalMoveError: with the index of the first illegal move.
#[pyfunction]
#[pyo3(signature = (boards, moves, game="othello", **options))]
fn regret<'py>(
    py: Python<'py>,
    boards: Boards<'_>,
    moves: MoveNumbers<'_>,
    game: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let batch = Batch::new(py, &boards, game, 1, options)?;
    let Batch { positions, limits, .. } = &batch;
    // The search after the move reaches as deep into the game as the search before it.
    let mut after = *limits;
    after.depth = limits.depth.map(|depth| depth.saturating_sub(1).max(1));
    let moves = super::move_numbers(&moves)?;
    same_length(positions.len(), moves.len(), "moves")?;
    let mut played = Vec::with_capacity(moves.len());
    for (index, (position, &number)) in positions.iter().zip(&moves).enumerate() {
        let m = position.legal_moves().find(|&m| u16::from(m) == number);
        played.push(m.ok_or_else(|| illegal(format!("moves[{index}] is illegal on boards[{index}]")))?);
    }
    let results = batch.map(py, |searcher, index, cancel| {
        let (position, m) = (positions[index], played[index]);
        let report = search(searcher, position, limits, cancel);
        let best = BoardValue::of(&position, &report);
        if report.best_move() == Some(m) || position.count_moves() == 1 {
            return (BoardValue { score: 0.0, ..best }, report.best_move());
        }
        let next = position.after(m);
        let reply = BoardValue::of(&next, &search(searcher, next, &after, cancel));
        // The score of the move is the negated score of the position after it.
        let regret = BoardValue {
            score: (best.score + reply.score).max(0.0),
            exact: best.exact && reply.exact,
            error: best.error.hypot(reply.error),
        };
        (regret, report.best_move())
    })?;
    let (values, best): (Vec<BoardValue>, Vec<_>) = results.into_iter().unzip();
    let dict = PyDict::new(py);
    set_values(&dict, "regret", &values)?;
    let best = best.into_iter().map(|m| m.map_or(NO_MOVE, u16::from));
    dict.set_item("best", best.collect::<Vec<_>>().into_pyarray(py))?;
    Ok(dict)
}

/// Returns the static evaluation of each board without a search: float64 (n,), in points for the
/// side to move.
///
/// For a finished game, it is the final score.
#[pyfunction]
#[pyo3(signature = (boards, game="othello"))]
fn evaluate<'py>(py: Python<'py>, boards: Boards<'_>, game: &str) -> PyResult<Array<'py, f64>> {
    let rows = super::boards(py, game, &boards)?;
    let values = on_boards!(py, game, P, rows, cancel => Vec<f64> {
        let value = |&row: &Packed| {
            if cancel.is_cancelled() {
                return 0.0;
            }
            let position = P::unpack(row);
            if position.is_over() {
                f64::from(position.final_score())
            } else {
                f64::from(position.static_evaluation()) / 1000.0
            }
        };
        rows.par_iter().with_min_len(CHUNK / 8).map(value).collect()
    });
    Ok(values.into_pyarray(py))
}

/// Returns the features of the trained evaluation: int32 (n, k).
///
/// In 8x8 Othello, the features are the configurations of k patterns, numbered from -(3^s - 1) / 2
/// to (3^s - 1) / 2 for a pattern with s squares; `pattern_squares` returns the squares. In the
/// mill games, they are the evaluation terms of the side to move minus the terms of the opponent.
/// The small Othello boards have no features (k is 0).
#[pyfunction]
#[pyo3(signature = (boards, game="othello"))]
fn features<'py>(py: Python<'py>, boards: Boards<'_>, game: &str) -> PyResult<Matrix<'py, i32>> {
    let rows = super::boards(py, game, &boards)?;
    let count = rows.len();
    let rows = on_boards!(py, game, P, rows, cancel => Vec<i32> {
        let features = |&row: &Packed| {
            (!cancel.is_cancelled()).then(|| P::unpack(row).features()).into_iter().flatten()
        };
        rows.par_iter().with_min_len(CHUNK / 8).flat_map_iter(features).collect()
    });
    let width = rows.len().checked_div(count).unwrap_or(0);
    Ok(Array2::from_shape_vec((count, width), rows).expect("a row has the same width for each board").into_pyarray(py))
}

/// Returns the squares of each pattern of `features`, for 8x8 Othello: a list of lists of square
/// numbers.
#[pyfunction]
fn pattern_squares() -> Vec<Vec<u32>> {
    FULL.placements()
        .iter()
        .map(|placement| placement.squares().iter().map(|&square| square.into()).collect())
        .collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(search_boards, module)?)?;
    module.add_function(wrap_pyfunction!(move_values, module)?)?;
    module.add_function(wrap_pyfunction!(regret, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(features, module)?)?;
    module.add_function(wrap_pyfunction!(pattern_squares, module)?)
}
