//! Labels positions from games with search scores, which are more accurate than the final scores of
//! the games.

use std::io;

use morello_core::game::{Cancel, Color, Game, Limits, Report, Searcher};
use morello_core::othello::{Board, Move, Position};

use super::in_order::add_games;
use super::{LabelOptions, Sample, TrainingData, TrainingFile};

/// Labels the positions of a game. It first clears the searcher, so that the labels depend only on
/// the options and the game. Returns `None` if cancelled.
///
/// # Panics
/// If the index is out of range.
pub fn label_game(
    options: &LabelOptions,
    games: &TrainingData,
    index: usize,
    searcher: &mut dyn Searcher<Position>,
    cancel: &Cancel,
) -> Option<Vec<Sample>> {
    searcher.clear();
    let limits =
        Limits::depth(options.depth).with_exact_from(options.exact_from.into()).with_confidence(options.confidence);
    let mut search = |board| {
        let report = searcher.search(&Game::new(Position::new(board, Color::Black)), &limits, cancel, &mut |_| ());
        (!cancel.is_cancelled()).then_some(report)
    };
    let score = |report: &Report<Position>| f64::from(report.best().score.thousandths) / 1000.0;
    let (least, most) = options.empties;
    let in_range = |board: &Board| (u32::from(least)..=most.into()).contains(&board.empty_count());
    let count = if options.positions == 0 { usize::MAX } else { options.positions.into() };
    let mut positions: Vec<_> = games.samples(index).iter().map(|sample| sample.board).collect();
    let mut labels = Vec::new();
    if options.follow {
        let mut game = Game::new(Position::new(positions[0], Color::Black));
        let mut line = Vec::new();
        let mut moves_played = 0;
        while moves_played < count && game.end().is_none() && game.position().board().empty_count() >= least.into() {
            let report = search(game.position().board())?;
            // A proved score comes with perfect play to the end.
            let is_exact = report.best().score.is_exact();
            let moves = if is_exact { &report.best().pv[..] } else { &report.best().pv[..1] };
            for (ply, &m) in moves.iter().enumerate() {
                let score = if ply % 2 == 0 { score(&report) } else { -score(&report) };
                line.push(LinePosition { board: game.position().board(), score, is_exact, is_pass: m == Move::PASS });
                moves_played += usize::from(m != Move::PASS);
                game.play(m).expect("the searcher's moves are legal");
            }
        }
        labels = blended(&line, options.lambda.into());
        labels.truncate(count);
        labels.retain(|label| in_range(&label.board));
    } else {
        positions.truncate(count);
        // Search from the last position to the first, so that the table has the best moves of the
        // following positions.
        for board in positions.into_iter().rev().filter(in_range) {
            labels.push(Sample { board, score: score(&search(board)?).round() as i8 });
        }
        labels.reverse();
    }
    Some(labels)
}

/// A position in a line of best moves.
struct LinePosition {
    board: Board,
    /// The search score, for the side to move, in discs.
    score: f64,
    is_exact: bool,
    is_pass: bool,
}

/// Returns the labels of the positions in a line that have moves. A label is `1 - lambda` times the
/// search score plus `lambda` times the label of the next position for the same side, or the search
/// score alone if it is exact. So the scores of all later positions count, and distant ones count
/// less: TD(lambda) (Sutton 1988).
fn blended(line: &[LinePosition], lambda: f64) -> Vec<Sample> {
    let mut labels = Vec::new();
    let mut next = None;
    for &LinePosition { board, score, is_exact, is_pass } in line.iter().rev() {
        let label = match next {
            Some(next) if !is_exact => (1.0 - lambda) * score - lambda * next,
            _ => score,
        };
        next = Some(label);
        if !is_pass {
            labels.push(Sample { board, score: label.round() as i8 });
        }
    }
    labels.reverse();
    labels
}

