//! [`OutcomeCounts`]: the numbers of wins, draws and losses of a sector.

use super::value::PositionValue;

/// The numbers of positions of a sector by result. Symmetric positions are counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutcomeCounts {
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of drawn positions.
    pub draws: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// The number of plies of the longest win, if there is one.
    pub longest_win: Option<u32>,
    /// The number of plies of the longest loss, if there is one.
    pub longest_loss: Option<u32>,
}

impl OutcomeCounts {
    /// Counts a position.
    pub(super) fn add(&mut self, value: PositionValue) {
        match value.outcome() {
            std::cmp::Ordering::Greater => {
                self.wins += 1;
                self.longest_win = self.longest_win.max(value.plies());
            }
            std::cmp::Ordering::Equal => self.draws += 1,
            std::cmp::Ordering::Less => {
                self.losses += 1;
                self.longest_loss = self.longest_loss.max(value.plies());
            }
        }
    }

    /// Returns the sum of two counts.
    pub(super) fn merge(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: self.longest_win.max(other.longest_win),
            longest_loss: self.longest_loss.max(other.longest_loss),
        }
    }
}
