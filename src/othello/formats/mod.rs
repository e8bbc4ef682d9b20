//! Text formats of Othello positions, one position a line.
//!
//! | name | line | expected moves |
//! | --- | --- | --- |
//! | [`obf`] | `<board> <side>; SQ:+score; ...` | with their scores |
//! | [`board`] | `<board> <side>` | none |
//!
//! A semicolon tells them apart. The board strings of both are read as [`Position`] reads them; those of 6x6 and 4x4 boards have 36 and 16
//! squares.

pub mod board;
pub mod obf;

use super::Position;
use crate::game::LineFormat;

/// Returns the formats, in the order in which they are tried.
#[must_use]
pub fn formats<const N: usize>() -> &'static [LineFormat<Position<N>>] {
    const { &[obf::format::<N>(), board::format::<N>()] }
}
