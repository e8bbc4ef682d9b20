//! Reads GGF.

use thiserror::Error;

use crate::game::format::brackets::{Property, PropertyError, take_property};
use crate::game::format::colored_game::{ColoredGame, ColoredMoveError};
use crate::game::{
    AnnotatedGame, Color, Failure, GameResult, Note, ParseError, Position as _, Tags, Termination, part_at,
};
use crate::othello::notation;
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
    /// The record is for another game.
    #[error("the game is `{0}`, not Othello")]
    OtherGame(String),
    /// The record is for anti-Othello, in which the side with fewer discs wins.
    #[error("`TY[{0}]` is anti-Othello, in which fewer discs win: only games of Othello can be read; remove the game")]
    AntiGame(String),
    /// The board size is wrong.
    #[error("expected a board of {expected}x{expected} squares, found `{found}`")]
    BoardSize {
        /// The expected size.
        expected: usize,
        /// The text found instead.
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
    let mut games = read_games(text, 1).map_err(|(part, kind)| ParseGgfError::at(text, part, kind))?;
    Ok(games.swap_remove(0))
}

/// Reads all games of a line, at least one. Archives have the two games of a match on one line,
/// `2 (;...;)(;...;)`.
///
/// ```
/// use morello::othello::formats::ggf;
///
/// let line = "2 (;RE[?]BO[4 -----O*--*O----- *]B[b1];)(;RE[?]BO[4 -----O*--*O----- *];)";
/// let games = ggf::read_all::<4>(line)?;
/// assert_eq!(games.iter().map(|read| read.game.moves().len()).collect::<Vec<_>>(), [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ParseGgfError`], with the column.
pub fn read_all<const N: usize>(text: &str) -> Result<Vec<AnnotatedGame<SizedPosition<N>>>, ParseGgfError> {
    read_games(text, usize::MAX).map_err(|(part, kind)| ParseGgfError::at(text, part, kind))
}

type GgfResult<'a, T> = Result<T, Failure<'a, GgfErrorKind>>;

/// Reads one to `most` games.
fn read_games<const N: usize>(text: &str, most: usize) -> GgfResult<'_, Vec<AnnotatedGame<SizedPosition<N>>>> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut rest = text.trim_start().trim_start_matches(is_digit);
    let mut games = Vec::new();
    loop {
        games.push(read_game(&mut rest)?);
        rest = rest.trim_start();
        match rest {
            "" => return Ok(games),
            _ if games.len() == most => return Err((rest, GgfErrorKind::TrailingText)),
            _ => {}
        }
    }
}

/// Reads a game from the start of the text.
fn read_game<'a, const N: usize>(rest: &mut &'a str) -> GgfResult<'a, AnnotatedGame<SizedPosition<N>>> {
    let mut record: Option<ColoredGame<SizedPosition<N>>> = None;
    let tags = read_tags(rest, Board::<N>::AREA, &mut |color, start, value| {
        match (color, &mut record) {
            (None, Some(_)) => return Err((start, GgfErrorKind::DuplicateBoard)),
            (None, None) => record = Some(ColoredGame::new(parse_board(value)?)),
            (Some(_), None) => return Err((start, GgfErrorKind::MissingBoard)),
            (Some(color), Some(record)) => play(record, color, value).map_err(|kind| (value, kind))?,
        }
        Ok(())
    })?;
    let ColoredGame { game, notes } = record.ok_or((*rest, GgfErrorKind::MissingBoard))?;
    Ok(AnnotatedGame { tags, notes, ..AnnotatedGame::from(game) })
}

