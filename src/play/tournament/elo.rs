//! Estimates the difference in strength of two players from pairs of games, or from games.
//!
//! The two games of a pair share an opening, so they are not independent. The statistics therefore
//! use pairs as items: the score of a pair is 0, 1/4, 1/2, 3/4 or 1 for the first player. With the
//! mean `s` and the variance `v` of the scores of `n` items with `g` games each,
//!
//! ```text
//! Elo = 400 log10(s/(1 - s)), with the interval of s +- 1.96 sqrt(v/n)
//! nElo = (s - 1/2) / sqrt(g v) * 800 / ln 10, +- 1.96 / sqrt(g n) * 800 / ln 10
//! LOS = Phi((s - 1/2) / sqrt(v/n))
//! ```
//!
//! Source: the statistics of the chess match runners cutechess, fastchess and OpenBench.

use std::f64::consts::{LN_10, PI};

use morello_core::game::Wdl;
use serde::{Deserialize, Serialize};

/// The half width of a 95 % confidence interval, in standard errors.
pub const Z_95: f64 = 1.96;

/// Pairs of games by their two results for the first player, in either order.
///
/// ```
/// use morello::tournament::elo::Pentanomial;
///
/// let mut pairs = Pentanomial::default();
/// [[2, 2], [2, 0], [1, 0], [2, 1]].into_iter().for_each(|half_points| pairs.add(half_points));
/// assert_eq!((pairs.pairs(), pairs.ww, pairs.wl, pairs.ld, pairs.wd), (4, 1, 1, 1, 1));
/// let elo = pairs.sample().elo().value.expect("the score is between 0 and 1");
/// assert!(elo > 88.0 && elo < 89.0, "a score of 62.5 %");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Pentanomial {
    /// Both lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost: the same score as two draws.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

impl Pentanomial {
    /// Counts a pair by the half points of its games for the first player: 2 for a win, 1 for a
    /// draw, 0 for a loss.
    ///
    /// # Panics
    /// If a game has more than 2 half points.
    pub fn add(&mut self, half_points: [usize; 2]) {
        let [least, most] = [half_points[0].min(half_points[1]), half_points[0].max(half_points[1])];
        *match (least, most) {
            (0, 0) => &mut self.ll,
            (0, 1) => &mut self.ld,
            (0, 2) => &mut self.wl,
            (1, 1) => &mut self.dd,
            (1, 2) => &mut self.wd,
            (2, 2) => &mut self.ww,
            _ => panic!("a game is won, drawn or lost"),
        } += 1;
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.ll + self.ld + self.wl + self.dd + self.wd + self.ww
    }

    /// Returns the results of all games in the pairs, for the first player.
    #[must_use]
    pub const fn results(&self) -> Wdl {
        let Self { ll, ld, wl, dd, wd, ww } = *self;
        Wdl { wins: wl + wd + 2 * ww, draws: ld + 2 * dd + wd, losses: 2 * ll + ld + wl }
    }

    /// Returns the scores of the pairs, as a sample.
    #[must_use]
    pub fn sample(&self) -> Sample {
        let Self { ll, ld, wl, dd, wd, ww } = *self;
        Sample { counts: vec![(0.0, ll), (0.25, ld), (0.5, wl + dd), (0.75, wd), (1.0, ww)], games: 2 }
    }
}

/// The scores of independent items, which are game pairs or single games.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The possible scores, from 0 to 1, each with its number of items.
    pub(super) counts: Vec<(f64, u64)>,
    /// The number of games per item.
    pub(super) games: u32,
}

impl Sample {
    /// Returns the scores of games, as if they were independent.
    ///
    /// ```
    /// use morello::game::Wdl;
    /// use morello::tournament::elo::Sample;
    ///
    /// let elo = Sample::of_games(Wdl { wins: 60, draws: 20, losses: 40 }).elo();
    /// assert_eq!(format!("{:.1} {:.1}", elo.value.unwrap(), elo.error.unwrap()), "58.5 58.0");
    /// ```
    #[must_use]
    pub fn of_games(Wdl { wins, draws, losses }: Wdl) -> Self {
        Self { counts: vec![(0.0, losses), (0.5, draws), (1.0, wins)], games: 1 }
    }

