//! The seed notation: `7,8 a4,b4 g7 B`.
//!
//! A position has four fields separated by spaces: the men that White and Black have in hand, White's points, Black's points (`-` for none)
//! and the side to move. A new game of nine men's morris is `9,9 - - W`. Points are written by column, then by row, and read in any order
//! and case. In the no-return variant a fifth field may follow with the steps that White and Black may not make on their next turn:
//! `ban=d6-d5,-`; it is written only if there is a ban.
//!
//! A side may have any number of men up to the number of the game; missing men count as captured. A side with fewer than three has lost.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::bans::{BanRecord, Step};
use super::{Position, TooManyMen, Variant};
use crate::game::{Color, ParseError, Position as _};

/// A text that is not a position in the seed notation.
pub type ParsePositionError = ParseError<PositionErrorKind>;

/// A field of the notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionField {
    /// The men in hand.
    Hands,
    /// White's points.
    White,
    /// Black's points.
    Black,
    /// The side to move.
    Side,
}

impl fmt::Display for PositionField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hands => "the men in hand (such as `9,9`)",
            Self::White => "White's points (such as `a4,b4`, or `-`)",
            Self::Black => "Black's points (such as `a4,b4`, or `-`)",
            Self::Side => "the side to move (W or B)",
        })
    }
}

/// Why a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionErrorKind {
    /// The text ends before a field.
    #[error("expected {0}")]
    Missing(PositionField),
    /// The first field is not two numbers.
    #[error("expected two numbers of men in hand such as `9,9`, found `{0}`")]
    Hands(String),
    /// A number of men in hand cannot be read.
    #[error("expected a number of men in hand, found `{0}`")]
    Number(String),
    /// A side has more men than the game allows.
    #[error(transparent)]
    TooManyMen(TooManyMen),
    /// The board has no point with this name.
    #[error("{} (valid points: {points})", unknown_point(name))]
    UnknownPoint {
        /// The text found.
        name: String,
        /// The names of all points.
        points: String,
    },
    /// A side's field names a point twice.
    #[error("point `{0}` is given twice")]
    DuplicatePoint(String),
    /// Both sides' fields name a point.
    #[error("point `{0}` has both a white and a black man")]
    OverlappingPoints(String),
    /// The fourth field is not a side.
    #[error("expected the side to move (W or B), found `{0}`")]
    UnknownSide(String),
    /// There is text after the last field.
    #[error("unexpected text `{0}` after the position")]
    TrailingText(String),
    /// The fifth field does not have the form of bans.
    #[error("expected bans such as `ban=d6-d5,-`, found `{0}`")]
    Bans(String),
    /// The no-return rule cannot have banned the step.
    #[error("invalid ban `{text}` for {color}: no last move of {color} could have led to it")]
    ImpossibleBan {
        /// The side.
        color: Color,
        /// The step.
        text: String,
    },
}

fn fail<T>(column: usize, kind: PositionErrorKind) -> Result<T, ParsePositionError> {
    Err(ParsePositionError { column, kind })
}

/// Splits a text that begins at `column`; returns each part with its column.
fn split_at(text: &str, column: usize, separator: impl Fn(char) -> bool) -> impl Iterator<Item = (&str, usize)> {
    text.split(separator).scan(column, |next, part| {
        let column = *next;
        *next += part.chars().count() + 1;
        Some((part, column))
    })
}

/// Returns the words of a text, each with its column, from 1.
pub(super) fn words(text: &str) -> impl Iterator<Item = (&str, usize)> {
    split_at(text, 1, char::is_whitespace).filter(|(word, _)| !word.is_empty())
}

fn parse_hands<V: Variant>(text: &str, column: usize) -> Result<[u8; 2], ParsePositionError> {
    let Some((white, black)) = text.split_once(',').filter(|(_, black)| !black.contains(',')) else {
        return fail(column, PositionErrorKind::Hands(text.to_owned()));
    };
    let mut hands = [0; 2];
    for (color, text, column) in
        [(Color::White, white, column), (Color::Black, black, column + white.chars().count() + 1)]
    {
        // `parse` would also accept a sign.
        let Some(found) = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit())) else {
            return fail(column, PositionErrorKind::Number(text.to_owned()));
        };
        if found > u32::from(V::RULES.men) {
            return fail(column, PositionErrorKind::TooManyMen(TooManyMen { color, found, men: V::RULES.men }));
        }
        hands[color.index()] = found as u8;
    }
    Ok(hands)
}

fn unknown_point(name: &str) -> String {
    if name.is_empty() { "expected a point".to_owned() } else { format!("unknown point `{name}`") }
}

/// Parses the points of a side with `hand` men in hand. The points `taken` by the other side are errors.
fn parse_points<V: Variant>(
    text: &str,
    column: usize,
    color: Color,
    hand: u8,
    taken: u32,
) -> Result<u32, ParsePositionError> {
    if text == "-" {
        return Ok(0);
    }
    let (mut men, mut excess) = (0u32, None);
    for (name, column) in split_at(text, column, |c| c == ',') {
        let Some(point) = V::BOARD.point(name) else {
            let points: Vec<_> = V::BOARD.points_by_name().map(|point| V::BOARD.name(point)).collect();
            return fail(column, PositionErrorKind::UnknownPoint { name: name.to_owned(), points: points.join(" ") });
        };
        if men & 1 << point != 0 {
            return fail(column, PositionErrorKind::DuplicatePoint(name.to_owned()));
        }
        if taken & 1 << point != 0 {
            return fail(column, PositionErrorKind::OverlappingPoints(name.to_owned()));
        }
        men |= 1 << point;
        if men.count_ones() + u32::from(hand) > u32::from(V::RULES.men) {
            excess = excess.or(Some(column));
        }
    }
    let found = men.count_ones() + u32::from(hand);
    excess.map_or(Ok(men), |column| {
        fail(column, PositionErrorKind::TooManyMen(TooManyMen { color, found, men: V::RULES.men }))
    })
}

