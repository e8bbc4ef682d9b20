//! [`Record`]: what stands at one place of an input.

use std::sync::Arc;

use thiserror::Error;

use crate::game::{LocatedError, ParsedRecord};
use crate::output::Value;

/// The longest record that is read, in bytes: a line, its comment not counted, or the lines of a game. Positions need a hundred, whole
/// games with their times and remarks a few thousand.
pub const MAX_RECORD_BYTES: usize = 64 << 10;

/// A position or a game, or what could not be read as one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Record {
    /// The name of its input.
    pub file: Arc<str>,
    /// The number of its first line, or of the record in files of records of one size, from 1, in its input.
    pub line: u64,
    /// The bytes read, of all inputs together, up to its end.
    pub bytes_read: u64,
    /// The text as it stands, shortened if it is too long; of binary records their bytes in hexadecimal.
    pub raw: String,
    /// What stands beside it, in the order of the reader's [`Columns`](super::Columns).
    pub beside: Arc<[Value]>,
    /// What it holds.
    pub content: Result<ParsedRecord, RecordError>,
}

/// What is wrong with a record, and where.
#[derive(Debug, Error)]
#[error("{problem}")]
#[non_exhaustive]
pub struct RecordError {
    /// The line, from 1, in the input; of a record of a file of such its number.
    pub line: u64,
    /// The column, in characters from 1; in files of records the byte within it.
    pub column: usize,
    /// What is wrong there.
    pub problem: RecordProblem,
}

/// What may be wrong with a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// It is too long.
    #[error("longer than {MAX_RECORD_BYTES} bytes")]
    TooLong,
    /// It is not UTF-8.
    #[error("not UTF-8 text")]
    NotUtf8,
    /// The game cannot read it.
    #[error("{0}")]
    Unreadable(Box<dyn LocatedError>),
    /// A line is no JSON object.
    #[error("not a JSON object: {0}")]
    Json(String),
    /// A line of CSV or JSON lacks the column that holds the position or game.
    #[error("no text in the column `{0}`")]
    MissingColumn(String),
    /// A line of CSV has more fields than the head of the file.
    #[error("{found} fields, but the head of the file has {expected}")]
    TooManyFields {
        /// The columns of the head.
        expected: usize,
        /// The fields of the line.
        found: usize,
    },
    /// A quote opens in a row of CSV, and is closed neither in the file nor within the longest record.
    #[error(
        "a quote opens a field here and is not closed within {MAX_RECORD_BYTES} bytes or to the end of the file: close it, or leave it out"
    )]
    UnclosedQuote,
    /// A row of CSV ends within its line.
    #[error(
        "a carriage return ends the row here, and the line goes on: put the field in quotes, or end rows in a line feed"
    )]
    BareCarriageReturn,
    /// A file of records ends within one, or before the last that its head counts.
    #[error("the file ends here: {found} of {expected} records")]
    MissingRecords {
        /// The number that the head tells.
        expected: u64,
        /// The records that are whole.
        found: u64,
    },
    /// Something follows the last record.
    #[error("the file goes on after the {0} records that its head counts")]
    TrailingBytes(u64),
}
