//! Files of checksummed records: [`RecordFile`] appends to them, [`Records`] reads them.
//!
//! ```text
//! the header; numbers are little-endian
//!  8 bytes   magic number
//!  4 bytes   format version
//!            the options that determine the records
//!  4 bytes   checksum of the bytes before
//!
//! each record
//!            its content, which begins with its length or what determines it
//!  4 bytes   checksum of the header's checksum, the record's index and the content
//! ```
//!
//! A run that was killed and resumed produces the same bytes as an uninterrupted one.

use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::fnv::Fnv1a;
use crate::journal::{Journal, OpenJournalError};

/// The maximum time before records are written and synced to disk: a killed run loses at most the records of this time.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// A longer unreadable tail is damage, not an incomplete write: no run adds that many bytes between writes.
pub(super) const MAX_TAIL_BYTES: usize = 1 << 20;

/// The size of a checksum.
const SUM_BYTES: usize = 4;

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
    /// The file has other content.
    #[error("not a file of {expected}")]
    OtherContent {
        /// The expected content.
        expected: &'static str,
    },
    /// The file has another format version.
    #[error("format version {found} is not supported (supported: {supported})")]
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
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// The requested value.
        expected: String,
    },
    /// A record has a correct checksum, but impossible content.
    #[error("game {game}, at byte {offset}, is impossible: the file was not written by this program")]
    Impossible {
        /// The index of the game, from 0.
        game: u64,
        /// The byte offset of its record.
        offset: usize,
    },
    /// A record is damaged, and not by an incomplete write.
    #[error("game {game}, at byte {offset}, is damaged")]
    Damaged {
        /// The index of the game, from 0.
        game: u64,
        /// The byte offset of its record.
        offset: usize,
    },
}

/// The layout of a kind of file.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordFormat {
    /// The content of such a file, for errors.
    pub content: &'static str,
    /// The magic number.
    pub magic: &'static [u8; 8],
    /// The format version.
    pub version: u32,
    /// The size of the header with its checksum.
    pub header_bytes: usize,
    /// The number of bytes that determine the length of a record.
    pub prefix: usize,
    /// Returns the length of the record that begins with these `prefix` bytes, without the checksum.
    pub len: fn(&[u8]) -> usize,
    /// Returns whether the content of a record with a correct checksum can be used.
    pub is_valid: fn(&[u8]) -> bool,
}

impl RecordFormat {
    /// Returns the start of a header; the options follow.
    pub fn header(&self) -> Vec<u8> {
        [&self.magic[..], &self.version.to_le_bytes()].concat()
    }

    /// Appends the checksum to a header.
    pub fn finish_header(&self, mut header: Vec<u8>) -> Vec<u8> {
        header.extend(Fnv1a::new().add_bytes(&header).folded().to_le_bytes());
        assert_eq!(header.len(), self.header_bytes, "a header has the size of its format");
        header
    }

    /// Checks the header at the start of `bytes`. Returns its checksum.
    fn check_header(&self, bytes: &[u8]) -> Result<u32, TrainingFileError> {
        let other_content = TrainingFileError::OtherContent { expected: self.content };
        let Some((header, sum)) = bytes.get(..self.header_bytes).and_then(|header| header.split_last_chunk()) else {
            return Err(other_content);
        };
        if !header.starts_with(self.magic) {
            return Err(other_content);
        }
        let found = u32::from_le_bytes(header[8..12].try_into().expect("the slice has four bytes"));
        if found != self.version {
            return Err(TrainingFileError::Version { found, supported: self.version });
        }
        let sum = u32::from_le_bytes(*sum);
        if Fnv1a::new().add_bytes(header).folded() == sum { Ok(sum) } else { Err(other_content) }
    }

    /// Returns the record at the start of `bytes`, without its checksum; `None` if it is incomplete or damaged.
    fn complete_record<'a>(&self, bytes: &'a [u8], header_sum: u32, index: u64) -> Option<&'a [u8]> {
        let len = (self.len)(bytes.get(..self.prefix)?);
        let (record, sum) = (bytes.get(..len)?, bytes.get(len..len + SUM_BYTES)?);
        (record_checksum(header_sum, index, record).to_le_bytes() == sum).then_some(record)
    }

    /// Returns whether the unreadable record at the start of `bytes` is followed by a complete one, so that it is damaged, not incomplete.
    fn is_followed_by_record(&self, bytes: &[u8], header_sum: u32, index: u64) -> bool {
        let next = bytes.get(..self.prefix).and_then(|prefix| bytes.get((self.len)(prefix) + SUM_BYTES..));
        next.is_some_and(|next| self.complete_record(next, header_sum, index + 1).is_some())
    }

    /// Calls `on_record` with the offset of each complete record. Returns the length of the header and the complete records.
    fn read(
        &self,
        bytes: &[u8],
        header_sum: u32,
        mut on_record: impl FnMut(usize),
    ) -> Result<usize, TrainingFileError> {
        let mut offset = self.header_bytes;
        for index in 0.. {
            let rest = &bytes[offset..];
            match self.complete_record(rest, header_sum, index) {
                Some(record) => {
                    if !(self.is_valid)(record) {
                        return Err(TrainingFileError::Impossible { game: index, offset });
                    }
                    on_record(offset);
                    offset += record.len() + SUM_BYTES;
                }
                None if rest.len() > MAX_TAIL_BYTES || self.is_followed_by_record(rest, header_sum, index) => {
                    return Err(TrainingFileError::Damaged { game: index, offset });
                }
                None => break,
            }
        }
        Ok(offset)
    }
}

