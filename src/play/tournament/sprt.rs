//! [`Sprt`]: the sequential probability ratio test, which ends a match as soon as its result is
//! significant.
//!
//! The test compares two hypotheses about the strength difference of two players, H0 and H1, by the
//! log-likelihood ratio (LLR) of the pairs so far. It accepts H0 at `ln(beta / (1 - alpha))` and
//! below, and H1 at `ln((1 - beta) / alpha)` and above; between them the match continues. The error
//! probabilities are about alpha (H1 is accepted although H0 is true) and beta (H0 is accepted
//! although H1 is true).
//!
//! The likelihood of a hypothesis is the maximum likelihood over the distributions of the five pair
//! scores that have the hypothetical difference: in the mean (logistic Elo), or in the mean divided
//! by the standard deviation (normalized Elo). With the observed frequencies `p`, the
//! maximum-likelihood distribution under a linear constraint (`phi` has the mean 0) is
//! `p[i] / (1 + x phi[i])`, for the `x` that satisfies the constraint. The constraint of normalized
//! Elo is not linear, so it is linearized at the estimate repeatedly until the estimate converges.
//!
//! Source: M. Van den Bergh, "Normalized Elo" and "The generalized sequential probability ratio
//! test" (2020), as chess match runners use them.

use std::f64::consts::LN_10;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::Sample;

/// The unit of a strength difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EloModel {
    /// Elo.
    #[default]
    Logistic,
    /// [Normalized Elo](super::elo::Sample::normalized_elo).
    Normalized,
}

/// A sequential test of two hypotheses, H0 and H1, about the strength difference of two players.
///
/// It is parsed from `elo0=0,elo1=5`, optionally with `alpha=0.05`, `beta=0.05` and
/// `model=normalized`.
///
/// ```
/// use morello::tournament::elo::Pentanomial;
/// use morello::tournament::{Sprt, SprtDecision};
///
/// let sprt: Sprt = "elo0=0,elo1=10".parse()?;
/// let pairs = Pentanomial { ll: 20, ld: 0, wl: 100, dd: 0, wd: 0, ww: 60 };
/// let llr = sprt.llr(&pairs.sample());
/// assert!(llr > 0.0 && llr < sprt.bounds()[1]);
/// assert_eq!(sprt.verdict(llr), None);
/// assert_eq!(sprt.verdict(3.0), Some(SprtDecision::H1));
/// assert_eq!("elo0=5,elo1=5".parse::<Sprt>().unwrap_err().to_string(), "elo1 must be greater than elo0");
/// # Ok::<(), morello::tournament::ParseSprtError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1; greater than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 is true.
    pub beta: f64,
    /// The unit of the differences.
    pub model: EloModel,
}

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtDecision {
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

/// A score that has not occurred counts as this many items, so that no probability is 0.
const PRIOR_ITEMS: f64 = 1e-3;

/// The largest Elo difference: beyond it, expected scores are too close to 0 or 1 for floating
/// point.
const MAX_ELO: f64 = 2000.0;

/// The largest normalized Elo difference, well below what a distribution of five scores can reach.
const MAX_NORMALIZED_ELO: f64 = 200.0;

/// Normalized Elo per standard deviation of a game.
const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

impl Sprt {
    /// Returns the bounds of the log-likelihood ratio: the lower one, at which H0 is accepted, then
    /// the upper one.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Returns the log-likelihood ratio of a sample; 0 if it is empty.
    #[must_use]
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.items() == 0 {
            return 0.0;
        }
        let scores: Vec<f64> = sample.counts.iter().map(|&(score, _)| score).collect();
        let counts = sample.counts.iter().map(|&(_, count)| if count == 0 { PRIOR_ITEMS } else { count as f64 });
        let counts: Vec<f64> = counts.collect();
        let total: f64 = counts.iter().sum();
        let shares: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let [nearest0, nearest1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => with_mean(&scores, &shares, 1.0 / (1.0 + 10f64.powf(-elo / 400.0))),
            // An item with more games has less variance.
            EloModel::Normalized => {
                with_ratio(&scores, &shares, elo / NORMALIZED_SCALE * f64::from(sample.games).sqrt())
            }
        });
        (0..counts.len()).map(|i| counts[i] * (nearest1[i] / nearest0[i]).ln()).sum()
    }

    /// Returns the accepted hypothesis; `None` if neither is accepted yet.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> Option<SprtDecision> {
        let [lower, upper] = self.bounds();
        match llr {
            _ if llr <= lower => Some(SprtDecision::H0),
            _ if llr >= upper => Some(SprtDecision::H1),
            _ => None,
        }
    }
}

