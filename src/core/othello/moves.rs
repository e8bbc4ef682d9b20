//! Moves, and the iterator over the legal moves of a position.

use std::fmt;

use crate::game::is_pass_word;

/// A disc placed on a square, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// The forced pass, written `pa`.
    pub const PASS: Self = Self(64);

    /// Places a disc on a square, numbered row by row from a1 = 0 to h8 = 63.
    ///
    /// # Panics
    /// If the square is not on the board.
    #[must_use]
    pub const fn place(square: u32) -> Self {
        assert!(square < 64, "a square is numbered 0 to 63");
        Self(square as u8)
    }

    /// Returns the number of the square; `None` for a pass.
    #[must_use]
    pub const fn square(self) -> Option<u32> {
        if self.0 < 64 { Some(self.0 as u32) } else { None }
    }

    /// Returns the move with this number: a square for 0 to 63, otherwise a pass.
    pub(super) const fn from_number(number: u16) -> Self {
        if number < 64 { Self(number as u8) } else { Self::PASS }
    }

    /// Reads a square (`d3`, `D3`) or a pass (`pa`, `ps`, `pass`); `None` if the text is neither.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [column, row @ b'1'..=b'8'] if matches!(column | 0x20, b'a'..=b'h') => {
                Some(Self((row - b'1') * 8 + ((column | 0x20) - b'a')))
            }
            _ => is_pass_word(text).then_some(Self::PASS),
        }
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
            None => f.write_str("pa"),
            Some(square) => write!(f, "{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1),
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
pub struct Moves {
    pub(super) squares: super::Squares,
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
