//! Random and self-play games as arrays.

use std::collections::HashSet;

use morello::game::{
    AnyGame, AnyPosition, Cancel, Color, Game, Limits, Line, Packed, Playable, RandomNumbers, Searcher,
    play_random_moves,
};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use super::replay::rows;
use super::rules::{any_positions, board_array, packed_rows};
use super::{Boards, Matrix, NO_MOVE, black_points, for_game, offsets};
use crate::engine;
use crate::errors::{invalid, natural};
use crate::limits::SearchOptions;
use crate::position::game_named;
use crate::work;

/// The number of games that a thread plays at a time.
const GAMES: usize = 256;
/// If duplicates are excluded, at most this many times the requested number of games is played.
/// Then there seem to be too few different games.
const MOST_TRIES: usize = 20;
/// The length at which games of the mill games end, as in the usual additional draw rules.
const PLY_CAP: usize = 400;

/// A game: its moves, the position after them and Black's margin in points.
#[derive(Clone)]
pub struct Played {
    pub moves: Vec<u16>,
    pub board: Packed,
    pub score: i8,
}

/// Returns the seed of a game; each game has a different one.
pub fn seed_of(seed: u64, index: usize) -> u64 {
    RandomNumbers::new(seed ^ RandomNumbers::new(index as u64).next_u64()).next_u64()
}

/// Plays random legal moves.
fn random_game<P: Playable>(seed: u64, plies: usize, buffer: &mut Vec<P::Move>) -> Played {
    let mut position = P::default();
    buffer.clear();
    play_random_moves(&mut position, &mut RandomNumbers::new(seed), plies, buffer);
    let moves = buffer.iter().map(|&m| m.into()).collect();
    Played { moves, board: position.pack(), score: black_points(&position) }
}

/// Returns the smallest move list among a game's symmetric images. Symmetric games have the same
/// list.
fn canonical_moves<P: Playable>(moves: &[u16]) -> Vec<u16> {
    let image = |k| moves.iter().map(move |&m| P::transform_move(P::unpack_move(m), k).into()).collect();
    (0..P::INFO.symmetries).map(image).min().unwrap_or_default()
}

/// What counts as a duplicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unique {
    Games,
    Positions,
}

/// Plays `count` random games.
fn random<P: Playable>(count: usize, plies: usize, seed: u64, unique: Option<Unique>, cancel: &Cancel) -> Vec<Played> {
    let play = |start: usize, end: usize| -> Vec<Vec<(Played, Vec<u64>)>> {
        let starts: Vec<usize> = (start..end).step_by(GAMES).collect();
        let part = |&first: &usize| {
            let mut buffer = Vec::new();
            if cancel.is_cancelled() {
                return Vec::new();
            }
            let one = |index| {
                let game = random_game::<P>(seed_of(seed, index), plies, &mut buffer);
                let key = match unique {
                    None => Vec::new(),
                    Some(Unique::Games) => canonical_moves::<P>(&game.moves).into_iter().map(u64::from).collect(),
                    Some(Unique::Positions) => P::unpack(game.board).canonical().pack().to_vec(),
                };
                (game, key)
            };
            (first..end.min(first + GAMES)).map(one).collect()
        };
        starts.par_iter().map(part).collect()
    };
    if unique.is_none() {
        return play(0, count).into_iter().flatten().map(|(game, _)| game).collect();
    }
    let (mut games, mut seen, mut tried) = (Vec::with_capacity(count), HashSet::new(), 0);
    while games.len() < count && tried < MOST_TRIES.saturating_mul(count).saturating_add(1000) && !cancel.is_cancelled()
    {
        let more = (count - games.len()).max(GAMES);
        for (game, key) in play(tried, tried + more).into_iter().flatten() {
            if games.len() < count && seen.insert(key) {
                games.push(game);
            }
        }
        tried += more;
    }
    games
}

