//! Sanmill's FEN: one position per line.
//!
//! ```text
//! ***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 1
//! ```
//!
//! * board: the inner, middle and outer square, each clockwise from its upper point in column d:
//!   `O` White, `@` Black, `*` empty
//! * side to move: `w`, `b`
//! * phase: `r` ready or `p` placing (men are in hand), `m` moving (no men are in hand), `o` game
//!   over
//! * action of the side to move: `p` place, `s` select, `r` remove (a capture is pending), `?` none
//!   (the game is over)
//! * four numbers: White's men on the board and in hand, Black's men on the board and in hand
//! * two numbers: the men that White and Black must still remove; 0 between turns
//! * four numbers: the last mills of White and Black, each from and to; -1 or 0 for none
//! * three numbers: a set of mills, plies without progress, the move number; ignored, because
//!   positions do not store them
//! * `ids:`, `c:`, `i:`, `p:`: the numbering of points, and captures under other rules; ignored
//!
//! Redundant fields must agree, and phase and action must agree with the rules, with three
//! exceptions. A FEN may show an ongoing game that is over by the rules. Sanmill writes phase `m`
//! if only the opponent has men in hand, and action `p` in phase `m`. Positions with a pending
//! capture are errors, because a [`Move`](crate::morris::Move) includes its capture.

use std::fmt;
use std::str::SplitWhitespace;

use thiserror::Error;

use super::super::{Mill, points_named};
use crate::game::{AnnotatedPosition, Color, Failure, GameError, LineFormat, ParseError, ParsedRecord, Position as _};
use crate::morris::position::Arrangement;
use crate::morris::rules::VariantConstants;
use crate::morris::{Position, TooManyMen, Variant};

/// The points in the order of the board field; each square begins at its upper point in column d.
pub(super) const ORDER: &str = "d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7";

/// The number of points per square of the board.
const SQUARE: usize = 8;

/// Describes the format.
#[must_use]
pub const fn format<V: Variant>() -> LineFormat {
    LineFormat {
        aliases: &["fen"],
        ..LineFormat::of_positions(
            "sanmill",
            "Sanmill's FEN: `********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1`",
            looks_like,
            |line| Ok(ParsedRecord::Position((Mill::of::<V>().read_fen)(line)?.into())),
            |entry| write::<V>(&entry.position.known()).map_err(GameError::new),
            &[],
        )
    }
}

/// The text is not a position in Sanmill's FEN.
pub type ParseFenError = ParseError<FenErrorKind>;

/// A field of the FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The start or destination of the last mill of a side.
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

/// Why the text is not a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// Sanmill does not support the board of the game.
    #[error("a FEN does not support {0}; write the position as `7,8 a4,b4 g7 B`")]
    UnsupportedBoard(&'static str),
    /// The text ends before a field.
    #[error("expected {0}; a FEN ends with fields such as `0 0 -1 -1 -1 -1 0 0 1`")]
    Missing(FenField),
    /// A point has an unknown symbol.
    #[error("expected `O`, `@` or `*` on {point}, found `{found}`{}",
        if *found == 'X' { " (points that stay blocked after a capture are not supported; write `*`)" } else { "" })]
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
    /// The number of men of a side on the board does not match the board.
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
        "positions with a pending capture are not supported; give the position before the mill was closed or after \
            the capture"
    )]
    PendingCapture,
    /// The phase does not match the men in hand.
    #[error("the phase is `{given}`, but {} in hand: expected `{expected}`",
        if *expected == 'm' { "no men are" } else { "men are" })]
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
    /// The phase indicates that the game is over, but by the rules it is not.
    #[error("the phase is `o` (game over), but the game is not over by the rules of {game}: expected `{expected}`")]
    NotOver {
        /// The name of the game.
        game: &'static str,
        /// The expected phase.
        expected: char,
    },
    /// A last mill is given in a no-return variant, where it could mean a ban.
    #[error(
        "a FEN does not say which step a last mill bans: expected -1, or a position in seed notation with the \
            ban (`ban=d6-d5,-`)"
    )]
    LastMill,
    /// There is text after the last field.
    #[error("unexpected text `{0}` after the position")]
    TrailingText(String),
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
    let fail = |(part, kind)| ParseFenError::at(line, part, kind);
    let variant = VariantConstants::of::<V>();
    let fen = read_fields(variant, line).map_err(fail)?;
    let position = Position::of(fen.position);
    fen.check(variant, position.is_over()).map_err(fail)?;
    Ok(position.into())
}

