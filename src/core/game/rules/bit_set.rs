//! [`BitSet`]: a set of squares or points in one word.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};
use std::str::FromStr;

use crate::text_serde::text_serde;

/// A square or point of a board with at most 64 squares or points.
pub trait Element: Copy + fmt::Display {
    /// The bits of all elements.
    const ALL: u64;

    /// Returns the element whose bit in [`ALL`](Self::ALL) has this index. Other indices give an
    /// arbitrary element.
    fn from_bit(index: u32) -> Self;

    /// Returns the index of the element's bit in [`ALL`](Self::ALL).
    fn bit(self) -> u32;
}

/// Returns the indices of the bits that are set, from the lowest.
#[inline(always)]
pub(crate) fn bits(word: u64) -> Bits {
    Bits(word)
}

/// The iterator returned by [`bits`].
#[derive(Clone)]
pub(crate) struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// A set of [squares](crate::othello::Square) or [points](crate::morris::Point), one bit each.
///
/// `a & b` contains the elements in both sets, `a | b` the elements in at least one, `a ^ b` the
/// elements in exactly one, and `a - b` the elements of `a` that are not in `b`. `!a` contains all
/// other elements of the board.
///
/// ```
/// use morello::othello::{Square, SquareSet};
///
/// let corners: SquareSet = "a1 h1 a8 h8".parse()?;
/// assert_eq!(corners, SquareSet::from([Square::A1, Square::H1, Square::A8]).with(Square::H8));
/// let top = Square::all().filter(|square| square.row() == 0).collect::<SquareSet>();
/// assert_eq!((corners & top).to_string(), "a1 h1");
/// assert_eq!((corners - top).len(), 2);
/// assert!(corners.contains(Square::A8) && !(!corners).contains(Square::A8));
/// # Ok::<(), morello::othello::ParseSquareError>(())
/// ```
pub struct BitSet<T> {
    bits: u64,
    element: PhantomData<T>,
}

impl<T> BitSet<T> {
    /// The empty set.
    pub const EMPTY: Self = Self::new(0);

    /// Creates a set from its bits, which must all be bits of elements.
    pub(crate) const fn new(bits: u64) -> Self {
        Self { bits, element: PhantomData }
    }

    /// Returns the bits. Bit `i` is set if the set contains the element with index `i`.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// Returns the number of elements.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Returns whether the two sets have no element in common.
    #[inline]
    #[must_use]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.bits & other.bits == 0
    }

    /// Returns whether the other set contains every element of this one.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.bits & !other.bits == 0
    }
}

impl<T: Element> BitSet<T> {
    /// All elements of the board.
    pub const ALL: Self = Self::new(T::ALL);

    /// Creates a set from its bits; `None` if one of them is not the bit of an element.
    ///
    /// ```
    /// use morello::morris::{PointSet, SixMensMorris};
    ///
    /// assert_eq!(PointSet::<SixMensMorris>::from_bits(0b101).unwrap().to_string(), "a7 g7");
    /// assert_eq!(PointSet::<SixMensMorris>::from_bits(1 << 16), None, "the board has 16 points");
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits & !T::ALL == 0 { Some(Self::new(bits)) } else { None }
    }

    /// Returns whether the set contains an element.
    #[inline]
    #[must_use]
    pub fn contains(self, element: T) -> bool {
        self.bits >> element.bit() & 1 != 0
    }

    /// Returns the set with an element added.
    #[inline]
    #[must_use]
    pub fn with(self, element: T) -> Self {
        Self::new(self.bits | 1 << element.bit())
    }

    /// Returns the set with an element removed, if the set contains it.
    #[inline]
    #[must_use]
    pub fn without(self, element: T) -> Self {
        Self::new(self.bits & !(1 << element.bit()))
    }

    /// Returns the element with the lowest bit.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<T> {
        self.iter().next()
    }

    /// Adds an element.
    #[inline]
    pub fn insert(&mut self, element: T) {
        *self = self.with(element);
    }

    /// Removes an element, if the set contains it.
    #[inline]
    pub fn remove(&mut self, element: T) {
        *self = self.without(element);
    }

    /// Returns the elements, from the lowest bit.
    #[inline]
    pub fn iter(self) -> Elements<T> {
        Elements(self)
    }
}

