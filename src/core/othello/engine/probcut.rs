//! Multi-ProbCut: prunes deep searches by the results of shallow ones (Michael Buro, 1997).
//!
//! The scores of a deep and a shallow search of the same position are close. Their difference has a
//! mean and a standard deviation that depend on both depths and on the stage of the game. The deep
//! search is pruned if the shallow score lies so far outside the window that, with the requested
//! confidence, the deep score lies outside too. Below three plies, the evaluation of the position
//! replaces the shallow search.

use crate::game::Confidence;

/// The minimum depth at which a shallow search is used for pruning. Below it, a search would cost
/// about as much as it saves, and the evaluation of the position replaces it.
pub const SEARCH_MIN_DEPTH: u32 = 3;

/// The number of depths and of empty squares in the tables.
const DEPTHS: usize = 64;

/// Returns the depth of the shallow search for a search of `depth` plies, at least 1. Below
/// [`SEARCH_MIN_DEPTH`] it is 0: the evaluation. Otherwise it is about half of `depth`, with the
/// same parity, because scores after odd and even numbers of plies differ systematically.
///
/// ```
/// use morello::othello::engine::probcut::shallow_depth;
///
/// assert_eq!([1, 2, 3, 8, 9, 16].map(shallow_depth), [0, 0, 1, 4, 5, 8]);
/// ```
#[must_use]
pub const fn shallow_depth(depth: u32) -> u32 {
    if depth < SEARCH_MIN_DEPTH { 0 } else { 2 * (depth / 4) + depth % 2 }
}

/// A model of the difference between the scores of deep and shallow searches, in discs.
///
/// The terms are chosen so that a model fitted to ten-ply searches extrapolates to twenty plies:
/// the error falls with the shallow depth, and every term that grows with a depth is balanced by a
/// term that falls with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbCutModel {
    /// The coefficients of [`mean_terms`](Self::mean_terms), for the mean of deep minus shallow.
    pub mean: [f64; 6],
    /// The coefficients of [`sigma_terms`](Self::sigma_terms), for the logarithm of the standard
    /// deviation.
    pub log_sigma: [f64; 9],
}

impl ProbCutModel {
    /// The model measured with the embedded weights. The terms for the evaluation were measured on
    /// positions from games in which three of ten moves were random, because half of the nodes in a
    /// search follow a bad move. Margins of three quarters of this size play equally well.
    pub const BUILT_IN: Self = Self {
        mean: [0.160, 0.052, -0.629, 0.189, 0.2, 0.9],
        log_sigma: [1.488, -0.298, 0.024, 0.320, -0.137, -0.022, 1.44, 0.11, -0.039],
    };

    /// Returns the terms of the mean. With a shallow search they are 1, a tenth of the empty
    /// squares, and the inverse of the shallow depth; then, if the deep search reaches the end of
    /// the game, 1 for an even and -1 for an odd shallow depth; then zeros. This parity term exists
    /// because the side that makes the last move before the evaluation benefits from its errors,
    /// but an exact score has no errors. With the evaluation instead of a search they are four
    /// zeros, then 1 for the actual depth, 1 or 2, and 0 for the other.
    #[must_use]
    pub fn mean_terms(empties: u32, depth: u32, shallow: u32) -> [f64; 6] {
        if shallow == 0 {
            return [0.0, 0.0, 0.0, 0.0, f64::from(u8::from(depth == 1)), f64::from(u8::from(depth != 1))];
        }
        let last = match (depth >= empties, shallow % 2) {
            (false, _) => 0.0,
            (true, 0) => 1.0,
            (true, _) => -1.0,
        };
        [1.0, f64::from(empties) / 10.0, 1.0 / f64::from(shallow), last, 0.0, 0.0]
    }

    /// Returns the terms of the logarithm of the standard deviation. With a shallow search they are
    /// 1, a tenth of the empty squares, the square of this, the logarithm of the difference of the
    /// depths, the shallow depth to the power of 3/4, and 1 if the deep search reaches the end of
    /// the game; then zeros. With the evaluation instead of a search they are six zeros, then 1, a
    /// tenth of the empty squares and the square of this.
    #[must_use]
    pub fn sigma_terms(empties: u32, depth: u32, shallow: u32) -> [f64; 9] {
        let tenth = f64::from(empties) / 10.0;
        let mut terms = [0.0; 9];
        if shallow == 0 {
            terms[6..].copy_from_slice(&[1.0, tenth, tenth * tenth]);
        } else {
            let gap = f64::from(depth - shallow).ln();
            let end = f64::from(u8::from(depth >= empties));
            terms[..6].copy_from_slice(&[1.0, tenth, tenth * tenth, gap, f64::from(shallow).powf(0.75), end]);
        }
        terms
    }

