//! The two sides of a game.

use std::fmt;
use std::ops::Not;

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Color {
    /// Black, the first to move in Othello.
    Black,
    /// White, the first to move in the mill games.
    White,
}

impl Color {
    /// Both sides, in the order of [`Color::index`].
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// Returns 0 for Black and 1 for White, to index arrays with one entry per side.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `b` for Black and `w` for White.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }

    /// Returns `black` or `white`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }

    /// Returns the other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        self.opponent()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}
