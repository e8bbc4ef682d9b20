//! The error of scores of searches, as measured against exact scores.

use crate::game::Confidence;

/// A model of the error of scores by the number of empty squares, the depth and the confidence of the search.
///
/// The error of searches to the end of the game has a model of its own: it is 0 unless a selective search pruned the best line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreErrorModel {
    /// The coefficients of [`terms`](Self::terms), for the logarithm of the root mean square error in discs.
    pub log_sigma: [f64; 7],
    /// The error that 95 % of the scores do not exceed, in root mean square errors: before the end of the game, and of searches to the end.
    pub bounds: [f64; 2],
}

/// The error was measured up to this number of empty squares, and does not change beyond.
pub const MAX_EMPTIES: u32 = 22;

impl ScoreErrorModel {
    /// The model measured with the embedded evaluation. `data/weights/README.md` has the recipe.
    pub const BUILT_IN: Self = Self { log_sigma: [1.4, 0.0, 0.0, -0.1, 0.0, -2.0, 1.0], bounds: [1.96, 1.96] };

    /// Returns the terms of the logarithm of the error: 1, a tenth of the empty squares and its square; before the end of the game, the depth to the
    /// power of 3/4 and the chance that probcut errs, as the inverse of its margin in standard deviations; for a search to the end, 1 and that
    /// chance.
    #[must_use]
    pub fn terms(empties: u32, depth: u32, confidence: Confidence) -> [f64; 7] {
        let tenth = f64::from(empties.min(MAX_EMPTIES)) / 10.0;
        let chance = 1.0 / confidence.deviations();
        let [before, end] =
            if depth < empties { [[f64::from(depth).powf(0.75), chance], [0.0; 2]] } else { [[0.0; 2], [1.0, chance]] };
        [1.0, tenth, tenth * tenth, before[0], before[1], end[0], end[1]]
    }

    /// Returns the root mean square error, in discs.
    #[must_use]
    pub fn sigma(&self, empties: u32, depth: u32, confidence: Confidence) -> f64 {
        let terms = Self::terms(empties, depth, confidence);
        self.log_sigma.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum::<f64>().exp()
    }

    /// Returns the error that 95 % of the scores do not exceed, in discs.
    #[must_use]
    pub fn bound(&self, empties: u32, depth: u32, confidence: Confidence) -> f64 {
        self.bounds[usize::from(depth >= empties)] * self.sigma(empties, depth, confidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_fall_with_depth_and_confidence() {
        let bound = |empties, depth, percent| {
            ScoreErrorModel::BUILT_IN.bound(empties, depth, Confidence::from_percent(percent).unwrap())
        };
        for empties in [12, 20, 30, 50] {
            assert!(bound(empties, 1, 73) < 20.0 && bound(empties, 1, 73) > bound(empties, 8, 73));
            assert!(bound(empties, 10, 73) > bound(empties, empties, 73));
            assert!(bound(empties, empties, 73) > bound(empties, empties, 99) && bound(empties, empties, 99) > 0.0);
        }
    }
}