    /// Returns the mean of the difference, deep minus shallow, in discs.
    #[must_use]
    pub fn mean(&self, empties: u32, depth: u32, shallow: u32) -> f64 {
        Self::sum(&self.mean, Self::mean_terms(empties, depth, shallow))
    }

    /// Returns the standard deviation of the difference, in discs.
    #[must_use]
    pub fn sigma(&self, empties: u32, depth: u32, shallow: u32) -> f64 {
        Self::sum(&self.log_sigma, Self::sigma_terms(empties, depth, shallow)).exp()
    }

    fn sum<const TERMS: usize>(coefficients: &[f64; TERMS], terms: [f64; TERMS]) -> f64 {
        coefficients.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum()
    }
}

/// How far outside the window the shallow score must lie, in discs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Margin {
    /// The margin above beta, for a cutoff at beta.
    pub above: i8,
    /// The margin below alpha, for a cutoff at alpha.
    pub below: i8,
}

/// The margins of a model, precomputed for the search.
///
/// ```
/// use morello::game::Confidence;
/// use morello::othello::engine::TrainedEvaluation;
///
/// // Depth 8 with 30 empty squares, in whole discs.
/// let probcut = &TrainedEvaluation::built_in().probcut;
/// let high = "99%".parse::<Confidence>()?;
/// let margins = [Confidence::LOWEST, high].map(|confidence| probcut.margin(confidence, 30, 8));
/// assert_eq!(margins.map(|margin| margin.map(|margin| margin.above)), [Some(2), Some(6)]);
/// assert_eq!(probcut.margin(Confidence::FULL, 30, 8), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProbCut {
    margins: Box<[[[Margin; DEPTHS]; DEPTHS]]>,
}

crate::debug_fields!(ProbCut {});

impl ProbCut {
    /// Computes the margins of a model.
    #[must_use]
    pub fn new(model: &ProbCutModel) -> Self {
        let margin = |confidence: Confidence, empties: u32, depth: u32| {
            if depth == 0 {
                return Margin::default();
            }
            let shallow = shallow_depth(depth);
            let error = confidence.deviations() * model.sigma(empties, depth, shallow);
            let mean = model.mean(empties, depth, shallow);
            // Scores are whole discs.
            let discs = |error: f64| (error + 0.5).floor().clamp(-127.0, 127.0) as i8;
            Margin { above: discs(error - mean), below: discs(error + mean) }
        };
        let of_empties = |confidence, empties| std::array::from_fn(|depth| margin(confidence, empties, depth as u32));
        let of_confidence = |confidence| std::array::from_fn(|empties| of_empties(confidence, empties as u32));
        let margins =
            Confidence::all().filter(|&confidence| confidence != Confidence::FULL).map(of_confidence).collect();
        Self { margins }
    }

    /// Returns the margin for a search of `depth` plies with `empties` empty squares; `None` at
    /// full confidence.
    #[inline]
    #[must_use]
    pub fn margin(&self, confidence: Confidence, empties: u32, depth: u32) -> Option<Margin> {
        let margins = self.margins.get(usize::from(confidence.index()))?;
        Some(margins[empties as usize % DEPTHS][depth as usize % DEPTHS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_depths_are_smaller_and_of_the_same_parity() {
        for depth in SEARCH_MIN_DEPTH..60 {
            let shallow = shallow_depth(depth);
            assert!(0 < shallow && shallow < depth && shallow % 2 == depth % 2, "{shallow} for {depth}");
        }
    }

    #[test]
    fn margins_grow_with_the_confidence() {
        let cut = ProbCut::new(&ProbCutModel {
            mean: [0.5, 0.0, 0.0, 0.0, 0.0, 1.0],
            log_sigma: [1.0, 0.0, 0.0, 0.5, -0.3, 0.0, 1.5, 0.0, 0.0],
        });
        let margins = Confidence::all().map_while(|level| cut.margin(level, 30, 10)).collect::<Vec<_>>();
        assert_eq!(margins.len(), 5);
        assert!(margins.windows(2).all(|pair| pair[0].above < pair[1].above && pair[0].below < pair[1].below));
        // e^(1 + 0.5 ln 6 - 0.3 * 4^0.75) = 2.9 discs, minus and plus the mean of 0.5.
        assert_eq!(margins[0], Margin { above: 3, below: 4 });
        // e^1.5 = 4.5 discs, times 1.1, minus and plus the mean of 1.
        assert_eq!(cut.margin(Confidence::LOWEST, 30, 2), Some(Margin { above: 4, below: 6 }));
    }
}
