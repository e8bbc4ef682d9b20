//! The two sides of a game.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use thiserror::Error;

/// A side.
///
/// ```
/// use morello::game::Color;
///
/// assert_eq!("White".parse(), Ok(Color::White));
/// assert_eq!((!Color::White).to_string(), "Black");
/// assert!("green".parse::<Color>().is_err());
/// ```
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

    /// Returns the opponent of this side.
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

/// The text is not a color.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a color, black or white, found `{0}`")]
pub struct ParseColorError(pub String);

impl FromStr for Color {
    type Err = ParseColorError;

    /// Reads a [name](Color::name) or a [letter](Color::letter), in any case.
    fn from_str(text: &str) -> Result<Self, ParseColorError> {
        let is_named = |color: &Self| {
            let letter = char::from(*text.as_bytes().first().unwrap_or(&0)).to_ascii_lowercase();
            text.eq_ignore_ascii_case(color.name()) || text.len() == 1 && letter == color.letter()
        };
        Self::ALL.into_iter().find(is_named).ok_or_else(|| ParseColorError(text.to_owned()))
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
