//! [`Notation`]: the file formats of a game, and the records they contain.

pub(crate) mod brackets;
mod color_words;
pub(crate) mod colored_game;

pub mod diagram;
pub mod grid;
pub mod label;
pub(crate) mod move_numbers;
pub mod movetext;
pub(super) mod numbered_moves;
pub mod opening;
pub(super) mod parse;
pub(crate) mod pgn;
pub(super) mod protocol;
pub(crate) mod sgf;
pub(crate) mod tree_text;
pub mod unread;

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use self::unread::UnreadText;
use super::{
    AnnotatedGame, AnyPosition, BoardDisplay, Certainty, Dialect, Game, GameError, LocatedError, Playable, Position,
    Protocol, Report, write_scores,
};

/// A game with text formats.
pub trait Notation: BoardDisplay {
    /// Returns the text formats, at least one, in the order of detection. The last one also reads
    /// input that no format detects.
    fn formats() -> &'static [LineFormat];

    /// Returns the binary formats of game files.
    fn record_formats() -> &'static [RecordFormat] {
        &[]
    }

    /// Reads a game: moves from the start, a position, or moves from a position. `FromStr` of
    /// [`Game`] calls it.
    ///
    /// # Errors
    /// The error of `FromStr` for positions, with its place.
    fn parse_game(text: &str) -> Result<Game<Self>, Self::Err> {
        text.parse().map(Game::new)
    }

    /// Writes a game as a list of moves on one line, preceded by the starting position if it is not
    /// the usual one.
    fn write_moves(game: &Game) -> String;

    /// Returns the notation of the game in a protocol; `None` if the protocol does not support this
    /// game.
    fn dialect(_protocol: Protocol) -> Option<Dialect> {
        None
    }
}

impl<P: Notation> FromStr for Game<P> {
    type Err = P::Err;

    /// Reads moves from the start, a position, or moves from a position.
    fn from_str(text: &str) -> Result<Self, P::Err> {
        P::parse_game(text)
    }
}

impl<P: Playable> fmt::Display for Game<P> {
    /// Writes the [moves](Notation::write_moves), after the start if it is not the usual one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&P::write_moves(&self.any()))
    }
}

impl fmt::Display for Game {
    /// Writes the [moves](Notation::write_moves), after the start if it is not the usual one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.start().game().write_moves(self))
    }
}

/// A position from a file, with the scores that the file expects.
///
/// ```
/// use morello::game::Position;
/// use morello::othello::formats::obf;
///
/// let entry = obf::parse::<4>("-----OX--XO----- X; A2:-8; C4:-10;")?;
/// assert_eq!(entry.best_score(), Some(-8));
/// let c4 = entry.position.parse_move("c4").ok();
/// assert!(!entry.is_best(c4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedPosition<P: Position = AnyPosition> {
    /// The position.
    pub position: P,
    /// Moves with their scores in points for the side to move, in input order. A move of `None`
    /// means the score of the position itself. The list is empty if the input has no scores.
    pub expected: Vec<(Option<P::Move>, i32)>,
    /// The parts of the position's text that were ignored, in order.
    pub unread: Vec<UnreadText>,
}

impl<P: Position> AnnotatedPosition<P> {
    /// Returns the highest score among the expected moves.
    #[must_use]
    pub fn best_score(&self) -> Option<i32> {
        self.expected.iter().map(|&(_, score)| score).max()
    }

    /// Returns whether `m` has the best expected score; true for every move if the best score is
    /// the score of the position itself.
    #[must_use]
    pub fn is_best(&self, m: Option<P::Move>) -> bool {
        self.expected
            .iter()
            .any(|&(expected, score)| Some(score) == self.best_score() && (expected == m || expected.is_none()))
    }
}

impl<P: Position> From<P> for AnnotatedPosition<P> {
    fn from(position: P) -> Self {
        Self { position, expected: Vec::new(), unread: Vec::new() }
    }
}

