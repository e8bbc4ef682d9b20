//! [`UnreadText`]: a part of a text that was ignored.

use std::error::Error;

use thiserror::Error;

use super::parse::{LocatedError, ParseError};

/// A part of a text that was ignored, because it is not part of the game or was not understood.
///
/// ```
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let line = "f5d6c3 Perpendicular";
/// let game = (othello.format_of(line).parse)(line)?.into_games().remove(0);
/// assert_eq!((game.unread[0].column, game.unread[0].to_string().as_str()), (8, "left out: `Perpendicular`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct UnreadText {
    /// The line in the input, from 1; always 1 if the text is not input.
    pub line: u64,
    /// The column, in characters from 1. If the text is not input, a line break is one character.
    pub column: usize,
    /// Why the part was ignored.
    pub kind: UnreadKind,
}

impl UnreadText {
    /// Returns a part that is a slice of the text.
    pub(crate) fn at(text: &str, part: &str, kind: UnreadKind) -> Self {
        let ParseError { column, kind } = ParseError::<UnreadKind>::at(text, part, kind);
        Self { line: 1, column, kind }
    }
}

impl LocatedError for UnreadText {
    fn column(&self) -> usize {
        self.column
    }

    fn without_place(&self) -> &(dyn Error + 'static) {
        &self.kind
    }
}

/// Why a part of a text was ignored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnreadKind {
    /// The words contain no information about a game. The value is the beginning of the text.
    #[error("left out: `{0}`")]
    Words(String),
    /// A date has an ambiguous order of day and month.
    #[error("left out: `{0}`, which may be two dates; write it like 2024-05-31")]
    Date(String),
    /// A date has a day that does not exist, or no year.
    #[error("left out: `{0}`, which is not a valid date with a year; write it like 2024-05-31")]
    ImpossibleDate(String),
    /// A pair of numbers may be the result, but also a time, or the result with the sides
    /// exchanged; or it contradicts the board of a finished game.
    #[error("left out: `{0}`, which is not certainly the result")]
    Score(String),
    /// A line without numbers, which is not a game itself, continues the previous game.
    #[error("read as more moves of the game in the previous line")]
    Continuation,
    /// Two lines in succession have one move each, and are read as two games.
    #[error("read as a game of one move, like the next line; to read the lines as one game, join them to one line")]
    SeparateMoves,
}

impl UnreadKind {
    /// Returns the reason for words without information about a game.
    #[must_use]
    pub fn words(text: &str) -> Self {
        const MAX_CHARS: usize = 80;
        let start: String = text.chars().take(MAX_CHARS).collect();
        Self::Words(if start.len() < text.len() { start + "…" } else { start })
    }
}