/// Labels the games that have no labels in the file yet, with one thread per searcher, and adds the
/// labels to the file. `on_game` receives the number of games in the file and the labels of the
/// last game. Returns whether all games have labels.
///
/// The file does not depend on the number of threads.
///
/// # Errors
/// If the file cannot be written.
///
/// # Panics
/// If a searcher panics.
pub fn label(
    options: &LabelOptions,
    games: &TrainingData,
    searchers: Vec<Box<dyn Searcher<Position>>>,
    file: &mut TrainingFile,
    cancel: &Cancel,
    on_game: &mut dyn FnMut(u64, &Vec<Sample>),
) -> io::Result<bool> {
    let label = |searcher: &mut dyn Searcher<Position>, index: u64, cancel: &Cancel| {
        label_game(options, games, index as usize, searcher, cancel)
    };
    let add = |file: &mut TrainingFile, labels: &Vec<Sample>| file.add_labels(labels);
    add_games(file, games.len() as u64, searchers, cancel, label, add, on_game)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use morello_core::game::{Confidence, EngineOptions, Position as _};
    use morello_core::othello::engine::{OthelloSearcher, TrainedEvaluation};

    use super::*;
    use crate::training::{GenerationOptions, TrainingFileError, generate};

    const GAMES: GenerationOptions =
        GenerationOptions { seed: 3, depth: 1, exact_from: 8, random: (30, 50), burst: 0, weights: 0 };

    const OPTIONS: LabelOptions = LabelOptions {
        seed: 3,
        games: 7,
        depth: 2,
        confidence: Confidence::FULL,
        exact_from: 9,
        empties: (1, 60),
        positions: 0,
        follow: false,
        lambda: 0.0,
        weights: 0,
    };

    fn searchers(count: usize) -> Vec<Box<dyn Searcher<Position>>> {
        let new = || OthelloSearcher::with_evaluation(&EngineOptions::new(1 << 18), TrainedEvaluation::built_in());
        (0..count).map(|_| Box::new(new()) as Box<dyn Searcher<Position>>).collect()
    }

    fn games(folder: &Path, count: u64) -> TrainingData {
        let path = folder.join("games");
        let mut file = TrainingFile::open_games(&path, &GAMES).unwrap();
        generate(&GAMES, count, searchers(1), &mut file, &Cancel::new(), &mut |_, _| ()).unwrap();
        TrainingData::read_games(&path).unwrap()
    }

    /// Returns the score of perfect play, from a plain search.
    fn plain(board: Board) -> i32 {
        if board.is_over() {
            return board.final_score();
        }
        if board.moves().is_empty() {
            return -plain(board.pass());
        }
        let boards = board.moves().iter().filter_map(|square| board.after(square));
        boards.map(|next| -plain(next)).max().expect("there is a move")
    }

    fn all(options: &LabelOptions, games: &TrainingData) -> Vec<Vec<Sample>> {
        let mut searcher = searchers(1).remove(0);
        (0..games.len()).map(|game| label_game(options, games, game, &mut *searcher, &Cancel::new()).unwrap()).collect()
    }

    #[test]
    fn labels_near_the_end_are_exact() {
        let folder = tempfile::tempdir().unwrap();
        let games = games(folder.path(), 12);
        for follow in [false, true] {
            let labels = all(&LabelOptions { follow, exact_from: 6, empties: (1, 6), ..OPTIONS }, &games).concat();
            assert!(labels.len() > 30 && labels.iter().all(|label| (1..=6).contains(&label.board.empty_count())));
            labels.iter().for_each(|label| assert_eq!(i32::from(label.score), plain(label.board)));
        }
    }

    #[test]
    fn labels_belong_to_the_chosen_positions() {
        let folder = tempfile::tempdir().unwrap();
        let games = games(folder.path(), 20);
        let boards = |labels: &[Sample]| labels.iter().map(|label| label.board).collect::<Vec<_>>();
        let of_game = |game: usize| boards(&games.samples(game));
        for (game, labels) in all(&OPTIONS, &games).iter().enumerate() {
            assert_eq!(boards(labels), of_game(game));
        }
        let few = LabelOptions { positions: 4, empties: (12, 26), ..OPTIONS };
        for (game, labels) in all(&few, &games).iter().enumerate() {
            let mut expected = of_game(game);
            expected.truncate(4);
            expected.retain(|board| (12..=26).contains(&board.empty_count()));
            assert_eq!(boards(labels), expected);
        }
    }

    #[test]
    fn labels_follow_the_best_moves() {
        let folder = tempfile::tempdir().unwrap();
        let games = games(folder.path(), 20);
        let options = LabelOptions { positions: 6, follow: true, ..OPTIONS };
        let mut left_the_game = 0;
        for (game, labels) in all(&options, &games).into_iter().enumerate() {
            let game_boards: Vec<_> = games.samples(game).iter().map(|sample| sample.board).collect();
            assert_eq!(labels[0].board, game_boards[0]);
            assert!(labels.len() == 6 || labels.last().unwrap().board.empty_count() <= 2, "{labels:?}");
            for pair in labels.windows(2) {
                let start = Position::new(pair[0].board, Color::Black);
                let next = |m: Move| start.after(m).board();
                assert!(start.legal_moves().any(|m| [next(m), next(m).pass()].contains(&pair[1].board)), "{pair:?}");
                // Perfect play keeps the score.
                if pair[0].board.empty_count() <= 7 {
                    assert_eq!(plain(pair[1].board).abs(), i32::from(pair[0].score).abs());
                }
            }
            left_the_game += usize::from(labels.iter().any(|label| !game_boards.contains(&label.board)));
        }
        assert!(left_the_game > 5, "{left_the_game}");
    }

    #[test]
    fn later_scores_of_a_line_replace_a_share_of_those_before() {
        let board = Position::default().board();
        let position = |score: f64, is_exact, is_pass| LinePosition { board, score, is_exact, is_pass };
        let scores = |line: &[LinePosition], lambda| -> Vec<i8> {
            blended(line, lambda).iter().map(|label| label.score).collect()
        };
        // A pass has no label, but changes the side.
        let line = [
            position(10.0, false, false),
            position(2.0, false, true),
            position(4.0, false, false),
            position(-8.0, true, false),
            position(8.0, true, false),
        ];
        assert_eq!(scores(&line, 0.0), [10, 4, -8, 8]);
        assert_eq!(scores(&line, 1.0), [8, 8, -8, 8]);
        // 4 and 8 make 6; 2 and -6 make -2; 10 and 2 make 6.
        assert_eq!(scores(&line, 0.5), [6, 6, -8, 8]);
        // The last label has nothing after it; 10 and 1 make 5.5.
        assert_eq!(scores(&line[..3], 0.5), [6, 4]);
    }

    #[test]
    fn lines_to_the_end_have_its_score() {
        let folder = tempfile::tempdir().unwrap();
        let games = games(folder.path(), 12);
        let options = LabelOptions { follow: true, exact_from: 6, empties: (1, 12), ..OPTIONS };
        let lambda = all(&LabelOptions { lambda: 1.0, ..options }, &games);
        for (labels, alone) in lambda.iter().zip(all(&options, &games)) {
            let boards = |labels: &[Sample]| labels.iter().map(|label| label.board).collect::<Vec<_>>();
            assert_eq!(boards(labels), boards(&alone));
            let end = i32::from(labels.last().unwrap().score).abs();
            assert!(labels.iter().all(|label| i32::from(label.score).abs() == end), "{labels:?}");
        }
        assert_ne!(lambda, all(&options, &games));
    }

    #[test]
    fn files_are_identical_for_any_number_of_threads_or_runs() {
        let folder = tempfile::tempdir().unwrap();
        let (some, games) = (games(folder.path(), 15), games(folder.path(), 40));
        assert_eq!(some.len(), 15);
        let write = |name: &str, games: &TrainingData, threads: usize| {
            let path = folder.path().join(name);
            let mut file = TrainingFile::open_labels(&path, &OPTIONS).unwrap();
            let mut received = Vec::new();
            let start = file.games();
            let mut on_game = |games: u64, _: &Vec<Sample>| received.push(games);
            assert!(label(&OPTIONS, games, searchers(threads), &mut file, &Cancel::new(), &mut on_game).unwrap());
            assert_eq!(received, (start + 1..=games.len() as u64).collect::<Vec<_>>());
            std::fs::read(path).unwrap()
        };
        let whole = write("one", &games, 1);
        assert_eq!(write("three", &games, 3), whole);
        write("parts", &some, 2);
        assert_eq!(write("parts", &games, 2), whole);
        let read = TrainingData::read(&folder.path().join("one")).unwrap();
        let read: Vec<Vec<Sample>> = (0..read.len()).map(|game| read.samples(game)).collect();
        assert_eq!(read, all(&OPTIONS, &games));
    }

    #[test]
    fn rejects_labels_with_other_options() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels");
        drop(TrainingFile::open_labels(&path, &OPTIONS).unwrap());
        let fails = |options: LabelOptions, message: &str| {
            let error = TrainingFile::open_labels(&path, &options).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        };
        fails(LabelOptions { depth: 3, ..OPTIONS }, "--depth 2, not 3");
        fails(LabelOptions { confidence: Confidence::LOWEST, ..OPTIONS }, "--confidence 100, not 73");
        fails(LabelOptions { exact_from: 8, ..OPTIONS }, "--exact-from 9, not 8");
        fails(LabelOptions { empties: (1, 59), ..OPTIONS }, "--empties 1..60, not 1..59");
        fails(LabelOptions { positions: 3, ..OPTIONS }, "--positions 0, not 3");
        fails(LabelOptions { follow: true, ..OPTIONS }, "--follow false, not true");
        fails(LabelOptions { lambda: 0.5, ..OPTIONS }, "--lambda 0, not 0.5");
        fails(LabelOptions { weights: 1, ..OPTIONS }, "--weights with fingerprint 00000000, not 00000001");
        fails(LabelOptions { seed: 4, ..OPTIONS }, "games of --seed 3, not 4");
        fails(LabelOptions { games: 8, ..OPTIONS }, "games with fingerprint 0000000000000007, not 0000000000000008");
        assert!(matches!(TrainingData::read_games(&path), Err(TrainingFileError::OtherContent { .. })));
    }
}
