//! [`Confidence`]: the confidence level of selective search.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The confidence with which a selective search prunes a move because of the result of a shallower
/// search.
///
/// There are six levels, named by the probability in percent that the error of the shallower search
/// stays within the margin: 73, 87, 95, 98, 99, and 100. At 100 nothing is pruned. Higher levels
/// are safer and slower.
///
/// ```
/// use morello::game::Confidence;
///
/// let confidence: Confidence = "95%".parse()?;
/// assert_eq!((confidence.percent(), confidence.deviations()), (95, 1.96));
/// assert!(Confidence::LOWEST < confidence && confidence < Confidence::FULL);
/// assert_eq!(Confidence::from_percent(90), None);
/// let names: Vec<_> = Confidence::all().map(|level| level.to_string()).collect();
/// assert_eq!(names, ["73%", "87%", "95%", "98%", "99%", "100%"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u32", into = "u32"))]
pub struct Confidence(u8);

/// The levels: probability in percent, and the corresponding two-sided margin of a normal
/// distribution in standard deviations.
const LEVELS: [(u32, f64); 6] = [(73, 1.103), (87, 1.514), (95, 1.960), (98, 2.326), (99, 2.576), (100, f64::INFINITY)];

impl Confidence {
    /// The lowest level, 73 %.
    pub const LOWEST: Self = Self(0);

    /// Nothing is pruned.
    pub const FULL: Self = Self(LEVELS.len() as u8 - 1);

    /// Returns all levels, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..LEVELS.len() as u8).map(Self)
    }

    /// Returns the level with this percentage; `None` if there is none.
    #[must_use]
    pub fn from_percent(percent: u32) -> Option<Self> {
        Self::all().find(|level| level.percent() == percent)
    }

    /// Returns the probability in percent.
    #[must_use]
    pub fn percent(self) -> u32 {
        LEVELS[usize::from(self.0)].0
    }

    /// Returns the margin in standard deviations; infinite for [`FULL`](Self::FULL).
    #[must_use]
    pub fn deviations(self) -> f64 {
        LEVELS[usize::from(self.0)].1
    }

    /// Returns the index of the level, from 0.
    #[inline]
    #[must_use]
    pub fn index(self) -> u8 {
        self.0
    }

    /// Returns the level with this index, or [`FULL`](Self::FULL) beyond the last.
    #[inline]
    #[must_use]
    pub fn from_index(index: u8) -> Self {
        Self(index.min(Self::FULL.0))
    }
}

impl fmt::Display for Confidence {
    /// Writes, for example, `73%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

impl From<Confidence> for u32 {
    fn from(confidence: Confidence) -> Self {
        confidence.percent()
    }
}

impl TryFrom<u32> for Confidence {
    type Error = ParseConfidenceError;

    fn try_from(percent: u32) -> Result<Self, ParseConfidenceError> {
        Self::from_percent(percent).ok_or_else(|| ParseConfidenceError(percent.to_string()))
    }
}

/// The text is not a confidence level.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a confidence level: `{0}` (levels: 73, 87, 95, 98, 99, 100)")]
pub struct ParseConfidenceError(String);

impl FromStr for Confidence {
    type Err = ParseConfidenceError;

    /// Reads `95` or `95%`.
    fn from_str(text: &str) -> Result<Self, ParseConfidenceError> {
        let percent = text.strip_suffix('%').unwrap_or(text).parse().ok();
        percent.and_then(Self::from_percent).ok_or_else(|| ParseConfidenceError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_round_trip_through_text_and_index() {
        for level in Confidence::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(Confidence::from_index(level.index()), level);
        }
        assert!(Confidence::LOWEST < Confidence::FULL);
        assert!(
            Confidence::all().zip(Confidence::all().skip(1)).all(|(low, high)| low.deviations() < high.deviations())
        );
        let error = "90".parse::<Confidence>().unwrap_err();
        assert_eq!(error.to_string(), "not a confidence level: `90` (levels: 73, 87, 95, 98, 99, 100)");
    }
}
