//! The error of search scores, measured against exact scores.

use crate::game::Confidence;

/// A model of the error of search scores. It depends on the number of empty squares and on the
/// depth and the confidence of the search.
///
/// ```
/// use morello::game::Confidence;
/// use morello::othello::engine::score_error::ScoreErrorModel;
///
/// // In tenths of a disc, with 20 empty squares.
/// let model = ScoreErrorModel::BUILT_IN;
/// let bound = |depth| (10.0 * model.bound(20, depth, Confidence::LOWEST)).round();
/// let bounds = [4, 12, 20].map(bound);
/// assert_eq!(bounds, [88.0, 59.0, 37.0]);
/// assert_eq!(model.bound(20, 20, Confidence::FULL), 0.0, "the search is a proof");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreErrorModel {
    /// The errors of searches that do not reach the end of the game. The
    /// [terms](Self::terms_before_end) are 1, a tenth of the empty squares, the square root of the
    /// depth, this root divided by a tenth of the empty squares, and a tenth of the depth times the
    /// probability that Multi-ProbCut errs.
    pub before_end: ErrorFit<5>,
    /// The coefficients of the [terms](Self::terms_to_end) for searches to the end of the game: 1,
    /// a tenth of the empty squares, and the probability that Multi-ProbCut errs. The weighted sum
    /// is the error that 95 % of the scores do not exceed, in discs, or 0 if the sum is negative.
    /// Such scores are exact unless Multi-ProbCut pruned the best line.
    pub to_end: [f64; 3],
}

/// An approximately normal distribution of errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorFit<const TERMS: usize> {
    /// The coefficients of the terms, for the logarithm of the root mean square error in discs.
    pub log_sigma: [f64; TERMS],
    /// The error that 95 % of the scores do not exceed, in root mean square errors.
    pub bound: f64,
}

/// The maximum number of empty squares for which errors were measured. With more, the error of a
/// search that does not reach the end is taken to be the same.
pub const MAX_EMPTIES: u32 = 22;

impl ScoreErrorModel {
    /// The model measured with the network before the embedded one. It also fits the errors of the
    /// embedded one; `data/weights/notebook.md` describes how to measure it.
    pub const BUILT_IN: Self = Self {
        before_end: ErrorFit { log_sigma: [2.363, -0.188, -0.097, -0.314, -0.043], bound: 2.043 },
        to_end: [-7.535, 3.322, 5.019],
    };

    /// Returns the terms of the error of a search that does not reach the end of the game.
    #[must_use]
    pub fn terms_before_end(empties: u32, depth: u32, confidence: Confidence) -> [f64; 5] {
        let (tenth, depth) = (f64::from(empties.min(MAX_EMPTIES)) / 10.0, f64::from(depth));
        [1.0, tenth, depth.sqrt(), depth.sqrt() / tenth, depth / 10.0 / confidence.deviations()]
    }

    /// Returns the terms of the error of a search to the end of the game.
    #[must_use]
    pub fn terms_to_end(empties: u32, confidence: Confidence) -> [f64; 3] {
        [1.0, f64::from(empties) / 10.0, 1.0 / confidence.deviations()]
    }

    /// Returns the error that 95 % of the scores do not exceed, in discs.
    #[must_use]
    pub fn bound(&self, empties: u32, depth: u32, confidence: Confidence) -> f64 {
        if depth < empties {
            self.before_end.bound(&Self::terms_before_end(empties, depth, confidence))
        } else {
            dot(&self.to_end, &Self::terms_to_end(empties, confidence)).max(0.0)
        }
    }
}

fn dot<const TERMS: usize>(coefficients: &[f64; TERMS], terms: &[f64; TERMS]) -> f64 {
    coefficients.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum()
}

impl<const TERMS: usize> ErrorFit<TERMS> {
    /// Returns the root mean square error, in discs.
    #[must_use]
    pub fn sigma(&self, terms: &[f64; TERMS]) -> f64 {
        dot(&self.log_sigma, terms).exp()
    }

    /// Returns the error that 95 % of the scores do not exceed, in discs.
    #[must_use]
    pub fn bound(&self, terms: &[f64; TERMS]) -> f64 {
        self.bound * self.sigma(terms)
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
            assert!(bound(empties, empties, 73) >= bound(empties, empties, 99) && bound(empties, empties, 99) >= 0.0);
        }
        assert!(bound(20, 10, 73) > bound(20, 20, 73) && bound(20, 20, 73) > bound(20, 20, 95));
    }
}
