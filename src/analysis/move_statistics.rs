//! [`MoveStatistics`]: the losses of some moves.

use morello_core::game::Score;
use serde::{Deserialize, Serialize};

/// A move is accurate if its loss in thousandths of a point is less than this.
const ACCURATE_BELOW: u64 = Score::POINT as u64 / 2;

/// Statistics of some moves.
///
/// ```
/// use morello::analysis::MoveStatistics;
///
/// let mut statistics = MoveStatistics::default();
/// [0.0, 0.0, 0.25, 3.0].into_iter().for_each(|loss| statistics.add(loss));
/// assert_eq!((statistics.moves(), statistics.mean_loss()), (4, Some(0.813)));
/// assert_eq!((statistics.accuracy(), statistics.agreement()), (Some(75.0), Some(50.0)));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// The number of moves whose loss is known.
    moves: u64,
    /// Their total loss, in thousandths of a point.
    loss: u64,
    /// The number of moves that lost less than half a point.
    accurate: u64,
    /// The number of moves that lost nothing.
    agreeing: u64,
}

impl MoveStatistics {
    /// Adds a move that lost some points.
    pub fn add(&mut self, loss: f64) {
        let thousandths = (loss * f64::from(Score::POINT)).round() as u64;
        self.moves += 1;
        self.loss += thousandths;
        self.accurate += u64::from(thousandths < ACCURATE_BELOW);
        self.agreeing += u64::from(thousandths == 0);
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the total loss, in points.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.loss as f64 / f64::from(Score::POINT)
    }

    /// Returns the mean loss per move, in points, rounded to thousandths; `None` without moves.
    #[must_use]
    pub fn mean_loss(&self) -> Option<f64> {
        let mean = self.loss as f64 / self.moves as f64;
        (self.moves > 0).then(|| mean.round() / f64::from(Score::POINT))
    }

    /// Returns the share of the moves that lost less than half a point, in percent.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        self.share(self.accurate)
    }

    /// Returns the share of the moves that lost nothing, in percent.
    #[must_use]
    pub fn agreement(&self) -> Option<f64> {
        self.share(self.agreeing)
    }

    fn share(&self, part: u64) -> Option<f64> {
        let percent = (part as f64 / self.moves as f64 * 1e4).round() / 100.0;
        // Only all moves are 100 %.
        (self.moves > 0).then(|| if part < self.moves { percent.min(99.99) } else { percent })
    }

    /// Returns whether the counts fit each other.
    pub(super) fn is_consistent(&self) -> bool {
        self.agreeing <= self.accurate && self.accurate <= self.moves && self.moves <= 1 << 56
    }

    /// Adds the moves of other statistics.
    pub(super) fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.accurate += other.accurate;
        self.agreeing += other.agreeing;
    }
}

/// Statistics of some moves, serializable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MoveSummary {
    /// The number of moves whose loss is known.
    pub moves: u64,
    /// The mean loss per move, in points.
    pub mean_loss: Option<f64>,
    /// The share of moves that lost less than half a point, in percent.
    pub accuracy: Option<f64>,
    /// The share of moves that lost nothing, in percent.
    pub agreement: Option<f64>,
}

impl From<&MoveStatistics> for MoveSummary {
    fn from(tally: &MoveStatistics) -> Self {
        Self {
            moves: tally.moves(),
            mean_loss: tally.mean_loss(),
            accuracy: tally.accuracy(),
            agreement: tally.agreement(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_moves_are_a_hundred_percent() {
        let of = |accurate| MoveStatistics { moves: 100_000, loss: 0, accurate, agreeing: 0 }.accuracy();
        assert_eq!([99_999, 100_000, 99_994, 3].map(of), [Some(99.99), Some(100.0), Some(99.99), Some(0.0)]);
    }
}