/// The contents of one record of a file.
///
/// ```
/// use morello::game::ParsedRecord;
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let line = "---------------------------OX------XO--------------------------- X";
/// let record = (othello.format_of(line).parse)(line)?;
/// assert!(matches!(&record, ParsedRecord::Position(entry) if entry.position.is_start()));
/// assert!(record.into_games()[0].game.moves().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum ParsedRecord {
    /// A position.
    Position(AnnotatedPosition),
    /// One or more games; GGF archives have both games of a synchronized match on one line.
    Games(Vec<AnnotatedGame>),
}

impl ParsedRecord {
    /// Returns the games. A position becomes a game without moves, and loses its scores.
    #[must_use]
    pub fn into_games(self) -> Vec<AnnotatedGame> {
        match self {
            Self::Position(AnnotatedPosition { position, unread, .. }) => {
                vec![AnnotatedGame { unread, ..Game::new(position).into() }]
            }
            Self::Games(games) => games,
        }
    }

    /// Returns the parts of the text that were ignored.
    pub fn unread(&self) -> impl Iterator<Item = &UnreadText> {
        let (position, games) = match self {
            Self::Position(entry) => (&entry.unread[..], &[][..]),
            Self::Games(games) => (&[][..], &games[..]),
        };
        position.iter().chain(games.iter().flat_map(|game| &game.unread))
    }

    /// Returns the parts of the text that were ignored, for each game.
    pub fn unread_mut(&mut self) -> impl Iterator<Item = &mut Vec<UnreadText>> {
        let (position, games) = match self {
            Self::Position(entry) => (Some(&mut entry.unread), &mut [][..]),
            Self::Games(games) => (None, &mut games[..]),
        };
        position.into_iter().chain(games.iter_mut().map(|game| &mut game.unread))
    }
}

impl From<AnnotatedGame> for ParsedRecord {
    fn from(game: AnnotatedGame) -> Self {
        Self::Games(vec![game])
    }
}

/// A kind of information that a record may have and an output format may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MetadataKind {
    /// Scores of moves.
    Scores,
    /// The moves that led to a position.
    Moves,
    /// The names of the players.
    Names,
    /// The ratings of the players.
    Ratings,
    /// The tournament.
    Tournament,
    /// The date.
    Date,
    /// A result that does not follow from the final board.
    Result,
    /// The reason for an early end, in addition to the result.
    Termination,
    /// The reason for an early end of a game without a result.
    TerminationAlone,
    /// The result under best play.
    Theoretical,
    /// Evaluations and times of moves.
    Notes,
    /// Comments and variations.
    Remarks,
    /// PGN tags without an equivalent elsewhere, such as the round.
    OtherTags,
}

impl MetadataKind {
    /// The metadata that rows support.
    pub const OF_ROWS: &[Self] = Self::OF_GAMES.split_at(2).1;
    /// The metadata that PGN supports.
    pub const OF_PGN: &[Self] = Self::OF_GAMES.split_at(11).0;
    /// The metadata that SGF supports.
    pub const OF_SGF: &[Self] = Self::OF_PGN.split_at(1).1;
    /// The metadata that GGF supports.
    pub const OF_GGF: &[Self] = Self::OF_PGN.split_at(2).1;

    const OF_GAMES: &[Self] = &[
        Self::OtherTags,
        Self::Remarks,
        Self::Notes,
        Self::Moves,
        Self::Names,
        Self::Ratings,
        Self::Tournament,
        Self::Date,
        Self::Result,
        Self::Termination,
        Self::TerminationAlone,
        Self::Theoretical,
    ];
}

impl fmt::Display for MetadataKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scores => "the move scores",
            Self::Moves => "the moves",
            Self::Names => "the names",
            Self::Ratings => "the ratings",
            Self::Tournament => "the tournament",
            Self::Date => "the date",
            Self::Result => "the result",
            Self::Termination => "the termination",
            Self::TerminationAlone => "the termination without a result",
            Self::Theoretical => "the result under best play",
            Self::Notes => "the move notes",
            Self::Remarks => "the comments and variations",
            Self::OtherTags => "other tags",
        })
    }
}

