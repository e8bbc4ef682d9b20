//! [`Selection`]: which positions of an input are wanted.

use std::ops::RangeInclusive;

use crate::game::AnyPosition;

/// Which positions of an input are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The plies after which a position of a game may stand.
    pub plies: RangeInclusive<u32>,
    /// The squares that may be empty, where the game tells them.
    pub empties: RangeInclusive<u32>,
    /// Which of how many equal parts of the records, taken in turn: the first record is of part 0.
    pub shard: (u64, u64),
    /// How many records at the beginning are done already.
    pub done: u64,
}

impl Default for Selection {
    /// All.
    fn default() -> Self {
        Self { plies: 0..=u32::MAX, empties: 0..=u32::MAX, shard: (0, 1), done: 0 }
    }
}

impl Selection {
    /// Returns whether a position after so many plies of a game is selected.
    pub fn contains(&self, position: &AnyPosition, ply: u32) -> bool {
        self.plies.contains(&ply) && self.contains_empties(position)
    }

    /// Returns whether a position of which no more is known is selected.
    pub fn contains_empties(&self, position: &AnyPosition) -> bool {
        position.empties().is_none_or(|empties| self.empties.contains(&empties))
    }
}
