//! Sanmill's FEN: one position a line.
//!
//! ```text
//! ***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1
//! ```
//!
//! | fields | content |
//! | --- | --- |
//! | board | the inner, middle and outer square, each clockwise from its upper point in column d: `O` White, `@` Black, `*` empty |
//! | side to move | `w`, `b` |
//! | phase | `r` ready or `p` placing (men are in hand), `m` moving (no men are in hand), `o` game over |
//! | action | of the side to move: `p` place, `s` select, `r` remove (a capture is pending), `?` none (the game is over) |
//! | four numbers | White's men on the board and in hand, Black's men on the board and in hand |
//! | two numbers | the men that White and Black must still remove; 0 between turns |
//! | four numbers | the last mill of White and Black, from and to; -1 or 0 for none |
//! | three numbers | a set of mills, plies without progress, the move number; ignored, since positions do not store them |
//! | `ids:`, `c:`, `i:`, `p:` | how points are numbered, captures of other rules; ignored |
//!
//! Redundant fields must agree, and phase and action must agree with the rules, with one exception: a FEN may show an ongoing game that is
//! over by the rules. Positions with a pending capture are errors, because a [`Move`](crate::morris::Move) includes its capture.

use std::fmt;

use thiserror::Error;

use super::super::{POINTS, points_named};
use crate::game::{AnnotatedPosition, Color, FormatWriter, LineFormat, ParseError, Position as _};
use crate::morris::notation::words;
use crate::morris::{BanRecord, Position, TooManyMen, Variant};

/// The points in the order of the board field; each square begins at its upper point in column d.
pub(super) const ORDER: &str = "d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7";

/// The number of points of a square of the board.
const SQUARE: usize = 8;

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat {
        name: "sanmill",
        aliases: &["fen"],
        about: "Sanmill's FEN: `********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1`",
        of_games: false,
        detect: looks_like,
        parse: |line| Ok(read::<V>(line)?.into()),
        scanner: None,
        split: None,
        writer: FormatWriter {
            game: None,
            position: Some(|entry| Ok(write::<V>(&entry.position.known())?)),
            preserved: &[],
        },
    }
}

/// A text that is not a position in Sanmill's FEN.
pub type ParseFenError = ParseError<FenErrorKind>;

/// A field of the FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenField {
    /// The men on the board.
    Board,
    /// The side to move.
    Side,
    /// The phase.
    Phase,
    /// The action.
    Action,
    /// The number of men of a side on the board.
    OnBoard(Color),
    /// The number of men of a side in hand.
    InHand(Color),
    /// The number of men that a side must still remove.
    ToRemove(Color),
    /// The start or target of the last mill of a side.
    LastMill(Color),
    /// One of the three numbers at the end.
    Counter,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => {
                f.write_str("the board (`O`, `@`, `*`: three squares of eight points with `/` between them)")
            }
            Self::Side => f.write_str("the side to move (w or b)"),
            Self::Phase => f.write_str("the phase (r, p, m or o)"),
            Self::Action => f.write_str("the action (p, s, r or ?)"),
            Self::OnBoard(color) => write!(f, "the number of {color}'s men on the board"),
            Self::InHand(color) => write!(f, "the number of {color}'s men in hand"),
            Self::ToRemove(color) => write!(f, "the number of men that {color} must still remove"),
            Self::LastMill(color) => write!(f, "a point of {color}'s last mill (a number, -1 for none)"),
            Self::Counter => f.write_str("a number (mills, plies without progress, moves)"),
        }
    }
}

/// Why a text is not a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// Sanmill does not support the board of the game.
    #[error("a FEN does not support {0}: write the position as `7,8 a4,b4 g7 B`")]
    UnsupportedBoard(&'static str),
    /// The text ends before a field.
    #[error("expected {0}; a FEN ends with fields such as `0 0 -1 -1 -1 -1 0 0 1`")]
    Missing(FenField),
    /// A point has an unknown symbol.
    #[error("expected `O`, `@` or `*` on {point}, found `{found}`{}", if *found == 'X' { " (points that stay blocked after a capture are not supported: write `*`)" } else { "" })]
    Point {
        /// The point.
        point: String,
        /// The symbol found.
        found: char,
    },
    /// A field is invalid.
    #[error("expected {field}, found `{found}`")]
    Unexpected {
        /// The field.
        field: FenField,
        /// The text found.
        found: String,
    },
    /// The number of men on the board does not match the board.
    #[error("{color} has {on_board} men on the board, but the number of men is {given}")]
    OnBoard {
        /// The side.
        color: Color,
        /// Its men on the board.
        on_board: u32,
        /// The number in the FEN.
        given: u32,
    },
    /// A side has more men than the game allows.
    #[error(transparent)]
    TooManyMen(TooManyMen),
    /// A capture is pending.
    #[error(
        "positions with a pending capture are not supported: give the position before the mill was closed or after the capture"
    )]
    PendingCapture,
    /// The phase does not match the men in hand.
    #[error("the phase is `{given}`, but {} in hand: expected `{expected}`", if *expected == 'm' { "no men are" } else { "men are" })]
    Phase {
        /// The phase in the FEN.
        given: String,
        /// The expected phase.
        expected: char,
    },
    /// The action does not match the men in hand of the side to move.
    #[error("the action is `{given}`, but {color} has {hand} men in hand: expected `{expected}`")]
    Action {
        /// The action in the FEN.
        given: String,
        /// The side to move.
        color: Color,
        /// Its men in hand.
        hand: u8,
        /// The expected action.
        expected: char,
    },
    /// The phase says that the game is over, but it is not by the rules.
    #[error("the phase is `o` (game over), but the game is not over by the rules of {game}: expected `{expected}`")]
    NotOver {
        /// The name of the game.
        game: &'static str,
        /// The expected phase.
        expected: char,
    },
    /// A last mill is given in the no-return variant, where it could mean a ban.
    #[error(
        "a FEN does not say which step a last mill bans: expected -1, or a position in seed notation with the ban (`ban=d6-d5,-`)"
    )]
    LastMill,
    /// There is text after the last field.
    #[error("unexpected text `{0}` after the position")]
    TrailingText(String),
}

