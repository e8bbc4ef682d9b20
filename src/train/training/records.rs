//! Training data files: [`TrainingFile`] appends games or labels, and [`TrainingData`] reads them.
//!
//! ```text
//! the header; numbers are little-endian
//!  8 bytes   "MORTRAIN"
//!  4 bytes   format version, 1
//!  8 bytes   seed of the games
//!  2 bytes   n, the length of the text
//!  n bytes   the content, "training games" or "labels", and a line for each option that determines it
//!  4 bytes   checksum of the bytes before
//!
//! each game; the first game has index 0
//!  2 bytes   n, the length of its data
//!  n bytes   its data: see `TrainingGame` and `labels`
//!  4 bytes   checksum of the header's checksum, the game's index and the data
//! ```
//!
//! The header determines the games: a run that was killed and resumed produces the same bytes as an
//! uninterrupted one.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use morello_core::fnv::Fnv1a;
use morello_core::journal::{Journal, OpenJournalError};
use morello_core::othello::engine::patterns::PLIES;
use thiserror::Error;

use super::games::{self, GenerationOptions, Sample, TrainingGame};
use super::labels::{self, LabelOptions};

const MAGIC: &[u8; 8] = b"MORTRAIN";
const VERSION: u32 = 1;

/// The sizes, in bytes: of a header before its text, of the length of a game's data, and of a
/// checksum.
const HEAD_BYTES: usize = 22;
const LENGTH_BYTES: usize = 2;
const SUM_BYTES: usize = 4;

/// The maximum time before games are written and synced to disk: a killed run loses at most the
/// games of this time.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// A longer unreadable tail is damage, not an incomplete write: no run adds that many bytes between
/// writes.
pub(super) const MAX_TAIL_BYTES: usize = 1 << 20;

/// Why a file of games or labels cannot be used. The file was not changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file cannot be opened for writing, or another process is using it.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// The file contains something else.
    #[error("it does not contain {expected}")]
    OtherContent {
        /// The expected content.
        expected: &'static str,
    },
    /// The file has another format version.
    #[error("it has format version {found}; this morello reads version {supported}")]
    Version {
        /// The version.
        found: u32,
        /// The supported version.
        supported: u32,
    },
    /// The content was generated with other options.
    #[error("it was generated with {field} {found}, not {expected}")]
    OptionsMismatch {
        /// The option that differs.
        field: String,
        /// The value of the option in the file.
        found: String,
        /// The requested value.
        expected: String,
    },
    /// A record has a correct checksum, but impossible content.
    #[error("game {game}, at byte {offset}, is impossible: morello did not write the file")]
    Impossible {
        /// The index of the game, from 0.
        game: u64,
        /// The byte offset of the record.
        offset: usize,
    },
    /// A record is damaged, but not because of an incomplete write.
    #[error("game {game}, at byte {offset}, is damaged")]
    Damaged {
        /// The index of the game, from 0.
        game: u64,
        /// The byte offset of the record.
        offset: usize,
    },
}

/// What a file contains for each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordContent {
    Games,
    Labels,
}

impl RecordContent {
    fn name(self) -> &'static str {
        match self {
            Self::Games => "training games",
            Self::Labels => "labels",
        }
    }

    /// Returns whether the data of a game is valid.
    fn is_valid(self, data: &[u8]) -> bool {
        match self {
            Self::Games => games::is_valid(data),
            Self::Labels => labels::are_valid(data),
        }
    }
}

/// The header of a file.
#[derive(Debug, Clone)]
struct FileHeader {
    content: RecordContent,
    seed: u64,
    bytes: Vec<u8>,
    sum: u32,
}

