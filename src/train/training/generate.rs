//! Self-play games with exact endgames, from random openings.
//!
//! A game starts with a random number of random moves, so that samples of every ply include
//! positions that do not occur in good play. With a burst, the engine plays most of the random
//! part, and only its last moves are random, as in the positions that a search visits next to good
//! play.
//!
//! After the random part, the engine plays, first with a shallow search and then perfectly. The
//! final score is the label of every position after the random part: exact near the end, and a
//! noisy sample before.

use std::io;

use morello_core::game::{Cancel, Color, Game, Limits, Position as _, RandomNumbers, Searcher};
use morello_core::othello::{Move, Position};

use super::in_order::add_games;
use super::{GenerationOptions, TrainingFile, TrainingGame};

/// The number of discs in a random opening, enough to make games different.
const OPENING_DISCS: u8 = 10;

/// The search depth of the engine in the random part, in plies.
const RANDOM_PART_DEPTH: u32 = 2;

/// Plays the game with this index. It first clears the searcher, so that the game depends only on
/// the options and the index. Returns `None` if cancelled.
///
/// # Panics
/// If the range of random discs is empty, or the range or the burst exceeds 59.
pub fn play(
    options: &GenerationOptions,
    index: u64,
    searcher: &mut dyn Searcher<Position>,
    cancel: &Cancel,
) -> Option<TrainingGame> {
    searcher.clear();
    let (random, opening) = play_random_part(options, index, searcher);
    let mut game = opening;
    searcher.clear();
    while game.end().is_none() {
        let position = game.position();
        let mut moves = position.legal_moves();
        if moves.len() == 1 {
            let m = moves.next().expect("there is one move");
            game.play(m).expect("the move is legal");
            continue;
        }
        let exact = position.board().empty_count() <= options.exact_from.into();
        let limits = if exact { Limits::exact() } else { Limits::depth(options.depth) };
        let report = searcher.search(&game, &limits, cancel, &mut |_| ());
        if cancel.is_cancelled() {
            return None;
        }
        // The principal variation of a proved score is perfect play to the end.
        let pv = &report.best().pv;
        let line = if exact { pv } else { &pv[..1] };
        line.iter().for_each(|&m| game.play(m).expect("the searcher's moves are legal"));
    }
    let end = game.position();
    let score = if end.side_to_move() == Color::Black { end.final_score() } else { -end.final_score() };
    let squares = game.moves().iter().filter_map(|m| m.square()).map(|square| square.index() as u8).collect();
    Some(TrainingGame { random, squares, score: score as i8 })
}

/// Plays the random part of a game. Returns the number of placed discs and the game.
fn play_random_part(
    options: &GenerationOptions,
    index: u64,
    searcher: &mut dyn Searcher<Position>,
) -> (u8, Game<Position>) {
    let (min, max) = options.random;
    assert!(min <= max && max < 60, "the range of random discs must not be empty or exceed 59");
    assert!(options.burst < 60, "the burst must not exceed 59");
    let seed = RandomNumbers::new(options.seed).next_u64();
    let mut numbers = RandomNumbers::new(seed ^ RandomNumbers::new(index).next_u64());
    let random = min + numbers.below(usize::from(max - min) + 1) as u8;
    let burst = if options.burst == 0 { random } else { 1 + numbers.below(options.burst.into()) as u8 };
    // Start again if the game ends within the random part.
    loop {
        let mut game = Game::new(Position::default());
        let mut placed = 0;
        while placed < random && game.end().is_none() {
            let m = if placed < OPENING_DISCS || placed + burst >= random {
                numbers.legal_move(game.position()).expect("the game is not over")
            } else {
                let report = searcher.best(&game, &Limits::depth(RANDOM_PART_DEPTH));
                report.best_move().expect("the game is not over")
            };
            placed += u8::from(m != Move::PASS);
            game.play(m).expect("the move is legal");
        }
        if game.end().is_none() {
            return (random, game);
        }
    }
}

/// Plays games, with one thread per searcher, and adds them to a file until it has `games` games.
/// `on_game` receives each game with the number of games in the file. Returns false if cancelled
/// before all games were played.
///
/// Games are written in the order of their indices, so the file does not depend on the number of
/// threads.
///
/// # Errors
/// If the file cannot be written.
///
/// # Panics
/// Like [`play`], or if a searcher panics.
pub fn generate(
    options: &GenerationOptions,
    games: u64,
    searchers: Vec<Box<dyn Searcher<Position>>>,
    file: &mut TrainingFile,
    cancel: &Cancel,
    on_game: &mut dyn FnMut(u64, &TrainingGame),
) -> io::Result<bool> {
    let play = |searcher: &mut dyn Searcher<Position>, index, cancel: &Cancel| play(options, index, searcher, cancel);
    add_games(file, games, searchers, cancel, play, TrainingFile::add_game, on_game)
}

