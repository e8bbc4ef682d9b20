//! How a game ended.

use std::cmp::Ordering;
use std::fmt;

use super::Color;

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// Neither side won.
    Draw,
}

impl Outcome {
    /// Reads the sign of a score that is seen from `side`.
    #[must_use]
    pub fn from_score(score: i32, side: Color) -> Self {
        match score.cmp(&0) {
            Ordering::Greater => Self::Win(side),
            Ordering::Equal => Self::Draw,
            Ordering::Less => Self::Win(!side),
        }
    }

    /// Returns the winner, if there is one.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color) => Some(color),
            Self::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color) => write!(f, "{color} wins"),
            Self::Draw => f.write_str("draw"),
        }
    }
}
