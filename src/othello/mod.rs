//! Othello: the rules on bitboards.
//!
//! A square is a bit, numbered row by row from a1; the boards of 6x6 and 4x4 are the corner of the 8x8 board around a1, and what
//! lies beyond their border is neither empty nor occupied. So one code serves all sizes, and a square has the same name and bit on each:
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
//! [`Board`] is two bitboards, the player's and the opponent's, and all that speed needs. [`Position`] adds the colour of the player and
//! is the [game](crate::game::Position) that people play; [`coordinate_game::CoordinateGame`] is that game move by move, in coordinates. Scores are disc
//! differences; at the end of a game the empty squares count for the winner.

mod board;
pub mod coordinate_game;
pub mod engine;
pub mod ffo;
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
mod stability;

pub use board::{Board, Squares};
pub use illegal_move::IllegalReason;
pub use moves::{Move, Moves};
pub use notation::{ParsePositionError, PositionErrorKind};
pub use position::Position;
pub use stability::Stability;

#[cfg(test)]
mod tests;