/// How moves are written: with or without passes, and in how many columns.
#[derive(Clone, Copy)]
pub struct Columns {
    passes: bool,
    width: Option<usize>,
}

impl Columns {
    /// With passes, and with as many columns as the longest game has moves.
    pub const ALL: Self = Self { passes: true, width: None };

    /// Removes the entries of passes from per-move entries of a game.
    fn select<T: Copy>(self, any: &'static dyn AnyGame, moves: &[u16], entries: &[T]) -> Vec<T> {
        let entries = moves.iter().zip(entries);
        entries.filter(|&(&m, _)| self.passes || !any.is_pass(m)).map(|(_, &entry)| entry).collect()
    }
}

/// Returns games as a dict of arrays.
pub fn game_arrays<'py>(
    py: Python<'py>,
    any: &'static dyn AnyGame,
    games: &[Played],
    columns: Columns,
) -> PyResult<Bound<'py, PyDict>> {
    let moves: Vec<_> = games.iter().map(|game| columns.select(any, &game.moves, &game.moves)).collect();
    let dict = PyDict::new(py);
    dict.set_item("moves", rows(py, &moves, columns.width, NO_MOVE)?)?;
    dict.set_item("length", moves.iter().map(|moves| moves.len() as u32).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("score", games.iter().map(|game| game.score).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("board", board_array(py, games.iter().map(|game| game.board).collect()))?;
    Ok(dict)
}

/// Plays games of random legal moves from the starting position.
///
/// Args:
///     count: the number of games.
///     game: the name of the game.
///     plies: the maximum number of plies; None for whole games (the mill games end after 400
///         plies).
///     seed: equal seeds give equal games, regardless of the number of cores.
///     unique: whether all games must be different, up to the symmetries of the board.
///     passes: whether "moves" and "length" include Othello passes.
///     width: the number of columns of "moves", so that several arrays can be joined; 60 is enough
///         for Othello without passes; None for the length of the longest game.
///
/// Returns:
///     a dict of arrays:
///     "moves": uint16 (n, width), `NO_MOVE` after the end of a game
///     "length": uint32 (n,), the number of moves
///     "score": int8 (n,), Black's margin in points, negative if White won; 0 for unfinished games
///     "board": uint64 (n, 3), the final boards
///
/// Raises:
///     MorelloError: there are too few different games, or a game is longer than the width.
#[pyfunction]
#[pyo3(signature = (count, game="othello", *, plies=None, seed=0, unique=false, passes=true, width=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
fn random_games<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = natural)] count: usize,
    game: &str,
    #[pyo3(from_py_with = natural)] plies: Option<usize>,
    #[pyo3(from_py_with = natural)] seed: u64,
    unique: bool,
    passes: bool,
    #[pyo3(from_py_with = natural)] width: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let unique = unique.then_some(Unique::Games);
    let games = play_random(py, game, count, plies.unwrap_or(PLY_CAP), seed, unique)?;
    game_arrays(py, game_named(game)?, &games, Columns { passes, width })
}

/// Checks that there is memory for this many games.
fn check_games(count: usize) -> PyResult<()> {
    // Most move lists take at least this capacity.
    const MOVES: usize = 32;
    work::check_memory(count, size_of::<Played>() + MOVES * size_of::<u16>(), "games")
}

/// Plays random games, and checks that there are enough.
fn play_random(
    py: Python<'_>,
    game: &str,
    count: usize,
    plies: usize,
    seed: u64,
    unique: Option<Unique>,
) -> PyResult<Vec<Played>> {
    check_games(count)?;
    let games = work::run(py, &mut |_| Ok(()), |cancel| {
        work::in_pool(|| {
            Ok(for_game!(game, P => {
                random::<P>(count, plies, seed, unique, cancel)
            }))
        })
    })??;
    if games.len() == count {
        return Ok(games);
    }
    let (found, what) = (games.len(), if unique == Some(Unique::Positions) { "positions" } else { "games" });
    Err(invalid(format!("found only {found} different {what}; ask for fewer, or for more plies, or set unique=False")))
}

