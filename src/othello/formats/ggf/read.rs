//! Reads GGF.

use thiserror::Error;

use crate::game::{AnnotatedGame, Color, Game, GameResult, Note, ParseError, Position as _, Tags, Termination};
use crate::othello::notation::{self, parse_prefix};
use crate::othello::{Board, Move, SizedPosition};

/// An error in a game in GGF.
pub type ParseGgfError = ParseError<GgfErrorKind>;

/// The kinds of errors in a game in GGF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GgfErrorKind {
    /// The text does not begin with `(;`.
    #[error("expected `(;` at the start of a game")]
    MissingGame,
    /// The text ends before the end of the game.
    #[error("expected `;)` at the end of the game")]
    MissingEnd,
    /// A tag or the end of the game is missing.
    #[error("expected a tag such as `B[F5]`, or `;)`")]
    MissingTag,
    /// A value is not closed.
    #[error("missing `]` after the value of `{0}`")]
    MissingBracket(String),
    /// The record is of another game.
    #[error("the game is `{0}`, not Othello")]
    OtherGame(String),
    /// The board has another size.
    #[error("expected a board of {expected}x{expected} squares, found `{found}`")]
    BoardSize {
        /// The expected size.
        expected: usize,
        /// The text found in its place.
        found: String,
    },
    /// The start position is invalid.
    #[error(transparent)]
    Board(notation::PositionErrorKind),
    /// The game has a second start position.
    #[error("duplicate start position (`BO`)")]
    DuplicateBoard,
    /// The start position is missing, or follows the moves.
    #[error("missing start position (`BO`)")]
    MissingBoard,
    /// The result is neither a number nor `?`.
    #[error("expected a result such as `+12` or `-64:t`, found `{0}`")]
    Result(String),
    /// The result is larger than the board.
    #[error("the result {found} is out of range (-{area} to +{area})")]
    ResultOutOfRange {
        /// The recorded result.
        found: String,
        /// The number of squares of the board.
        area: u32,
    },
    /// A side moves out of turn.
    #[error("{0} is not to move")]
    WrongSideToMove(Color),
    /// A move is illegal.
    #[error("illegal move `{0}`")]
    IllegalMove(String),
    /// More text follows the game.
    #[error("unexpected text after the game")]
    TrailingText,
}

fn fail<T>(column: usize, kind: GgfErrorKind) -> Result<T, ParseGgfError> {
    Err(ParseGgfError { column, kind })
}

/// Reads one game, with or without the number of games of an archive.
///
/// ```
/// use morello::othello::formats::ggf;
///
/// let read = ggf::read::<4>("(;GM[Othello]PB[a]RE[?]BO[4 -----O*--*O----- *]B[b1//0.5]W[A1/-2];)")?;
/// assert_eq!(read.game.moves().len(), 2);
/// assert_eq!((read.tags.names[0].as_deref(), read.notes[1].eval), (Some("a"), Some(-2.0)));
/// # Ok::<(), ggf::ParseGgfError>(())
/// ```
///
/// # Errors
/// [`ParseGgfError`], with the column.
pub fn read<const N: usize>(text: &str) -> Result<AnnotatedGame<SizedPosition<N>>, ParseGgfError> {
    let mut cursor = Cursor { rest: text, column: 1 };
    cursor.skip_count();
    let game = read_game(&mut cursor)?;
    cursor.skip_blanks();
    if cursor.rest.is_empty() { Ok(game) } else { fail(cursor.column, GgfErrorKind::TrailingText) }
}

/// Reads all games of a line, at least one. Archives have the two games of a match on one line, `2 (;...;)(;...;)`.
///
/// # Errors
/// [`ParseGgfError`], with the column.
pub fn read_all<const N: usize>(text: &str) -> Result<Vec<AnnotatedGame<SizedPosition<N>>>, ParseGgfError> {
    let mut cursor = Cursor { rest: text, column: 1 };
    cursor.skip_count();
    let mut games = Vec::new();
    loop {
        games.push(read_game(&mut cursor)?);
        cursor.skip_blanks();
        if cursor.rest.is_empty() {
            return Ok(games);
        }
    }
}

/// The unread rest of a text, and its column.
struct Cursor<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// Takes a number of bytes, which must end at a character boundary.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    /// Takes the characters up to the first that does not satisfy `predicate`.
    fn take_while(&mut self, predicate: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !predicate(c)).unwrap_or(self.rest.len()))
    }

    fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Skips the number of games at the start of a line of an archive.
    fn skip_count(&mut self) {
        self.skip_blanks();
        self.take_while(|c| c.is_ascii_digit());
    }

    /// Takes `text` and returns `true` if the rest begins with it.
    fn take_text(&mut self, text: &str) -> bool {
        let found = self.rest.starts_with(text);
        if found {
            self.take(text.len());
        }
        found
    }
}

