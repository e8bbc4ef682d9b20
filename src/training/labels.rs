//! Files of labels, positions with the scores of searches: [`LabelFile`] appends to them, [`LabeledPositions`] reads them.
//!
//! ```text
//! offset  bytes   the header, 56 bytes; numbers are little-endian
//!      0      8   "MORLABEL"
//!      8      4   format version, 1
//!     12      8   seed of the games
//!     20      8   hash of the options with which the games were generated
//!     28      4   search depth
//!     32      4   confidence of the search, in percent
//!     36      1   number of empty squares from which scores are exact
//!     37      2   minimum and maximum number of empty squares
//!     39      1   number of positions after the random part of a game, 0 for all
//!     40      1   1 if the positions follow the best moves of the search instead of those of the game, else 0
//!     41      7   reserved, 0
//!     48      4   fingerprint of the weights of the engine
//!     52      4   checksum of the bytes before
//!
//!                 each game
//!      0      1   n, the number of labels; may be 0
//!      1    17n   the labels: the player's and the opponent's discs as bits (8 bytes each), and the score for the player in discs, signed
//!  1 + 17n    4   checksum of the header's checksum, the game's index and the bytes before
//! ```

use std::io;
use std::path::Path;

use super::records::{RecordFile, RecordFormat, Records, check_options};
use super::{GenerationOptions, Sample, TrainingFileError};
use crate::fnv::Fnv1a;
use crate::game::Confidence;
use crate::othello::Board;

const FORMAT: RecordFormat = RecordFormat {
    content: "labels",
    magic: b"MORLABEL",
    version: 1,
    header_bytes: 56,
    prefix: 1,
    len: game_len,
    is_valid: labels_are_valid,
};

/// The size of a label.
const LABEL_BYTES: usize = 17;

/// The largest number of labels of a game: it has at most 60 moves.
const MAX_LABELS: u8 = 60;

/// Returns the length of the labels of a game that begin with this byte.
fn game_len(prefix: &[u8]) -> usize {
    1 + LABEL_BYTES * usize::from(prefix[0])
}

/// Returns whether the labels of a record have possible boards and scores.
fn labels_are_valid(record: &[u8]) -> bool {
    let word =
        |label: &[u8], at: usize| u64::from_le_bytes(label[at..at + 8].try_into().expect("a word has eight bytes"));
    let is_valid = |label: &[u8]| word(label, 0) & word(label, 8) == 0 && (label[16] as i8).unsigned_abs() <= 64;
    record[0] <= MAX_LABELS && record[1..].chunks_exact(LABEL_BYTES).all(is_valid)
}

/// The options of labels. Together with a game they determine its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelOptions {
    /// The options with which the games were generated.
    pub games: GenerationOptions,
    /// The search depth, in plies.
    pub depth: u32,
    /// The confidence of the search.
    pub confidence: Confidence,
    /// The number of empty squares from which scores are exact.
    pub exact_from: u8,
    /// The minimum and maximum number of empty squares; other positions get no labels.
    pub empties: (u8, u8),
    /// Only this many positions after the random part of a game get labels; 0 for all.
    pub positions: u8,
    /// Whether the positions follow the best moves of the search, from the first position after the random part, and not the moves of the game.
    pub follow: bool,
    /// The [fingerprint](crate::othello::engine::TrainedEvaluation::fingerprint) of the engine's weights.
    pub weights: u32,
}

/// The options as stored in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StoredOptions {
    seed: u64,
    games: u64,
    depth: u32,
    percent: u32,
    exact_from: u8,
    empties: (u8, u8),
    positions: u8,
    follow: bool,
    weights: u32,
}

impl StoredOptions {
    fn new(options: &LabelOptions) -> Self {
        let LabelOptions { games, depth, confidence, exact_from, empties, positions, follow, weights } = *options;
        let percent = confidence.percent();
        Self { seed: games.seed, games: games.hash(), depth, percent, exact_from, empties, positions, follow, weights }
    }

    fn read(header: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice has four bytes"));
        let long = |at: usize| u64::from(word(at + 4)) << 32 | u64::from(word(at));
        Self {
            seed: long(12),
            games: long(20),
            depth: word(28),
            percent: word(32),
            exact_from: header[36],
            empties: (header[37], header[38]),
            positions: header[39],
            follow: header[40] != 0,
            weights: word(48),
        }
    }

