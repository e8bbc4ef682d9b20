//! [`Move`], and [`Moves`], the iterator over the legal moves of a position.

use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::str::FromStr;

use thiserror::Error;

use super::bans::Step;
use super::{Board, Point, UnknownPoint, Variant};
use crate::text_serde::text_serde;

/// Means no point: the man comes from the hand, or nothing is captured.
const NONE: u32 = 31;

/// The maximum length of the text of a move, `d6-d5xf4`.
const MOVE_LEN: usize = 8;

/// A complete turn: a man placed or moved, and the man captured if it forms a mill.
///
/// The text is `d2` if a man is placed and `d6-d5` if a man is moved, followed by `xf4` for a
/// capture.
///
/// ```
/// use morello::morris::{Move, NineMensMorris};
///
/// let m: Move<NineMensMorris> = "D6-d5xf4".parse()?;
/// assert_eq!(m, Move::step("d6".parse()?, "d5".parse()?).capturing("f4".parse()?));
/// assert_eq!(m.captured().map(|point| point.to_string()).as_deref(), Some("f4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move<V: Variant> {
    /// Five bits each, starting with the lowest: to, from, captured.
    packed: u16,
    variant: PhantomData<V>,
}

impl<V: Variant> Move<V> {
    /// Creates a move that places a man.
    #[must_use]
    pub const fn place(to: Point<V>) -> Self {
        Self::pack(NONE, to.index() as u32, NONE)
    }

    /// Creates a move from one point to another.
    #[must_use]
    pub const fn step(from: Point<V>, to: Point<V>) -> Self {
        Self::pack(from.index() as u32, to.index() as u32, NONE)
    }

    /// Returns the move with a capture added.
    #[must_use]
    pub const fn capturing(self, captured: Point<V>) -> Self {
        Self::pack(self.packed as u32 >> 5 & 31, self.packed as u32 & 31, captured.index() as u32)
    }

    #[inline]
    const fn pack(from: u32, to: u32, captured: u32) -> Self {
        Self { packed: packed(from, to, captured), variant: PhantomData }
    }

    /// Reads the text of a move; `None` if it is not a move.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        packed_from_text(V::BOARD, text).map(|packed| Self { packed, variant: PhantomData })
    }

    /// Unpacks a move. Points beyond the board become the last point.
    pub(super) fn from_number(number: u16) -> Self {
        let (to, from, captured) = (u32::from(number) & 31, u32::from(number) >> 5 & 31, u32::from(number) >> 10);
        let last = V::BOARD.len() - 1;
        let point = |point: u32| if point == NONE { NONE } else { point.min(last) };
        Self::pack(point(from), to.min(last), point(captured))
    }

    /// Returns the point that the man leaves; `None` if it is placed from the hand.
    #[inline]
    #[must_use]
    pub fn from(self) -> Option<Point<V>> {
        point(self.packed as u32 >> 5 & 31)
    }

    /// Returns the destination of the man.
    #[inline]
    #[must_use]
    pub fn to(self) -> Point<V> {
        Point::of(self.packed as u32 & 31)
    }

    /// Returns the point of the captured man; `None` if nothing is captured.
    #[inline]
    #[must_use]
    pub fn captured(self) -> Option<Point<V>> {
        point(self.packed as u32 >> 10)
    }

    /// Returns the points of the move in order: from (if a man is moved), to, captured (if a man is
    /// captured).
    pub fn path(self) -> impl Iterator<Item = Point<V>> {
        [self.from(), Some(self.to()), self.captured()].into_iter().flatten()
    }

    /// Returns the image of the move under the `k`-th symmetry of the board.
    pub(super) fn transform(self, k: usize) -> Self {
        let image = |number| V::BOARD.symmetries().point(k, number);
        let packed = u32::from(self.packed);
        Self::pack(image(packed >> 5 & 31), image(packed & 31), image(packed >> 10))
    }
}

#[inline]
const fn packed(from: u32, to: u32, captured: u32) -> u16 {
    (to | from << 5 | captured << 10) as u16
}