fn read_game<const N: usize>(cursor: &mut Cursor<'_>) -> Result<AnnotatedGame<SizedPosition<N>>, ParseGgfError> {
    cursor.skip_blanks();
    if !cursor.take_text("(;") {
        return fail(cursor.column, GgfErrorKind::MissingGame);
    }
    let mut tags = Tags::default();
    let mut record: Option<GameBuilder<N>> = None;
    loop {
        cursor.skip_blanks();
        if cursor.take_text(";)") {
            let Some(GameBuilder { game, notes }) = record else {
                return fail(cursor.column, GgfErrorKind::MissingBoard);
            };
            return Ok(AnnotatedGame { game, tags, notes });
        }
        if cursor.rest.is_empty() {
            return fail(cursor.column, GgfErrorKind::MissingEnd);
        }
        let start = cursor.column;
        let tag = cursor.take_while(|c| c.is_ascii_alphabetic()).to_ascii_uppercase();
        cursor.skip_blanks();
        if tag.is_empty() || !cursor.take_text("[") {
            return fail(cursor.column, GgfErrorKind::MissingTag);
        }
        let column = cursor.column;
        let Some(end) = cursor.rest.find(']') else { return fail(start, GgfErrorKind::MissingBracket(tag)) };
        let value = cursor.take(end);
        cursor.take("]".len());
        match tag.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return fail(column, GgfErrorKind::OtherGame(value.to_owned()));
            }
            "PB" => tags.names[Color::Black.index()] = known_value(value),
            "PW" => tags.names[Color::White.index()] = known_value(value),
            "RB" => tags.ratings[Color::Black.index()] = number(value),
            "RW" => tags.ratings[Color::White.index()] = number(value),
            "PC" => tags.tournament = known_value(value),
            "DT" => tags.date = known_value(value),
            "RE" => (tags.result, tags.termination) = parse_result::<N>(value, column)?,
            "BO" if record.is_some() => return fail(start, GgfErrorKind::DuplicateBoard),
            "BO" => record = Some(GameBuilder { game: Game::new(parse_board(value, column)?), notes: Vec::new() }),
            "B" | "W" => {
                let color = if tag == "B" { Color::Black } else { Color::White };
                let Some(record) = &mut record else { return fail(start, GgfErrorKind::MissingBoard) };
                record.play(color, value).map_err(|kind| ParseGgfError { column, kind })?;
            }
            _ => {}
        }
    }
}

/// Returns the value of a tag; `None` if it is empty or `?`, which means unknown.
fn known_value(value: &str) -> Option<String> {
    let value = value.trim();
    (!value.is_empty() && value != "?").then(|| value.to_owned())
}

fn parse_board<const N: usize>(value: &str, column: usize) -> Result<SizedPosition<N>, ParseGgfError> {
    let mut cursor = Cursor { rest: value, column };
    cursor.skip_blanks();
    let column = cursor.column;
    let size = cursor.take_while(|c| c.is_ascii_digit());
    if size.parse() != Ok(N) {
        let found = value.split_whitespace().next().unwrap_or_default().to_owned();
        return fail(column, GgfErrorKind::BoardSize { expected: N, found });
    }
    let place = |error: notation::ParsePositionError| ParseGgfError {
        column: cursor.column + error.column - 1,
        kind: GgfErrorKind::Board(error.kind),
    };
    let (position, rest, after) = parse_prefix::<N>(cursor.rest).map_err(place)?;
    match rest.chars().position(|c| !c.is_whitespace()) {
        None => Ok(position),
        Some(blanks) => fail(
            cursor.column + after - 1 + blanks,
            GgfErrorKind::Board(notation::PositionErrorKind::TrailingText(rest.trim().to_owned())),
        ),
    }
}

fn parse_result<const N: usize>(
    value: &str,
    column: usize,
) -> Result<(Option<GameResult>, Option<Termination>), ParseGgfError> {
    let value = value.trim();
    if value.is_empty() || value == "?" {
        return Ok((None, None));
    }
    let (discs, suffix) = value.split_once(':').map_or((value, None), |(discs, suffix)| (discs, Some(suffix)));
    let termination = match suffix.map(|suffix| suffix.trim().to_ascii_lowercase()).as_deref() {
        None => Some(None),
        Some("r") => Some(Some(Termination::Resignation)),
        Some("t") => Some(Some(Termination::Timeout)),
        Some("s") => Some(Some(Termination::Agreement)),
        Some(_) => None,
    };
    match (number(discs), termination) {
        (Some(points), Some(_)) if points.abs() > f64::from(Board::<N>::AREA) => {
            fail(column, GgfErrorKind::ResultOutOfRange { found: discs.to_owned(), area: Board::<N>::AREA })
        }
        (Some(points), Some(termination)) => Ok((Some(GameResult { points }), termination)),
        _ => fail(column, GgfErrorKind::Result(value.to_owned())),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// The part of a game that has been read.
struct GameBuilder<const N: usize> {
    game: Game<SizedPosition<N>>,
    notes: Vec<Note>,
}

impl<const N: usize> GameBuilder<N> {
    /// Plays a move with its notes, after a forced pass if the record omits it.
    fn play(&mut self, color: Color, value: &str) -> Result<(), GgfErrorKind> {
        let mut fields = value.split('/');
        let text = fields.next().unwrap_or_default().trim();
        let note = Note { eval: fields.next().and_then(number), seconds: fields.next().and_then(number) };
        let m = Move::from_text(text);
        let position = *self.game.position();
        // Some programs write passes for both sides after the end of the game.
        if m == Some(Move::PASS) && position.is_over() {
            return Ok(());
        }
        if position.side_to_move() != color {
            if !position.is_legal(Move::PASS) {
                return Err(GgfErrorKind::WrongSideToMove(color));
            }
            self.push(Move::PASS, Note::default());
        }
        match m.filter(|&m| self.game.position().is_legal(m)) {
            Some(m) => self.push(m, note),
            None => return Err(GgfErrorKind::IllegalMove(text.to_owned())),
        }
        Ok(())
    }

    fn push(&mut self, m: Move, note: Note) {
        self.game.play(m).expect("the caller has checked that the move is legal");
        self.notes.push(note);
    }
}
