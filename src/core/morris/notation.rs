//! The seed notation: `7,8 a4,b4 g7 B`.
//!
//! A position has four fields separated by spaces: the men that White and Black have in hand,
//! White's points, Black's points (`-` for none) and the side to move. A new game of nine men's
//! morris is `9,9 - - W`. Points are written sorted by column, then by row; the reader accepts any
//! order and case. In the no-return variants, a fifth field may follow: `ban=d6-d5,-`, the steps
//! that White and Black may not make on their next turn. It is written only if there is a ban.
//!
//! A side may have any number of men up to its number at the start of the game; missing men count
//! as captured. A side with fewer than three men has lost.

use std::fmt;

use thiserror::Error;

use super::bans::Step;
use super::position::Arrangement;
use super::rules::VariantConstants;
use super::{Board, Position, TooManyMen, Variant};
use crate::game::{AnyPosition, Color, Failure, ParseError, diagram};

/// The text is not a position in seed notation.
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

/// Why the text is not a position.
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
    /// A side's field lists a point twice.
    #[error("point `{0}` is given twice")]
    DuplicatePoint(String),
    /// Both sides' fields contain the same point.
    #[error("point `{0}` has both a white and a black man")]
    OverlappingPoints(String),
    /// The fourth field is not a side.
    #[error("expected the side to move (W or B), found `{0}`")]
    UnknownSide(String),
    /// There is text after the last field.
    #[error("unexpected text `{0}` after the position")]
    TrailingText(String),
    /// The fifth field does not have the form of a list of bans.
    #[error("expected bans such as `ban=d6-d5,-`, found `{0}`")]
    Bans(String),
    /// The step cannot be banned by the no-return rule.
    #[error("invalid ban `{text}` for {color}: no last move of {color} could have led to it")]
    ImpossibleBan {
        /// The side.
        color: Color,
        /// The step.
        text: String,
    },
}

fn parse_hands(men: u8, text: &str) -> Result<[u8; 2], Failure<'_, PositionErrorKind>> {
    let Some((white, black)) = text.split_once(',').filter(|(_, black)| !black.contains(',')) else {
        return Err((text, PositionErrorKind::Hands(text.to_owned())));
    };
    let mut hands = [0; 2];
    for (color, text) in [(Color::White, white), (Color::Black, black)] {
        // `parse` would also accept a plus sign.
        let Some(found) = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit())) else {
            return Err((text, PositionErrorKind::Number(text.to_owned())));
        };
        if found > u32::from(men) {
            return Err((text, PositionErrorKind::TooManyMen(TooManyMen { color, found, men })));
        }
        hands[color.index()] = found as u8;
    }
    Ok(hands)
}

fn unknown_point(name: &str) -> String {
    if name.is_empty() { "expected a point".to_owned() } else { format!("unknown point `{name}`") }
}

/// Parses the points of a side with `hand` men in hand. Points in `taken`, which belong to the
/// opponent, are errors.
fn parse_points<'a>(
    variant: &VariantConstants,
    text: &'a str,
    color: Color,
    hand: u8,
    taken: u32,
) -> Result<u32, Failure<'a, PositionErrorKind>> {
    let (board, limit) = (variant.board, variant.rules.men);
    if text == "-" {
        return Ok(0);
    }
    let (mut men, mut excess) = (0u32, None);
    for name in text.split(',') {
        let Some(point) = board.point(name) else {
            let points: Vec<_> = board.points_by_name().map(|point| board.name(point)).collect();
            return Err((name, PositionErrorKind::UnknownPoint { name: name.to_owned(), points: points.join(" ") }));
        };
        if men & 1 << point != 0 {
            return Err((name, PositionErrorKind::DuplicatePoint(name.to_owned())));
        }
        if taken & 1 << point != 0 {
            return Err((name, PositionErrorKind::OverlappingPoints(name.to_owned())));
        }
        men |= 1 << point;
        if men.count_ones() + u32::from(hand) > u32::from(limit) {
            excess = excess.or(Some(name));
        }
    }
    let found = men.count_ones() + u32::from(hand);
    let too_many = |name| (name, PositionErrorKind::TooManyMen(TooManyMen { color, found, men: limit }));
    excess.map_or(Ok(men), |name| Err(too_many(name)))
}

fn parse_step(board: &Board, text: &str) -> Option<Step> {
    let (from, to) = text.split_once('-')?;
    Some(Step { from: board.point(from)? as u8, to: board.point(to)? as u8 })
}

