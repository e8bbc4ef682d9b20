//! Sanmill's FEN: one position a line.
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
//! * action: of the side to move: `p` place, `s` select, `r` remove (a capture is pending), `?`
//!   none (the game is over)
//! * four numbers: White's men on the board and in hand, Black's men on the board and in hand
//! * two numbers: the men that White and Black must still remove; 0 between turns
//! * four numbers: the last mill of White and Black, from and to; -1 or 0 for none
//! * three numbers: a set of mills, plies without progress, the move number; ignored, since
//!   positions do not store them
//! * `ids:`, `c:`, `i:`, `p:`: how points are numbered, captures of other rules; ignored
//!
//! Redundant fields must agree, and phase and action must agree with the rules, with one exception:
//! a FEN may show an ongoing game that is over by the rules. Positions with a pending capture are
//! errors, because a [`Move`](crate::morris::Move) includes its capture.

use std::fmt;
use std::str::SplitWhitespace;

use thiserror::Error;

use super::super::points_named;
use crate::game::{AnnotatedPosition, Color, Failure, LineFormat, ParseError, Position as _};
use crate::morris::{BanRecord, Position, TooManyMen, Variant};

/// The points in the order of the board field; each square begins at its upper point in column d.
pub(super) const ORDER: &str = "d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7";

/// The number of points of a square of the board.
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
            |line| Ok(read::<V>(line)?.into()),
            |entry| Ok(write::<V>(&entry.position.known())?),
            &[],
        )
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
    #[error("expected `O`, `@` or `*` on {point}, found `{found}`{}",
        if *found == 'X' { " (points that stay blocked after a capture are not supported: write `*`)" } else { "" })]
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
        "positions with a pending capture are not supported: give the position before the mill was closed or \
            after the capture"
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
    let position = read_position(line).map_err(|(part, kind)| ParseFenError::at(line, part, kind))?;
    Ok(position.into())
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

    /// Reads a field that is one of some letters; also returns its text.
    fn letter(&mut self, field: FenField, letters: &str) -> Result<(char, &'a str), Failure<'a, FenErrorKind>> {
        let text = self.next(field)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(letter), None) if letters.contains(letter) => Ok((letter, text)),
            _ => Err(unexpected(field, text)),
        }
    }

    /// Reads a number; also returns its text.
    fn number(&mut self, field: FenField) -> Result<(u32, &'a str), Failure<'a, FenErrorKind>> {
        let text = self.next(field)?;
        let number = text.parse().ok().filter(|_| is_number(text)).ok_or_else(|| unexpected(field, text))?;
        Ok((number, text))
    }

    /// Reads the numbers of men of a side on the board, which is known, and in hand.
    fn hand<V: Variant>(&mut self, color: Color, men: u32) -> Result<u8, Failure<'a, FenErrorKind>> {
        let on_board = men.count_ones();
        let (given, text) = self.number(FenField::OnBoard(color))?;
        if given != on_board {
            return Err((text, FenErrorKind::OnBoard { color, on_board, given }));
        }
        let (hand, text) = self.number(FenField::InHand(color))?;
        let found = hand.saturating_add(on_board);
        if found > u32::from(V::RULES.men) {
            return Err((text, FenErrorKind::TooManyMen(TooManyMen { color, found, men: V::RULES.men })));
        }
        Ok(hand as u8)
    }

    /// Reads the fields after the men.
    fn skip_rest<V: Variant>(&mut self) -> Result<(), Failure<'a, FenErrorKind>> {
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
                Some(point) if point != 0 && V::Bans::HAS_BANS => return Err((text, FenErrorKind::LastMill)),
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

fn read_position<V: Variant>(line: &str) -> Result<Position<V>, Failure<'_, FenErrorKind>> {
    let mut fields = Fields { words: line.split_whitespace(), end: &line[line.trim_end().len()..] };
    let men = read_board::<V>(fields.next(FenField::Board)?)?;
    let (side, _) = fields.letter(FenField::Side, "wb")?;
    let side = if side == 'w' { Color::White } else { Color::Black };
    let (phase, phase_text) = fields.letter(FenField::Phase, "rpmo")?;
    let (action, action_text) = fields.letter(FenField::Action, "psr?")?;
    let mut hands = [0; 2];
    for color in [Color::White, Color::Black] {
        hands[color.index()] = fields.hand::<V>(color, men[color.index()])?;
    }
    if action == 'r' && phase != 'o' {
        return Err((action_text, FenErrorKind::PendingCapture));
    }
    fields.skip_rest::<V>()?;
    let position = Position::new(hands, men, side).expect("the parser checked counts and points");
    let given = phase.to_string();
    match (phase, ongoing_phase(&position)) {
        ('o', _) if position.is_over() => return Ok(position),
        ('o', expected) => return Err((phase_text, FenErrorKind::NotOver { game: V::NAME, expected })),
        ('m', expected @ 'p') | ('r' | 'p', expected @ 'm') => {
            return Err((phase_text, FenErrorKind::Phase { given, expected }));
        }
        _ => {}
    }
    let hand = position.own_hand();
    let is_consistent = match action {
        'p' => hand > 0,
        's' => V::RULES.moves(hand),
        _ => position.is_over(),
    };
    let (given, expected) = (action.to_string(), expected_action(&position));
    let wrong = FenErrorKind::Action { given, color: side, hand, expected };
    if is_consistent { Ok(position) } else { Err((action_text, wrong)) }
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
fn read_board<V: Variant>(text: &str) -> Result<[u32; 2], Failure<'_, FenErrorKind>> {
    let Some(points) = points_named::<V>(ORDER) else { return Err((text, FenErrorKind::UnsupportedBoard(V::NAME))) };
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

/// Returns the error at a text that is not the field, and of which it quotes the start of a board.
fn unexpected(field: FenField, text: &str) -> Failure<'_, FenErrorKind> {
    let chars = if field == FenField::Board { 12 } else { usize::MAX };
    (text, FenErrorKind::Unexpected { field, found: text.chars().take(chars).collect() })
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
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
