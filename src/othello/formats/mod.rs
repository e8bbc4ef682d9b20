//! Text formats of Othello positions, one position a line.
//!
//! | name | line | expected moves |
//! | --- | --- | --- |
//! | [`obf`] | `<board> <side>; SQ:+score; ...` | with their scores |
//! | [`board`] | `<board> <side>` | none |
//!
//! A semicolon tells them apart. The board strings of both are read as [`Position`] reads them; those of 6x6 and 4x4 boards have 36 and 16
//! squares.
//!
//! Whole games are written as [`ggf`], and read and written as [`transcript`]s. An [`opening`] is any of these on a line.

pub mod board;
pub mod ggf;
pub mod obf;
pub mod opening;
pub mod transcript;

use super::{Move, Position};
use crate::game::{Dialect, LineFormat, Position as _, Protocol};

/// Returns the formats, in the order in which they are tried.
#[must_use]
pub fn formats<const N: usize>() -> &'static [LineFormat<Position<N>>] {
    const { &[obf::format::<N>(), board::format::<N>()] }
}

/// Returns how Othello is told to programs that speak a protocol.
#[must_use]
pub fn dialect<const N: usize>(protocol: Protocol) -> Option<Dialect<Position<N>>> {
    match protocol {
        Protocol::NBoard => Some(Dialect {
            write_game: |game| ggf::write(game, ["Black", "White"]),
            read_move: |position, text| Move::from_text(text).filter(|&m| position.is_legal(m)),
        }),
    }
}
