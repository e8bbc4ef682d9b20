//! [`Results`]: wins, draws and losses.

use morello_core::game::Wdl;
use serde::{Deserialize, Serialize};

/// The results of one side in some games, and its points.
///
/// ```
/// use morello::collection::Results;
///
/// let mut results = Results::default();
/// [Some(12.0), Some(-2.0), Some(0.0), None].into_iter().for_each(|points| results.add(points));
/// assert_eq!((results.games, results.score()), (4, Some(50.0)));
/// assert_eq!(results.mean_points(), Some(3.33));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Results {
    /// The games, those with an unknown result included.
    pub games: u64,
    /// The known results.
    pub known: Wdl,
    /// The sum of the points of the games with a known result: discs won by in Othello, 1 or -1 in
    /// games without a margin.
    pub points: f64,
}

impl Results {
    /// Adds a game that the side won by some points; `None` if its result is unknown.
    pub fn add(&mut self, points: Option<f64>) {
        self.games += 1;
        if let Some(points) = points {
            self.points += points;
            self.known.add_points(points);
        }
    }

    /// Adds other games of the same side.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.known.merge(other.known);
        self.points += other.points;
    }

    /// Returns the score in percent, with a draw as half a win; `None` without a known result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.known.score().map(|score| round(100.0 * score, 1))
    }

    /// Returns the mean of the points, rounded to hundredths; `None` without a known result.
    #[must_use]
    pub fn mean_points(&self) -> Option<f64> {
        let games = self.known.total();
        (games > 0).then(|| round(self.points / games as f64, 2))
    }
}

/// Rounds to some decimals.
pub(super) fn round(value: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (value * unit).round() / unit
}
