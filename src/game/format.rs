//! Formats of positions and games in files, and what a file may hold at one place.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use super::{AnnotatedGame, AnyPosition, LocatedError, Position};

/// A position as a file tells it, with what the file expects of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedPosition<P: Position = AnyPosition> {
    /// The position.
    pub position: P,
    /// Moves with their scores in points for the side to move, in the order of the line. `None` is the score of the position, whatever
    /// the move. Empty where the format or the line has none.
    pub expected: Vec<(Option<P::Move>, i32)>,
}

impl<P: Position> AnnotatedPosition<P> {
    /// Returns the highest score among the expected moves.
    #[must_use]
    pub fn best_score(&self) -> Option<i32> {
        self.expected.iter().map(|&(_, score)| score).max()
    }

    /// Returns whether a move is one of those expected with the highest score, or any is.
    #[must_use]
    pub fn is_best(&self, m: Option<P::Move>) -> bool {
        self.expected
            .iter()
            .any(|&(expected, score)| Some(score) == self.best_score() && (expected == m || expected.is_none()))
    }
}

impl<P: Position> From<P> for AnnotatedPosition<P> {
    fn from(position: P) -> Self {
        Self { position, expected: Vec::new() }
    }
}

/// What a file holds at one place.
#[derive(Debug, Clone)]
pub enum ParsedRecord {
    /// A position.
    Position(AnnotatedPosition),
    /// Games, at least one; archives of GGF have the two of a match on one line.
    Games(Vec<AnnotatedGame>),
}

impl From<AnnotatedGame> for ParsedRecord {
    fn from(game: AnnotatedGame) -> Self {
        Self::Games(vec![game])
    }
}

/// Something that a file may tell of a position or game beside the moves, and a format may have no place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MetadataKind {
    /// Scores of moves.
    Scores,
    /// The moves that led to a position.
    Moves,
    /// The names of the players.
    Names,
    /// The tournament.
    Tournament,
    /// The date.
    Date,
    /// A result that the board does not tell.
    Result,
    /// The result under best play.
    Theoretical,
    /// What is noted of moves: estimates and times.
    Notes,
}

impl fmt::Display for MetadataKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scores => "the scores of moves",
            Self::Moves => "the moves",
            Self::Names => "the names",
            Self::Tournament => "the tournament",
            Self::Date => "the date",
            Self::Result => "the result",
            Self::Theoretical => "the result under best play",
            Self::Notes => "the notes of moves",
        })
    }
}

/// How a text format is written; errors say what cannot be told in it at all.
pub struct FormatWriter {
    /// Writes a game; `None` in formats of positions.
    pub game: Option<WriteText<AnnotatedGame>>,
    /// Writes a position; `None` in formats of games.
    pub position: Option<WriteText<AnnotatedPosition>>,
    /// What it keeps of what is [`MetadataKind`].
    pub preserved: &'static [MetadataKind],
}

/// Writes a value as text, without a line break at the end.
pub type WriteText<T> = fn(&T) -> WriteResult;

/// A text, or why the format cannot hold what it would say.
pub type WriteResult = Result<String, Box<dyn Error + Send + Sync>>;

/// Reads a line without its comment and without the blanks around it.
pub type ParseLine = fn(&str) -> Result<ParsedRecord, Box<dyn LocatedError>>;

/// How far a record of several lines goes, seen line by line, each without its comment.
pub trait RecordScanner {
    /// Takes a line that belongs to the record; the first one begins it.
    fn add(&mut self, line: &str);

    /// Returns whether the record may go on.
    fn may_continue(&self) -> bool;

    /// Returns whether the line that follows, which may be blank, belongs to the record.
    fn accepts(&self, next: &str) -> bool;
}

/// A text format of one position or game a line, or of a few lines each.
pub struct LineFormat {
    /// The name by which a user asks for the format.
    pub name: &'static str,
    /// Other names for it, or for files that it reads too.
    pub aliases: &'static [&'static str],
    /// One line of help.
    pub about: &'static str,
    /// Whether it is one of games.
    pub of_games: bool,
    /// Returns whether a line looks like this format; the first of a game's formats that says so reads the line.
    pub detect: fn(&str) -> bool,
    /// Reads a line; an error's column counts from the start of what is given.
    pub parse: ParseLine,
    /// Sees which lines belong to a record. `None` where one line is all.
    pub scanner: Option<fn() -> Box<dyn RecordScanner>>,
    /// Returns where in a text that cannot be read as a whole its games begin, in bytes. `None` where a record is one.
    pub split: Option<fn(&str) -> Vec<usize>>,
    /// How it is written.
    pub writer: FormatWriter,
}

impl LineFormat {
    /// Returns whether a user means this format by a name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// [Writes](FormatWriter::game) a game; `None` in formats of positions.
    pub fn write_game(&self, game: &AnnotatedGame) -> Option<WriteResult> {
        self.writer.game.map(|write| write(game))
    }

    /// [Writes](FormatWriter::position) a position; `None` in formats of games.
    pub fn write_position(&self, entry: &AnnotatedPosition) -> Option<WriteResult> {
        self.writer.position.map(|write| write(entry))
    }
}

/// Reads one record of a [`RecordFormat`].
pub type ReadRecord = Box<dyn FnMut(&[u8]) -> Result<AnnotatedGame, Box<dyn LocatedError>> + Send>;

/// A binary format of games: a head, then records of one size.
pub struct RecordFormat {
    /// The name by which a user asks for the format.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Returns whether a file that begins with these bytes is in the format; they are its first 256, or all.
    pub detect: fn(&[u8]) -> bool,
    /// The bytes of the head.
    pub head_bytes: usize,
    /// The bytes of a record.
    pub record_bytes: usize,
    /// Reads the head. What stands in other files, such as names, is looked for beside the path.
    pub open: OpenRecords,
    /// Creates a file.
    pub create: CreateRecords,
}

/// Writes a file of a [`RecordFormat`].
pub trait WriteRecords {
    /// Writes a game.
    ///
    /// # Errors
    /// Why the game cannot be written; what was written before stands.
    fn write(&mut self, game: &AnnotatedGame) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Writes the rest of the file, and others that belong to it; returns what was lost of how many games, in words: nothing where nothing
    /// was.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn finish(self: Box<Self>) -> io::Result<String>;
}

/// Creates a file of a [`RecordFormat`].
pub type CreateRecords = fn(&Path) -> io::Result<Box<dyn WriteRecords>>;

/// Reads the head of a file of a [`RecordFormat`] that has this path, if it has one.
pub type OpenRecords = fn(&[u8], Option<&Path>) -> Result<Records, Box<dyn Error + Send + Sync>>;

/// What follows the head of a file of records.
pub struct Records {
    /// The number of records, as the head tells it.
    pub count: u64,
    /// Reads one; its errors place what is wrong by bytes from 1 instead of columns.
    pub read: ReadRecord,
}
