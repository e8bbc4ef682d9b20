//! [`Confidence`]: how sure a search must be of what it leaves out.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How sure a selective search is that a move which it leaves out, judged by a shallower search, would not have mattered.
///
/// There are six levels, named by the chance in percent that an error of the shallower search stays within what was allowed for: 73, 87, 95,
/// 98, 99, and 100, where nothing is left out. The higher, the safer and the slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence(u8);

/// The levels: chance in percent, and the standard deviations to either side of the mean that a normal distribution has it within.
const LEVELS: [(u32, f64); 6] = [(73, 1.103), (87, 1.514), (95, 1.960), (98, 2.326), (99, 2.576), (100, f64::INFINITY)];

impl Confidence {
    /// The lowest level, 73 %.
    pub const LOWEST: Self = Self(0);

    /// Nothing is left out.
    pub const FULL: Self = Self(LEVELS.len() as u8 - 1);

    /// Returns all levels, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..LEVELS.len() as u8).map(Self)
    }

    /// Returns the level of so many percent, if that is one's name.
    #[must_use]
    pub fn from_percent(percent: u32) -> Option<Self> {
        Self::all().find(|level| level.percent() == percent)
    }

    /// Returns the chance in percent.
    #[must_use]
    pub fn percent(self) -> u32 {
        LEVELS[usize::from(self.0)].0
    }

    /// Returns how many standard deviations are allowed for; infinite for [`FULL`](Self::FULL).
    #[must_use]
    pub fn deviations(self) -> f64 {
        LEVELS[usize::from(self.0)].1
    }

    /// Returns the place of the level, from 0.
    #[inline]
    #[must_use]
    pub fn index(self) -> u8 {
        self.0
    }

    /// Returns the level at a place; beyond the last it is [`FULL`](Self::FULL).
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

/// A text that names no level of confidence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no level of confidence (they are 73, 87, 95, 98, 99 and 100)")]
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
        assert_eq!(error.to_string(), "`90` is no level of confidence (they are 73, 87, 95, 98, 99 and 100)");
    }
}