/// Reads the bans for a position that has no bans yet.
fn parse_bans<'a>(
    variant: &VariantConstants,
    text: &'a str,
    position: &Arrangement,
) -> Result<[Option<Step>; 2], Failure<'a, PositionErrorKind>> {
    let VariantConstants { board, rules, .. } = variant;
    let bad = |text: &'_ str| PositionErrorKind::Bans(text.to_owned());
    let Some(sides) = text.strip_prefix("ban=").filter(|sides| sides.split(',').count() == 2) else {
        return Err((text, bad(text)));
    };
    let mut bans = [None; 2];
    for (color, text) in [Color::White, Color::Black].into_iter().zip(sides.split(',')) {
        if text == "-" {
            continue;
        }
        let step = parse_step(board, text).ok_or_else(|| (text, bad(text)))?;
        let [men, other] = [color, !color].map(|color| position.men[color.index()]);
        let hand = position.hands[color.index()];
        // The ban may no longer have an effect: the cow may have been shot, or the opponent may
        // occupy the point that it came from.
        let is_free = men & 1 << step.to == 0 && other & 1 << step.from == 0;
        if !is_free || !rules.reaches(board, step, men, hand) {
            return Err((text, PositionErrorKind::ImpossibleBan { color, text: text.to_owned() }));
        }
        // A ban without effect is accepted, but is not part of the position.
        let is_effective = rules.is_effective_ban(board, step, men, hand, position.empty(board));
        bans[color.index()] = is_effective.then_some(step);
    }
    Ok(bans)
}

fn parse<'a>(variant: &VariantConstants, text: &'a str) -> Result<Arrangement, Failure<'a, PositionErrorKind>> {
    let end = &text[text.trim_end().len()..];
    let mut fields = text.split_whitespace();
    let mut field = |name| fields.next().ok_or((end, PositionErrorKind::Missing(name)));
    let hands = parse_hands(variant.rules.men, field(PositionField::Hands)?)?;
    let hand = |color: Color| hands[color.index()];
    let white = parse_points(variant, field(PositionField::White)?, Color::White, hand(Color::White), 0)?;
    let black = parse_points(variant, field(PositionField::Black)?, Color::Black, hand(Color::Black), white)?;
    let side = match field(PositionField::Side)? {
        "W" | "w" => Color::White,
        "B" | "b" => Color::Black,
        other => return Err((other, PositionErrorKind::UnknownSide(other.to_owned()))),
    };
    let mut men = [0; 2];
    (men[Color::White.index()], men[Color::Black.index()]) = (white, black);
    let mut position = Arrangement { men, hands, side, bans: [None; 2] };
    if let Some(bans) = fields.clone().next().filter(|_| variant.has_bans) {
        position.bans = parse_bans(variant, bans, &position)?;
    }
    match fields.nth(usize::from(variant.has_bans)) {
        None => Ok(position),
        Some(part) => {
            let rest = &text[part.as_ptr() as usize - text.as_ptr() as usize..];
            Err((part, PositionErrorKind::TrailingText(rest.trim_end().to_owned())))
        }
    }
}

/// Reads a position in seed notation.
pub(super) fn read<V: Variant>(text: &str) -> Result<Position<V>, ParsePositionError> {
    let read = parse(VariantConstants::of::<V>(), text);
    read.map(Position::of).map_err(|(part, kind)| ParsePositionError::at(text, part, kind))
}

fn write_points(f: &mut fmt::Formatter<'_>, board: &Board, points: u32) -> fmt::Result {
    if points == 0 {
        return f.write_str(" -");
    }
    let mut separator = " ";
    for point in board.points_by_name().filter(|point| points & 1 << point != 0) {
        f.write_str(separator)?;
        f.write_str(board.name(point))?;
        separator = ",";
    }
    Ok(())
}

fn write_ban(f: &mut fmt::Formatter<'_>, board: &Board, ban: Option<Step>) -> fmt::Result {
    match ban {
        None => f.write_str("-"),
        Some(Step { from, to }) => write!(f, "{}-{}", board.name(from.into()), board.name(to.into())),
    }
}

fn write(f: &mut fmt::Formatter<'_>, board: &Board, position: &Arrangement) -> fmt::Result {
    let ([black, white], bans) = (position.men, position.bans);
    write!(f, "{},{}", position.hands[Color::White.index()], position.hands[Color::Black.index()])?;
    write_points(f, board, white)?;
    write_points(f, board, black)?;
    f.write_str(match position.side {
        Color::White => " W",
        Color::Black => " B",
    })?;
    if bans != [None; 2] {
        f.write_str(" ban=")?;
        write_ban(f, board, bans[Color::White.index()])?;
        f.write_str(",")?;
        write_ban(f, board, bans[Color::Black.index()])?;
    }
    Ok(())
}

impl<V: Variant> fmt::Display for Position<V> {
    /// Writes the position on one line; `{:#}` draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&diagram::write(&AnyPosition::new(*self)));
        }
        write(f, V::BOARD, &self.arrangement())
    }
}

impl<V: Variant> fmt::Debug for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