/// The writer of a text format.
#[derive(Debug)]
pub struct FormatWriter {
    /// Writes a game; `None` in position formats.
    pub game: Option<WriteText<AnnotatedGame>>,
    /// Writes a position; `None` in game formats.
    pub position: Option<WriteText<AnnotatedPosition>>,
    /// The information that the format preserves.
    pub preserved: &'static [MetadataKind],
}

/// Writes a value as text, without a trailing line break.
pub type WriteText<T> = fn(&T) -> WriteResult;

/// The text, or why the format cannot represent the value.
pub type WriteResult = Result<String, GameError>;

/// Parses a line, given without its comment and surrounding white space.
pub type ParseLine = fn(&str) -> Result<ParsedRecord, Box<dyn LocatedError>>;

/// Finds the end of a record of several lines. The lines are passed without their comments.
///
/// ```
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let pgn = othello.format_of("[Black \"Anna\"]");
/// let mut scanner = pgn.scanner.expect("a game has several lines")();
/// scanner.add("[Black \"Anna\"]");
/// assert!(scanner.may_continue() && scanner.accepts("") && scanner.accepts("1. f5 d6 40-24"));
/// scanner.add("1. f5 d6 40-24");
/// assert!(!scanner.accepts("[Black \"Bob\"]"), "another game");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RecordScanner {
    /// Adds a line of the record, starting with the first.
    fn add(&mut self, line: &str);

    /// Returns whether more lines may follow.
    fn may_continue(&self) -> bool;

    /// Returns whether the next line, which may be blank, belongs to the record.
    fn accepts(&self, next: &str) -> bool;
}

/// Returns the number of lines in the first record of the text.
#[cfg(test)]
pub(crate) fn first_record_lines(scanner: &mut dyn RecordScanner, text: &str) -> usize {
    let mut lines = text.lines();
    scanner.add(lines.next().expect("the text has a line"));
    1 + lines
        .take_while(|line| {
            let belongs = scanner.may_continue() && scanner.accepts(line);
            if belongs {
                scanner.add(line);
            }
            belongs
        })
        .count()
}

/// A text format with one position or game per record of one or a few lines.
///
/// ```
/// use morello::game::ParsedRecord;
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let line =
///     "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;";
/// let obf = othello.format_of(line);
/// assert!(obf.is_named("obf") && obf.has_scores() && !obf.of_games);
/// let ParsedRecord::Position(entry) = (obf.parse)(line)? else { panic!("OBF has positions") };
/// assert_eq!(entry.best_score(), Some(38));
/// assert_eq!(obf.write_position(&entry).and_then(Result::ok).as_deref(), Some(line));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LineFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names, including the names of related formats that it reads.
    pub aliases: &'static [&'static str],
    /// One line of help.
    pub about: &'static str,
    /// Whether the records are games; otherwise they are positions.
    pub of_games: bool,
    /// Returns whether a line looks like this format. The first of a game's formats that matches a
    /// line reads it.
    pub detect: fn(&str) -> bool,
    /// Parses a record; the column of an error counts from the start of the given text.
    pub parse: ParseLine,
    /// Creates a scanner for records of several lines; `None` if every record is one line.
    pub scanner: Option<fn() -> Box<dyn RecordScanner>>,
    /// Whether text in the lines before a game may be its label, and the lines after a game may
    /// contain more of its moves.
    pub has_loose_lines: bool,
    /// Returns the byte offsets at which games begin in a record that failed to parse as a whole;
    /// `None` if a record is one game.
    pub split: Option<fn(&str) -> Vec<usize>>,
    /// The writer.
    pub writer: FormatWriter,
}

