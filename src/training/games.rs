//! Games in files: [`GameFile`] adds them, [`Games`] reads them.
//!
//! ```text
//! offset  bytes   the head, 36 bytes; numbers are little-endian
//!      0      8   "MORGAMES"
//!      8      4   version of the format, 1
//!     12      8   seed
//!     20      4   depth of the search
//!     24      1   empty squares from which play is perfect
//!     25      2   the least and the most random plies
//!     27      1   the most random plies at the end of the random part, where the engine plays in its middle; else 0
//!     28      4   fingerprint of the weights that the engine played by, 0 for none
//!     32      4   check of the bytes before
//!
//!                 a game, 7 bytes and one for each move; the first has the index 0
//!      0      1   r, the discs that were placed at random
//!      1      1   n, the discs that were placed
//!      2      1   the final score for Black, the empty squares counted for the winner; of two's complement
//!      3      n   the squares; a pass is not written, for it is forced
//!  3 + n      4   check of the head's check, the game's index and the bytes before
//! ```
//!
//! The games of a head repeat: the file of a run that was killed and run again is, byte for byte, that of a run that was not.

use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::fnv::Fnv1a;
use crate::journal::{Journal, OpenJournalError};
use crate::othello::Board;

/// What a file begins with.
const MAGIC: &[u8; 8] = b"MORGAMES";

/// The version of the format.
const VERSION: u32 = 1;

/// Bytes of the head.
const HEADER_BYTES: usize = 36;

/// Games wait no longer than this to be written and to reach the disk: what a run that is killed may lose.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// A damaged end longer than this was not left by a write that was cut off: no run plays so many games between two writes.
const MAX_TAIL_BYTES: usize = 1 << 20;

/// How games are played. It and an index decide a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenerationOptions {
    /// The seed of the random moves.
    pub seed: u64,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// Play is perfect from this many empty squares on.
    pub exact_from: u8,
    /// The least and the most discs placed at random, at most 59.
    pub random: (u8, u8),
    /// If not 0, the engine plays the middle of the random part, all but the opening and at most so many discs at the end, by a search of
    /// two plies.
    pub burst: u8,
    /// What names the weights that the engine plays by: their [fingerprint](crate::othello::engine::TrainedEvaluation::fingerprint), 0 for none.
    pub weights: u32,
}

/// A file of games that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It cannot be opened to add games, or another process adds some.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// It is something else; nothing in it was changed.
    #[error("it is no file of games")]
    Foreign,
    /// It is of another version of the format; nothing in it was changed.
    #[error("it is of version {found} of the format, and this program reads version {VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
    /// Its games were played in another way; nothing in it was changed.
    #[error("its games were played with {field} {found}, not {expected}")]
    OptionsMismatch {
        /// What differs, as the option that sets it.
        field: &'static str,
        /// What the file has.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A game is damaged that a write which was cut off does not explain; nothing was changed.
    #[error("game {game}, at byte {offset}, is damaged")]
    Damaged {
        /// The index of the game, from 0.
        game: u64,
        /// Where it begins.
        offset: usize,
    },
}

/// A game from the start of Othello to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// How many of the discs were placed at random.
    pub random: u8,
    /// The squares of the discs in the order they were placed; passes follow from them.
    pub squares: Vec<u8>,
    /// The final score for Black, the empty squares counted for the winner.
    pub score: i8,
}

/// A position of a game and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The board; the player can move.
    pub board: Board,
    /// The final score for the player.
    pub score: i8,
}

impl GameRecord {
    /// Appends the game, with its check, to the bytes of a file with this head.
    fn write(&self, head_check: u32, index: u64, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend([self.random, self.squares.len() as u8, self.score as u8]);
        bytes.extend(&self.squares);
        let check = game_checksum(head_check, index, &bytes[start..]);
        bytes.extend(check.to_le_bytes());
    }
}

/// Reads the game that bytes begin with, and returns it without its check; `None` if it is not whole.
fn whole_game(bytes: &[u8], head_check: u32, index: u64) -> Option<&[u8]> {
    let end = 3 + usize::from(*bytes.get(1)?);
    let (game, check) = (bytes.get(..end)?, bytes.get(end..end + 4)?);
    (game_checksum(head_check, index, game).to_le_bytes() == check).then_some(game)
}

fn game_checksum(head_check: u32, index: u64, game: &[u8]) -> u32 {
    let place = Fnv1a::new().add_bytes(&head_check.to_le_bytes()).add_bytes(&index.to_le_bytes());
    place.add_bytes(game).folded()
}

/// Returns the check of a head, which is all of it but the check.
fn header_checksum(head: &[u8]) -> u32 {
    Fnv1a::new().add_bytes(head).folded()
}

