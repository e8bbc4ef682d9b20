//! Openings for matches: between N and 1.5 N plies on a board of N x N squares.

use super::SizedPosition;
use crate::game::{OpeningPolicy, Openings};

impl<const N: usize> Openings for SizedPosition<N> {
    fn opening_policy() -> OpeningPolicy {
        let columns = N as u32;
        OpeningPolicy { plies: columns..=columns * 3 / 2, depth: 8, most_points: 3.0 }
    }
}
