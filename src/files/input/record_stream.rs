//! [`RecordStream`]: the records of an input in one format.

use std::io;
use std::sync::Arc;

use morello_core::game::{ParsedRecord, RecordFormat};

use super::columns::Columns;
use super::record::{Record, RecordError};
use super::source::{Input, Stream};
use super::text_formats::TextFormats;
use crate::output::{ColumnType, Value};

/// The records of an input in one format.
pub(super) trait RecordStream: Send {
    /// Returns the next record; `None` at the end. The reader sets [`Record::bytes_read`].
    fn next(&mut self) -> io::Result<Option<Record>>;

    /// Returns the number of bytes of the input up to the end of the last record.
    fn bytes_read(&self) -> u64;

    /// Makes the stream return only the records of one of several equal parts and skip the others
    /// without parsing them. Called before the first record, and only if each line or row seems to
    /// be one position. Returns whether the stream supports this.
    fn deal(&mut self, _shard: (u64, u64)) -> io::Result<bool> {
        Ok(false)
    }
}

/// The parts of the reader that a stream uses.
pub(super) struct StreamContext {
    pub input: Input,
    pub file: Arc<str>,
    pub formats: TextFormats,
    /// The copied columns of all inputs, and a null value for each.
    pub columns: Columns,
    pub nulls: Arc<[Value]>,
    /// The index of the column for JSON keys that are missing in the first objects of their file.
    pub remainder: Option<usize>,
}

impl StreamContext {
    /// Creates a record without copied columns.
    pub fn record(&self, line: u64, raw: String, content: Result<ParsedRecord, RecordError>) -> Record {
        let (file, extra) = (Arc::clone(&self.file), Arc::clone(&self.nulls));
        Record { file, line, bytes_read: 0, raw, extra, content, is_selected: true }
    }
}

/// Starts reading a stream.
type OpenStream = Box<dyn Fn(Stream, StreamContext) -> io::Result<Box<dyn RecordStream>> + Send>;

/// The detected format of an input.
pub(super) struct DetectedStream {
    /// The names of the copied columns.
    pub columns: Vec<String>,
    /// The types of their values.
    pub column_types: Vec<ColumnType>,
    /// Whether records may have values for columns that are not listed.
    pub has_remainder: bool,
    /// Whether the values have types; CSV values are text.
    pub is_typed: bool,
    /// Whether the input seems to contain games.
    pub of_games: bool,
    /// Whether every record seems to be one position, and nothing is ignored.
    pub of_plain_positions: bool,
    /// Whether the games seem to have players, a date or other metadata.
    pub has_tags: bool,
    /// Whether the records seem to have scores or results for comparison.
    pub has_scores: bool,
    /// The binary format.
    pub records: Option<&'static RecordFormat>,
    pub open: OpenStream,
}

impl DetectedStream {
    /// Creates a format without copied columns. `open` starts reading a stream.
    pub fn new<S: RecordStream + 'static>(
        of_games: bool,
        has_tags: bool,
        open: impl Fn(Stream, StreamContext) -> io::Result<S> + Send + 'static,
    ) -> Self {
        let open: OpenStream = Box::new(move |stream, context| match open(stream, context) {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(error),
        });
        Self {
            columns: Vec::new(),
            column_types: Vec::new(),
            has_remainder: false,
            is_typed: false,
            of_games,
            of_plain_positions: false,
            has_tags,
            has_scores: false,
            records: None,
            open,
        }
    }

    /// Sets the names of the copied columns.
    pub fn with_columns(self, columns: Vec<String>) -> Self {
        Self { column_types: vec![ColumnType::default(); columns.len()], columns, ..self }
    }
}