fn parse_step<V: Variant>(text: &str) -> Option<Step> {
    let (from, to) = text.split_once('-')?;
    Some(Step { from: V::BOARD.point(from)? as u8, to: V::BOARD.point(to)? as u8 })
}

fn parse_bans<V: Variant>(text: &str, column: usize, position: Position<V>) -> Result<Position<V>, ParsePositionError> {
    let bad = || fail(column, PositionErrorKind::Bans(text.to_owned()));
    let Some(sides) = text.strip_prefix("ban=").filter(|sides| sides.split(',').count() == 2) else {
        return bad();
    };
    let mut bans = [None; 2];
    for (color, (text, column)) in
        [Color::White, Color::Black].into_iter().zip(split_at(sides, column + 4, |c| c == ','))
    {
        if text == "-" {
            continue;
        }
        let Some(step) = parse_step::<V>(text) else {
            return fail(column, PositionErrorKind::Bans(text.to_owned()));
        };
        let (men, hand) = (position.men(color), position.hand(color));
        if !Position::<V>::is_possible_ban(step, men, hand, position.men(!color)) {
            return fail(column, PositionErrorKind::ImpossibleBan { color, text: text.to_owned() });
        }
        // A ban without effect is accepted, but is not part of the position.
        bans[color.index()] =
            Some(step).filter(|&step| Position::<V>::is_effective_ban(step, men, hand, position.empty()));
    }
    Ok(position.with_bans(bans[Color::White.index()], bans[Color::Black.index()]))
}

impl<V: Variant> FromStr for Position<V> {
    type Err = ParsePositionError;

    /// Reads a position in the seed notation.
    ///
    /// # Errors
    /// [`ParsePositionError`] with the column of the error.
    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let end = text.trim_end().chars().count() + 1;
        let mut fields = words(text);
        let mut field = |name| fields.next().map_or_else(|| fail(end, PositionErrorKind::Missing(name)), Ok);
        let (hands, column) = field(PositionField::Hands)?;
        let hands = parse_hands::<V>(hands, column)?;
        let hand = |color: Color| hands[color.index()];
        let (white, column) = field(PositionField::White)?;
        let white = parse_points::<V>(white, column, Color::White, hand(Color::White), 0)?;
        let (black, column) = field(PositionField::Black)?;
        let black = parse_points::<V>(black, column, Color::Black, hand(Color::Black), white)?;
        let (side, column) = field(PositionField::Side)?;
        let side = match side {
            "W" | "w" => Color::White,
            "B" | "b" => Color::Black,
            _ => return fail(column, PositionErrorKind::UnknownSide(side.to_owned())),
        };
        let mut men = [0; 2];
        (men[Color::White.index()], men[Color::Black.index()]) = (white, black);
        let mut position = Self::new(hands, men, side).expect("the parser checked counts and points");
        let mut next = fields.next();
        if let Some((bans, column)) = next
            && V::Bans::HAS_BANS
        {
            position = parse_bans(bans, column, position)?;
            next = fields.next();
        }
        if let Some((_, column)) = next {
            let rest: String = text.chars().skip(column - 1).collect();
            return fail(column, PositionErrorKind::TrailingText(rest.trim_end().to_owned()));
        }
        Ok(position)
    }
}

/// Displays a side's points.
struct Points<V>(u32, std::marker::PhantomData<V>);

impl<V: Variant> fmt::Display for Points<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("-");
        }
        let mut separator = "";
        for point in V::BOARD.points_by_name().filter(|point| self.0 & 1 << point != 0) {
            write!(f, "{separator}{}", V::BOARD.name(point))?;
            separator = ",";
        }
        Ok(())
    }
}

fn write_ban<V: Variant>(f: &mut fmt::Formatter<'_>, ban: Option<Step>) -> fmt::Result {
    match ban {
        None => f.write_str("-"),
        Some(Step { from, to }) => write!(f, "{}-{}", V::BOARD.name(from.into()), V::BOARD.name(to.into())),
    }
}

impl<V: Variant> fmt::Display for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |color| Points::<V>(self.men(color), std::marker::PhantomData);
        write!(f, "{},{}", self.hand(Color::White), self.hand(Color::Black))?;
        write!(f, " {} {}", points(Color::White), points(Color::Black))?;
        f.write_str(match self.side_to_move() {
            Color::White => " W",
            Color::Black => " B",
        })?;
        let (white, black) = (self.ban(Color::White), self.ban(Color::Black));
        if white.is_some() || black.is_some() {
            f.write_str(" ban=")?;
            write_ban::<V>(f, white)?;
            f.write_str(",")?;
            write_ban::<V>(f, black)?;
        }
        Ok(())
    }
}

impl<V: Variant> fmt::Debug for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