crate::debug_fields!(LineFormat { name });

impl LineFormat {
    /// Describes a format with one position per line.
    pub(crate) const fn of_positions(
        name: &'static str,
        about: &'static str,
        detect: fn(&str) -> bool,
        parse: ParseLine,
        write: WriteText<AnnotatedPosition>,
        preserved: &'static [MetadataKind],
    ) -> Self {
        let writer = FormatWriter { game: None, position: Some(write), preserved };
        Self {
            name,
            aliases: &[],
            about,
            of_games: false,
            detect,
            parse,
            scanner: None,
            has_loose_lines: false,
            split: None,
            writer,
        }
    }

    /// Describes a format with one game per line.
    pub(crate) const fn of_games(
        name: &'static str,
        about: &'static str,
        detect: fn(&str) -> bool,
        parse: ParseLine,
        write: WriteText<AnnotatedGame>,
        preserved: &'static [MetadataKind],
    ) -> Self {
        let writer = FormatWriter { game: Some(write), position: None, preserved };
        Self {
            name,
            aliases: &[],
            about,
            of_games: true,
            detect,
            parse,
            scanner: None,
            has_loose_lines: false,
            split: None,
            writer,
        }
    }

    /// Returns whether `name` is the name or an alias of this format.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// [Writes](FormatWriter::game) a game; `None` in position formats.
    ///
    /// ```
    /// use morello::game::AnnotatedGame;
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let game = AnnotatedGame::from(othello.random_game(6, 3));
    /// let pgn = othello.format_named("pgn").expect("it is a format");
    /// let text = pgn.write_game(&game).and_then(Result::ok).expect("PGN has every game");
    /// assert!(text.ends_with("\n\n1. f5 d6 2. c3 *\n"));
    /// let obf = othello.format_named("obf").expect("it is a format");
    /// assert!(obf.write_game(&game).is_none(), "OBF has positions");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn write_game(&self, game: &AnnotatedGame) -> Option<WriteResult> {
        self.writer.game.map(|write| write(game))
    }

    /// [Writes](FormatWriter::position) a position; `None` in game formats.
    #[must_use]
    pub fn write_position(&self, entry: &AnnotatedPosition) -> Option<WriteResult> {
        self.writer.position.map(|write| write(entry))
    }

    /// Returns whether the format is for positions with the scores of their moves.
    #[must_use]
    pub fn has_scores(&self) -> bool {
        self.writer.preserved.contains(&MetadataKind::Scores)
    }

    /// Writes a position with the scores of a search, as whole points. Estimates are rounded and
    /// marked in a comment at the end of the line; bounds appear only in the comment. A position
    /// that the format cannot represent becomes a comment.
    ///
    /// ```
    /// use morello::game::{EngineOptions, Game, Limits};
    /// use morello::games;
    ///
    /// let othello = games::get("othello-4x4")?;
    /// let position = othello.start();
    /// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// let obf = othello.format_named("obf").expect("it is a format");
    /// let report = searcher.best(&Game::new(position), &Limits::exact());
    /// assert_eq!(obf.write_scored(&position, &report), "-----OX--XO----- X; B1:-10;");
    /// searcher.clear();
    /// let report = searcher.best(&Game::new(position), &Limits::depth(1));
    /// assert_eq!(
    ///     obf.write_scored(&position, &report),
    ///     "-----OX--XO----- X; B1:-3; % an estimate at depth 1"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn write_scored(&self, position: &AnyPosition, report: &Report) -> String {
        let (bounds, scores): (Vec<_>, Vec<_>) = report.scores().partition(|(_, score)| score.is_bound());
        let estimated = scores.iter().any(|(_, score)| score.certainty == Certainty::Heuristic);
        let expected = scores.into_iter().map(|(m, score)| (m, score.points().round() as i32)).collect();
        let mut text = match self.write_position(&AnnotatedPosition { expected, ..(*position).into() }) {
            Some(Ok(text)) => text,
            Some(Err(error)) => return comment(&format!("{position}: {error}")),
            None => return comment(&position.to_string()),
        };
        let bounds = write_scores(bounds).replace(';', "").to_uppercase();
        let estimate = estimated.then(|| format!("an estimate at depth {}", report.depth));
        let remarks: Vec<_> = [bounds].into_iter().filter(|bounds| !bounds.is_empty()).chain(estimate).collect();
        if !remarks.is_empty() {
            text = text + " " + &comment(&remarks.join(" "));
        }
        text
    }
}

