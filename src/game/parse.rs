//! Errors in texts, which know where in the text they are.

use std::error::Error;

use thiserror::Error;

/// An error in a text that knows its place.
pub trait LocatedError: Error + Send + Sync + 'static {
    /// Returns the column, in characters from 1 at the start of its [line](Self::line), of the first character that is wrong (one past the end where text is missing).
    fn column(&self) -> usize;

    /// Returns the line of that column, from 1, in a text of several lines.
    fn line(&self) -> usize {
        1
    }
}

/// So that `?` makes it any other error.
impl Error for Box<dyn LocatedError> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

/// What is wrong with a text, and where. Each notation has its own kind of `Problem`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ParseError<Problem> {
    /// The column of the first character that is wrong, from 1 (one past the end where text is missing).
    pub column: usize,
    /// What is wrong there.
    pub kind: Problem,
}

impl<Problem: Error + Send + Sync + 'static> LocatedError for ParseError<Problem> {
    fn column(&self) -> usize {
        self.column
    }
}

impl<E: LocatedError> From<E> for Box<dyn LocatedError> {
    fn from(error: E) -> Self {
        Box::new(error)
    }
}

/// Returns whether a text is a word for a pass: `pass`, or what formats of Othello write.
pub(crate) fn is_pass_word(text: &str) -> bool {
    ["pass", "pa", "ps"].iter().any(|word| word.eq_ignore_ascii_case(text))
}
