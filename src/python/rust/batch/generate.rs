//! Random and self-play games as arrays.

use std::collections::HashSet;

use morello::game::{Cancel, Color, Game, Limits, Packed, Playable, RandomNumbers, Searcher, play_random_moves};
use numpy::IntoPyArray;
use numpy::ndarray::Array2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use super::rules::board_array;
use super::{Matrix, NO_MOVE, for_game};
use crate::engine;
use crate::errors::invalid;
use crate::limits::SearchOptions;
use crate::position::game_named;
use crate::work;

/// Games that a thread plays at a time.
const GAMES: usize = 256;
/// Without duplicates, so many times the games asked for are played at most, before there seem to
/// be too few.
const MOST_TRIES: usize = 20;
/// The length at which games of the mill games end, as in the usual additional draw rules.
const PLY_CAP: usize = 400;

/// A game: its moves, the position after them and the points by which Black won.
#[derive(Clone)]
pub struct Played {
    pub moves: Vec<u16>,
    pub board: Packed,
    pub score: i8,
}

/// Returns the seed of a game, different for each.
fn seed_of(seed: u64, index: usize) -> u64 {
    RandomNumbers::new(seed ^ RandomNumbers::new(index as u64).next_u64()).next_u64()
}

/// Plays random legal moves.
fn random_game<P: Playable>(seed: u64, plies: usize, buffer: &mut Vec<P::Move>) -> Played {
    let mut position = P::default();
    buffer.clear();
    play_random_moves(&mut position, &mut RandomNumbers::new(seed), plies, buffer);
    let moves = buffer.iter().map(|&m| m.into()).collect();
    let score = if position.is_over() { position.final_score() as i8 } else { 0 };
    let score = if position.side_to_move() == Color::Black { score } else { -score };
    Played { moves, board: position.pack(), score }
}

/// Returns the least list of moves among the images of a game: symmetric games have the same.
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

/// Returns games as a dict of arrays.
pub fn game_arrays<'py>(py: Python<'py>, games: Vec<Played>) -> PyResult<Bound<'py, PyDict>> {
    let longest = games.iter().map(|game| game.moves.len()).max().unwrap_or(0);
    let mut moves = vec![NO_MOVE; longest * games.len()];
    for (row, game) in moves.chunks_exact_mut(longest.max(1)).zip(&games) {
        row[..game.moves.len()].copy_from_slice(&game.moves);
    }
    let moves = Array2::from_shape_vec((games.len(), longest), moves).expect("one row a game");
    let dict = PyDict::new(py);
    dict.set_item("moves", moves.into_pyarray(py))?;
    dict.set_item("length", games.iter().map(|game| game.moves.len() as u32).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("score", games.iter().map(|game| game.score).collect::<Vec<_>>().into_pyarray(py))?;
    dict.set_item("board", board_array(py, games.into_iter().map(|game| game.board).collect()))?;
    Ok(dict)
}

/// Plays games of random legal moves from the starting position.
///
/// Args:
///     count: the number of games.
///     game: the name of the game.
///     plies: the greatest number of plies; None for whole games (the mill games end after 400 plies).
///     seed: equal seeds give equal games, whatever the number of cores.
///     unique: whether no two games are equal up to a symmetry of the board.
///
/// Returns:
///     a dict of arrays: "moves" uint16 (n, longest), `NO_MOVE` after the end; "length" uint32
///     (n,); "score" int8 (n,), the points by which
///     Black won, 0 for unfinished games; "board" uint64 (n, 3), the final boards.
///
/// Raises:
///     MorelloError: there are too few different games.
#[pyfunction]
#[pyo3(signature = (count, game="othello", *, plies=None, seed=0, unique=false))]
fn random_games<'py>(
    py: Python<'py>,
    count: usize,
    game: &str,
    plies: Option<usize>,
    seed: u64,
    unique: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let unique = unique.then_some(Unique::Games);
    game_arrays(py, play_random(py, game, count, plies.unwrap_or(PLY_CAP), seed, unique)?)
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