impl FileHeader {
    /// Creates a header from the names and values of the options.
    fn new(content: RecordContent, seed: u64, options: &[(&str, String)]) -> Self {
        let lines = options.iter().map(|(name, value)| format!("\n{name} {value}"));
        let text = content.name().to_owned() + &lines.collect::<String>();
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &seed.to_le_bytes()].concat();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        let sum = Fnv1a::new().add_bytes(&bytes).folded();
        bytes.extend(sum.to_le_bytes());
        Self { content, seed, bytes, sum }
    }

    /// Reads the header at the start of a file, which must have the expected content, if any.
    fn read(file: &[u8], expected: Option<RecordContent>) -> Result<Self, TrainingFileError> {
        let other_content = || TrainingFileError::OtherContent {
            expected: expected.map_or("training games or labels", RecordContent::name),
        };
        let version = file.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk()).ok_or_else(other_content)?;
        match u32::from_le_bytes(*version) {
            VERSION => {}
            found => return Err(TrainingFileError::Version { found, supported: VERSION }),
        }
        let header = Self::parse(file).filter(|header| expected.is_none_or(|expected| header.content == expected));
        header.ok_or_else(other_content)
    }

    fn parse(file: &[u8]) -> Option<Self> {
        let (seed, len) = file.get(12..HEAD_BYTES)?.split_first_chunk()?;
        let end = HEAD_BYTES + usize::from(u16::from_le_bytes(len.try_into().ok()?));
        let bytes = file.get(..end + SUM_BYTES)?.to_vec();
        let sum = Fnv1a::new().add_bytes(&bytes[..end]).folded();
        let name = bytes[HEAD_BYTES..end].split(|&byte| byte == b'\n').next()?;
        let content = [RecordContent::Games, RecordContent::Labels]
            .into_iter()
            .find(|content| content.name().as_bytes() == name)?;
        (bytes[end..] == sum.to_le_bytes()).then_some(Self { content, seed: u64::from_le_bytes(*seed), bytes, sum })
    }

    /// Checks that the options in a file are the expected ones.
    fn check_options(&self, expected: &Self) -> Result<(), TrainingFileError> {
        let text = |of: &Self| String::from_utf8_lossy(&of.bytes[HEAD_BYTES..of.bytes.len() - SUM_BYTES]).into_owned();
        let (found, expected) = (text(self), text(expected));
        match found.lines().zip(expected.lines()).find(|(found, expected)| found != expected) {
            Some((found, expected)) => {
                let value = |line: &str| line.rsplit(' ').next().unwrap_or_default().to_owned();
                let field = expected.rsplit_once(' ').map_or(expected, |(field, _)| field).to_owned();
                Err(TrainingFileError::OptionsMismatch { field, found: value(found), expected: value(expected) })
            }
            None => Ok(()),
        }
    }

    fn checksum(&self, index: u64, data: &[u8]) -> [u8; SUM_BYTES] {
        let hash = Fnv1a::new().add_bytes(&self.sum.to_le_bytes()).add_bytes(&index.to_le_bytes());
        hash.add_bytes(data).folded().to_le_bytes()
    }

    /// Returns the length of the data of the game at the start of `bytes`, and the data; `None` for
    /// a game that is incomplete or damaged.
    fn game<'a>(&self, bytes: &'a [u8], index: u64) -> Option<(usize, Option<&'a [u8]>)> {
        let (len, rest) = bytes.split_first_chunk()?;
        let len = usize::from(u16::from_le_bytes(*len));
        let data = rest.split_at_checked(len).filter(|(data, sum)| sum.starts_with(&self.checksum(index, data)));
        Some((len, data.map(|(data, _)| data)))
    }

    /// Calls `on_game` with the range of each complete game's data. Returns the length of the
    /// header and these games.
    fn read_games(&self, file: &[u8], mut on_game: impl FnMut(Range<usize>)) -> Result<usize, TrainingFileError> {
        let mut offset = self.bytes.len();
        for game in 0.. {
            let rest = &file[offset..];
            let Some((len, data)) = self.game(rest, game) else { break };
            let next = len + LENGTH_BYTES + SUM_BYTES;
            match data {
                Some(data) if self.content.is_valid(data) => {
                    on_game(offset + LENGTH_BYTES..offset + LENGTH_BYTES + len);
                    offset += next;
                }
                Some(_) => return Err(TrainingFileError::Impossible { game, offset }),
                None => {
                    // A complete game afterwards shows that this is not the end of an incomplete
                    // write.
                    let following = rest.get(next..).and_then(|rest| self.game(rest, game + 1));
                    if rest.len() > MAX_TAIL_BYTES || matches!(following, Some((_, Some(_)))) {
                        return Err(TrainingFileError::Damaged { game, offset });
                    }
                    break;
                }
            }
        }
        Ok(offset)
    }
}

/// A file to which games or labels are appended in the order of the games.
#[derive(Debug)]
pub struct TrainingFile {
    journal: Journal,
    header: FileHeader,
    games: u64,
}

impl TrainingFile {
    /// Opens a games file with these options for appending, or creates it if it is missing or
    /// empty. An incomplete last game is discarded.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`TrainingFileError`] if the file has games with other options, is damaged before its end,
    /// is in use, or cannot be read or written.
    pub fn open_games(path: &Path, options: &GenerationOptions) -> Result<Self, TrainingFileError> {
        Self::open(path, FileHeader::new(RecordContent::Games, options.seed, &options.fields()))
    }

    /// Opens a labels file with these options, in the same way as [`open_games`](Self::open_games).
    ///
    /// # Errors
    /// As [`open_games`](Self::open_games).
    pub fn open_labels(path: &Path, options: &LabelOptions) -> Result<Self, TrainingFileError> {
        Self::open(path, FileHeader::new(RecordContent::Labels, options.seed, &options.fields()))
    }