/// Reads a game from the start of the text. Calls `add` for its starting position and its moves,
/// with the side that moves, the text from the tag, and its value.
fn read_tags<'a>(
    rest: &mut &'a str,
    area: u32,
    add: &mut dyn FnMut(Option<Color>, &'a str, &'a str) -> GgfResult<'a, ()>,
) -> GgfResult<'a, Tags> {
    let start = rest.trim_start();
    *rest = start.strip_prefix("(;").ok_or((start, GgfErrorKind::MissingGame))?;
    let mut tags = Tags::default();
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(";)") {
            *rest = after;
            return Ok(tags);
        }
        let (start, tag, value) = take_tag(rest)?;
        match tag.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err((value, GgfErrorKind::OtherGame(value.to_owned())));
            }
            "TY" if is_anti(value) => return Err((value, GgfErrorKind::AntiGame(value.trim().to_owned()))),
            "PB" => tags.names[Color::Black.index()] = known_value(value),
            "PW" => tags.names[Color::White.index()] = known_value(value),
            "RB" => tags.ratings[Color::Black.index()] = number(value),
            "RW" => tags.ratings[Color::White.index()] = number(value),
            "PC" => tags.tournament = known_value(value),
            "DT" => tags.date = known_value(value),
            "RE" => {
                let (result, ending) = parse_result(area, value).map_err(|kind| (value, kind))?;
                (tags.result, tags.termination) = (result, tags.termination.or(ending));
            }
            // More precise than the result.
            "TE" => tags.termination = Termination::read(value).or(tags.termination),
            "BO" => add(None, start, value)?,
            "B" => add(Some(Color::Black), start, value)?,
            "W" => add(Some(Color::White), start, value)?,
            _ => {}
        }
    }
}

/// Returns whether a game type is anti-Othello, as in `8a`, `s8a` and `8r18a`. `8k` has a komi,
/// `8r18` a random start, and `s8` two simultaneous games.
fn is_anti(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    let sized = value.strip_prefix('s').unwrap_or(&value);
    let flags = sized.trim_start_matches(|c: char| c.is_ascii_digit());
    let are_flags = flags.len() < sized.len() && flags.chars().all(|c| c.is_ascii_digit() || "abkrw".contains(c));
    value.contains("anti") || are_flags && flags.contains('a')
}

/// Takes a tag from the start of the text. Returns the text from the tag, its name and its value.
fn take_tag<'a>(rest: &mut &'a str) -> GgfResult<'a, (&'a str, String, &'a str)> {
    if rest.is_empty() {
        return Err((rest, GgfErrorKind::MissingEnd));
    }
    let Property { start, name, value } = take_property(rest, false).map_err(|(part, error)| match error {
        PropertyError::Missing => (part, GgfErrorKind::MissingTag),
        PropertyError::Unclosed(name) => (part, GgfErrorKind::MissingBracket(name.to_ascii_uppercase())),
    })?;
    Ok((start, name.to_ascii_uppercase(), value))
}

/// Returns the value of a tag; `None` if it is empty or `?`, which means unknown.
fn known_value(value: &str) -> Option<String> {
    let value = value.trim();
    (!value.is_empty() && value != "?").then(|| value.to_owned())
}

fn parse_board<const N: usize>(value: &str) -> GgfResult<'_, SizedPosition<N>> {
    let value = value.trim_start();
    let board = value.trim_start_matches(|c: char| c.is_ascii_digit());
    if value[..value.len() - board.len()].parse() != Ok(N) {
        let found = value.split_whitespace().next().unwrap_or_default().to_owned();
        return Err((value, GgfErrorKind::BoardSize { expected: N, found }));
    }
    let position = notation::read::<N>(board);
    position.map_err(|error| (part_at(board, error.column), GgfErrorKind::Board(error.kind)))
}

fn parse_result(area: u32, value: &str) -> Result<(Option<GameResult>, Option<Termination>), GgfErrorKind> {
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
        (Some(points), Some(_)) if points.abs() > f64::from(area) => {
            Err(GgfErrorKind::ResultOutOfRange { found: discs.to_owned(), area })
        }
        (Some(points), Some(termination)) => Ok((Some(GameResult { points }), termination)),
        _ => Err(GgfErrorKind::Result(value.to_owned())),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Plays the move in a value and reads its notes.
fn play<const N: usize>(
    record: &mut ColoredGame<SizedPosition<N>>,
    color: Color,
    value: &str,
) -> Result<(), GgfErrorKind> {
    let mut fields = value.split('/');
    let text = fields.next().unwrap_or_default().trim();
    let note =
        Note { eval: fields.next().and_then(number), seconds: fields.next().and_then(number), ..Note::default() };
    let m = Move::from_text(text);
    let find = |position: &SizedPosition<N>| m.filter(|&m| position.is_legal(m));
    record.play(color, m == Some(Move::PASS), note, find).map_err(|error| match error {
        ColoredMoveError::WrongSide => GgfErrorKind::WrongSideToMove(color),
        ColoredMoveError::Illegal => GgfErrorKind::IllegalMove(text.to_owned()),
    })
}