    /// Returns the number of items: pairs, or single games.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).sum()
    }

    /// Returns the mean of the scores and their variance (of the population); `None` without items.
    #[must_use]
    pub fn moments(&self) -> Option<(f64, f64)> {
        let items = self.items() as f64;
        let mean = self.counts.iter().map(|&(score, count)| score * count as f64).sum::<f64>() / items;
        let squares = self.counts.iter().map(|&(score, count)| (score - mean).powi(2) * count as f64);
        let variance = squares.sum::<f64>() / items;
        (items > 0.0).then_some((mean, variance))
    }

    /// Returns the difference in Elo, positive if the first player is stronger.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let [low, high] = self.elo_bounds();
        let value = self.moments().and_then(|(mean, _)| elo(mean));
        Estimate { value, error: high.zip(low).map(|(high, low)| (high - low) / 2.0) }
    }

    /// Returns the ends of the 95 % confidence interval of the [Elo difference](Self::elo); an end
    /// is `None` if it is infinite, or if all items have the same score.
    #[must_use]
    pub fn elo_bounds(&self) -> [Option<f64>; 2] {
        let Some((mean, error)) = self.varied() else { return [None; 2] };
        [mean - Z_95 * error, mean + Z_95 * error].map(elo)
    }

    /// Returns the normalized Elo difference (nElo), positive if the first player is stronger. It
    /// measures the difference in standard deviations of a game, so it depends less on the draw
    /// rate.
    #[must_use]
    pub fn normalized_elo(&self) -> Estimate {
        let Some((mean, error)) = self.varied() else { return Estimate::default() };
        let scale = 800.0 / LN_10 / (self.items() as f64 * f64::from(self.games)).sqrt();
        Estimate { value: Some((mean - 0.5) / error * scale), error: Some(Z_95 * scale) }
    }

    /// Returns the likelihood of superiority (LOS): the probability, from 0 to 1, that the first
    /// player is stronger. `None` if all items have the same score.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        self.varied().map(|(mean, error)| normal((mean - 0.5) / error))
    }

    /// Returns the mean and its standard error; `None` if all items have the same score.
    fn varied(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.moments()?;
        (variance > 0.0).then(|| (mean, (variance / self.items() as f64).sqrt()))
    }
}

/// A value with the half width of its 95 % confidence interval. Each is `None` if it is not finite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The value.
    pub value: Option<f64>,
    /// Half the width of the interval; also `None` if the results do not vary.
    pub error: Option<f64>,
}

/// Returns the Elo difference for an expected score; `None` for 0 and 1, where it is infinite.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// Returns the cumulative distribution function of the standard normal distribution, to about
/// 1e-15.
///
/// Source: G. Marsaglia, "Evaluating the normal distribution" (2004).
fn normal(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut n) = (x, x, 1.0);
    while sum + term != sum {
        n += 2.0;
        term *= x * x / n;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Pentanomial {
        Pentanomial { ll, ld, wl, dd, wd, ww }
    }

    fn assert_near(estimate: Estimate, value: f64, error: f64) {
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 0.006);
        assert!(near(estimate.value, value) && near(estimate.error, error), "{estimate:?}, not {value} +- {error}");
    }

    #[test]
    fn elo_matches_fastchess() {
        let counts = pairs([34, 54, 31, 32, 64, 75]);
        assert_eq!(counts.pairs(), 290);
        assert_near(counts.sample().elo(), 55.58, 27.65);
        assert_near(counts.sample().normalized_elo(), 57.94, 28.28);
        // The same results for the other player.
        let swapped = pairs([75, 64, 31, 32, 54, 34]);
        assert_near(swapped.sample().elo(), -55.58, 27.65);
        let superiority = counts.sample().superiority().unwrap();
        assert!((superiority - 0.99997).abs() < 1e-5, "{superiority}");
        assert!((superiority + swapped.sample().superiority().unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn reports_no_estimate_without_enough_data() {
        let none = Estimate::default();
        assert_eq!((pairs([0; 6]).sample().elo(), pairs([0; 6]).sample().superiority()), (none, None));
        assert_eq!(pairs([0, 0, 0, 0, 0, 9]).sample().elo(), none);
        assert_eq!(pairs([0, 0, 7, 2, 0, 0]).sample().elo(), Estimate { value: Some(0.0), error: None });
        assert_eq!(pairs([0, 0, 7, 2, 0, 0]).sample().normalized_elo(), none);
        // The interval includes a score of 1.
        let nearly = pairs([0, 0, 0, 0, 1, 9]).sample().elo();
        assert!(nearly.value.is_some() && nearly.error.is_none());
        assert!(matches!(pairs([0, 0, 0, 0, 1, 9]).sample().elo_bounds(), [Some(low), None] if low > 400.0));
        assert!(matches!(pairs([9, 1, 0, 0, 0, 0]).sample().elo_bounds(), [None, Some(high)] if high < -400.0));
        assert_eq!(pairs([0, 0, 0, 0, 0, 9]).sample().elo_bounds(), [None; 2]);
    }

    #[test]
    fn counts_pairs_in_either_order() {
        let mut counts = Pentanomial::default();
        for first in 0..=2 {
            for second in 0..=2 {
                counts.add([first, second]);
            }
        }
        assert_eq!(counts, pairs([1, 2, 2, 1, 2, 1]));
        assert_eq!(counts.sample().moments().map(|(mean, _)| mean), Some(0.5));
    }

    #[test]
    fn normal_distribution_matches_tables() {
        for (x, expected) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (-1.96, 0.024_997_895), (3.0, 0.998_650_102), (9.0, 1.0)]
        {
            assert!((normal(x) - expected).abs() < 1e-9, "{x}");
        }
    }
}
