//! Reads games.

use thiserror::Error;

use crate::game::{AnnotatedGame, Color, Game, GameResult, Note, ParseError, Position as _, Tags, Termination};
use crate::othello::notation::{self, parse_prefix};
use crate::othello::{Board, Move, Position};

/// A text that is not a game in GGF.
pub type ParseGgfError = ParseError<GgfErrorKind>;

/// What is wrong with a game in GGF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GgfErrorKind {
    /// No game begins where one should.
    #[error("expected a game, which begins with `(;`")]
    MissingGame,
    /// The text ends within a game.
    #[error("the game ends in `;)`, and the text before that")]
    MissingEnd,
    /// Something else than a tag follows another.
    #[error("expected a tag such as `B[F5]`, or `;)`")]
    MissingTag,
    /// A value has no end.
    #[error("the value of `{0}` has no `]`")]
    MissingBracket(String),
    /// The game is another.
    #[error("the game is `{0}`, not Othello")]
    OtherGame(String),
    /// The board has not the size wanted.
    #[error("expected a board of {expected}x{expected} squares, found `{found}`")]
    BoardSize {
        /// The size wanted.
        expected: usize,
        /// What stands in its place.
        found: String,
    },
    /// The start is wrong.
    #[error(transparent)]
    Board(notation::PositionErrorKind),
    /// The start is given twice.
    #[error("a second position to start from")]
    BoardTwice,
    /// The start is not given, or only after moves.
    #[error("the position to start from (`BO`) is missing")]
    MissingBoard,
    /// The result is neither a number nor unknown.
    #[error("expected a result such as `+12` or `-64:t`, found `{0}`")]
    Result(String),
    /// The result is beyond what the board allows.
    #[error("the result {found} is not within -{area} and +{area}")]
    ResultOutOfRange {
        /// The discs told.
        found: String,
        /// The squares of the board.
        area: u32,
    },
    /// A side moves though it is not to move.
    #[error("{0} is not to move")]
    NotToMove(Color),
    /// A move is not legal.
    #[error("`{0}` is no legal move there")]
    IllegalMove(String),
    /// The text goes on after the game.
    #[error("unexpected text after the game")]
    TrailingText,
}

fn fail<T>(column: usize, problem: GgfErrorKind) -> Result<T, ParseGgfError> {
    Err(ParseGgfError { column, kind: problem })
}

/// Reads a game; the count of an archive may stand before it.
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
/// [`ParseGgfError`] with the place and what is wrong there.
pub fn read<const N: usize>(text: &str) -> Result<AnnotatedGame<Position<N>>, ParseGgfError> {
    let mut cursor = Cursor { rest: text, column: 1 };
    cursor.skip_count();
    let game = read_game(&mut cursor)?;
    cursor.skip_blanks();
    if cursor.rest.is_empty() { Ok(game) } else { fail(cursor.column, GgfErrorKind::TrailingText) }
}

/// Reads all games of a line: archives have the two games of a match on one, `2 (;...;)(;...;)`. There is at least one.
///
/// # Errors
/// [`ParseGgfError`] with the place and what is wrong there.
pub fn read_all<const N: usize>(text: &str) -> Result<Vec<AnnotatedGame<Position<N>>>, ParseGgfError> {
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

/// What is left of a text, and the column where that begins.
struct Cursor<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// Goes on by so many bytes, which end with a character, and returns what they hold.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    /// Takes what begins the rest, as far as its characters are such.
    fn take_while(&mut self, such: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !such(c)).unwrap_or(self.rest.len()))
    }

    fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Skips the number of games that archives put before them.
    fn skip_count(&mut self) {
        self.skip_blanks();
        self.take_while(|c| c.is_ascii_digit());
    }

    /// Takes a text if the rest begins with it.
    fn take_text(&mut self, text: &str) -> bool {
        let found = self.rest.starts_with(text);
        if found {
            self.take(text.len());
        }
        found
    }
}

fn read_game<const N: usize>(cursor: &mut Cursor<'_>) -> Result<AnnotatedGame<Position<N>>, ParseGgfError> {
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
            "PC" => tags.tournament = known_value(value),
            "DT" => tags.date = known_value(value),
            "RE" => tags.result = parse_result::<N>(value, column)?,
            "BO" if record.is_some() => return fail(start, GgfErrorKind::BoardTwice),
            "BO" => record = Some(GameBuilder { game: Game::new(parse_board(value, column)?), notes: Vec::new() }),
            "B" | "W" => {
                let color = if tag == "B" { Color::Black } else { Color::White };
                let Some(record) = &mut record else { return fail(start, GgfErrorKind::MissingBoard) };
                record.play(color, value).map_err(|problem| ParseGgfError { column, kind: problem })?;
            }
            _ => {}
        }
    }
}

/// Returns what a tag says, if it says anything: `?` is what writers put for nothing.
fn known_value(value: &str) -> Option<String> {
    let value = value.trim();
    (!value.is_empty() && value != "?").then(|| value.to_owned())
}

fn parse_board<const N: usize>(value: &str, column: usize) -> Result<Position<N>, ParseGgfError> {
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

fn parse_result<const N: usize>(value: &str, column: usize) -> Result<Option<GameResult>, ParseGgfError> {
    let value = value.trim();
    if value.is_empty() || value == "?" {
        return Ok(None);
    }
    let (discs, ending) = value.split_once(':').map_or((value, None), |(discs, ending)| (discs, Some(ending)));
    let ending = match ending.map(|ending| ending.trim().to_ascii_lowercase()).as_deref() {
        None => Some(None),
        Some("r") => Some(Some(Termination::Resignation)),
        Some("t") => Some(Some(Termination::Timeout)),
        Some("s") => Some(Some(Termination::Agreement)),
        Some(_) => None,
    };
    match (number(discs), ending) {
        (Some(points), Some(_)) if points.abs() > f64::from(Board::<N>::AREA) => {
            fail(column, GgfErrorKind::ResultOutOfRange { found: discs.to_owned(), area: Board::<N>::AREA })
        }
        (Some(points), Some(ending)) => Ok(Some(GameResult { points, termination: ending })),
        _ => fail(column, GgfErrorKind::Result(value.to_owned())),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A game while it is read.
struct GameBuilder<const N: usize> {
    game: Game<Position<N>>,
    notes: Vec<Note>,
}

impl<const N: usize> GameBuilder<N> {
    /// Plays a move with its notes; a forced pass that was left out goes before it.
    fn play(&mut self, color: Color, value: &str) -> Result<(), GgfErrorKind> {
        let mut fields = value.split('/');
        let text = fields.next().unwrap_or_default().trim();
        let note = Note { eval: fields.next().and_then(number), seconds: fields.next().and_then(number) };
        let m = Move::from_text(text);
        let position = *self.game.position();
        // Some writers let both sides pass once the game is over.
        if m == Some(Move::PASS) && position.is_over() {
            return Ok(());
        }
        if position.side_to_move() != color {
            if !position.is_legal(Move::PASS) {
                return Err(GgfErrorKind::NotToMove(color));
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
        self.game.play(m).expect("the move was found to be legal");
        self.notes.push(note);
    }
}
