//! [`Selection`]: the positions of an input to use.

use std::ops::RangeInclusive;

use morello_core::game::AnyPosition;
use serde::{Deserialize, Serialize};

/// The positions of an input to use.
///
/// The default selects all positions. [`Conversion`](crate::conversion::Conversion) and the
/// analysis of files accept a selection.
///
/// ```
/// use morello::games;
/// use morello::input::{Selection, read_game};
///
/// let game = read_game(games::get("othello")?, "f5d6c3d3c4f4")?;
/// let selection = Selection { plies: 2..=4, ..Selection::default() };
/// let selected = game.positions().iter().zip(0..).filter(|&(position, ply)| selection.contains(position, ply));
/// assert_eq!(selected.count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Selection {
    /// The number of plies before a position in its game.
    pub plies: RangeInclusive<u32>,
    /// The number of empty squares, in games that count them.
    pub empties: RangeInclusive<u32>,
    /// The number of records to skip because they are already done.
    pub done: u64,
}

impl Default for Selection {
    /// Selects all positions.
    fn default() -> Self {
        Self { plies: 0..=u32::MAX, empties: 0..=u32::MAX, done: 0 }
    }
}

impl Selection {
    /// Returns whether a position of a game after `ply` plies is selected.
    #[must_use]
    pub fn contains(&self, position: &AnyPosition, ply: u32) -> bool {
        self.plies.contains(&ply) && self.contains_empties(position)
    }

    /// Returns whether a position is selected by its empty squares, ignoring its ply.
    #[must_use]
    pub fn contains_empties(&self, position: &AnyPosition) -> bool {
        position.empty_count().is_none_or(|empties| self.empties.contains(&empties))
    }
}