/// Returns the distribution under which the frequencies `shares` are most likely, among
/// distributions for which `phi` has the mean 0. `phi` must have negative and positive values.
fn nearest(shares: &[f64], phi: &[f64]) -> Vec<f64> {
    let each = || shares.iter().zip(phi);
    let mean = |x: f64| each().map(|(share, phi)| share * phi / (1.0 + x * phi)).sum::<f64>();
    let (least, most) = phi.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
    debug_assert!(least < 0.0 && most > 0.0, "some distribution has the mean 0: {phi:?}");
    // Between these values, all denominators are positive, and the mean falls from plus to minus
    // infinity.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    each().map(|(share, phi)| share / (1.0 + x * phi)).collect()
}

fn with_mean(scores: &[f64], shares: &[f64], mean: f64) -> Vec<f64> {
    nearest(shares, &scores.iter().map(|score| score - mean).collect::<Vec<_>>())
}

/// Returns the distribution under which `shares` are most likely, among distributions whose mean is
/// 1/2 plus `ratio` standard deviations.
fn with_ratio(scores: &[f64], shares: &[f64], ratio: f64) -> Vec<f64> {
    let mut found = vec![1.0 / scores.len() as f64; scores.len()];
    for _ in 0..50 {
        let mean: f64 = found.iter().zip(scores).map(|(share, score)| share * score).sum();
        let squares = found.iter().zip(scores).map(|(share, score)| share * (score - mean).powi(2));
        let deviation = squares.sum::<f64>().sqrt();
        let phi = |score: &f64| score - 0.5 - ratio * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0;
        let next = nearest(shares, &scores.iter().map(phi).collect::<Vec<_>>());
        let change = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    found
}

/// An invalid [`Sprt`].
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseSprtError {
    /// A setting is unknown.
    #[error(
        "unknown setting `{0}`: expected elo0=0,elo1=5 and optionally alpha=0.05, beta=0.05, model=logistic or \
            model=normalized"
    )]
    Unknown(String),
    /// The value of a setting is invalid.
    #[error("invalid value `{0}` for {1}")]
    Value(String, &'static str),
    /// A required setting is missing.
    #[error("missing {0}=")]
    Missing(&'static str),
    /// A difference is out of range.
    #[error("{0} is out of range: expected -{1} to {1}")]
    TooLarge(f64, f64),
    /// `elo1` is not greater than `elo0`.
    #[error("elo1 must be greater than elo0")]
    Order,
}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Self, ParseSprtError> {
        let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, EloModel::default());
        for setting in text.split(',') {
            let (name, value) = setting.split_once('=').ok_or_else(|| ParseSprtError::Unknown(setting.to_owned()))?;
            let number = |name, is_valid: fn(f64) -> bool| {
                let number = value.trim().parse::<f64>().ok().filter(|&number| number.is_finite() && is_valid(number));
                number.ok_or_else(|| ParseSprtError::Value(value.to_owned(), name))
            };
            let is_probability = |number: f64| 0.0 < number && number < 0.5;
            match name.trim() {
                "elo0" => elo0 = Some(number("elo0", |_| true)?),
                "elo1" => elo1 = Some(number("elo1", |_| true)?),
                "alpha" => alpha = number("alpha, a probability below 0.5", is_probability)?,
                "beta" => beta = number("beta, a probability below 0.5", is_probability)?,
                "model" => {
                    model = match value.trim() {
                        "logistic" => EloModel::Logistic,
                        "normalized" => EloModel::Normalized,
                        _ => return Err(ParseSprtError::Value(value.to_owned(), "model (logistic, normalized)")),
                    }
                }
                _ => return Err(ParseSprtError::Unknown(setting.to_owned())),
            }
        }
        let elo0 = elo0.ok_or(ParseSprtError::Missing("elo0"))?;
        let elo1 = elo1.ok_or(ParseSprtError::Missing("elo1"))?;
        let most = if model == EloModel::Logistic { MAX_ELO } else { MAX_NORMALIZED_ELO };
        if let Some(far) = [elo0, elo1].into_iter().find(|elo: &f64| elo.abs() > most) {
            return Err(ParseSprtError::TooLarge(far, most));
        }
        if elo1 <= elo0 {
            return Err(ParseSprtError::Order);
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        let unit = if *model == EloModel::Logistic { "Elo" } else { "normalized Elo" };
        write!(f, "H0: {elo0}, H1: {elo1} {unit}, alpha {alpha}, beta {beta}")
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::Wdl;

    use super::*;
    use crate::tournament::elo::Pentanomial;

    fn llr(text: &str, [ll, ld, wl, dd, wd, ww]: [u64; 6]) -> f64 {
        text.parse::<Sprt>().unwrap().llr(&Pentanomial { ll, ld, wl, dd, wd, ww }.sample())
    }

    #[test]
    fn llr_matches_fastchess() {
        for (text, counts, expected) in [
            ("elo0=0,elo1=2,model=normalized", [365, 16618, 36029, 200, 16974, 390], 2.25),
            ("elo0=-1.75,elo1=0.25,model=normalized", [127, 4883, 10311, 401, 5150, 104], 3.01),
            ("elo0=0.5,elo1=2.5,model=logistic", [223, 9863, 20279, 1000, 10037, 246], -3.07),
        ] {
            let found = llr(text, counts);
            assert!((found - expected).abs() < 0.006, "{text}: {found}, not {expected}");
        }
    }

    /// The expected values are of a search for the most likely distributions.
    #[test]
    fn llr_of_games_is_of_the_most_likely_distributions() {
        for (text, [wins, draws, losses], expected) in [
            ("elo0=0,elo1=10", [60, 20, 40], 0.63148),
            ("elo0=0,elo1=10", [512, 301, 466], 1.03889),
            ("elo0=0,elo1=10,model=normalized", [60, 20, 40], 0.58091),
            ("elo0=0,elo1=10,model=normalized", [512, 301, 466], 0.98438),
        ] {
            let found = text.parse::<Sprt>().unwrap().llr(&Sample::of_games(Wdl { wins, draws, losses }));
            assert!((found - expected).abs() < 1e-4, "{text}: {found}, not {expected}");
        }
    }

    #[test]
    fn accepts_hypotheses_at_the_bounds() {
        let sprt: Sprt = "elo0=0,elo1=5".parse().unwrap();
        let [lower, upper] = sprt.bounds();
        assert!((lower + 2.944_438_979).abs() < 1e-8 && (upper - 2.944_438_979).abs() < 1e-8);
        assert_eq!(
            [-2.95, -2.94, 2.94, 2.95].map(|llr| sprt.verdict(llr)),
            [Some(SprtDecision::H0), None, None, Some(SprtDecision::H1)]
        );
        let uneven: Sprt = "elo0=-2, elo1=3, beta=0.1, alpha=0.01".parse().unwrap();
        assert_eq!((uneven.elo0, uneven.elo1, uneven.alpha, uneven.beta), (-2.0, 3.0, 0.01, 0.1));
        assert!(uneven.bounds()[1] > upper && uneven.bounds()[0] > lower);
    }

    #[test]
    fn llr_is_finite_for_few_or_one_sided_results() {
        for counts in [[0; 6], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 40], [40, 0, 0, 0, 0, 0]] {
            for model in ["logistic", "normalized"] {
                let found = llr(&format!("elo0=0,elo1=5,model={model}"), counts);
                assert!(found.is_finite(), "{counts:?} {model}");
                assert!(llr(&format!("elo0=-200,elo1=200,model={model}"), counts).is_finite(), "{counts:?} {model}");
                assert_eq!(found > 0.0, counts[5] > 0, "{counts:?} {model}: {found}");
            }
        }
    }

    #[test]
    fn rejects_invalid_tests() {
        let error = |text: &str| text.parse::<Sprt>().unwrap_err();
        assert_eq!(error("elo0=0"), ParseSprtError::Missing("elo1"));
        assert_eq!(error("elo0=5,elo1=5"), ParseSprtError::Order);
        assert!(matches!(error("elo0=0,elo1=5,gamma=1"), ParseSprtError::Unknown(_)));
        assert!(matches!(error(""), ParseSprtError::Unknown(_)));
        assert_eq!(error("elo0=0,elo1=240,model=normalized"), ParseSprtError::TooLarge(240.0, 200.0));
        assert_eq!(error("elo0=-9000,elo1=240"), ParseSprtError::TooLarge(-9000.0, 2000.0));
        for text in ["elo0=x,elo1=5", "elo0=0,elo1=inf", "elo0=0,elo1=1,alpha=0.5", "elo0=0,elo1=1,model=x"] {
            assert!(matches!(error(text), ParseSprtError::Value(..)), "{text}");
        }
    }
}