/// Returns positions after `plies` random legal moves from the start, or after fewer moves if the
/// game ends earlier: uint64 (n, 3).
///
/// Args:
///     unique: whether all positions must be different, up to the symmetries of the board.
///
/// Raises:
///     MorelloError: there are too few different positions.
#[pyfunction]
#[pyo3(signature = (count, plies, game="othello", *, seed=0, unique=false))]
fn random_boards<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = natural)] count: usize,
    #[pyo3(from_py_with = natural)] plies: usize,
    game: &str,
    #[pyo3(from_py_with = natural)] seed: u64,
    unique: bool,
) -> PyResult<Matrix<'py, u64>> {
    let games = play_random(py, game, count, plies, seed, unique.then_some(Unique::Positions))?;
    Ok(board_array(py, games.into_iter().map(|game| game.board).collect()))
}

/// A game that the engine played against itself.
struct SelfPlayed {
    game: Game,
    /// The score of each move for its side, in points; NaN for a random move.
    scores: Vec<f32>,
    /// For each move, the values of all moves in its position, if requested.
    values: Vec<Vec<(u16, f32)>>,
}

/// Returns a game with random moves from a position.
fn opening<P: Playable>(start: &AnyPosition, seed: u64, plies: usize) -> Game {
    let mut game = Game::new(start.typed::<P>().expect("the position is of this game"));
    let mut numbers = RandomNumbers::new(seed);
    while game.moves().len() < plies
        && let Some(m) = numbers.legal_move(game.position())
    {
        game.play_unchecked(m);
    }
    game.any()
}

/// Plays games of the engine against itself, after some random plies.
///
/// With a depth or node limit, equal seeds give equal games, regardless of the number of threads.
///
/// Args:
///     count: the number of games.
///     random_plies: the number of random plies at the start of each game.
///     starts: uint64 (k, 3), positions from which the games start in turn; None for the starting
///         position.
///     values: whether to score all moves, for policy targets. This takes several times longer.
///     passes, width: as in `random_games`.
///     options: the limits of each move, as in `Engine.search`, and threads, database, progress and
///         hash_mib, as in `search`; the memory is per thread, 4 by default.
///
/// Returns:
///     a dict with the arrays of `random_games`, and:
///     "start": uint64 (n, 3), the positions before the first moves
///     "scores": float32 (n, width), the score of each move in points for the side that made it;
///         NaN for random moves and after the end
///     "value_offsets": int64 (m + 1,), "value_moves": uint16 and "value_scores": float32, only if
///         `values` is true. The moves and scores at row i of `replay(moves, starts=start)` are the
///         entries from `value_offsets[i]` to `value_offsets[i + 1]`; random moves have no entries.
#[pyfunction]
#[pyo3(signature = (count, game="othello", *, random_plies=8, seed=0, starts=None, values=false, passes=true,
    width=None, **options))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
