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
use std::time::Duration;

use thiserror::Error;

use crate::fnv::Fnv1a;
use crate::journal::{Journal, OpenJournalError};
use crate::othello::Board;

/// The magic number at the start of a file.
const MAGIC: &[u8; 8] = b"MORGAMES";

/// The format version.
const VERSION: u32 = 1;

/// The size of the header in bytes.
const HEADER_BYTES: usize = 36;

/// The maximum time before games are written and synced to disk: a killed run loses at most the games of this time.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// A longer unreadable tail is damage, not an incomplete write: no run plays that many games between writes.
const MAX_TAIL_BYTES: usize = 1 << 20;

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

/// Why a file of games cannot be used. The file was not changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file cannot be opened for writing, or another process is using it.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// The file does not contain training games.
    #[error("not a file of training games")]
    NotAGameFile,
    /// The file has another format version.
    #[error("format version {found} is not supported (supported: {VERSION})")]
    Version {
        /// The version.
        found: u32,
    },
    /// The games were generated with other options.
    #[error("the games were generated with {field} {found}, not {expected}")]
    OptionsMismatch {
        /// The option that differs.
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// The requested value.
        expected: String,
    },
    /// A game is damaged, and not by an incomplete write.
    #[error("game {game}, at byte {offset}, is damaged")]
    Damaged {
        /// The index of the game, from 0.
        game: u64,
        /// Its byte offset.
        offset: usize,
    },
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
    /// Appends the game and its checksum to the bytes of a file.
    fn write(&self, header_sum: u32, index: u64, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend([self.random, self.squares.len() as u8, self.score as u8]);
        bytes.extend(&self.squares);
        let sum = game_checksum(header_sum, index, &bytes[start..]);
        bytes.extend(sum.to_le_bytes());
    }
}

/// Returns the game at the start of `bytes`, without its checksum; `None` if it is incomplete or damaged.
fn complete_game(bytes: &[u8], header_sum: u32, index: u64) -> Option<&[u8]> {
    let end = 3 + usize::from(*bytes.get(1)?);
    let (game, sum) = (bytes.get(..end)?, bytes.get(end..end + 4)?);
    (game_checksum(header_sum, index, game).to_le_bytes() == sum).then_some(game)
}

fn game_checksum(header_sum: u32, index: u64, game: &[u8]) -> u32 {
    let hash = Fnv1a::new().add_bytes(&header_sum.to_le_bytes()).add_bytes(&index.to_le_bytes());
    hash.add_bytes(game).folded()
}

/// Returns the checksum of a header; the argument does not include it.
fn header_checksum(header: &[u8]) -> u32 {
    Fnv1a::new().add_bytes(header).folded()
}

fn header(options: &GenerationOptions) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..20].copy_from_slice(&options.seed.to_le_bytes());
    header[20..24].copy_from_slice(&options.depth.to_le_bytes());
    header[24..28].copy_from_slice(&[options.exact_from, options.random.0, options.random.1, options.burst]);
    header[28..32].copy_from_slice(&options.weights.to_le_bytes());
    let sum = header_checksum(&header[..32]);
    header[32..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// Reads the header at the start of `bytes`. Returns the options and the header's checksum.
fn read_header(bytes: &[u8]) -> Result<(GenerationOptions, u32), GameFileError> {
    let header: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(GameFileError::NotAGameFile)?;
    let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice has four bytes"));
    if &header[..8] != MAGIC {
        return Err(GameFileError::NotAGameFile);
    }
    if word(8) != VERSION {
        return Err(GameFileError::Version { found: word(8) });
    }
    if header_checksum(&header[..32]) != word(32) {
        return Err(GameFileError::NotAGameFile);
    }
    let seed = u64::from(word(16)) << 32 | u64::from(word(12));
    let (random, burst) = ((header[25], header[26]), header[27]);
    let options = GenerationOptions { seed, depth: word(20), exact_from: header[24], random, burst, weights: word(28) };
    Ok((options, word(32)))
}

/// Returns whether the unreadable game at the start of `bytes` is followed by a complete one, so that it is damaged, not incomplete.
fn is_followed_by_game(bytes: &[u8], header_sum: u32, index: u64) -> bool {
    let next = bytes.get(1).and_then(|&len| bytes.get(7 + usize::from(len)..));
    next.is_some_and(|next| complete_game(next, header_sum, index + 1).is_some())
}

/// Calls `on_game` with the offset of each complete game. Returns the length of the header and the complete games.
fn read_games(bytes: &[u8], header_sum: u32, mut on_game: impl FnMut(usize)) -> Result<usize, GameFileError> {
    let mut offset = HEADER_BYTES;
    for index in 0.. {
        let rest = &bytes[offset..];
        match complete_game(rest, header_sum, index) {
            Some(game) => {
                on_game(offset);
                offset += game.len() + 4;
            }
            None if rest.len() > MAX_TAIL_BYTES || is_followed_by_game(rest, header_sum, index) => {
                return Err(GameFileError::Damaged { game: index, offset });
            }
            None => break,
        }
    }
    Ok(offset)
}

/// A file to which games are appended in the order of their indices.
#[derive(Debug)]
pub struct GameFile {
    journal: Journal,
    header_sum: u32,
    games: u64,
}

impl GameFile {
    /// Opens a file of games with these options for appending, or creates it if it is missing or empty. An incomplete last game is discarded.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`GameFileError`] if the file has games with other options, is damaged before its end, is in use, or cannot be read or written.
    pub fn open(path: &Path, options: &GenerationOptions) -> Result<Self, GameFileError> {
        let header = header(options);
        let mut games = 0;
        let journal = Journal::open(path, &header, |bytes| {
            let (found, header_sum) = read_header(bytes)?;
            check_options(&found, options)?;
            read_games(bytes, header_sum, |_| games += 1)
        })?;
        let (_, header_sum) = read_header(&header).expect("the header is valid");
        Ok(Self { journal, header_sum, games })
    }

    /// Returns the number of games, which is also the index of the next one.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> io::Result<()> {
        let mut bytes = Vec::new();
        game.write(self.header_sum, self.games, &mut bytes);
        self.games += 1;
        self.journal.add_later(&bytes, FLUSH_INTERVAL)
    }

    /// Writes pending games and syncs the file to disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.journal.flush()
    }
}