/// A position, with the phase, the action and their places.
struct Fen<'a> {
    position: Arrangement,
    phase: (char, &'a str),
    action: (char, &'a str),
}

/// The fields of a FEN that have not been read.
struct Fields<'a> {
    words: SplitWhitespace<'a>,
    /// The end of the text.
    end: &'a str,
}

impl<'a> Fields<'a> {
    fn next(&mut self, field: FenField) -> Result<&'a str, Failure<'a, FenErrorKind>> {
        self.words.next().ok_or((self.end, FenErrorKind::Missing(field)))
    }

    /// Reads a field that is one of these letters. Also returns its text.
    fn letter(&mut self, field: FenField, letters: &str) -> Result<(char, &'a str), Failure<'a, FenErrorKind>> {
        let text = self.next(field)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(letter), None) if letters.contains(letter) => Ok((letter, text)),
            _ => Err(unexpected(field, text)),
        }
    }

    /// Reads a number. Also returns its text.
    fn number(&mut self, field: FenField) -> Result<(u32, &'a str), Failure<'a, FenErrorKind>> {
        let text = self.next(field)?;
        let number = text.parse().ok().filter(|_| is_number(text)).ok_or_else(|| unexpected(field, text))?;
        Ok((number, text))
    }

    /// Reads the numbers of men of a side on the board and in hand. The number on the board must be
    /// `men`.
    fn hand(&mut self, limit: u8, color: Color, men: u32) -> Result<u8, Failure<'a, FenErrorKind>> {
        let on_board = men.count_ones();
        let (given, text) = self.number(FenField::OnBoard(color))?;
        if given != on_board {
            return Err((text, FenErrorKind::OnBoard { color, on_board, given }));
        }
        let (hand, text) = self.number(FenField::InHand(color))?;
        let found = hand.saturating_add(on_board);
        if found > u32::from(limit) {
            return Err((text, FenErrorKind::TooManyMen(TooManyMen { color, found, men: limit })));
        }
        Ok(hand as u8)
    }

    /// Reads the fields after the men.
    fn skip_rest(&mut self, has_bans: bool) -> Result<(), Failure<'a, FenErrorKind>> {
        for color in [Color::White, Color::Black] {
            let (removals, text) = self.number(FenField::ToRemove(color))?;
            if removals != 0 {
                return Err((text, FenErrorKind::PendingCapture));
            }
        }
        for color in [Color::White, Color::White, Color::Black, Color::Black] {
            let field = FenField::LastMill(color);
            let text = self.next(field)?;
            let point = if text == "-1" { Some(0) } else { text.parse::<u32>().ok().filter(|_| is_number(text)) };
            match point {
                None => return Err(unexpected(field, text)),
                Some(point) if point != 0 && has_bans => return Err((text, FenErrorKind::LastMill)),
                Some(_) => {}
            }
        }
        for _ in 0..3 {
            let text = self.next(FenField::Counter)?;
            if text.parse::<u64>().is_err() || !is_number(text) {
                return Err(unexpected(FenField::Counter, text));
            }
        }
        let is_marker = |text: &str| ["ids:", "c:", "i:", "p:"].iter().any(|marker| text.starts_with(marker));
        let trailing = self.words.find(|text| !is_marker(text));
        trailing.map_or(Ok(()), |text| Err((text, FenErrorKind::TrailingText(text.to_owned()))))
    }
}

fn read_fields<'a>(variant: &VariantConstants, line: &'a str) -> Result<Fen<'a>, Failure<'a, FenErrorKind>> {
    let mut fields = Fields { words: line.split_whitespace(), end: &line[line.trim_end().len()..] };
    let men = read_board(variant, fields.next(FenField::Board)?)?;
    let (side, _) = fields.letter(FenField::Side, "wb")?;
    let side = if side == 'w' { Color::White } else { Color::Black };
    let phase = fields.letter(FenField::Phase, "rpmo")?;
    let action = fields.letter(FenField::Action, "psr?")?;
    let mut hands = [0; 2];
    for color in [Color::White, Color::Black] {
        hands[color.index()] = fields.hand(variant.rules.men, color, men[color.index()])?;
    }
    if action.0 == 'r' && phase.0 != 'o' {
        return Err((action.1, FenErrorKind::PendingCapture));
    }
    fields.skip_rest(variant.has_bans)?;
    Ok(Fen { position: Arrangement { men, hands, side, bans: [None; 2] }, phase, action })
}

