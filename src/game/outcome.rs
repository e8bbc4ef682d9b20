//! [`Outcome`]: the result of a game.

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
    /// Returns the outcome that a final score from the point of view of `side` stands for.
    #[must_use]
    pub fn from_score(score: i32, side: Color) -> Self {
        match score.cmp(&0) {
            Ordering::Greater => Self::Win(side),
            Ordering::Equal => Self::Draw,
            Ordering::Less => Self::Win(!side),
        }
    }

    /// Returns the winner; `None` for a draw.
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
