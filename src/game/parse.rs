//! Parse errors with their position in the text.

use std::error::Error;

use thiserror::Error;

/// A parse error with its line and column.
pub trait LocatedError: Error + Send + Sync + 'static {
    /// Returns the column of the first wrong character, in characters from 1 at the start of its [line](Self::line); one past the end if text
    /// is missing.
    fn column(&self) -> usize;

    /// Returns the line of the first wrong character, from 1.
    fn line(&self) -> usize {
        1
    }
}

/// Lets `?` convert it to `Box<dyn Error>`.
impl Error for Box<dyn LocatedError> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

/// A parse error in a text of one line. Each notation has its own `Kind`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ParseError<Kind> {
    /// The column of the first wrong character, from 1; one past the end if text is missing.
    pub column: usize,
    /// The error.
    pub kind: Kind,
}

impl<Kind: Error + Send + Sync + 'static> LocatedError for ParseError<Kind> {
    fn column(&self) -> usize {
        self.column
    }
}

impl<E: LocatedError> From<E> for Box<dyn LocatedError> {
    fn from(error: E) -> Self {
        Box::new(error)
    }
}

/// Returns whether a text means a pass: `pass`, or the abbreviations `pa` and `ps` of Othello formats.
pub(crate) fn is_pass_word(text: &str) -> bool {
    ["pass", "pa", "ps"].iter().any(|word| word.eq_ignore_ascii_case(text))
}
