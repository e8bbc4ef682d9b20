//! Moves, and the iterator over the legal moves of a position.

use std::fmt;
use std::iter::FusedIterator;
use std::str::FromStr;

use thiserror::Error;

use super::Square;
use crate::game::{Elements, is_pass_word};
use crate::text_serde::text_serde;

/// A disc placed on a square, or a pass.
///
/// ```
/// use morello::othello::{Move, Square};
///
/// assert_eq!("D3".parse::<Move>()?, Move::place(Square::D3));
/// assert_eq!("pass".parse::<Move>()?, Move::PASS);
/// assert_eq!((Move::PASS.to_string(), Move::PASS.square()), ("pa".to_owned(), None));
/// # Ok::<(), morello::othello::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// The forced pass, written `pa`.
    pub const PASS: Self = Self(64);

    /// Places a disc on a square.
    #[must_use]
    pub const fn place(square: Square) -> Self {
        Self(square.index() as u8)
    }

    /// Returns the square; `None` for a pass.
    #[must_use]
    pub const fn square(self) -> Option<Square> {
        Square::from_index(self.0 as usize)
    }

    /// Reads the text of a move; `None` if it is not a move.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        Square::from_text(text).map(Self::place).or_else(|| is_pass_word(text).then_some(Self::PASS))
    }

    /// Returns the move with this number: a square for 0 to 63, a pass for all other numbers.
    pub(super) const fn from_number(number: u16) -> Self {
        if number < 64 { Self(number as u8) } else { Self::PASS }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Self {
        Self::place(square)
    }
}

/// The text is neither a square nor a pass.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a square from a1 to h8 or a pass, found `{0}`")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a square (`d3`, `D3`) or a pass (`pa`, `ps`, `pass`). The move need not be legal.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        Self::from_text(text).ok_or_else(|| ParseMoveError(text.to_owned()))
    }
}

impl From<Move> for u16 {
    fn from(m: Move) -> Self {
        Self::from(m.0)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            None => f.pad("pa"),
            Some(square) => square.fmt(f),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The legal moves of a position, from a1 to h8, or only a pass if the side to move must pass.
#[derive(Debug, Clone)]
#[must_use = "iterators do nothing unless they are consumed"]
pub struct Moves {
    pub(super) squares: Elements<Square>,
    pub(super) pass: bool,
}

impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        if self.pass {
            self.pass = false;
            return Some(Move::PASS);
        }
        self.squares.next().map(Move::place)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Move> {
        match n {
            // The pass is the only move.
            0 => self.next(),
            n => {
                self.pass = false;
                self.squares.nth(n).map(Move::place)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.squares.len() + usize::from(self.pass);
        (count, Some(count))
    }
}

impl ExactSizeIterator for Moves {}

impl FusedIterator for Moves {}

text_serde!([] Move);
