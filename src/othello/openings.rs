//! The openings of matches of Othello: as many plies as the board has columns, or half as many more.

use super::Position;
use crate::game::{OpeningPolicy, Openings};

impl<const N: usize> Openings for Position<N> {
    fn opening_policy() -> OpeningPolicy {
        let columns = N as u32;
        OpeningPolicy { plies: columns..=columns * 3 / 2, depth: 8, most_points: 3.0 }
    }
}