fn fail<T>(column: usize, kind: FenErrorKind) -> Result<T, ParseFenError> {
    Err(ParseFenError { column, kind })
}

/// Returns whether a line begins with a FEN board, of any size.
#[must_use]
pub fn looks_like(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    board.contains('/') && board.chars().all(|c| "O@*X/".contains(c))
}

/// Reads a position. The module documentation lists which fields must agree.
///
/// ```
/// use morello::morris::{NineMensMorris, formats::sanmill::fen};
///
/// let line = "***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1";
/// let position = fen::read::<NineMensMorris>(line)?.position;
/// assert_eq!(position.to_string(), "0,0 b6,d3,d6 c3,d7,e3,f2 W");
/// assert_eq!(fen::write(&position).as_deref(), Ok(line));
/// # Ok::<(), fen::ParseFenError>(())
/// ```
///
/// # Errors
/// [`ParseFenError`] with the column of the error.
pub fn read<V: Variant>(line: &str) -> Result<AnnotatedPosition<Position<V>>, ParseFenError> {
    let end = line.trim_end().chars().count() + 1;
    let mut fields = words(line);
    let mut field = |field| fields.next().map_or_else(|| fail(end, FenErrorKind::Missing(field)), Ok);
    let (board, column) = field(FenField::Board)?;
    let men = read_board::<V>(board, column)?;
    let side = match field(FenField::Side)? {
        ("w", _) => Color::White,
        ("b", _) => Color::Black,
        (found, column) => return fail(column, unexpected(FenField::Side, found)),
    };
    let (phase, phase_column) = one_of(FenField::Phase, "rpmo", field(FenField::Phase)?)?;
    let (action, action_column) = one_of(FenField::Action, "psr?", field(FenField::Action)?)?;
    let mut hands = [0; 2];
    for color in [Color::White, Color::Black] {
        let on_board = men[color.index()].count_ones();
        let (given, column) = number(FenField::OnBoard(color), field(FenField::OnBoard(color))?)?;
        if given != on_board {
            return fail(column, FenErrorKind::OnBoard { color, on_board, given });
        }
        let (hand, column) = number(FenField::InHand(color), field(FenField::InHand(color))?)?;
        let found = hand.saturating_add(on_board);
        if found > u32::from(V::RULES.men) {
            return fail(column, FenErrorKind::TooManyMen(TooManyMen { color, found, men: V::RULES.men }));
        }
        hands[color.index()] = hand as u8;
    }
    if action == 'r' && phase != 'o' {
        return fail(action_column, FenErrorKind::PendingCapture);
    }
    for color in [Color::White, Color::Black] {
        let (removals, column) = number(FenField::ToRemove(color), field(FenField::ToRemove(color))?)?;
        if removals != 0 {
            return fail(column, FenErrorKind::PendingCapture);
        }
    }
    for color in [Color::White, Color::White, Color::Black, Color::Black] {
        let (text, column) = field(FenField::LastMill(color))?;
        if text != "-1" && number(FenField::LastMill(color), (text, column))?.0 != 0 && V::Bans::HAS_BANS {
            return fail(column, FenErrorKind::LastMill);
        }
    }
    for _ in 0..3 {
        let (text, column) = field(FenField::Counter)?;
        if text.parse::<u64>().is_err() || !is_number(text) {
            return fail(column, unexpected(FenField::Counter, text));
        }
    }
    let is_marker = |text: &str| ["ids:", "c:", "i:", "p:"].iter().any(|marker| text.starts_with(marker));
    if let Some((text, column)) = fields.find(|(text, _)| !is_marker(text)) {
        return fail(column, FenErrorKind::TrailingText(text.to_owned()));
    }
    let position = Position::new(hands, men, side).expect("the parser checked counts and points");
    let given = phase.to_string();
    match (phase, ongoing_phase(&position)) {
        ('o', _) if position.is_over() => return Ok(position.into()),
        ('o', expected) => return fail(phase_column, FenErrorKind::NotOver { game: V::NAME, expected }),
        ('m', expected @ 'p') | ('r' | 'p', expected @ 'm') => {
            return fail(phase_column, FenErrorKind::Phase { given, expected });
        }
        _ => {}
    }
    let hand = position.own_hand();
    let is_consistent = match action {
        'p' => hand > 0,
        's' => V::RULES.moves(hand),
        _ => position.is_over(),
    };
    if !is_consistent {
        let expected = expected_action(&position);
        return fail(action_column, FenErrorKind::Action { given: action.to_string(), color: side, hand, expected });
    }
    Ok(position.into())
}

