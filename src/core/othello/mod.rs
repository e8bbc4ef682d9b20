//! Othello: the rules on bitboards.
//!
//! Each square is one bit, numbered row by row from a1. The 6x6 and 4x4 boards occupy the a1 corner
//! of the 8x8 board, and bits beyond their border are never set. The same code therefore handles
//! all sizes, and a square has the same name and bit on each:
//!
//! ```text
//!      a  b  c  d  e  f  g  h
//!  1   0  1  2  3  4  5  6  7
//!  2   8  9 10 11 12 13 14 15
//!  3  16 17 18 19 20 21 22 23
//!  4  24 25 26 27 28 29 30 31        4x4: a1..d4
//!  5  32 33 34 35 36 37 38 39
//!  6  40 41 42 43 44 45 46 47        6x6: a1..f6
//!  7  48 49 50 51 52 53 54 55
//!  8  56 57 58 59 60 61 62 63
//! ```
//!
//! [`Board`] is two bitboards, the player's and the opponent's; search and perft work on it.
//! [`Position`] adds the side to move and implements [`game::Position`](crate::game::Position).
//! Scores are disc differences; at the end of a game the empty squares are added to the winner's
//! score.

mod board;
pub mod engine;
mod flips;
pub mod formats;
mod geometry;
mod illegal_move;
mod layout;
mod leaf_counter;
mod moves;
mod notation;
mod openings;
mod position;
mod square;
mod stability;

pub use board::{Board, InvalidBoard};
pub use illegal_move::IllegalReason;
pub use moves::{Move, Moves, ParseMoveError};
pub use notation::{ParsePositionError, PositionErrorKind};
pub use position::{Position, SizedPosition};
pub use square::{ParseSquareError, Square, SquareSet};
pub use stability::Stability;

#[cfg(test)]
mod tests;
