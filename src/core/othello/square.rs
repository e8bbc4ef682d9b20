//! [`Square`]: a square of the board, and [`SquareSet`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::{BitSet, Element};
use crate::text_serde::text_serde;

/// A square, from a1 to h8.
///
/// Smaller boards use the squares of the a1 corner: the squares of the 6x6 board are a1 to f6.
///
/// ```
/// use morello::othello::Square;
///
/// let square: Square = "F5".parse()?;
/// assert_eq!(square, Square::F5);
/// assert_eq!((square.column(), square.row(), square.index()), (5, 4, 37));
/// assert_eq!(Square::at(5, 4).map(|square| square.to_string()).as_deref(), Some("f5"));
/// assert!("i9".parse::<Square>().is_err());
/// # Ok::<(), morello::othello::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A set of squares.
pub type SquareSet = BitSet<Square>;

/// Declares the constants of the squares, in the order of their bits.
macro_rules! squares {
    ($($name:ident)+) => {
        enum Index { $($name),+ }

        #[expect(missing_docs, reason = "each is the square of its name")]
        impl Square {
            $(pub const $name: Self = Self(Index::$name as u8);)+
        }
    };
}

squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// Returns the square with this [index](Self::index), row by row from a1 = 0 to h8 = 63; `None`
    /// for other numbers.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// Returns the square in a column from 0 (a) to 7 (h) and a row from 0 to 7 (rows 1 to 8);
    /// `None` for other numbers.
    #[must_use]
    pub const fn at(column: usize, row: usize) -> Option<Self> {
        if column < 8 && row < 8 { Some(Self((8 * row + column) as u8)) } else { None }
    }

    /// Returns the index, row by row from a1 = 0 to h8 = 63.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the column, from 0 (a) to 7 (h).
    #[must_use]
    pub const fn column(self) -> usize {
        self.index() % 8
    }

    /// Returns the row, from 0 to 7 (rows 1 to 8).
    #[must_use]
    pub const fn row(self) -> usize {
        self.index() / 8
    }

    /// Reads `d3` or `D3`.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [column, row @ b'1'..=b'8'] if matches!(column | 0x20, b'a'..=b'h') => {
                Some(Self((row - b'1') * 8 + ((column | 0x20) - b'a')))
            }
            _ => None,
        }
    }

    /// Returns all squares, row by row from a1 to h8.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        SquareSet::ALL.iter()
    }
}

impl Element for Square {
    const ALL: u64 = u64::MAX;

    #[inline(always)]
    fn from_bit(index: u32) -> Self {
        Self(index as u8 & 63)
    }

    #[inline(always)]
    fn bit(self) -> u32 {
        self.0.into()
    }
}

impl From<u64> for SquareSet {
    /// Returns the set with these bits: bit 0 is a1, bit 63 is h8.
    fn from(bits: u64) -> Self {
        Self::new(bits)
    }
}

/// The text is not a square.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a square from a1 to h8, found `{0}`")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `d3` or `D3`.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        Self::from_text(text).ok_or_else(|| ParseSquareError(text.to_owned()))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.0 % 8, b'1' + self.0 / 8];
        f.pad(std::str::from_utf8(&name).expect("names are ASCII"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

text_serde!([] Square);
