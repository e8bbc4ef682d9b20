//! [`RowError`]: a record that could not be read.

use std::fmt;

use crate::input::RecordError;

/// What is wrong with a line, and where; in words, for a row is data and no longer an error of any type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    /// The text of the record, as it stands.
    pub text: String,
    /// The line, from 1: that of the row, or one after it where a game has several.
    pub line: u64,
    /// The column, in characters from 1; in files of records the byte.
    pub column: usize,
    /// What is wrong there.
    pub problem: String,
}

impl RowError {
    /// Puts into words what is wrong with the text of a record.
    pub(super) fn new(error: RecordError, text: String) -> Self {
        Self { text, line: error.line, column: error.column, problem: error.problem.to_string() }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}