    fn header(&self) -> Vec<u8> {
        let mut header = FORMAT.header();
        header.extend(self.seed.to_le_bytes());
        header.extend(self.games.to_le_bytes());
        header.extend(self.depth.to_le_bytes());
        header.extend(self.percent.to_le_bytes());
        header.extend([self.exact_from, self.empties.0, self.empties.1, self.positions]);
        header.extend([self.follow.into(), 0, 0, 0, 0, 0, 0, 0]);
        header.extend(self.weights.to_le_bytes());
        FORMAT.finish_header(header)
    }

    /// Returns the options of the command line that set each field, with the values.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let Self { seed, games, depth, percent, exact_from, empties: (min, max), positions, follow, weights } = self;
        vec![
            ("games of --seed", seed.to_string()),
            ("games with fingerprint", format!("{games:016x}")),
            ("--depth", depth.to_string()),
            ("--confidence", percent.to_string()),
            ("--exact-from", exact_from.to_string()),
            ("--empties", format!("{min}..{max}")),
            ("--positions", positions.to_string()),
            ("--follow", follow.to_string()),
            ("--weights with fingerprint", format!("{weights:08x}")),
        ]
    }
}

/// A file to which the labels of games are appended in the order of the games.
#[derive(Debug)]
pub struct LabelFile(RecordFile);

impl LabelFile {
    /// Opens a file of labels with these options for appending, or creates it if it is missing or empty. The incomplete labels of a last game
    /// are discarded.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`TrainingFileError`] if the file has labels with other options, is damaged before its end, is in use, or cannot be read or written.
    pub fn open(path: &Path, options: &LabelOptions) -> Result<Self, TrainingFileError> {
        let expected = StoredOptions::new(options);
        let check = |found: &[u8]| check_options(&StoredOptions::read(found).fields(), &expected.fields());
        Ok(Self(RecordFile::open(&FORMAT, path, &expected.header(), check)?))
    }

    /// Returns the number of games with labels, which is also the index of the next one.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.0.records()
    }

    /// Adds the labels of the next game.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// If there are more than 60.
    pub fn add(&mut self, labels: &[Sample]) -> io::Result<()> {
        assert!(labels.len() <= MAX_LABELS.into(), "a game has at most 60 positions");
        let mut bytes = vec![labels.len() as u8];
        for Sample { board, score } in labels {
            bytes.extend(board.player.to_le_bytes());
            bytes.extend(board.opponent.to_le_bytes());
            bytes.push(*score as u8);
        }
        self.0.add(&bytes)
    }

    /// Writes pending labels and syncs the file to disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The labels of a file, in memory, game by game.
#[derive(Debug, Clone)]
pub struct LabeledPositions {
    options: StoredOptions,
    records: Records,
}

impl LabeledPositions {
    /// Reads a file. The incomplete labels of a last game are ignored.
    ///
    /// # Errors
    /// [`TrainingFileError`] if the file does not contain labels, is damaged before its end, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, TrainingFileError> {
        let records = Records::read(&FORMAT, path)?;
        Ok(Self { options: StoredOptions::read(records.header()), records })
    }

    /// Returns the seed of the games.
    pub(super) fn seed(&self) -> u64 {
        self.options.seed
    }

    /// Returns a hash of the options.
    pub(super) fn options_hash(&self) -> u64 {
        Fnv1a::new().add_bytes(self.records.header()).finish()
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

    /// Returns the number of bytes after the labels of the last complete game.
    #[must_use]
    pub fn tail_bytes(&self) -> usize {
        self.records.tail_bytes()
    }

    /// Returns the labels of a game, in the order of its moves.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn samples(&self, index: usize) -> impl Iterator<Item = Sample> {
        let labels = self.records.record(index)[1..].as_chunks::<LABEL_BYTES>().0;
        labels.iter().map(|label| {
            let discs = |at: usize| u64::from_le_bytes(label[at..at + 8].try_into().expect("the slice has 8 bytes"));
            Sample { board: Board { player: discs(0), opponent: discs(8) }, score: label[16] as i8 }
        })
    }
}
