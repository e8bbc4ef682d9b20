//! The seed notation: `7,8 a4,b4 g7 B`.
//!
//! A position has four fields separated by spaces: the men that White and Black have in hand,
//! White's points, Black's points (`-` for none) and the side to move. A new game of nine men's
//! morris is `9,9 - - W`. Points are written by column, then by row, and read in any order and
//! case. In the no-return variant a fifth field may follow with the steps that White and Black may
//! not make on their next turn: `ban=d6-d5,-`; it is written only if there is a ban.
//!
//! A side may have any number of men up to the number of the game; missing men count as captured. A
//! side with fewer than three has lost.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::bans::{BanRecord, Step};
use super::{Position, TooManyMen, Variant};
use crate::game::{Color, Failure, ParseError, Position as _};

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

fn parse_hands<V: Variant>(text: &str) -> Result<[u8; 2], Failure<'_, PositionErrorKind>> {
    let Some((white, black)) = text.split_once(',').filter(|(_, black)| !black.contains(',')) else {
        return Err((text, PositionErrorKind::Hands(text.to_owned())));
    };
    let mut hands = [0; 2];
    for (color, text) in [(Color::White, white), (Color::Black, black)] {
        // `parse` would also accept a sign.
        let Some(found) = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit())) else {
            return Err((text, PositionErrorKind::Number(text.to_owned())));
        };
        if found > u32::from(V::RULES.men) {
            return Err((text, PositionErrorKind::TooManyMen(TooManyMen { color, found, men: V::RULES.men })));
        }
        hands[color.index()] = found as u8;
    }
    Ok(hands)
}

fn unknown_point(name: &str) -> String {
    if name.is_empty() { "expected a point".to_owned() } else { format!("unknown point `{name}`") }
}

/// Parses the points of a side with `hand` men in hand. The points `taken` by the other side are
/// errors.
fn parse_points<V: Variant>(
    text: &str,
    color: Color,
    hand: u8,
    taken: u32,
) -> Result<u32, Failure<'_, PositionErrorKind>> {
    if text == "-" {
        return Ok(0);
    }
    let (mut men, mut excess) = (0u32, None);
    for name in text.split(',') {
        let Some(point) = V::BOARD.point(name) else {
            let points: Vec<_> = V::BOARD.points_by_name().map(|point| V::BOARD.name(point)).collect();
            return Err((name, PositionErrorKind::UnknownPoint { name: name.to_owned(), points: points.join(" ") }));
        };
        if men & 1 << point != 0 {
            return Err((name, PositionErrorKind::DuplicatePoint(name.to_owned())));
        }
        if taken & 1 << point != 0 {
            return Err((name, PositionErrorKind::OverlappingPoints(name.to_owned())));
        }
        men |= 1 << point;
        if men.count_ones() + u32::from(hand) > u32::from(V::RULES.men) {
            excess = excess.or(Some(name));
        }
    }
    let found = men.count_ones() + u32::from(hand);
    let too_many = |name| (name, PositionErrorKind::TooManyMen(TooManyMen { color, found, men: V::RULES.men }));
    excess.map_or(Ok(men), |name| Err(too_many(name)))
}

fn parse_step<V: Variant>(text: &str) -> Option<Step> {
    let (from, to) = text.split_once('-')?;
    Some(Step { from: V::BOARD.point(from)? as u8, to: V::BOARD.point(to)? as u8 })
}

fn parse_bans<V: Variant>(text: &str, position: Position<V>) -> Result<Position<V>, Failure<'_, PositionErrorKind>> {
    let bad = |text: &'_ str| PositionErrorKind::Bans(text.to_owned());
    let Some(sides) = text.strip_prefix("ban=").filter(|sides| sides.split(',').count() == 2) else {
        return Err((text, bad(text)));
    };
    let mut bans = [None; 2];
    for (color, text) in [Color::White, Color::Black].into_iter().zip(sides.split(',')) {
        if text == "-" {
            continue;
        }
        let step = parse_step::<V>(text).ok_or_else(|| (text, bad(text)))?;
        let (men, hand) = (position.men(color), position.hand(color));
        if !Position::<V>::is_possible_ban(step, men, hand, position.men(!color)) {
            return Err((text, PositionErrorKind::ImpossibleBan { color, text: text.to_owned() }));
        }
        // A ban without effect is accepted, but is not part of the position.
        bans[color.index()] =
            Some(step).filter(|&step| Position::<V>::is_effective_ban(step, men, hand, position.empty()));
    }
    Ok(position.with_bans(bans[Color::White.index()], bans[Color::Black.index()]))
}

fn parse<V: Variant>(text: &str) -> Result<Position<V>, Failure<'_, PositionErrorKind>> {
    let end = &text[text.trim_end().len()..];
    let mut fields = text.split_whitespace();
    let mut field = |name| fields.next().ok_or((end, PositionErrorKind::Missing(name)));
    let hands = parse_hands::<V>(field(PositionField::Hands)?)?;
    let hand = |color: Color| hands[color.index()];
    let white = parse_points::<V>(field(PositionField::White)?, Color::White, hand(Color::White), 0)?;
    let black = parse_points::<V>(field(PositionField::Black)?, Color::Black, hand(Color::Black), white)?;
    let side = match field(PositionField::Side)? {
        "W" | "w" => Color::White,
        "B" | "b" => Color::Black,
        other => return Err((other, PositionErrorKind::UnknownSide(other.to_owned()))),
    };
    let mut men = [0; 2];
    (men[Color::White.index()], men[Color::Black.index()]) = (white, black);
    let position = Position::new(hands, men, side).expect("the parser checked counts and points");
    let position = match fields.clone().next().filter(|_| V::Bans::HAS_BANS) {
        Some(bans) => parse_bans(bans, position)?,
        None => position,
    };
    match fields.nth(usize::from(V::Bans::HAS_BANS)) {
        None => Ok(position),
        Some(part) => {
            let rest = &text[part.as_ptr() as usize - text.as_ptr() as usize..];
            Err((part, PositionErrorKind::TrailingText(rest.trim_end().to_owned())))
        }
    }
}

impl<V: Variant> FromStr for Position<V> {
    type Err = ParsePositionError;

    /// Reads a position in the seed notation.
    ///
    /// # Errors
    /// [`ParsePositionError`] with the column of the error.
    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        parse(text).map_err(|(part, kind)| ParsePositionError::at(text, part, kind))
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
