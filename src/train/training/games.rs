//! The games of training files: their options and their encoding.

use morello_core::othello::{Board, Square};

/// The options of game generation. Together with an index they determine a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenerationOptions {
    /// The seed of the random moves.
    pub seed: u64,
    /// The search depth, in plies.
    pub depth: u32,
    /// Play is perfect with at most this many empty squares.
    pub exact_from: u8,
    /// The minimum and maximum number of discs placed at random, at most 59.
    pub random: (u8, u8),
    /// If not 0, only the opening and at most this many discs at the end of the random part are
    /// placed at random; in between, the engine plays with a depth of two plies.
    pub burst: u8,
    /// The [fingerprint](morello_core::othello::engine::TrainedEvaluation::fingerprint) of the
    /// engine's weights; 0 without weights.
    pub weights: u32,
}

impl GenerationOptions {
    /// Returns the command-line option for each field, with its value.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let Self { seed, depth, exact_from, random: (min, max), burst, weights } = self;
        vec![
            ("--seed", seed.to_string()),
            ("--depth", depth.to_string()),
            ("--exact-from", exact_from.to_string()),
            ("--random-plies", format!("{min}..{max}")),
            ("--burst", burst.to_string()),
            ("--weights with fingerprint", format!("{weights:08x}")),
        ]
    }
}

/// A complete game from the starting position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// The number of discs placed at random.
    pub random: u8,
    /// The squares in the order of placement. Passes are implied.
    pub squares: Vec<u8>,
    /// The final score for Black, with empty squares counted for the winner.
    pub score: i8,
}

/// A position of a game and its final score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The board; the side to move has a legal move.
    pub board: Board,
    /// The final score for the side to move.
    pub score: i8,
}

impl TrainingGame {
    /// Encodes the game for a file: the number of random discs, the score and the squares, one byte
    /// each.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [&[self.random, self.score as u8], &self.squares[..]].concat()
    }
}

/// Returns whether the data encode a legal game, which can be replayed.
pub(super) fn is_valid(data: &[u8]) -> bool {
    let &[random, score, ref squares @ ..] = data else { return false };
    let mut board = <Board>::START;
    usize::from(random) <= squares.len()
        && (score as i8).unsigned_abs() <= 64
        && squares.iter().all(|&square| {
            if board.moves().is_empty() {
                board = board.pass();
            }
            let next = Square::from_index(square.into()).and_then(|square| board.after(square));
            board = next.unwrap_or(board);
            next.is_some()
        })
}

/// Replays the data of a valid game, and returns the position before each disc that was not placed
/// at random.
pub(super) fn samples(data: &[u8]) -> impl Iterator<Item = Sample> {
    let (random, mut score, squares) = (usize::from(data[0]), data[1] as i8, &data[2..]);
    let mut board = <Board>::START;
    let positions = squares.iter().map(move |&square| {
        if board.moves().is_empty() {
            (board, score) = (board.pass(), -score);
        }
        let sample = Sample { board, score };
        let next = Square::from_index(square.into()).and_then(|square| board.after(square));
        (board, score) = (next.expect("the game is valid"), -score);
        sample
    });
    positions.skip(random)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use morello_core::journal::OpenJournalError;

    use super::*;
    use crate::training::records::{MAX_TAIL_BYTES, TrainingData, TrainingFile, TrainingFileError};

    const OPTIONS: GenerationOptions =
        GenerationOptions { seed: 7, depth: 1, exact_from: 8, random: (20, 50), burst: 0, weights: 0 };

    /// Plays a random game.
    fn game(index: u64) -> TrainingGame {
        let record = morello_core::game::random_game::<morello_core::othello::Position>(index, 100);
        let squares = record.moves().iter().filter_map(|m| m.square()).map(|square| square.index() as u8).collect();
        let end = record.position();
        let score = morello_core::game::Position::final_score(end) as i8;
        let black = morello_core::game::Position::side_to_move(end) == morello_core::game::Color::Black;
        TrainingGame { random: 20, squares, score: if black { score } else { -score } }
    }

    fn write(path: &Path, games: std::ops::Range<u64>) {
        let mut file = TrainingFile::open_games(path, &OPTIONS).unwrap();
        assert_eq!(file.games(), games.start);
        games.for_each(|index| file.add_game(&game(index)).unwrap());
        file.flush().unwrap();
    }

    #[test]
    fn games_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        write(&path, 0..30);
        let games = TrainingData::read_games(&path).unwrap();
        assert_eq!((games.seed(), games.len()), (7, 30));
        for index in 0..30 {
            let expected = game(index as u64);
            let samples = games.samples(index);
            assert_eq!(samples.len(), expected.squares.len() - 20);
            assert_eq!(samples[0].board.empty_count(), 40);
            // The score of the last sample is the score of the board after its move.
            let Sample { board, score } = *samples.last().unwrap();
            let square = Square::from_index((*expected.squares.last().unwrap()).into()).unwrap();
            assert_eq!(-board.after(square).unwrap().final_score(), i32::from(score));
        }
    }

    #[test]
    fn a_file_truncated_at_any_byte_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        write(&path, 0..3);
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut file = TrainingFile::open_games(&path, &OPTIONS).unwrap();
            (file.games()..3).for_each(|index| file.add_game(&game(index)).unwrap());
            file.flush().unwrap();
            drop(file);
            assert_eq!(fs::read(&path).unwrap(), whole, "truncated at {end}");
        }
    }

    #[test]
    fn rejects_invalid_files_without_changing_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        write(&path, 0..3);
        let good = fs::read(&path).unwrap();
        let fails = |bytes: &[u8], options: GenerationOptions, message: &str| {
            fs::write(&path, bytes).unwrap();
            let error = TrainingFile::open_games(&path, &options).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        };
        fails(&good, GenerationOptions { seed: 8, ..OPTIONS }, "with --seed 7, not 8");
        fails(&good, GenerationOptions { random: (20, 51), ..OPTIONS }, "with --random-plies 20..50, not 20..51");
        fails(&good, GenerationOptions { burst: 2, ..OPTIONS }, "with --burst 0, not 2");
        fails(b"a text", OPTIONS, "it does not contain training games");
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            bytes
        };
        fails(&with(8, 2), OPTIONS, "it has format version 2; this morello reads version 1");
        fails(&with(12, 2), OPTIONS, "it does not contain training games");
        // A damaged game before a complete one.
        let (header, damage) = (142, "game 0, at byte 142, is damaged");
        fails(&with(header + 10, 77), OPTIONS, damage);
        // A damaged game with a longer tail than an incomplete write leaves.
        let mut bytes = with(header + 10, 77);
        bytes.resize(header + MAX_TAIL_BYTES + 1, 0);
        fails(&bytes, OPTIONS, damage);
        fs::write(&path, &good).unwrap();
        let _open = TrainingFile::open_games(&path, &OPTIONS).unwrap();
        assert!(matches!(
            TrainingFile::open_games(&path, &OPTIONS),
            Err(TrainingFileError::Open(OpenJournalError::InUse))
        ));
    }
}
