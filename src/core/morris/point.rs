//! [`Point`]: a point of the board of a mill game, and [`PointSet`].

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use thiserror::Error;

use super::{Board, Variant};
use crate::game::{BitSet, Element};
use crate::text_serde::text_serde;

/// A point of the board of the game `V`.
///
/// ```
/// use morello::morris::{NineMensMorris, Point};
///
/// let point: Point<NineMensMorris> = "d2".parse()?;
/// assert_eq!(point.neighbors().to_string(), "d1 f2 b2 d3");
/// assert_eq!("d4".parse::<Point<NineMensMorris>>().unwrap_err().to_string(), "the board has no point d4");
/// # Ok::<(), morello::morris::UnknownPoint>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point<V: Variant> {
    bit: u8,
    variant: PhantomData<V>,
}

/// A set of points of the board of the game `V`.
pub type PointSet<V> = BitSet<Point<V>>;

impl<V: Variant> Point<V> {
    /// Returns the point with this bit of the board.
    #[inline(always)]
    pub(super) const fn of(bit: u32) -> Self {
        Self { bit: bit as u8, variant: PhantomData }
    }

    /// Returns the point with this [index](Self::index); `None` for other numbers.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        (index < V::BOARD.len() as usize).then(|| Self::of(index as u32))
    }

    /// Returns the point with this name, ignoring case.
    ///
    /// ```
    /// use morello::morris::{NineMensMorris, Point};
    ///
    /// const D2: Point<NineMensMorris> = Point::named("d2");
    /// assert_eq!(D2.to_string(), "d2");
    /// ```
    ///
    /// # Panics
    /// If the point is not on the board. In a constant, this is a compile-time error.
    #[must_use]
    pub const fn named(name: &str) -> Self {
        Self::of(V::BOARD.point(name).expect("the board has no point with this name"))
    }

    /// Returns the index of the point, from 0: clockwise around each square, starting at its upper
    /// left corner, with the outer square first.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.bit as usize
    }

    /// Returns the name, such as `d2`.
    #[must_use]
    pub fn name(self) -> &'static str {
        V::BOARD.name(self.bit.into())
    }

    /// Returns the adjacent points.
    #[must_use]
    pub fn neighbors(self) -> PointSet<V> {
        points(V::BOARD.neighbors(self.bit.into()))
    }

    /// Returns all points, ordered by index.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        PointSet::<V>::ALL.iter()
    }
}

impl<V: Variant> PointSet<V> {
    /// Returns the points of the set that are in a mill of the set: a line of three points.
    ///
    /// ```
    /// use morello::morris::{NineMensMorris, Position};
    /// use morello::game::Color;
    ///
    /// let position: Position<NineMensMorris> = "0,0 a1,d1,g1,b4 a7,b6,c5 W".parse()?;
    /// assert_eq!(position.men(Color::White).in_mills().to_string(), "g1 d1 a1");
    /// assert!(position.men(Color::Black).in_mills().is_empty(), "the board has no diagonals");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_mills(self) -> Self {
        points(V::BOARD.in_mills(men(self)))
    }

    /// Returns the points that are adjacent to a point of the set.
    #[must_use]
    pub fn neighbors(self) -> Self {
        self.iter().fold(Self::EMPTY, |all, point| all | point.neighbors())
    }

    /// Returns the mills of the board, each a set of three points.
    pub fn mills() -> impl ExactSizeIterator<Item = Self> + Clone {
        V::BOARD.mills().iter().map(|&mill| points(mill))
    }
}

/// Returns the set with these bits.
#[inline]
pub(crate) const fn points<V: Variant>(bits: u32) -> PointSet<V> {
    PointSet::new(bits as u64)
}

/// Returns the bits of a set.
#[inline]
pub(crate) const fn men<V: Variant>(points: PointSet<V>) -> u32 {
    points.bits() as u32
}

impl<V: Variant> Element for Point<V> {
    const ALL: u64 = V::BOARD.points() as u64;

    #[inline(always)]
    fn from_bit(index: u32) -> Self {
        Self::of(index.min(V::BOARD.len() - 1))
    }

    #[inline(always)]
    fn bit(self) -> u32 {
        self.bit.into()
    }
}

/// The board has no point with this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the board has no point {0}")]
pub struct UnknownPoint(pub String);

impl UnknownPoint {
    /// Returns the bit of the point with this name, ignoring case.
    pub(super) fn or_point(board: &Board, name: &str) -> Result<u32, Self> {
        board.point(name).ok_or_else(|| Self(name.to_ascii_lowercase()))
    }
}

impl<V: Variant> FromStr for Point<V> {
    type Err = UnknownPoint;

    /// Reads a name such as `d2` or `D2`.
    fn from_str(text: &str) -> Result<Self, UnknownPoint> {
        UnknownPoint::or_point(V::BOARD, text).map(Self::of)
    }
}

impl<V: Variant> fmt::Display for Point<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<V: Variant> fmt::Debug for Point<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

text_serde!([V: Variant] Point<V>);