fn header(recipe: &GenerationOptions) -> [u8; HEADER_BYTES] {
    let mut head = [0; HEADER_BYTES];
    head[..8].copy_from_slice(MAGIC);
    head[8..12].copy_from_slice(&VERSION.to_le_bytes());
    head[12..20].copy_from_slice(&recipe.seed.to_le_bytes());
    head[20..24].copy_from_slice(&recipe.depth.to_le_bytes());
    head[24..28].copy_from_slice(&[recipe.exact_from, recipe.random.0, recipe.random.1, recipe.burst]);
    head[28..32].copy_from_slice(&recipe.weights.to_le_bytes());
    let sum = header_checksum(&head[..32]);
    head[32..].copy_from_slice(&sum.to_le_bytes());
    head
}

/// Reads the head that bytes begin with.
fn read_head(bytes: &[u8]) -> Result<(GenerationOptions, u32), GameFileError> {
    let head: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(GameFileError::Foreign)?;
    let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("it has four bytes"));
    if &head[..8] != MAGIC {
        return Err(GameFileError::Foreign);
    }
    if word(8) != VERSION {
        return Err(GameFileError::Version { found: word(8) });
    }
    if header_checksum(&head[..32]) != word(32) {
        return Err(GameFileError::Foreign);
    }
    let seed = u64::from(word(16)) << 32 | u64::from(word(12));
    let (random, burst) = ((head[25], head[26]), head[27]);
    Ok((GenerationOptions { seed, depth: word(20), exact_from: head[24], random, burst, weights: word(28) }, word(32)))
}

/// Returns whether the game that bytes begin with, which is not whole, is followed by one that is: no write that was cut off leaves that.
fn is_followed_by_game(bytes: &[u8], head_check: u32, index: u64) -> bool {
    let next = bytes.get(1).and_then(|&len| bytes.get(7 + usize::from(len)..));
    next.is_some_and(|next| whole_game(next, head_check, index + 1).is_some())
}

/// Finds the games that are whole, and calls `on_game` with each, without its check; returns how many bytes they and the head have.
fn read_games(bytes: &[u8], head_check: u32, mut on_game: impl FnMut(usize)) -> Result<usize, GameFileError> {
    let mut offset = HEADER_BYTES;
    for index in 0.. {
        let rest = &bytes[offset..];
        match whole_game(rest, head_check, index) {
            Some(game) => {
                on_game(offset);
                offset += game.len() + 4;
            }
            None if rest.len() > MAX_TAIL_BYTES || is_followed_by_game(rest, head_check, index) => {
                return Err(GameFileError::Damaged { game: index, offset });
            }
            None => break,
        }
    }
    Ok(offset)
}

/// A file that games are added to in the order of their indices; see the module.
#[derive(Debug)]
pub struct GameFile {
    journal: Journal,
    head_check: u32,
    games: u64,
}

impl GameFile {
    /// Opens the file of a recipe's games to add some, or begins one where there is none or an empty one. A game that was not written to its
    /// end is dropped.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`GameFileError`] if the file is not of this recipe's games, is damaged before its end, is in use, or cannot be read and written.
    pub fn open(path: &Path, recipe: &GenerationOptions) -> Result<Self, GameFileError> {
        let head = header(recipe);
        let mut games = 0;
        let journal = Journal::open(path, &head, |bytes| {
            let (found, head_check) = read_head(bytes)?;
            check_recipe(&found, recipe)?;
            read_games(bytes, head_check, |_| games += 1)
        })?;
        let (_, head_check) = read_head(&head).expect("it was made here");
        Ok(Self { journal, head_check, games })
    }

    /// Returns how many games there are: the index of the next.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// If what waits to be written cannot be.
    pub fn add(&mut self, game: &GameRecord) -> io::Result<()> {
        let mut bytes = Vec::new();
        game.write(self.head_check, self.games, &mut bytes);
        self.games += 1;
        self.journal.add_later(&bytes, FLUSH_INTERVAL)
    }

    /// Writes what waits to be written, to the disk.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn flush(&mut self) -> io::Result<()> {
        self.journal.flush()
    }
}

