//! Self-play from random openings, with known scores.
//!
//! A game begins with random moves, how many is drawn from a range, so that positions of every ply are unlike what good play reaches; or with
//! sane ones and a few random ones at the end, so that they are what a search meets beside good play. Then the engine plays, by a shallow
//! search at first and perfectly from some number of empty squares on. That the end is perfect makes the final score the label of every
//! position after the random part: exact near the end, and a sample of what play leads to before.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use super::games::FLUSH_INTERVAL;
use super::{GameFile, GameRecord, GenerationOptions};
use crate::game::{Cancel, Color, Game, Limits, Position as _, RandomNumbers, Searcher};
use crate::othello::{Move, Position};

/// The discs of an opening: so many that no two games need be alike.
const OPENING_DISCS: u8 = 10;

/// The plies of the search by which the engine plays in the random part.
const RANDOM_PART_DEPTH: u32 = 2;

/// Plays the game of an index, with a searcher that remembers nothing; `None` if it was cancelled on the way.
///
/// # Panics
/// If the recipe's range of random discs is empty or goes beyond 59, or its burst does.
pub fn play(
    recipe: &GenerationOptions,
    index: u64,
    searcher: &mut dyn Searcher<Position>,
    cancel: &Cancel,
) -> Option<GameRecord> {
    searcher.clear();
    let (random, opening) = play_random_part(recipe, index, searcher);
    let mut game = opening;
    searcher.clear();
    while game.end().is_none() {
        let position = game.position();
        let mut moves = position.legal_moves();
        if moves.len() == 1 {
            let m = moves.next().expect("there is one");
            game.play(m).expect("the move is legal");
            continue;
        }
        let exact = position.board().empty_count() <= recipe.exact_from.into();
        let limits = if exact { Limits::exact() } else { Limits::depth(recipe.depth) };
        let report = searcher.search(&game, &limits, cancel, &mut |_| ());
        if cancel.is_cancelled() {
            return None;
        }
        // The line of a proved score is perfect play to the end.
        let pv = &report.best().pv;
        let line = if exact { pv } else { &pv[..1] };
        line.iter().for_each(|&m| game.play(m).expect("the searcher's moves are legal"));
    }
    let end = game.position();
    let score = if end.side_to_move() == Color::Black { end.final_score() } else { -end.final_score() };
    let squares = game.moves().iter().filter_map(|m| m.square()).map(|square| square as u8).collect();
    Some(GameRecord { random, squares, score: score as i8 })
}

/// Plays the random part of a game; returns how many discs were placed, too.
fn play_random_part(
    recipe: &GenerationOptions,
    index: u64,
    searcher: &mut dyn Searcher<Position>,
) -> (u8, Game<Position>) {
    let (least, most) = recipe.random;
    assert!(least <= most && most < 60, "the range of random discs has some, and leaves a square");
    assert!(recipe.burst < 60, "a burst leaves a square");
    let of_seed = RandomNumbers::new(recipe.seed).next_u64();
    let mut numbers = RandomNumbers::new(of_seed ^ RandomNumbers::new(index).next_u64());
    let random = least + numbers.below(usize::from(most - least) + 1) as u8;
    let burst = if recipe.burst == 0 { random } else { 1 + numbers.below(recipe.burst.into()) as u8 };
    // A game that is over too soon is begun anew.
    loop {
        let mut game = Game::new(Position::default());
        let mut placed = 0;
        while placed < random && game.end().is_none() {
            let m = if placed < OPENING_DISCS || placed + burst >= random {
                let moves = game.position().count_moves();
                game.position().legal_moves().nth(numbers.below(moves)).expect("the index is below their number")
            } else {
                let report = searcher.search(&game, &Limits::depth(RANDOM_PART_DEPTH), &Cancel::new(), &mut |_| ());
                report.best_move().expect("the game goes on")
            };
            placed += u8::from(m != Move::PASS);
            game.play(m).expect("the move is legal");
        }
        if game.end().is_none() {
            return (random, game);
        }
    }
}

/// Why and where a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generated {
    /// The games in the file.
    pub games: u64,
    /// Whether it ended before all were played, because it was cancelled.
    pub cancelled: bool,
}