fn record_checksum(header_sum: u32, index: u64, record: &[u8]) -> u32 {
    let hash = Fnv1a::new().add_bytes(&header_sum.to_le_bytes()).add_bytes(&index.to_le_bytes());
    hash.add_bytes(record).folded()
}

/// Checks that the options in a file are the expected ones, each with its name on the command line.
pub(super) fn check_options(
    found: &[(&'static str, String)],
    expected: &[(&'static str, String)],
) -> Result<(), TrainingFileError> {
    match found.iter().zip(expected).find(|(found, expected)| found != expected) {
        Some(((field, found), (_, expected))) => {
            Err(TrainingFileError::OptionsMismatch { field, found: found.clone(), expected: expected.clone() })
        }
        None => Ok(()),
    }
}

/// A file to which records are appended in the order of their indices.
#[derive(Debug)]
pub(super) struct RecordFile {
    journal: Journal,
    header_sum: u32,
    records: u64,
}

impl RecordFile {
    /// Opens a file with this header for appending, or creates it if it is missing or empty. An incomplete last record is discarded.
    /// `check_header` gets the header of an existing file.
    ///
    /// The file is locked against other processes until the value is dropped.
    pub fn open(
        format: &RecordFormat,
        path: &Path,
        header: &[u8],
        check_header: impl FnOnce(&[u8]) -> Result<(), TrainingFileError>,
    ) -> Result<Self, TrainingFileError> {
        let mut records = 0;
        let journal = Journal::open(path, header, |bytes| {
            let header_sum = format.check_header(bytes)?;
            check_header(bytes)?;
            format.read(bytes, header_sum, |_| records += 1)
        })?;
        let header_sum = format.check_header(header).expect("the header is valid");
        Ok(Self { journal, header_sum, records })
    }

    /// Returns the number of records, which is also the index of the next one.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds the next record.
    pub fn add(&mut self, record: &[u8]) -> io::Result<()> {
        let sum = record_checksum(self.header_sum, self.records, record);
        self.records += 1;
        self.journal.add_later(&[record, &sum.to_le_bytes()].concat(), FLUSH_INTERVAL)
    }

    /// Writes pending records and syncs the file to disk.
    pub fn flush(&mut self) -> io::Result<()> {
        self.journal.flush()
    }
}

/// The records of a file, in memory.
#[derive(Debug, Clone)]
pub(super) struct Records {
    bytes: Vec<u8>,
    header_bytes: usize,
    /// The offset of each record, and then the end of the last one.
    offsets: Vec<usize>,
    /// The number of bytes after the last complete record.
    tail_bytes: usize,
}

impl Records {
    /// Reads a file. An incomplete last record is ignored.
    pub fn read(format: &RecordFormat, path: &Path) -> Result<Self, TrainingFileError> {
        if !path.metadata()?.is_file() {
            // A device may have no end.
            return Err(TrainingFileError::OtherContent { expected: format.content });
        }
        let bytes = std::fs::read(path)?;
        let header_sum = format.check_header(&bytes)?;
        let mut offsets = Vec::new();
        let end = format.read(&bytes, header_sum, |offset| offsets.push(offset))?;
        offsets.push(end);
        let tail_bytes = bytes.len() - end;
        Ok(Self { bytes, header_bytes: format.header_bytes, offsets, tail_bytes })
    }

    /// Returns the header.
    pub fn header(&self) -> &[u8] {
        &self.bytes[..self.header_bytes]
    }

    /// Returns the number of bytes after the last complete record, which an interrupted run leaves, or a copy that was cut off.
    pub fn tail_bytes(&self) -> usize {
        self.tail_bytes
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a record, without its checksum.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn record(&self, index: usize) -> &[u8] {
        &self.bytes[self.offsets[index]..self.offsets[index + 1] - SUM_BYTES]
    }
}