    fn open(path: &Path, header: FileHeader) -> Result<Self, TrainingFileError> {
        let mut games = 0;
        let journal = Journal::open(path, &header.bytes, |bytes| {
            let found = FileHeader::read(bytes, Some(header.content))?;
            found.check_options(&header)?;
            found.read_games(bytes, |_| games += 1)
        })?;
        Ok(Self { journal, header, games })
    }

    /// Returns the number of games, which is also the index of the next game.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_game(&mut self, game: &TrainingGame) -> io::Result<()> {
        self.add(&game.to_bytes())
    }

    /// Adds the labels of the next game.
    ///
    /// # Errors
    /// If the file cannot be written.
    ///
    /// # Panics
    /// If there are more than 60.
    pub fn add_labels(&mut self, labels: &[Sample]) -> io::Result<()> {
        self.add(&labels::to_bytes(labels))
    }

    fn add(&mut self, data: &[u8]) -> io::Result<()> {
        let sum = self.header.checksum(self.games, data);
        self.games += 1;
        self.journal.add_later(&[&(data.len() as u16).to_le_bytes(), data, &sum].concat(), FLUSH_INTERVAL)
    }

    /// Writes pending games and syncs the file to disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.journal.flush()
    }
}

/// The games or labels of a file, in memory.
#[derive(Debug, Clone)]
pub struct TrainingData {
    bytes: Vec<u8>,
    header: FileHeader,
    /// The range of each game's data.
    games: Vec<Range<usize>>,
    /// The number of bytes after the last complete game, left by an interrupted run or a truncated
    /// copy.
    pub tail_bytes: usize,
}

impl TrainingData {
    /// Reads a games or labels file. An incomplete last game is ignored.
    ///
    /// # Errors
    /// [`TrainingFileError`] if the file has other content, is damaged before its end, or cannot be
    /// read.
    pub fn read(path: &Path) -> Result<Self, TrainingFileError> {
        Self::read_content(path, None)
    }

    /// Reads a games file.
    ///
    /// # Errors
    /// As [`read`](Self::read), or if the file contains labels.
    pub fn read_games(path: &Path) -> Result<Self, TrainingFileError> {
        Self::read_content(path, Some(RecordContent::Games))
    }

    fn read_content(path: &Path, expected: Option<RecordContent>) -> Result<Self, TrainingFileError> {
        // A device may have no end.
        let bytes = if path.metadata()?.is_file() { std::fs::read(path)? } else { Vec::new() };
        let header = FileHeader::read(&bytes, expected)?;
        let mut games = Vec::new();
        let end = header.read_games(&bytes, |game| games.push(game))?;
        let tail_bytes = bytes.len() - end;
        Ok(Self { bytes, header, games, tail_bytes })
    }

    /// Returns a hash of the options with which the games or labels were made.
    #[must_use]
    pub fn options_hash(&self) -> u64 {
        Fnv1a::new().add_bytes(&self.header.bytes).finish()
    }

    /// Returns the seed of the games.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.header.seed
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    fn data(&self, index: usize) -> &[u8] {
        &self.bytes[self.games[index].clone()]
    }

    /// Returns the labels of a game, or the positions after its random part with its final score.
    /// Positions in which the side to move must pass are omitted.
    ///
    /// # Panics
    /// If the index is out of range.
    #[must_use]
    pub fn samples(&self, index: usize) -> Vec<Sample> {
        match self.header.content {
            RecordContent::Games => games::samples(self.data(index)).collect(),
            RecordContent::Labels => labels::samples(self.data(index)).collect(),
        }
    }

    /// Returns the sample of a game after this many placed discs, if any.
    pub(super) fn sample(&self, index: usize, placed: usize) -> Option<Sample> {
        let is_wanted = |sample: &Sample| sample.board.empty_count() as usize + placed == PLIES - 1;
        match self.header.content {
            RecordContent::Games => games::samples(self.data(index)).find(is_wanted),
            RecordContent::Labels => labels::samples(self.data(index)).find(is_wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Target;
    use crate::fuzz_files::{run_with_file, written};

    #[test]
    fn fuzz_training_files() {
        let options = GenerationOptions { seed: 7, depth: 1, exact_from: 8, random: (10, 12), burst: 0, weights: 0 };
        let valid = written(|path| {
            let mut file = TrainingFile::open_games(path, &options).expect("a file");
            for squares in [vec![19, 18, 17], vec![26, 18, 19, 34]] {
                file.add_game(&TrainingGame { random: 0, squares, score: 3 }).expect("a game");
            }
            file.flush().expect("a file");
        });
        assert_eq!(&valid[..8], MAGIC);
        run_with_file(&Target::new("training-files", vec![valid]), |path| {
            if let Ok(games) = TrainingData::read(path) {
                let samples = (0..games.len()).flat_map(|index| games.samples(index));
                samples.for_each(|sample| assert!(sample.score.unsigned_abs() <= 64));
            }
            let _ = TrainingFile::open_games(path, &options);
        });
    }
}