#[cfg(test)]
mod tests {
    use morello_core::game::EngineOptions;
    use morello_core::othello::Square;
    use morello_core::othello::engine::OthelloSearcher;

    use super::*;
    use crate::training::TrainingData;

    const OPTIONS: GenerationOptions =
        GenerationOptions { seed: 3, depth: 1, exact_from: 8, random: (8, 59), burst: 0, weights: 0 };

    fn searchers(count: usize) -> Vec<Box<dyn Searcher<Position>>> {
        let options = EngineOptions::new(1 << 18);
        (0..count).map(|_| Box::new(OthelloSearcher::new(&options)) as Box<dyn Searcher<Position>>).collect()
    }

    #[test]
    fn games_depend_only_on_seed_and_index() {
        let mut searchers = searchers(2);
        let cancel = Cancel::new();
        let mut play = |searcher: usize, options: &GenerationOptions, index| {
            play(options, index, &mut *searchers[searcher], &cancel).unwrap()
        };
        let first: Vec<_> = (0..20).map(|index| play(0, &OPTIONS, index)).collect();
        // The same games with another searcher, in another order.
        assert!((0..20).rev().all(|index| play(1, &OPTIONS, index) == first[index as usize]));
        assert!((1..20).all(|index| first[index] != first[0]));
        assert_ne!(play(0, &GenerationOptions { seed: 4, ..OPTIONS }, 0), first[0]);
    }

    #[test]
    fn endgames_are_played_perfectly() {
        let cancel = Cancel::new();
        let mut searcher = searchers(1).remove(0);
        for index in 0..30 {
            let record = play(&OPTIONS, index, &mut *searcher, &cancel).unwrap();
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
                game.play(Move::place(Square::from_index(square.into()).unwrap())).unwrap();
            }
            assert!(game.end().is_some());
        }
    }

    #[test]
    fn the_random_burst_follows_engine_moves() {
        let (mut searcher, cancel) = (searchers(1).remove(0), Cancel::new());
        let options = GenerationOptions { random: (30, 30), burst: 4, ..OPTIONS };
        let mut random_moves = 0;
        for index in 0..20 {
            let record = play(&options, index, &mut *searcher, &cancel).unwrap();
            let mut game = Game::new(Position::default());
            searcher.clear();
            for (placed, &square) in (0..30).zip(&record.squares) {
                if game.position().legal_moves().next() == Some(Move::PASS) {
                    game.play(Move::PASS).unwrap();
                }
                let m = Move::place(Square::from_index(square.into()).unwrap());
                if placed >= OPENING_DISCS {
                    let engine_move =
                        searcher.search(&game, &Limits::depth(RANDOM_PART_DEPTH), &cancel, &mut |_| ()).best_move();
                    assert!(placed >= 30 - options.burst || engine_move == Some(m), "{placed} in game {index}");
                    random_moves += u32::from(engine_move != Some(m));
                }
                game.play(m).unwrap();
            }
        }
        assert!(random_moves > 20, "the moves of the burst are random");
    }

    #[test]
    fn files_are_identical_for_any_number_of_threads_or_runs() {
        let folder = tempfile::tempdir().unwrap();
        let cancel = Cancel::new();
        let write = |name: &str, games: u64, threads: usize| {
            let path = folder.path().join(name);
            let mut file = TrainingFile::open_games(&path, &OPTIONS).unwrap();
            let mut received = Vec::new();
            let mut on_game = |games: u64, _: &TrainingGame| received.push(games);
            let start = file.games();
            assert!(generate(&OPTIONS, games, searchers(threads), &mut file, &cancel, &mut on_game).unwrap());
            assert_eq!(file.games(), games);
            assert_eq!(received, (start + 1..=games).collect::<Vec<_>>());
            std::fs::read(path).unwrap()
        };
        let whole = write("one", 40, 1);
        assert_eq!(write("three", 40, 3), whole);
        write("parts", 13, 2);
        assert_eq!(write("parts", 40, 2), whole);
        let games = TrainingData::read_games(&folder.path().join("one")).unwrap();
        assert!((0..games.len()).map(|index| games.samples(index).len()).sum::<usize>() > 40);
    }

    #[test]
    fn a_cancelled_run_keeps_the_played_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        let mut file = TrainingFile::open_games(&path, &OPTIONS).unwrap();
        let cancel = Cancel::new();
        let mut on_game = |games: u64, _: &TrainingGame| {
            if games == 5 {
                cancel.cancel();
            }
        };
        assert!(!generate(&OPTIONS, 1_000_000, searchers(2), &mut file, &cancel, &mut on_game).unwrap());
        assert!((5..100_000).contains(&file.games()), "{}", file.games());
        assert_eq!(TrainingData::read(&path).unwrap().len() as u64, file.games());
    }
}