/// Returns positions after `plies` random legal moves from the start, or fewer where the game ends
/// first: uint64 (n, 3).
///
/// Args:
///     unique: whether no two positions are equal up to a symmetry of the board.
///
/// Raises:
///     MorelloError: there are too few different positions.
#[pyfunction]
#[pyo3(signature = (count, plies, game="othello", *, seed=0, unique=false))]
fn random_boards<'py>(
    py: Python<'py>,
    count: usize,
    plies: usize,
    game: &str,
    seed: u64,
    unique: bool,
) -> PyResult<Matrix<'py, u64>> {
    let games = play_random(py, game, count, plies, seed, unique.then_some(Unique::Positions))?;
    Ok(board_array(py, games.into_iter().map(|game| game.board).collect()))
}

/// Plays games of the engine against itself, after some random plies.
///
/// With a limit on depth or nodes, equal seeds give equal games, whatever the number of threads.
///
/// Args:
///     count: the number of games.
///     random_plies: the number of random plies at the start of each game.
///     options: the limits of each move, as in `Engine.search`, and threads, database, progress and hash_mib, as
///         in `search`; the memory is that of each thread, 4 by default.
///
/// Returns:
///     a dict of arrays as that of `random_games`.
#[pyfunction]
#[pyo3(signature = (count, game="othello", *, random_plies=8, seed=0, **options))]
fn selfplay_games<'py>(
    py: Python<'py>,
    count: usize,
    game: &str,
    random_plies: usize,
    seed: u64,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let any = game_named(game)?;
    let SearchOptions { limits, hash_mib, threads, database, progress } = SearchOptions::of(py, options, 4)?;
    let limits = limits.resolve(any, 1)?.for_move();
    let options = engine::options(any, hash_mib, None, database, "trained")?;
    // Tables of its own for each thread, so that games do not depend on each other.
    let states = (0..work::thread_count(threads)).map(|_| any.searcher(&options).map_err(invalid));
    let states = states.collect::<PyResult<Vec<_>>>()?;
    let games = work::map(py, count, states, progress.as_ref(), |searcher, index, cancel| {
        // A game that ends within its opening is replaced.
        let openings =
            (0..100).map(|attempt| any.random_game(seed_of(seed.wrapping_add(attempt), index), random_plies));
        let mut record = openings.into_iter().find(|game| game.end().is_none())?;
        record.set_draw_rules(any.standard_draw_rules());
        finish(&mut **searcher, &mut record, &limits, cancel)?;
        let board = record.positions().last().copied()?;
        let score = record.points(Color::Black)? as i8;
        Some((record.moves().iter().map(|&m| u16::from(m)).collect::<Vec<_>>(), board, score))
    })?;
    let mut played = Vec::with_capacity(games.len());
    let mut boards = Vec::with_capacity(games.len());
    for entry in games {
        let (moves, board, score) =
            entry.ok_or_else(|| invalid(format!("every game ends within {random_plies} random plies")))?;
        boards.push(board);
        played.push(Played { moves, board: [0; 3], score });
    }
    let rows: Vec<Packed> = for_game!(game, P => {
        boards.iter().map(|board| board.typed::<P>().expect("the position is of this game").pack()).collect()
    });
    for (game, row) in played.iter_mut().zip(rows) {
        game.board = row;
    }
    game_arrays(py, played)
}

/// Plays the best moves to the end of a game; `None` if cancelled.
fn finish(searcher: &mut dyn Searcher, game: &mut Game, limits: &Limits, cancel: &Cancel) -> Option<()> {
    searcher.clear();
    while game.end().is_none() {
        let report = searcher.search(game, limits, cancel, &mut |_| ());
        if cancel.is_cancelled() {
            return None;
        }
        game.play(report.best_move()?).ok()?;
    }
    Some(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(random_games, module)?)?;
    module.add_function(wrap_pyfunction!(random_boards, module)?)?;
    module.add_function(wrap_pyfunction!(selfplay_games, module)?)
}