/// Splits the text of a move into the names of its points: from, to, captured.
pub(super) fn names(text: &str) -> [Option<&str>; 3] {
    let (step, captured) = text.split_once(['x', 'X']).map_or((text, None), |(step, name)| (step, Some(name)));
    let (from, to) = step.split_once('-').map_or((None, step), |(from, to)| (Some(from), to));
    [from, Some(to), captured]
}

fn packed_from_text(board: &Board, text: &str) -> Option<u16> {
    let [from, to, captured] = names(text);
    let point = |name: Option<&str>| name.map_or(Some(NONE), |name| board.point(name));
    Some(packed(point(from)?, point(to)?, point(captured)?))
}

#[inline]
fn point<V: Variant>(number: u32) -> Option<Point<V>> {
    if number == NONE { None } else { Some(Point::of(number)) }
}

/// The text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text does not have the form of a move.
    #[error("expected a move such as `d2`, `d2-d3` or `d2-d3xf4`, found `{0}`")]
    NotAMove(String),
    /// The board lacks a point of the move.
    #[error(transparent)]
    UnknownPoint(UnknownPoint),
}

/// Returns why the text is not a move on a board.
fn parse_error(board: &Board, text: &str) -> ParseMoveError {
    let is_name = |name: &str| {
        let [letter, digit] = name.as_bytes() else { return false };
        letter.is_ascii_alphabetic() && digit.is_ascii_digit()
    };
    let names = names(text).into_iter().flatten();
    if !names.clone().all(is_name) {
        return ParseMoveError::NotAMove(text.to_owned());
    }
    let unknown = names.filter_map(|name| UnknownPoint::or_point(board, name).err()).next();
    unknown.map_or_else(|| ParseMoveError::NotAMove(text.to_owned()), ParseMoveError::UnknownPoint)
}

impl<V: Variant> FromStr for Move<V> {
    type Err = ParseMoveError;

    /// Reads the text of a move, ignoring case. The move need not be legal.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        Self::from_text(text).ok_or_else(|| parse_error(V::BOARD, text))
    }
}

impl<V: Variant> From<Move<V>> for u16 {
    fn from(m: Move<V>) -> Self {
        m.packed
    }
}

impl<V: Variant> fmt::Display for Move<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |point: Option<Point<V>>| point.map(Point::name);
        write(f, name(self.from()), self.to().name(), name(self.captured()))
    }
}

fn write(f: &mut fmt::Formatter<'_>, from: Option<&str>, to: &str, captured: Option<&str>) -> fmt::Result {
    let parts = [from.map(|from| [from, "-"]), Some([to, ""]), captured.map(|captured| ["x", captured])];
    let mut text = [0; MOVE_LEN];
    let mut len = 0;
    for part in parts.into_iter().flatten().flatten() {
        text[len..len + part.len()].copy_from_slice(part.as_bytes());
        len += part.len();
    }
    f.pad(std::str::from_utf8(&text[..len]).expect("names are ASCII"))
}

impl<V: Variant> fmt::Debug for Move<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A lazy iterator over the legal moves of a position: man by man, and for each man the moves that
/// close a mill first.
#[derive(Debug, Clone)]
#[must_use = "iterators do nothing unless they are consumed"]
pub struct Moves<V: Variant> {
    /// The moves that remain after the current man.
    rest: MoveContext,
    /// The empty points where one more man completes a mill; empty if mills capture nothing.
    closers: u32,
    /// The point of the current man; [`NONE`] for the hand.
    from: u32,
    /// Its remaining destinations without a capture.
    quiet: u32,
    /// Its remaining destinations with a capture.
    closing: u32,
    /// The current destination with a capture, and the captures that remain there.
    to: u32,
    captures: u32,
    variant: PhantomData<V>,
}

/// The parts of a position that determine its moves.
#[derive(Debug, Clone)]
pub(super) struct MoveContext {
    pub own: u32,
    pub empty: u32,
    /// The men that a mill may capture. If there are none, a move that closes a mill is an ordinary
    /// move.
    pub victims: u32,
    pub flies: bool,
    pub banned: Option<Step>,
    /// Whether men may be placed.
    pub places: bool,
    /// The men that may move.
    pub movers: u32,
}

