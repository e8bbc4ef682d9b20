//! Multi-probcut: what a shallow search tells of a deep one (Michael Buro, 1997).
//!
//! The score of a deep search is about that of a shallow one of the same position; the difference has a mean and a standard deviation that
//! depend on both depths and on the stage of the game. Where the shallow score lies so far beyond the window that with the confidence asked
//! for the deep one does too, the deep search is left out.

use crate::game::Confidence;

/// Searches of fewer plies are not left out: the shallow one would cost about as much.
pub const MIN_DEPTH: u32 = 3;

/// Depths are counted up to this.
const DEPTHS: usize = 64;

/// Returns the depth of the shallow search that stands in for one of so many plies, at least [`MIN_DEPTH`]: about half, of the same parity,
/// for scores after an odd and an even number of plies are not alike.
#[must_use]
pub const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + depth % 2
}

/// How the scores of deep searches differ from those of shallow ones, in discs.
///
/// The terms are such that a model which was fitted to searches of ten plies still holds for twice as many: what a deeper shallow search leaves
/// open becomes less and less, and no term that grows with a depth stands without another that falls with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbCutModel {
    /// The mean of deep less shallow is the sum of these, times [`mean_terms`](Self::mean_terms).
    pub mean: [f64; 4],
    /// The logarithm of the standard deviation is the sum of these, times [`sigma_terms`](Self::sigma_terms).
    pub log_sigma: [f64; 6],
}

impl ProbCutModel {
    /// As measured with the weights in the program.
    pub const LEARNT: Self =
        Self { mean: [0.391, 0.049, -1.157, 0.364], log_sigma: [1.690, -0.349, 0.033, 0.327, -0.156, 0.151] };

    /// Returns what the factors of the mean are of: 1, a tenth of the empty squares, one over the shallow depth; and, where the deep search
    /// goes to the end of the game, 1 or, of an odd shallow depth, -1: whoever moves last before the evaluation chooses among its errors, but
    /// there are none in an exact score.
    #[must_use]
    pub fn mean_terms(empties: u32, depth: u32, shallow: u32) -> [f64; 4] {
        let last = match (depth >= empties, shallow % 2) {
            (false, _) => 0.0,
            (true, 0) => 1.0,
            (true, _) => -1.0,
        };
        [1.0, f64::from(empties) / 10.0, 1.0 / f64::from(shallow), last]
    }

    /// Returns what the factors of the logarithm of the standard deviation are of: 1, a tenth of the empty squares, its square, the logarithm
    /// of the plies by which the deep search is deeper, the shallow depth to the power of 3/4, and whether the deep search goes to the end of
    /// the game.
    #[must_use]
    pub fn sigma_terms(empties: u32, depth: u32, shallow: u32) -> [f64; 6] {
        let tenth = f64::from(empties) / 10.0;
        let gap = f64::from(depth - shallow).ln();
        [1.0, tenth, tenth * tenth, gap, f64::from(shallow).powf(0.75), f64::from(u8::from(depth >= empties))]
    }

    /// Returns the mean of the difference.
    #[must_use]
    pub fn mean(&self, empties: u32, depth: u32, shallow: u32) -> f64 {
        Self::sum(&self.mean, Self::mean_terms(empties, depth, shallow))
    }

    /// Returns its standard deviation.
    #[must_use]
    pub fn sigma(&self, empties: u32, depth: u32, shallow: u32) -> f64 {
        Self::sum(&self.log_sigma, Self::sigma_terms(empties, depth, shallow)).exp()
    }

    fn sum<const TERMS: usize>(factors: &[f64; TERMS], terms: [f64; TERMS]) -> f64 {
        factors.iter().zip(terms).map(|(factor, term)| factor * term).sum()
    }
}

/// How far beyond a window the score of a shallow search must lie, in whole discs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Margin {
    /// Above beta, for the deep score to reach it.
    pub above: i8,
    /// Below alpha, for the deep score not to exceed it.
    pub below: i8,
}

/// The margins by a model, for the search.
pub struct ProbCut {
    margins: Box<[[[Margin; DEPTHS]; DEPTHS]]>,
}

impl ProbCut {
    /// Works out the margins.
    #[must_use]
    pub fn new(model: &ProbCutModel) -> Self {
        let margin = |confidence: Confidence, empties: u32, depth: u32| {
            if depth < MIN_DEPTH {
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

    /// Returns the margin for a search of `depth` plies with so many empty squares. With full confidence there is none.
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
        for depth in MIN_DEPTH..60 {
            let shallow = shallow_depth(depth);
            assert!(shallow < depth && shallow % 2 == depth % 2, "{shallow} for {depth}");
        }
    }

    #[test]
    fn margins_grow_with_the_confidence() {
        let cut =
            ProbCut::new(&ProbCutModel { mean: [0.5, 0.0, 0.0, 0.0], log_sigma: [1.0, 0.0, 0.0, 0.5, -0.3, 0.0] });
        let margins = Confidence::all().map_while(|level| cut.margin(level, 30, 10)).collect::<Vec<_>>();
        assert_eq!(margins.len(), 5);
        assert!(margins.windows(2).all(|pair| pair[0].above < pair[1].above && pair[0].below < pair[1].below));
        // e^(1 + 0.5 ln 6 - 0.3 * 4^0.75) = 2.9 discs, less and more than the mean.
        assert_eq!(margins[0], Margin { above: 3, below: 4 });
    }
}
