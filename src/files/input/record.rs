//! [`Record`]: a position or game in an input.

use std::sync::Arc;

use morello_core::game::{AnnotatedGame, ImpossibleResult, LocatedError, ParsedRecord, UnreadText};
use thiserror::Error;

use crate::output::Value;

/// The maximum length of a record in bytes: a line without its comment, or the lines of a game.
/// Positions need about a hundred bytes, and games with times and remarks need a few thousand.
pub const MAX_RECORD_BYTES: usize = 64 << 10;

/// The last record of a JSON array that is not closed. Reading it is an error.
pub(super) const OPEN_ARRAY: &str = "[";

/// A position or game, or the error in its record.
///
/// ```
/// use morello::game::ParsedRecord;
/// use morello::games;
/// use morello::input::{Input, Reader};
/// use morello::output::Value;
///
/// let csv = "id;position\n12;7,7 a1,d1 a4,a7 W\n".to_owned();
/// let mut reader = Reader::of(games::get("nine-mens-morris")?, Input::Text(csv))?;
/// let record = reader.next().expect("one row")?;
/// assert_eq!((record.line, &record.extra[..]), (2, &[Value::Integer(12)][..]));
/// let ParsedRecord::Position(entry) = record.content? else { panic!("it is a position") };
/// assert_eq!(entry.position.to_string(), "7,7 a1,d1 a4,a7 W");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Record {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of its first line in the input, counted from 1; in binary files, the number of
    /// the record.
    pub line: u64,
    /// The number of bytes of all inputs up to the end of the record.
    pub bytes_read: u64,
    /// The text of the record, shortened if it is too long; for an invalid binary record, its bytes
    /// in hexadecimal.
    pub raw: String,
    /// The values of the copied columns, in the order of the reader's [`Columns`](super::Columns).
    pub extra: Arc<[Value]>,
    /// The parsed record.
    pub content: Result<ParsedRecord, RecordError>,
    /// Whether the record belongs to the part of a [sharded](super::Reader::sharded) reader. Other
    /// records are only counted.
    pub is_selected: bool,
}

impl Record {
    /// Returns the games of the record; a position is a game without moves.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let text = "f5d6c3\nf5d6d6".to_owned();
    /// let mut records = Reader::of(games::get("othello")?, Input::Text(text))?;
    /// let games = records.next().expect("the first line")?.into_games()?;
    /// assert_eq!(games[0].game.moves().len(), 3);
    /// let error = records.next().expect("the second line")?.into_games().unwrap_err();
    /// assert_eq!(error.to_string(), "illegal move `d6` at ply 3: the square is occupied");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error in the record.
    pub fn into_games(self) -> Result<Vec<AnnotatedGame>, RecordError> {
        Ok(self.content?.into_games())
    }

    /// Takes the text that was ignored before the first readable record, if this is that record.
    pub(super) fn take_unread(&mut self, before: &mut Vec<UnreadText>) {
        if let Some(unread) = self.content.as_mut().ok().and_then(|content| content.unread_mut().next()) {
            unread.splice(..0, before.drain(..));
        }
    }
}

/// An error in a record, with its place.
#[derive(Debug, Error)]
#[error("{problem}")]
#[non_exhaustive]
pub struct RecordError {
    /// The line number in the input, counted from 1; in binary files, the number of the record.
    pub line: u64,
    /// The column, in characters counted from 1; in binary records, the number of the byte.
    pub column: usize,
    /// The error.
    pub problem: RecordProblem,
}

impl RecordError {
    /// Adds the other game that the text is of.
    pub(super) fn hint_at(&mut self, other: Option<&'static str>) {
        // The error of a format may name the game already.
        let is_said = self.problem.to_string().contains("; is this a game of ");
        let other = other.filter(|_| !is_said);
        if let (Some(other), RecordProblem::Unreadable(_) | RecordProblem::Unrecognized(_)) = (other, &self.problem) {
            let problem = std::mem::replace(&mut self.problem, RecordProblem::NotUtf8);
            self.problem = RecordProblem::OtherGame(Box::new(problem), other);
        }
    }
}

/// The text is not in any format of the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("could not read `{text}` as a game or position of {game} (formats: {formats}); try `{example}`")]
#[non_exhaustive]
pub struct UnrecognizedText {
    /// The start of the text.
    pub text: String,
    /// The name of the game.
    pub game: &'static str,
    /// The names of the game's text formats.
    pub formats: String,
    /// A short game.
    pub example: String,
}

/// The kinds of errors in a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The record is too long.
    #[error("longer than {MAX_RECORD_BYTES} bytes; split it, or shorten its comments")]
    TooLong,
    /// The record is not UTF-8.
    #[error("not UTF-8 text")]
    NotUtf8,
    /// The record cannot be parsed.
    #[error("{0}")]
    Unreadable(Box<dyn LocatedError>),
    /// The text is not in any format of the game.
    #[error("{0}")]
    Unrecognized(Box<UnrecognizedText>),
    /// The text is the moves of another game, which the name tells.
    #[error("{0}; is this a game of {1}?")]
    OtherGame(Box<RecordProblem>, &'static str),
    /// The line is a link that does not contain the moves of a game.
    #[error("the link does not contain the moves of a game; open it and paste the moves, such as `{0}`")]
    LinkWithoutMoves(String),
    /// A line has several links.
    #[error("several links; put each on a line of its own")]
    SeveralLinks,
    /// The line is not a JSON object.
    #[error("not a JSON object: {0}")]
    Json(String),
    /// The file ends within a JSON array.
    #[error("the JSON array is not closed; the file may be incomplete")]
    OpenArray,
    /// The line lacks the column with the position or game.
    #[error("no text in column `{0}`")]
    MissingColumn(String),
    /// A CSV row has more fields than the header.
    #[error("{found} fields, but the header has {expected}")]
    TooManyFields {
        /// The number of columns in the header.
        expected: usize,
        /// The number of fields in the line.
        found: usize,
    },
    /// A column contains a result that is impossible on the game's board.
    #[error("{error} (column `{column}`)")]
    ImpossibleResult {
        /// The name of the column.
        column: &'static str,
        /// The result.
        error: ImpossibleResult,
    },
    /// A quote in a CSV row is not closed before the end of the file or the maximum length.
    #[error("unclosed quote; close it within {MAX_RECORD_BYTES} bytes, or remove it")]
    UnclosedQuote,
    /// A carriage return ends a CSV row within the line.
    #[error("carriage return within a line; quote the field, or end rows with a line feed")]
    BareCarriageReturn,
    /// A binary file ends before the last record counted in its header.
    #[error("the file ends here, after {found} of {expected} records")]
    MissingRecords {
        /// The number of records in the header.
        expected: u64,
        /// The number of complete records.
        found: u64,
    },
    /// Data follows the last record.
    #[error("unexpected data after the {0} records given in the header")]
    TrailingBytes(u64),
}
