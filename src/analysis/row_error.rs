//! [`RowError`]: a record that could not be read.

use std::fmt;

use morello_files::input::RecordError;

/// An error in a record and its position, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowError {
    /// The text of the record.
    pub text: String,
    /// The line number, from 1: the line of the row, or a later line if a game has several lines.
    pub line: u64,
    /// The column in characters, from 1; in binary records, the byte.
    pub column: usize,
    /// The error message.
    pub problem: String,
}

impl RowError {
    /// Converts the error of a record with this text.
    pub(super) fn new(error: RecordError, text: String) -> Self {
        Self { text, line: error.line, column: error.column, problem: error.problem.to_string() }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}
