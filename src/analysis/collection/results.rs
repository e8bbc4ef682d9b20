//! [`Results`]: wins, draws and losses.

use morello_core::game::{AnnotatedGame, Color, Wdl};
use serde::{Deserialize, Serialize};

/// The results of one side in some games, and its points.
///
/// ```
/// use morello::collection::{Results, SideResult};
///
/// let mut results = Results::default();
/// [Some(12.0), Some(-2.0), Some(0.0), None].into_iter().for_each(|points| results.add(SideResult::of_points(points)));
/// // Won on time.
/// results.add(SideResult { points: Some(64.0), has_score: false });
/// assert_eq!((results.games, results.scored, results.score()), (5, 3, Some(62.5)));
/// assert_eq!(results.mean_points(), Some(3.33));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Results {
    /// The number of games, including games with an unknown result.
    pub games: u64,
    /// The wins, draws and losses of the games with a known result.
    pub known: Wdl,
    /// The number of games with a known score. For other games, such as wins on time, only the
    /// winner is known.
    pub scored: u64,
    /// The sum of the points of the games with a known score: the margin in discs in Othello, 1 for
    /// a win and -1 for a loss in games without a margin.
    pub points: f64,
}

/// The result of a game for a side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SideResult {
    /// The side's winning margin, negative for a loss; `None` if unknown.
    pub points: Option<f64>,
    /// Whether the points are a score. Otherwise only their sign is known.
    pub has_score: bool,
}

impl SideResult {
    /// Returns the result with these points as the score.
    #[must_use]
    pub fn of_points(points: Option<f64>) -> Self {
        Self { points, has_score: points.is_some() }
    }

    /// Returns the result of a game from the point of view of a side.
    #[must_use]
    pub fn of(game: &AnnotatedGame, side: Color) -> Self {
        let points = game.tags.points_or(game.game.points(Color::Black));
        Self { points, has_score: game.black_score().is_some() }.of_side(side)
    }

    /// Converts Black's result to the point of view of a side.
    #[must_use]
    pub fn of_side(self, side: Color) -> Self {
        let sign = if side == Color::Black { 1.0 } else { -1.0 };
        Self { points: self.points.map(|points| sign * points), ..self }
    }
}

impl Results {
    /// Adds the result of one game.
    pub fn add(&mut self, result: SideResult) {
        self.games += 1;
        if let Some(points) = result.points {
            self.known.add_points(points);
            if result.has_score {
                self.scored += 1;
                self.points += points;
            }
        }
    }

    /// Adds the results of other games.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.known.merge(other.known);
        self.scored += other.scored;
        self.points += other.points;
    }

    /// Returns the score in percent, with a draw as half a win; `None` without a known result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.known.score().map(|score| round(100.0 * score, 1))
    }

    /// Returns the mean points of the games with a known score, rounded to hundredths; `None` if
    /// no game has one.
    #[must_use]
    pub fn mean_points(&self) -> Option<f64> {
        (self.scored > 0).then(|| round(self.points / self.scored as f64, 2))
    }
}

/// Rounds to a number of decimals.
pub(super) fn round(value: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (value * unit).round() / unit
}
