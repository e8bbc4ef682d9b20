//! Match openings: between N and 1.5 N plies on a board of N x N squares. The openings of the
//! standard board have names.

use std::sync::LazyLock;

use super::{Position, SizedPosition};
use crate::game::{OpeningNames, OpeningPolicy, Openings, any_game};

static NAMES: LazyLock<OpeningNames> =
    LazyLock::new(|| OpeningNames::read(any_game::<Position>(), include_str!("../data/openings/othello.csv")));

impl<const N: usize> Openings for SizedPosition<N> {
    fn opening_policy() -> OpeningPolicy {
        let columns = N as u32;
        OpeningPolicy { plies: columns..=columns * 3 / 2, depth: 8, most_points: 3.0 }
    }

    fn opening_names() -> Option<&'static OpeningNames> {
        (N == 8).then(|| &*NAMES)
    }
}