/// Returns the phase of a position that is not over.
fn ongoing_phase<V: Variant>(position: &Position<V>) -> char {
    if position.own_hand() + position.other_hand() > 0 { 'p' } else { 'm' }
}

/// Returns the action of a position that is not over.
fn expected_action<V: Variant>(position: &Position<V>) -> char {
    if position.own_hand() > 0 { 'p' } else { 's' }
}

/// Reads the sets of men, indexed by [`Color::index`].
fn read_board<V: Variant>(text: &str, column: usize) -> Result<[u32; 2], ParseFenError> {
    let Some(points) = points_named::<V>(ORDER) else { return fail(column, FenErrorKind::UnsupportedBoard(V::NAME)) };
    let mut men = [0; 2];
    let mut cells = text.chars();
    for (i, point) in points.into_iter().enumerate() {
        let at = column + i + i / SQUARE;
        if i > 0 && i % SQUARE == 0 && cells.next() != Some('/') {
            return fail(at - 1, unexpected(FenField::Board, shortened(text, at - 1 - column)));
        }
        match cells.next() {
            Some('O') => men[Color::White.index()] |= 1 << point,
            Some('@') => men[Color::Black.index()] |= 1 << point,
            Some('*') => {}
            Some(found) if found != '/' => {
                let point = ORDER.split(' ').nth(i).unwrap_or_default().to_owned();
                return fail(at, FenErrorKind::Point { point, found });
            }
            _ => return fail(at, unexpected(FenField::Board, shortened(text, at - column))),
        }
    }
    match cells.next() {
        None => Ok(men),
        Some(_) => {
            let end = POINTS + POINTS / SQUARE - 1;
            fail(column + end, unexpected(FenField::Board, shortened(text, end)))
        }
    }
}

/// Returns the first few characters of a text after `after` characters.
fn shortened(text: &str, after: usize) -> &str {
    const CHARS: usize = 12;
    let rest = text.char_indices().nth(after).map_or("", |(at, _)| &text[at..]);
    rest.char_indices().nth(CHARS).map_or(rest, |(at, _)| &rest[..at])
}

fn unexpected(field: FenField, found: &str) -> FenErrorKind {
    FenErrorKind::Unexpected { field, found: found.to_owned() }
}

/// Reads a field that is one of `letters`.
fn one_of(field: FenField, letters: &str, (text, column): (&str, usize)) -> Result<(char, usize), ParseFenError> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) if letters.contains(letter) => Ok((letter, column)),
        _ => fail(column, unexpected(field, text)),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn number(field: FenField, (text, column): (&str, usize)) -> Result<(u32, usize), ParseFenError> {
    match text.parse() {
        Ok(number) if is_number(text) => Ok((number, column)),
        _ => fail(column, unexpected(field, text)),
    }
}

/// A position that Sanmill's FEN cannot represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteFenError {
    /// Sanmill does not support the board of the game.
    #[error("Sanmill does not support {0}: its board has 24 points")]
    UnsupportedBoard(&'static str),
    /// The position has a ban.
    #[error("a FEN cannot represent a banned step")]
    Ban,
}

/// Writes a position as move 1, without a last mill, a set of mills or plies without progress.
///
/// # Errors
/// [`WriteFenError`] if a FEN cannot represent the position.
pub fn write<V: Variant>(position: &Position<V>) -> Result<String, WriteFenError> {
    let points = points_named::<V>(ORDER).ok_or(WriteFenError::UnsupportedBoard(V::NAME))?;
    let (white, black) = (position.men(Color::White), position.men(Color::Black));
    if Color::ALL.into_iter().any(|color| position.ban(color).is_some()) {
        return Err(WriteFenError::Ban);
    }
    let cell = |point: u32| {
        if white >> point & 1 != 0 {
            'O'
        } else if black >> point & 1 != 0 {
            '@'
        } else {
            '*'
        }
    };
    let squares: Vec<String> = points.chunks(SQUARE).map(|square| square.iter().map(|&p| cell(p)).collect()).collect();
    let side = if position.side_to_move() == Color::White { 'w' } else { 'b' };
    let (phase, action) =
        if position.is_over() { ('o', '?') } else { (ongoing_phase(position), expected_action(position)) };
    Ok(format!(
        "{} {side} {phase} {action} {} {} {} {} 0 0 -1 -1 -1 -1 0 0 1",
        squares.join("/"),
        white.count_ones(),
        position.hand(Color::White),
        black.count_ones(),
        position.hand(Color::Black),
    ))
}

#[cfg(test)]
mod tests;