/// Sees that games were played in the way that is asked for.
fn check_recipe(found: &GenerationOptions, expected: &GenerationOptions) -> Result<(), GameFileError> {
    let fields = |recipe: &GenerationOptions| {
        let GenerationOptions { seed, depth, exact_from, random: (least, most), burst, weights } = recipe;
        [
            ("--seed", seed.to_string()),
            ("--depth", depth.to_string()),
            ("--exact-from", exact_from.to_string()),
            ("--random-plies", format!("{least}..{most}")),
            ("--burst", burst.to_string()),
            ("--weights of fingerprint", format!("{weights:08x}")),
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
    recipe: GenerationOptions,
    bytes: Vec<u8>,
    /// Where each game begins.
    offsets: Vec<usize>,
}

impl TrainingGames {
    /// Reads a file; a game at its end that was not written to its end is left out.
    ///
    /// # Errors
    /// [`GameFileError`] if it is no file of games, is damaged before its end, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, GameFileError> {
        let bytes = std::fs::read(path)?;
        let (recipe, head_check) = read_head(&bytes)?;
        let mut offsets = Vec::new();
        read_games(&bytes, head_check, |offset| offsets.push(offset))?;
        Ok(Self { recipe, bytes, offsets })
    }

    /// Returns how the games were played.
    #[must_use]
    pub fn generation_options(&self) -> &GenerationOptions {
        &self.recipe
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Returns a game.
    ///
    /// # Panics
    /// If there is none of this index.
    #[must_use]
    pub fn game(&self, index: usize) -> GameRecord {
        let (random, squares, score) = self.parts(index);
        GameRecord { random, squares: squares.to_vec(), score }
    }

    fn parts(&self, index: usize) -> (u8, &[u8], i8) {
        let game = &self.bytes[self.offsets[index]..];
        (game[0], &game[3..3 + usize::from(game[1])], game[2] as i8)
    }

    /// Calls `on_sample` with each position of a game after its random part in which the side to move can move.
    ///
    /// # Panics
    /// If there is no game of this index, or if its moves are not legal, which no file with the right checks has.
    pub fn samples(&self, index: usize, mut on_sample: impl FnMut(Sample)) {
        let random = self.parts(index).0.into();
        let samples = self.positions(index).enumerate();
        samples.filter(|&(placed, _)| placed >= random).for_each(|(_, sample)| on_sample(sample));
    }

    /// Returns whether a game has a [sample](Self::samples) after so many discs were placed.
    ///
    /// # Panics
    /// If there is no game of this index.
    #[must_use]
    pub fn has_sample(&self, index: usize, placed: usize) -> bool {
        let (random, squares, _) = self.parts(index);
        (random.into()..squares.len()).contains(&placed)
    }

    /// Returns the sample after so many discs were placed, which the game [has](Self::has_sample).
    ///
    /// # Panics
    /// As [`samples`](Self::samples), or if the game has no such sample.
    #[must_use]
    pub fn sample(&self, index: usize, placed: usize) -> Sample {
        self.positions(index).nth(placed).expect("the game has the sample")
    }

    /// Plays a game, and returns the position before each disc is placed.
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

    const RECIPE: GenerationOptions =
        GenerationOptions { seed: 7, depth: 1, exact_from: 8, random: (20, 50), burst: 0, weights: 0 };

    /// Plays a game without thinking.
    fn game(index: u64) -> GameRecord {
        let record = crate::game::random_game::<crate::othello::Position>(index, 100);
        let squares = record.moves().iter().filter_map(|m| m.square()).map(|square| square as u8).collect();
        let end = record.position();
        let score = crate::game::Position::final_score(end) as i8;
        let black = crate::game::Position::side_to_move(end) == crate::game::Color::Black;
        GameRecord { random: 20, squares, score: if black { score } else { -score } }
    }

    fn write(path: &Path, games: std::ops::Range<u64>) {
        let mut file = GameFile::open(path, &RECIPE).unwrap();
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
        assert_eq!((games.generation_options(), games.len()), (&RECIPE, 30));
        for index in 0..30 {
            let expected = game(index as u64);
            assert_eq!(games.game(index), expected);
            let mut samples = Vec::new();
            games.samples(index, |sample| samples.push(sample));
            assert_eq!(samples.len(), expected.squares.len() - 20);
            assert_eq!(samples[0].board.empty_count(), 40);
            // The last move decides: whoever makes it knows the score.
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
            let mut file = GameFile::open(&path, &RECIPE).unwrap();
            (file.games()..3).for_each(|index| file.add(&game(index)).unwrap());
            file.flush().unwrap();
            drop(file);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut off at {end}");
        }
    }

    #[test]
    fn rejects_invalid_files_without_changing_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g");
        write(&path, 0..3);
        let good = fs::read(&path).unwrap();
        let fails = |bytes: &[u8], recipe: GenerationOptions, message: &str| {
            fs::write(&path, bytes).unwrap();
            let error = GameFile::open(&path, &recipe).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        };
        fails(&good, GenerationOptions { seed: 8, ..RECIPE }, "with --seed 7, not 8");
        fails(&good, GenerationOptions { random: (20, 51), ..RECIPE }, "with --random-plies 20..50, not 20..51");
        fails(&good, GenerationOptions { burst: 2, ..RECIPE }, "with --burst 0, not 2");
        fails(b"a text", RECIPE, "no file of games");
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            bytes
        };
        fails(&with(8, 2), RECIPE, "version 2 of the format");
        fails(&with(12, 2), RECIPE, "no file of games");
        // A damaged game before a whole one.
        fails(&with(HEADER_BYTES + 10, 77), RECIPE, "game 0, at byte 36, is damaged");
        // A damaged game with more after it than a write that was cut off leaves.
        let mut bytes = with(HEADER_BYTES + 10, 77);
        bytes.resize(HEADER_BYTES + MAX_TAIL_BYTES + 1, 0);
        fails(&bytes, RECIPE, "game 0, at byte 36, is damaged");
        fs::write(&path, &good).unwrap();
        let _open = GameFile::open(&path, &RECIPE).unwrap();
        assert!(matches!(GameFile::open(&path, &RECIPE), Err(GameFileError::Open(OpenJournalError::InUse))));
    }
}
