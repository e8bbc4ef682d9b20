//! Parse errors with their place in the text.

use std::error::Error;
use std::sync::Arc;

use thiserror::Error;

/// A parse error with its place.
pub trait LocatedError: Error + Send + Sync + 'static {
    /// Returns the column of the first wrong character. Columns count characters from 1 at the
    /// start of the text; a line break is one character. If text is missing, the column is one past
    /// the end.
    fn column(&self) -> usize;

    /// Returns the error without its place, so that its type can be examined.
    fn without_place(&self) -> &(dyn Error + 'static);
}

/// Allows `?` to convert it to `Box<dyn Error>`.
impl Error for Box<dyn LocatedError> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

/// A parse error. Each notation has its own `Kind`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ParseError<Kind> {
    /// The [column](LocatedError::column) of the first wrong character.
    pub column: usize,
    /// The error.
    pub kind: Kind,
}

impl<Kind> ParseError<Kind> {
    /// Returns an error at the start of `part`, a slice of `text`.
    pub(crate) fn at(text: &str, part: &str, kind: impl Into<Kind>) -> Self {
        let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        Self { column: text.get(..start).unwrap_or(text).chars().count() + 1, kind: kind.into() }
    }
}

impl<Kind> ParseError<Kind> {
    /// Converts the kind of the error, at the same place.
    pub(crate) fn into_kind<K: From<Kind>>(self) -> ParseError<K> {
        ParseError { column: self.column, kind: self.kind.into() }
    }
}

/// An error from a game or from one of its formats. The type of the inner error depends on the
/// game.
///
/// ```
/// use morello::game::Color;
/// use morello::games;
///
/// let crowded = [Some(Color::Black); 9];
/// let error = games::get("three-mens-morris")?.arrange(&crowded, [0, 0], Color::White).unwrap_err();
/// assert_eq!(error.to_string(), "Black has 9 men in hand and on the board; the game allows 3");
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Error)]
#[error(transparent)]
pub struct GameError(Arc<dyn Error + Send + Sync>);

impl GameError {
    /// Wraps an error or a message.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into().into())
    }

    /// Returns the wrapped error, so that its type can be examined.
    #[must_use]
    pub fn inner(&self) -> &(dyn Error + 'static) {
        &*self.0
    }
}

/// Errors are equal if their messages are equal.
impl PartialEq for GameError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for GameError {}

/// Returns the text starting at a [column](LocatedError::column).
#[must_use]
pub fn part_at(text: &str, column: usize) -> &str {
    text.char_indices().nth(column.saturating_sub(1)).map_or(&text[text.len()..], |(at, _)| &text[at..])
}

/// The wrong part of the text, as a slice of it, and the kind of error.
pub type Failure<'a, Kind> = (&'a str, Kind);

impl<Kind: Error + Send + Sync + 'static> LocatedError for ParseError<Kind> {
    fn column(&self) -> usize {
        self.column
    }

    fn without_place(&self) -> &(dyn Error + 'static) {
        &self.kind
    }
}

impl<E: LocatedError> From<E> for Box<dyn LocatedError> {
    fn from(error: E) -> Self {
        Box::new(error)
    }
}

/// Returns whether the text means a pass: `pass`, or the abbreviations `pa` and `ps` of Othello
/// formats.
#[must_use]
pub fn is_pass_word(text: &str) -> bool {
    ["pass", "pa", "ps"].iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_begin_at_any_column() {
        assert_eq!([0, 1, 2, 3, 4, usize::MAX].map(|column| part_at("dé3", column)), ["dé3", "dé3", "é3", "3", "", ""]);
    }
}