impl<'a> Fen<'a> {
    /// Checks the phase and the action of the position.
    fn check(&self, variant: &VariantConstants, is_over: bool) -> Result<(), Failure<'a, FenErrorKind>> {
        let ((phase, phase_text), (action, action_text)) = (self.phase, self.action);
        let given = phase.to_string();
        match (phase, ongoing_phase(&self.position)) {
            ('o', _) if is_over => return Ok(()),
            ('o', expected) => return Err((phase_text, FenErrorKind::NotOver { game: variant.name, expected })),
            // In Lasker's morris, the phase is the phase of the side to move.
            ('m', 'p') if self.position.hands[self.position.side.index()] == 0 => {}
            ('m', expected @ 'p') | ('r' | 'p', expected @ 'm') => {
                return Err((phase_text, FenErrorKind::Phase { given, expected }));
            }
            _ => {}
        }
        let Arrangement { hands, side, .. } = self.position;
        let hand = hands[side.index()];
        let is_consistent = match action {
            // Sanmill also writes `p` in the moving phase.
            'p' => hand > 0 || phase == 'm',
            's' => variant.rules.moves(hand),
            _ => is_over,
        };
        let (given, expected) = (action.to_string(), expected_action(&self.position));
        let wrong = FenErrorKind::Action { given, color: side, hand, expected };
        if is_consistent { Ok(()) } else { Err((action_text, wrong)) }
    }
}

/// Returns the phase of a position that is not over.
fn ongoing_phase(position: &Arrangement) -> char {
    if position.hands == [0; 2] { 'm' } else { 'p' }
}

/// Returns the action of a position that is not over.
fn expected_action(position: &Arrangement) -> char {
    if position.hands[position.side.index()] > 0 { 'p' } else { 's' }
}

/// Reads the sets of men, indexed by [`Color::index`].
fn read_board<'a>(variant: &VariantConstants, text: &'a str) -> Result<[u32; 2], Failure<'a, FenErrorKind>> {
    let Some(points) = points_named(variant.board, ORDER) else {
        return Err((text, FenErrorKind::UnsupportedBoard(variant.name)));
    };
    let mut men = [0; 2];
    let mut rest = text;
    for (i, point) in points.into_iter().enumerate() {
        if i > 0 && i % SQUARE == 0 {
            rest = rest.strip_prefix('/').ok_or_else(|| unexpected(FenField::Board, rest))?;
        }
        match rest.chars().next() {
            Some('O') => men[Color::White.index()] |= 1 << point,
            Some('@') => men[Color::Black.index()] |= 1 << point,
            Some('*') => {}
            Some(found) if found != '/' => {
                let point = ORDER.split(' ').nth(i).unwrap_or_default().to_owned();
                return Err((rest, FenErrorKind::Point { point, found }));
            }
            _ => return Err(unexpected(FenField::Board, rest)),
        }
        rest = &rest[1..];
    }
    if rest.is_empty() { Ok(men) } else { Err(unexpected(FenField::Board, rest)) }
}

/// Returns the error for text that is not the field. For a board, the error quotes the start of the
/// text.
fn unexpected(field: FenField, text: &str) -> Failure<'_, FenErrorKind> {
    let chars = if field == FenField::Board { 12 } else { usize::MAX };
    (text, FenErrorKind::Unexpected { field, found: text.chars().take(chars).collect() })
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Why Sanmill's FEN cannot represent a position.
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
/// ```
/// use morello::morris::{NineMensMorris, Position, ThreeMensMorris, formats::sanmill::fen};
///
/// let start = Position::<NineMensMorris>::default();
/// let text = "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1";
/// assert_eq!(fen::write(&start).as_deref(), Ok(text));
/// let error = fen::write(&Position::<ThreeMensMorris>::default()).unwrap_err();
/// assert!(error.to_string().starts_with("Sanmill does not support three-mens-morris"));
/// ```
///
/// # Errors
/// [`WriteFenError`] if a FEN cannot represent the position.
pub fn write<V: Variant>(position: &Position<V>) -> Result<String, WriteFenError> {
    write_arrangement(VariantConstants::of::<V>(), &position.arrangement(), position.is_over())
}

fn write_arrangement(
    variant: &VariantConstants,
    position: &Arrangement,
    is_over: bool,
) -> Result<String, WriteFenError> {
    let points = points_named(variant.board, ORDER).ok_or(WriteFenError::UnsupportedBoard(variant.name))?;
    let Arrangement { men: [black, white], hands: [black_hand, white_hand], side, bans } = *position;
    if bans != [None; 2] {
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
    let side = side.letter();
    let (phase, action) = if is_over { ('o', '?') } else { (ongoing_phase(position), expected_action(position)) };
    Ok(format!(
        "{} {side} {phase} {action} {} {} {} {} 0 0 -1 -1 -1 -1 0 0 1",
        squares.join("/"),
        white.count_ones(),
        white_hand,
        black.count_ones(),
        black_hand,
    ))
}

#[cfg(test)]
mod tests;