impl<T> Clone for BitSet<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for BitSet<T> {}

impl<T> Default for BitSet<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> PartialEq for BitSet<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for BitSet<T> {}

impl<T> PartialOrd for BitSet<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for BitSet<T> {
    /// Compares the bits as numbers.
    fn cmp(&self, other: &Self) -> Ordering {
        self.bits.cmp(&other.bits)
    }
}

impl<T> Hash for BitSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

/// Implements an operator and its assignment operator.
macro_rules! operator {
    ($trait:ident $function:ident, $assign:ident $assign_function:ident, $value:expr) => {
        impl<T> $trait for BitSet<T> {
            type Output = Self;

            #[inline]
            fn $function(self, other: Self) -> Self {
                let value: fn(u64, u64) -> u64 = $value;
                Self::new(value(self.bits, other.bits))
            }
        }

        impl<T> $assign for BitSet<T> {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                *self = $trait::$function(*self, other);
            }
        }
    };
}

operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

impl<T: Element> Not for BitSet<T> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::new(!self.bits & T::ALL)
    }
}

impl<T: Element> From<T> for BitSet<T> {
    #[inline]
    fn from(element: T) -> Self {
        Self::new(1 << element.bit())
    }
}

impl<T: Element, const COUNT: usize> From<[T; COUNT]> for BitSet<T> {
    fn from(elements: [T; COUNT]) -> Self {
        elements.into_iter().collect()
    }
}

impl<T: Element> FromIterator<T> for BitSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(elements);
        set
    }
}

impl<T: Element> Extend<T> for BitSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<T: Element> IntoIterator for BitSet<T> {
    type Item = T;
    type IntoIter = Elements<T>;

    #[inline]
    fn into_iter(self) -> Elements<T> {
        self.iter()
    }
}

impl<T: Element> fmt::Display for BitSet<T> {
    /// Writes the names of the elements separated by spaces, or `-` for the empty set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (index, element) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " " })?;
            element.fmt(f)?;
        }
        Ok(())
    }
}

impl<T: Element + FromStr> FromStr for BitSet<T> {
    type Err = T::Err;

    /// Reads the names of elements separated by spaces, or `-` for the empty set.
    fn from_str(text: &str) -> Result<Self, T::Err> {
        text.split_whitespace().filter(|&name| name != "-").map(str::parse).collect()
    }
}

impl<T: Element> fmt::Debug for BitSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

text_serde!([T: Element + FromStr<Err: fmt::Display>] BitSet<T>);

/// An iterator over the elements of a [`BitSet`], from the lowest bit.
#[must_use = "iterators do nothing unless they are consumed"]
pub struct Elements<T>(BitSet<T>);

impl<T> Clone for Elements<T> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<T: Element> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Element> Iterator for Elements<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let bits = self.0.bits;
        if bits == 0 {
            return None;
        }
        self.0.bits = bits & (bits - 1);
        Some(T::from_bit(bits.trailing_zeros()))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        for _ in 0..n.min(self.0.len()) {
            self.0.bits &= self.0.bits.wrapping_sub(1);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl<T: Element> ExactSizeIterator for Elements<T> {}

impl<T: Element> FusedIterator for Elements<T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::{NineMensMorris, Point, PointSet};
    use crate::othello::{Square, SquareSet};

    #[test]
    fn elements_are_skipped() {
        let set = SquareSet::from([Square::A1, Square::C1, Square::H8]);
        for n in [0, 1, 2, 3, 64, usize::MAX] {
            let mut squares = set.iter();
            assert_eq!(squares.nth(n), set.iter().collect::<Vec<_>>().get(n).copied());
            assert_eq!(squares.len(), 2_usize.saturating_sub(n));
        }
    }

    #[test]
    fn every_index_is_of_an_element() {
        for index in [24, 31, 63, 64, 255, 256, u32::MAX] {
            let point = <Point<NineMensMorris> as Element>::from_bit(index);
            assert!(PointSet::from(point).is_subset(PointSet::ALL) && !point.name().is_empty());
            assert!(SquareSet::from(Square::from_bit(index)).len() == 1);
        }
    }
}
