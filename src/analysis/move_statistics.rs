//! [`MoveStatistics`]: the losses and the accuracy of a set of moves.

use morello_core::game::Score;
use serde::{Deserialize, Serialize};

use super::MoveLoss;

/// Accuracies are counted in millionths.
const MILLION: f64 = 1e6;

/// Statistics of a set of moves.
///
/// ```
/// use morello::analysis::{MoveLoss, MoveStatistics};
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let mut statistics = MoveStatistics::default();
/// [0.0, 0.0, 0.0, 4.0].into_iter().for_each(|loss| statistics.add(MoveLoss::new(&start, 2.0, 2.0 - loss)));
/// assert_eq!((statistics.moves(), statistics.mean_loss()), (4, Some(1.0)));
/// assert_eq!((statistics.accuracy(), statistics.agreement()), (Some(86.75), Some(75.0)));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// The number of moves whose loss is known.
    moves: u64,
    /// The total loss, in thousandths of a point.
    loss: u64,
    /// The sum of the accuracies, and the sum of their inverses, in millionths.
    accuracy: u64,
    inverse: u64,
    /// The number of moves that lost nothing.
    agreeing: u64,
}

impl MoveStatistics {
    /// Adds a move with this loss.
    pub fn add(&mut self, loss: MoveLoss) {
        let thousandths = (loss.points * f64::from(Score::POINT)).round() as u64;
        self.moves += 1;
        self.loss += thousandths;
        self.accuracy += (loss.accuracy() * MILLION).round() as u64;
        self.inverse += (MILLION / loss.accuracy()).round() as u64;
        self.agreeing += u64::from(thousandths == 0);
    }

    /// Returns the number of moves added.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the total loss of all moves, in points, 0 or more.
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

    /// Returns the accuracy of the moves, in percent: the mean of the arithmetic and the harmonic
    /// mean of their [accuracies](MoveLoss::accuracy), so that many moves without risk do not hide
    /// a blunder. `None` without moves.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        let (moves, accuracy) = (self.moves as f64, self.accuracy as f64 / MILLION);
        let mean = f64::midpoint(accuracy / moves, moves / (self.inverse as f64 / MILLION));
        self.percent(mean, accuracy >= moves)
    }

    /// Returns the share of moves that lost nothing, in percent; `None` without moves.
    #[must_use]
    pub fn agreement(&self) -> Option<f64> {
        self.share(self.agreeing)
    }

    fn share(&self, part: u64) -> Option<f64> {
        self.percent(part as f64 / self.moves as f64, part == self.moves)
    }

    /// Returns a share in percent, rounded; 100 % only if all moves count.
    fn percent(&self, share: f64, is_all: bool) -> Option<f64> {
        let percent = (share * 1e4).round() / 100.0;
        (self.moves > 0).then(|| if is_all { 100.0 } else { percent.min(99.99) })
    }

    /// Returns whether the counts are consistent.
    pub(super) fn is_consistent(&self) -> bool {
        let all = self.moves.saturating_mul(MILLION as u64);
        let is_sum = self.accuracy <= all && (all..=all.saturating_mul(100)).contains(&self.inverse);
        self.agreeing <= self.moves && is_sum && self.moves <= 1 << 40
    }

    /// Adds other statistics.
    pub(super) fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.accuracy += other.accuracy;
        self.inverse += other.inverse;
        self.agreeing += other.agreeing;
    }
}

/// Statistics of a set of moves, serializable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MoveSummary {
    /// The number of moves whose loss is known.
    pub moves: u64,
    /// The mean loss per move, in points.
    pub mean_loss: Option<f64>,
    /// The [accuracy](MoveStatistics::accuracy), in percent.
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
        let of = |agreeing| MoveStatistics { moves: 100_000, agreeing, ..MoveStatistics::default() }.agreement();
        assert_eq!([99_999, 100_000, 99_994, 3].map(of), [Some(99.99), Some(100.0), Some(99.99), Some(0.0)]);
    }

    #[test]
    fn a_blunder_among_sure_moves_shows() {
        let of = |losses: &[f64]| {
            let mut statistics = MoveStatistics::default();
            losses.iter().for_each(|&steps| statistics.add(MoveLoss::of_steps(steps)));
            assert!(statistics.is_consistent());
            statistics.accuracy().expect("moves")
        };
        let mut losses = [0.0; 20];
        assert_eq!(of(&losses), 100.0);
        losses[0] = 0.0001;
        assert!(of(&losses) == 99.99);
        losses[0] = 1.0;
        assert!((75.0..90.0).contains(&of(&losses)), "{}", of(&losses));
    }
}