impl MoveContext {
    /// Counts the moves without listing them. A move that forms a mill counts once for each man
    /// that it may capture. `closers` has the same meaning as in [`Moves`]; it is needed only if
    /// there are two or more men to capture. `moves` is true if there are men that may move.
    #[inline(always)]
    pub fn count<V: Variant>(&self, closers: u32, moves: bool) -> u32 {
        let Self { own, empty, victims, flies, banned, places, movers } = *self;
        let board = V::BOARD;
        let captures = victims.count_ones();
        let (mut all, mut closing) = (0, 0);
        if places {
            all += empty.count_ones();
            closing += closers.count_ones();
        }
        if moves {
            all += if flies { movers.count_ones() * empty.count_ones() } else { board.steps(movers, empty) };
            let mut points = closers;
            while points != 0 {
                let to = pop(&mut points);
                let near = movers & if flies { !0 } else { board.neighbors(to) };
                // A man that is part of the mill cannot complete it.
                closing += (near & !board.required_men(own, to)).count_ones();
            }
            if let Some(Step { from, to }) = banned
                && movers & 1 << from != 0
            {
                all -= 1;
                closing -= u32::from(captures > 1 && board.is_mill(own & !(1 << from), to.into()));
            }
        }
        all + closing * captures.saturating_sub(1)
    }
}

impl<V: Variant> Moves<V> {
    #[inline]
    pub(super) fn new(rest: MoveContext) -> Self {
        let closers = if rest.victims != 0 { V::BOARD.closing_points(rest.own) & rest.empty } else { 0 };
        Self { rest, closers, from: NONE, quiet: 0, closing: 0, to: 0, captures: 0, variant: PhantomData }
    }

    /// Sets the destinations of the current man. `others` is the set of the other men of its side.
    #[inline]
    fn set_mover(&mut self, targets: u32, others: u32) {
        (self.closing, self.quiet) = (0, targets);
        let mut closers = self.closers & targets;
        while closers != 0 {
            let to = pop(&mut closers);
            // The man no longer counts on the point that it leaves.
            let closing = u32::from(V::BOARD.is_mill(others, to)) << to;
            self.closing |= closing;
            self.quiet ^= closing;
        }
    }
}

#[inline]
fn pop(points: &mut u32) -> u32 {
    let point = points.trailing_zeros();
    *points &= *points - 1;
    point
}

impl<V: Variant> Iterator for Moves<V> {
    type Item = Move<V>;

    #[inline]
    fn next(&mut self) -> Option<Move<V>> {
        loop {
            if self.captures != 0 {
                return Some(Move::pack(self.from, self.to, pop(&mut self.captures)));
            }
            if self.closing != 0 {
                self.to = pop(&mut self.closing);
                self.captures = self.rest.victims;
            } else if self.quiet != 0 {
                return Some(Move::pack(self.from, pop(&mut self.quiet), NONE));
            } else if self.rest.places {
                self.rest.places = false;
                self.from = NONE;
                self.set_mover(self.rest.empty, self.rest.own);
            } else if self.rest.movers != 0 {
                self.from = pop(&mut self.rest.movers);
                let reach = if self.rest.flies { !0 } else { V::BOARD.neighbors(self.from) };
                let mut targets = self.rest.empty & reach;
                if let Some(ban) = self.rest.banned
                    && u32::from(ban.from) == self.from
                {
                    targets &= !(1 << ban.to);
                }
                self.set_mover(targets, self.rest.own & !(1 << self.from));
            } else {
                return None;
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.len();
        (len, Some(len))
    }
}

impl<V: Variant> ExactSizeIterator for Moves<V> {
    #[inline]
    fn len(&self) -> usize {
        let current = self.quiet.count_ones() + self.closing.count_ones() * self.rest.victims.count_ones();
        (self.captures.count_ones() + current + self.rest.count::<V>(self.closers, self.rest.movers != 0)) as usize
    }
}

impl<V: Variant> FusedIterator for Moves<V> {}

text_serde!([V: Variant] Move<V>);
