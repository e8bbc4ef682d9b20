//! Files of training games: [`GameFile`] appends to them, [`TrainingGames`] reads them.
//!
//! ```text
//! offset  bytes   the header, 36 bytes; numbers are little-endian
//!      0      8   "MORGAMES"
//!      8      4   format version, 1
//!     12      8   seed
//!     20      4   search depth
//!     24      1   number of empty squares from which play is perfect
//!     25      2   minimum and maximum number of random discs
//!     27      1   maximum length of the random burst, or 0 (see GenerationOptions::burst)
//!     28      4   fingerprint of the weights of the engine, 0 for none
//!     32      4   checksum of the bytes before
//!
//!                 each game, 7 bytes and one for each disc; the first game has index 0
//!      0      1   r, the number of discs placed at random
//!      1      1   n, the number of discs placed
//!      2      1   the final score for Black, with empty squares counted for the winner; signed
//!      3      n   the squares; passes are omitted, since they are forced
//!  3 + n      4   checksum of the header's checksum, the game's index and the bytes before
//! ```
//!
//! The header determines the games: a run that was killed and resumed produces the same bytes as an uninterrupted one.

use std::io;
use std::path::Path;

use super::TrainingFileError;
use super::records::{RecordFile, RecordFormat, Records, check_options};
use crate::fnv::Fnv1a;
use crate::othello::Board;

const FORMAT: RecordFormat = RecordFormat {
    content: "training games",
    magic: b"MORGAMES",
    version: 1,
    header_bytes: 36,
    prefix: 3,
    len: game_len,
    is_valid: game_is_valid,
};

/// Returns the length of the game that begins with these bytes.
fn game_len(prefix: &[u8]) -> usize {
    3 + usize::from(prefix[1])
}

/// Returns whether a record is a legal game, so that it can be replayed.
fn game_is_valid(record: &[u8]) -> bool {
    let (random, squares, score) = (usize::from(record[0]), &record[3..], record[2] as i8);
    let mut board = <Board>::START;
    random <= squares.len()
        && score.unsigned_abs() <= 64
        && squares.iter().all(|&square| {
            if board.moves() == 0 {
                board = board.pass();
            }
            let is_legal = square < 64 && board.moves() >> square & 1 == 1;
            if is_legal {
                board = board.place(square.into(), board.flips(square.into()));
            }
            is_legal
        })
}

/// The options of game generation. Together with an index they determine a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenerationOptions {
    /// The seed of the random moves.
    pub seed: u64,
    /// The search depth, in plies.
    pub depth: u32,
    /// The number of empty squares from which play is perfect.
    pub exact_from: u8,
    /// The minimum and maximum number of discs placed at random, at most 59.
    pub random: (u8, u8),
    /// If not 0, only the opening and at most this many discs at the end of the random part are placed at random; between them the engine plays with
    /// a depth of two plies.
    pub burst: u8,
    /// The [fingerprint](crate::othello::engine::TrainedEvaluation::fingerprint) of the engine's weights, 0 for none.
    pub weights: u32,
}

impl GenerationOptions {
    /// Returns the options of the command line that set each field, with the values.
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

    /// Returns a hash of the options.
    pub(super) fn hash(&self) -> u64 {
        Fnv1a::new().add_bytes(&header(self)).finish()
    }
}

/// A complete game from the starting position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
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

impl GameRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.random, self.squares.len() as u8, self.score as u8];
        bytes.extend(&self.squares);
        bytes
    }
}

fn header(options: &GenerationOptions) -> Vec<u8> {
    let mut header = FORMAT.header();
    header.extend(options.seed.to_le_bytes());
    header.extend(options.depth.to_le_bytes());
    header.extend([options.exact_from, options.random.0, options.random.1, options.burst]);
    header.extend(options.weights.to_le_bytes());
    FORMAT.finish_header(header)
}

/// Returns the options in a header.
fn options(header: &[u8]) -> GenerationOptions {
    let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice has four bytes"));
    let seed = u64::from(word(16)) << 32 | u64::from(word(12));
    let (random, burst) = ((header[25], header[26]), header[27]);
    GenerationOptions { seed, depth: word(20), exact_from: header[24], random, burst, weights: word(28) }
}

/// A file to which games are appended in the order of their indices.
#[derive(Debug)]
pub struct GameFile(RecordFile);

impl GameFile {
    /// Opens a file of games with these options for appending, or creates it if it is missing or empty. An incomplete last game is discarded.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`TrainingFileError`] if the file has games with other options, is damaged before its end, is in use, or cannot be read or written.
    pub fn open(path: &Path, expected: &GenerationOptions) -> Result<Self, TrainingFileError> {
        let check = |found: &[u8]| check_options(&options(found).fields(), &expected.fields());
        Ok(Self(RecordFile::open(&FORMAT, path, &header(expected), check)?))
    }

    /// Returns the number of games, which is also the index of the next one.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.0.records()
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> io::Result<()> {
        self.0.add(&game.to_bytes())
    }

    /// Writes pending games and syncs the file to disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The games of a file, in memory.
#[derive(Debug, Clone)]
pub struct TrainingGames {
    options: GenerationOptions,
    records: Records,
}

impl TrainingGames {
    /// Reads a file. An incomplete last game is ignored.
    ///
    /// # Errors
    /// [`TrainingFileError`] if the file does not contain training games, is damaged before its end, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, TrainingFileError> {
        let records = Records::read(&FORMAT, path)?;
        Ok(Self { options: options(records.header()), records })
    }