fn selfplay_games<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = natural)] count: usize,
    game: &str,
    #[pyo3(from_py_with = natural)] random_plies: usize,
    #[pyo3(from_py_with = natural)] seed: u64,
    starts: Option<Boards<'py>>,
    values: bool,
    passes: bool,
    #[pyo3(from_py_with = natural)] width: Option<usize>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let any = game_named(game)?;
    let starts = match starts {
        None => vec![any.start()],
        Some(starts) => any_positions(game, &super::boards(py, game, &starts)?)?,
    };
    if starts.is_empty() && count > 0 {
        return Err(invalid("starts is empty"));
    }
    let SearchOptions { limits, hash_mib, threads, database, progress } = SearchOptions::of(options, 4)?;
    let limits = if values { limits.resolve(any, 0)? } else { limits.resolve(any, 1)?.for_move() };
    let threads = work::thread_count(threads)?;
    check_games(count)?;
    // Each thread has its own tables, so that games do not depend on each other.
    let options = engine::options(any, (hash_mib, threads), None, database, "trained")?;
    let states = (0..threads).map(|_| any.searcher(&options).map_err(invalid));
    let states = states.collect::<PyResult<Vec<_>>>()?;
    let opening = for_game!(game, P => opening::<P> as fn(&AnyPosition, u64, usize) -> Game);
    let played = work::map(py, count, states, progress.as_ref(), |searcher, index, cancel| {
        // A game that ends within its opening is replaced.
        let start = &starts[index % starts.len()];
        let openings = (0..100).map(|attempt| opening(start, seed_of(seed.wrapping_add(attempt), index), random_plies));
        let mut game = openings.into_iter().find(|game| game.end().is_none())?;
        game.set_draw_rules(any.standard_draw_rules());
        finish(&mut **searcher, game, &limits, values, cancel)
    })?;
    let played: Option<Vec<SelfPlayed>> = played.into_iter().collect();
    let ends = || format!("every game ends within {random_plies} random plies, or a start is the end of a game");
    let played = played.ok_or_else(|| invalid(ends()))?;
    selfplay_arrays(py, any, &played, Columns { passes, width }, values)
}

/// Returns self-play games as a dict of arrays.
fn selfplay_arrays<'py>(
    py: Python<'py>,
    any: &'static dyn AnyGame,
    played: &[SelfPlayed],
    columns: Columns,
    values: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let packed = |of: fn(&Game) -> &AnyPosition| {
        packed_rows(any.name(), &played.iter().map(|played| *of(&played.game)).collect::<Vec<_>>())
    };
    let ends = packed(Game::position)?.into_iter().zip(played).map(|(board, SelfPlayed { game, .. })| Played {
        moves: game.moves().iter().map(|&m| m.into()).collect(),
        board,
        score: game.points(Color::Black).unwrap_or(0) as i8,
    });
    let games: Vec<Played> = ends.collect();
    let scores: Vec<_> =
        games.iter().zip(played).map(|(game, played)| columns.select(any, &game.moves, &played.scores)).collect();
    let dict = game_arrays(py, any, &games, columns)?;
    dict.set_item("start", board_array(py, packed(Game::start)?))?;
    dict.set_item("scores", rows(py, &scores, columns.width, f32::NAN)?)?;
    if values {
        let all = || played.iter().flat_map(|played| &played.values);
        dict.set_item("value_offsets", offsets(all().map(Vec::len)).into_pyarray(py))?;
        let (moves, scores): (Vec<u16>, Vec<f32>) = all().flatten().copied().unzip();
        dict.set_item("value_moves", moves.into_pyarray(py))?;
        dict.set_item("value_scores", scores.into_pyarray(py))?;
    }
    Ok(dict)
}

/// Plays the best moves to the end of a game; `None` if cancelled.
fn finish(
    searcher: &mut dyn Searcher,
    mut game: Game,
    limits: &Limits,
    values: bool,
    cancel: &Cancel,
) -> Option<SelfPlayed> {
    searcher.clear();
    let (mut scores, mut all) = (vec![f32::NAN; game.moves().len()], vec![Vec::new(); game.moves().len()]);
    while game.end().is_none() {
        let report = searcher.search(&game, limits, cancel, &mut |_| ());
        if cancel.is_cancelled() {
            return None;
        }
        scores.push(report.best().score.points() as f32);
        if values {
            let value = |line: &Line| Some((u16::from(*line.pv.first()?), line.score.points() as f32));
            all.push(report.lines.iter().filter_map(value).collect());
        }
        game.play(report.best_move()?).ok()?;
    }
    Some(SelfPlayed { game, scores, values: all })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(random_games, module)?)?;
    module.add_function(wrap_pyfunction!(random_boards, module)?)?;
    module.add_function(wrap_pyfunction!(selfplay_games, module)?)
}