/// Checks that games were generated with the expected options.
fn check_options(found: &GenerationOptions, expected: &GenerationOptions) -> Result<(), GameFileError> {
    let fields = |options: &GenerationOptions| {
        let GenerationOptions { seed, depth, exact_from, random: (min, max), burst, weights } = options;
        [
            ("--seed", seed.to_string()),
            ("--depth", depth.to_string()),
            ("--exact-from", exact_from.to_string()),
            ("--random-plies", format!("{min}..{max}")),
            ("--burst", burst.to_string()),
            ("--weights with fingerprint", format!("{weights:08x}")),
        ]
    };
    match fields(found).into_iter().zip(fields(expected)).find(|(found, expected)| found != expected) {
        Some(((field, found), (_, expected))) => Err(GameFileError::OptionsMismatch { field, found, expected }),
        None => Ok(()),
    }
}

/// The games of a file, in memory.
#[derive(Debug, Clone)]
pub struct TrainingGames {
    options: GenerationOptions,
    bytes: Vec<u8>,
    /// The byte offset of each game.
    offsets: Vec<usize>,
}

impl TrainingGames {
    /// Reads a file. An incomplete last game is ignored.
    ///
    /// # Errors
    /// [`GameFileError`] if the file does not contain training games, is damaged before its end, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, GameFileError> {
        let bytes = std::fs::read(path)?;
        let (options, header_sum) = read_header(&bytes)?;
        let mut offsets = Vec::new();
        read_games(&bytes, header_sum, |offset| offsets.push(offset))?;
        Ok(Self { options, bytes, offsets })
    }

    /// Returns the options with which the games were generated.
    #[must_use]
    pub fn generation_options(&self) -> &GenerationOptions {
        &self.options
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns whether the file has no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
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
        let game = &self.bytes[self.offsets[index]..];
        (game[0], &game[3..3 + usize::from(game[1])], game[2] as i8)
    }

    /// Calls `on_sample` with each position of a game after its random part, except those in which the side to move must pass.
    ///
    /// # Panics
    /// If the index is out of range, or a move is illegal (not in files written by this program).
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
        fails(&with(HEADER_BYTES + 10, 77), OPTIONS, "game 0, at byte 36, is damaged");
        // A damaged game with a longer tail than an incomplete write leaves.
        let mut bytes = with(HEADER_BYTES + 10, 77);
        bytes.resize(HEADER_BYTES + MAX_TAIL_BYTES + 1, 0);
        fails(&bytes, OPTIONS, "game 0, at byte 36, is damaged");
        fs::write(&path, &good).unwrap();
        let _open = GameFile::open(&path, &OPTIONS).unwrap();
        assert!(matches!(GameFile::open(&path, &OPTIONS), Err(GameFileError::Open(OpenJournalError::InUse))));
    }
}