/// Writes a comment of a text format.
///
/// ```
/// assert_eq!(morello::game::comment("not searched"), "% not searched");
/// ```
#[must_use]
pub fn comment(text: &str) -> String {
    format!("% {text}")
}

/// Reads one record of a [`RecordFormat`].
pub type ReadRecord = Box<dyn FnMut(&[u8]) -> Result<AnnotatedGame, Box<dyn LocatedError>> + Send>;

/// A binary format of games: a header, then records of fixed size.
///
/// ```
/// use morello::games;
///
/// let wthor = &games::get("othello")?.record_formats()[0];
/// // A header for one game, then f5 d6 by unnamed players.
/// let mut head = [20, 24, 1, 31, 1, 0, 0, 0, 0, 0, 0xe8, 7, 8, 0, 0, 0];
/// assert!((wthor.detect)(&head));
/// let mut records = (wthor.open)(&head, None).map_err(|error| error.to_string())?;
/// let mut record = vec![0; wthor.record_bytes];
/// record[6] = 33;
/// record[8..10].copy_from_slice(&[56, 64]);
/// let game = (records.read)(&record)?;
/// assert_eq!((records.count, game.game.moves().len()), (1, 2));
/// assert_eq!(game.tags.date.as_deref(), Some("2024"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RecordFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// The extension of its files.
    pub extension: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Detects the format from the first 256 bytes of a file, or all of a shorter file.
    pub detect: fn(&[u8]) -> bool,
    /// The size of the header in bytes.
    pub head_bytes: usize,
    /// The size of a record in bytes.
    pub record_bytes: usize,
    /// Reads the header. Companion files, such as name tables, are read from the same directory.
    pub open: OpenRecords,
    /// What is missing without the companion files, and the names of these files, as text; empty
    /// for formats without companion files.
    pub companions: &'static str,
    /// The extensions of the companion files.
    pub companion_extensions: &'static [&'static str],
    /// Creates a file.
    pub create: CreateRecords,
}

crate::debug_fields!(RecordFormat { name });

impl RecordFormat {
    /// Returns whether a file name has the extension of the format.
    #[must_use]
    pub fn has_extension(&self, path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(self.extension))
    }
}

/// Writes a file of a [`RecordFormat`].
pub trait WriteRecords: Send {
    /// Writes a game.
    ///
    /// # Errors
    /// The reason why the game cannot be written. Games already written are kept.
    fn write(&mut self, game: &AnnotatedGame) -> Result<(), GameError>;

    /// Completes the file and its companion files. Returns a message with the kinds of information
    /// that were lost and the number of games affected; empty if nothing was lost.
    ///
    /// # Errors
    /// A file cannot be written.
    fn finish(self: Box<Self>) -> io::Result<String>;
}

/// Creates a file of a [`RecordFormat`].
pub type CreateRecords = fn(&Path) -> io::Result<Box<dyn WriteRecords>>;

/// Reads the header of a file of a [`RecordFormat`], given the file's path if it has one.
pub type OpenRecords = fn(&[u8], Option<&Path>) -> Result<Records, GameError>;

/// The records that follow the header of a file.
pub struct Records {
    /// The number of records according to the header.
    pub count: u64,
    /// Reads a record. The columns in its errors are bytes, counted from 1.
    pub read: ReadRecord,
}

crate::debug_fields!(Records { count });