    /// Returns the options with which the games were generated.
    #[must_use]
    pub fn generation_options(&self) -> &GenerationOptions {
        &self.options
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether the file has no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the number of bytes after the last complete game, which an interrupted run leaves, or a copy that was cut off.
    #[must_use]
    pub fn tail_bytes(&self) -> usize {
        self.records.tail_bytes()
    }

    /// Returns a game.
    ///
    /// # Panics
    /// If the index is out of range.
    #[must_use]
    pub fn game(&self, index: usize) -> GameRecord {
        let (random, squares, score) = self.parts(index);
        GameRecord { random, squares: squares.to_vec(), score }
    }

    fn parts(&self, index: usize) -> (u8, &[u8], i8) {
        let game = self.records.record(index);
        (game[0], &game[3..], game[2] as i8)
    }

    /// Calls `on_sample` with each position of a game after its random part, except those in which the side to move must pass.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn samples(&self, index: usize, mut on_sample: impl FnMut(Sample)) {
        let random = self.parts(index).0.into();
        let samples = self.positions(index).enumerate();
        samples.filter(|&(placed, _)| placed >= random).for_each(|(_, sample)| on_sample(sample));
    }

    /// Returns whether a game has a [sample](Self::samples) after this many placed discs.
    ///
    /// # Panics
    /// If the index is out of range.
    #[must_use]
    pub fn has_sample(&self, index: usize, placed: usize) -> bool {
        let (random, squares, _) = self.parts(index);
        (random.into()..squares.len()).contains(&placed)
    }

    /// Returns the sample after this many placed discs.
    ///
    /// # Panics
    /// Like [`samples`](Self::samples), or if the game [has no such sample](Self::has_sample).
    #[must_use]
    pub fn sample(&self, index: usize, placed: usize) -> Sample {
        self.positions(index).nth(placed).expect("the game has the sample")
    }

    /// Replays a game and returns the position before each placed disc.
    fn positions(&self, index: usize) -> impl Iterator<Item = Sample> {
        let (_, squares, score) = self.parts(index);
        let (mut board, mut score) = (<Board>::START, score);
        squares.iter().map(move |&square| {
            if board.moves() == 0 {
                (board, score) = (board.pass(), -score);
            }
            let sample = Sample { board, score };
            let flips = board.flips(square.into());
            assert!(flips != 0, "the move is legal");
            (board, score) = (board.place(square.into(), flips), -score);
            sample
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::journal::OpenJournalError;
    use crate::training::records::MAX_TAIL_BYTES;

    const OPTIONS: GenerationOptions =
        GenerationOptions { seed: 7, depth: 1, exact_from: 8, random: (20, 50), burst: 0, weights: 0 };

    /// Plays a random game.
    fn game(index: u64) -> GameRecord {
        let record = crate::game::random_game::<crate::othello::Position>(index, 100);
        let squares = record.moves().iter().filter_map(|m| m.square()).map(|square| square as u8).collect();
        let end = record.position();
        let score = crate::game::Position::final_score(end) as i8;
        let black = crate::game::Position::side_to_move(end) == crate::game::Color::Black;
        GameRecord { random: 20, squares, score: if black { score } else { -score } }
    }

    fn write(path: &Path, games: std::ops::Range<u64>) {
        let mut file = GameFile::open(path, &OPTIONS).unwrap();
        assert_eq!(file.games(), games.start);
        games.for_each(|index| file.add(&game(index)).unwrap());
        file.flush().unwrap();
    }

    #[test]
    fn games_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        write(&path, 0..30);
        let games = TrainingGames::read(&path).unwrap();
        assert_eq!((games.generation_options(), games.len()), (&OPTIONS, 30));
        for index in 0..30 {
            let expected = game(index as u64);
            assert_eq!(games.game(index), expected);
            let mut samples = Vec::new();
            games.samples(index, |sample| samples.push(sample));
            assert_eq!(samples.len(), expected.squares.len() - 20);
            assert_eq!(samples[0].board.empty_count(), 40);
            // The score of the last sample is that of the board after its move.
            let Sample { board, score } = *samples.last().unwrap();
            let square = (*expected.squares.last().unwrap()).into();
            assert_eq!(-board.place(square, board.flips(square)).final_score(), i32::from(score));
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
            let mut file = GameFile::open(&path, &OPTIONS).unwrap();
            (file.games()..3).for_each(|index| file.add(&game(index)).unwrap());
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
            let error = GameFile::open(&path, &options).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        };
        fails(&good, GenerationOptions { seed: 8, ..OPTIONS }, "with --seed 7, not 8");
        fails(&good, GenerationOptions { random: (20, 51), ..OPTIONS }, "with --random-plies 20..50, not 20..51");
        fails(&good, GenerationOptions { burst: 2, ..OPTIONS }, "with --burst 0, not 2");
        fails(b"a text", OPTIONS, "not a file of training games");
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            bytes
        };
        fails(&with(8, 2), OPTIONS, "format version 2 is not supported");
        fails(&with(12, 2), OPTIONS, "not a file of training games");
        // A damaged game before a complete one.
        fails(&with(FORMAT.header_bytes + 10, 77), OPTIONS, "game 0, at byte 36, is damaged");
        // A damaged game with a longer tail than an incomplete write leaves.
        let mut bytes = with(FORMAT.header_bytes + 10, 77);
        bytes.resize(FORMAT.header_bytes + MAX_TAIL_BYTES + 1, 0);
        fails(&bytes, OPTIONS, "game 0, at byte 36, is damaged");
        fs::write(&path, &good).unwrap();
        let _open = GameFile::open(&path, &OPTIONS).unwrap();
        assert!(matches!(GameFile::open(&path, &OPTIONS), Err(TrainingFileError::Open(OpenJournalError::InUse))));
    }
}