/// Adds games to a file until it has `games`, played by the searchers, each on a thread of its own. `on_game` is told of each with the
/// number of those in the file.
///
/// Games are written in the order of their indices, so the file does not depend on the number of threads.
///
/// # Errors
/// If the file cannot be written.
///
/// # Panics
/// As [`play`], or if a searcher does.
pub fn generate(
    recipe: &GenerationOptions,
    games: u64,
    searchers: Vec<Box<dyn Searcher<Position>>>,
    file: &mut GameFile,
    cancel: &Cancel,
    on_game: &mut dyn FnMut(u64, &GameRecord),
) -> io::Result<Generated> {
    let next = AtomicU64::new(file.games());
    let (sender, receiver) = channel();
    let stop = cancel.child();
    let written = thread::scope(|scope| {
        for mut searcher in searchers {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= games || stop.is_cancelled() {
                        return;
                    }
                    let Some(game) = play(recipe, index, &mut *searcher, stop) else { return };
                    if sender.send((index, game)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Games that wait for one before them that takes longer.
        let mut early = BTreeMap::new();
        loop {
            let (index, game) = match receiver.recv_timeout(FLUSH_INTERVAL) {
                Ok(game) => game,
                // What waits to be written does not wait for a game that takes long.
                Err(RecvTimeoutError::Timeout) => {
                    file.flush().inspect_err(|_| stop.cancel())?;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            early.insert(index, game);
            while let Some(game) = early.remove(&file.games()) {
                file.add(&game).inspect_err(|_| stop.cancel())?;
                on_game(file.games(), &game);
            }
        }
        file.flush()
    });
    written.map(|()| Generated { games: file.games(), cancelled: file.games() < games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::EngineOptions;
    use crate::othello::engine::OthelloSearcher;
    use crate::training::TrainingGames;

    const RECIPE: GenerationOptions =
        GenerationOptions { seed: 3, depth: 1, exact_from: 8, random: (8, 59), burst: 0, weights: 0 };

    fn searchers(count: usize) -> Vec<Box<dyn Searcher<Position>>> {
        let options = EngineOptions::new(1 << 18);
        (0..count).map(|_| Box::new(OthelloSearcher::new(&options)) as Box<dyn Searcher<Position>>).collect()
    }

    #[test]
    fn games_depend_only_on_seed_and_index() {
        let mut searchers = searchers(2);
        let cancel = Cancel::new();
        let mut play = |searcher: usize, recipe: &GenerationOptions, index| {
            play(recipe, index, &mut *searchers[searcher], &cancel).unwrap()
        };
        let first: Vec<_> = (0..20).map(|index| play(0, &RECIPE, index)).collect();
        // Another searcher, in another order.
        assert!((0..20).rev().all(|index| play(1, &RECIPE, index) == first[index as usize]));
        assert!((1..20).all(|index| first[index] != first[0]));
        assert_ne!(play(0, &GenerationOptions { seed: 4, ..RECIPE }, 0), first[0]);
    }

    #[test]
    fn endgames_are_played_perfectly() {
        let cancel = Cancel::new();
        let mut searcher = searchers(1).remove(0);
        for index in 0..30 {
            let record = play(&RECIPE, index, &mut *searcher, &cancel).unwrap();
            let mut game = Game::new(Position::default());
            for (placed, &square) in record.squares.iter().enumerate() {
                if game.position().legal_moves().next() == Some(Move::PASS) {
                    game.play(Move::PASS).unwrap();
                }
                let position = game.position();
                if placed >= record.random.into() && position.board().empty_count() <= 8 {
                    let score = i64::from(record.score) * if position.side_to_move() == Color::Black { 1 } else { -1 };
                    let found = searcher.search(&game, &Limits::exact(), &cancel, &mut |_| ());
                    assert_eq!(i64::from(found.best().score.thousandths), 1000 * score);
                }
                game.play(Move::place(square.into())).unwrap();
            }
            assert!(game.end().is_some());
        }
    }

    #[test]
    fn the_random_burst_follows_engine_moves() {
        let (mut searcher, cancel) = (searchers(1).remove(0), Cancel::new());
        let recipe = GenerationOptions { random: (30, 30), burst: 4, ..RECIPE };
        let mut surprises = 0;
        for index in 0..20 {
            let record = play(&recipe, index, &mut *searcher, &cancel).unwrap();
            let mut game = Game::new(Position::default());
            searcher.clear();
            for (placed, &square) in (0..30).zip(&record.squares) {
                if game.position().legal_moves().next() == Some(Move::PASS) {
                    game.play(Move::PASS).unwrap();
                }
                let m = Move::place(square.into());
                if placed >= OPENING_DISCS {
                    let sane =
                        searcher.search(&game, &Limits::depth(RANDOM_PART_DEPTH), &cancel, &mut |_| ()).best_move();
                    assert!(placed >= 30 - recipe.burst || sane == Some(m), "{placed} in game {index}");
                    surprises += u32::from(sane != Some(m));
                }
                game.play(m).unwrap();
            }
        }
        assert!(surprises > 20, "the moves of the burst are random");
    }

    #[test]
    fn files_are_identical_for_any_number_of_threads_or_runs() {
        let folder = tempfile::tempdir().unwrap();
        let cancel = Cancel::new();
        let write = |name: &str, games: u64, threads: usize| {
            let path = folder.path().join(name);
            let mut file = GameFile::open(&path, &RECIPE).unwrap();
            let mut told = Vec::new();
            let mut on_game = |games: u64, _: &GameRecord| told.push(games);
            let start = file.games();
            let end = generate(&RECIPE, games, searchers(threads), &mut file, &cancel, &mut on_game).unwrap();
            assert_eq!(end, Generated { games, cancelled: false });
            assert_eq!(told, (start + 1..=games).collect::<Vec<_>>());
            std::fs::read(path).unwrap()
        };
        let whole = write("one", 40, 1);
        assert_eq!(write("three", 40, 3), whole);
        write("parts", 13, 2);
        assert_eq!(write("parts", 40, 2), whole);
        // The games count from where the random part ended.
        let games = TrainingGames::read(&folder.path().join("one")).unwrap();
        let samples: usize = (0..games.len())
            .map(|index| {
                let mut count = 0;
                games.samples(index, |_| count += 1);
                let game = games.game(index);
                assert_eq!(count, game.squares.len() - usize::from(game.random));
                count
            })
            .sum();
        assert!(samples > 40);
    }

    #[test]
    fn a_cancelled_run_keeps_the_played_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        let mut file = GameFile::open(&path, &RECIPE).unwrap();
        let cancel = Cancel::new();
        let mut on_game = |games: u64, _: &GameRecord| {
            if games == 5 {
                cancel.cancel();
            }
        };
        let end = generate(&RECIPE, 1_000_000, searchers(2), &mut file, &cancel, &mut on_game).unwrap();
        assert!(end.cancelled && (5..100_000).contains(&end.games), "{end:?}");
        assert_eq!(TrainingGames::read(&path).unwrap().len() as u64, end.games);
    }
}
