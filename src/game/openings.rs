//! [`Openings`]: from which positions the matches of a game start.

use std::ops::RangeInclusive;

use super::{GameRules, Scoring};

/// A game with a policy for the openings of matches.
pub trait Openings: GameRules {
    /// Returns the openings of matches that ask for nothing else.
    fn opening_policy() -> OpeningPolicy {
        match Self::SCORING {
            Scoring::Margin => OpeningPolicy { plies: 8..=12, depth: 8, most_points: 3.0 },
            Scoring::Distance => OpeningPolicy { plies: 4..=6, depth: 6, most_points: 0.1 },
        }
    }
}

/// From which positions matches start.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningPolicy {
    /// Plies of random play that lead there from the start of the game.
    pub plies: RangeInclusive<u32>,
    /// The depth, in plies, to which such a position is searched to see whether it is balanced; 0 takes every one.
    pub depth: u32,
    /// The highest score, in points for either side, of a position that is balanced.
    pub most_points: f64,
}
