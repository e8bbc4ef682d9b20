//! [`Openings`]: the default match openings, and the opening names.

use std::ops::RangeInclusive;

use crate::game::{GameRules, OpeningNames, Scoring};

/// A game with default match openings, and perhaps opening names.
///
/// ```
/// use morello::game::Openings;
/// use morello::{morris, othello};
///
/// assert_eq!(othello::SizedPosition::<6>::opening_policy().plies, 6..=9);
/// type Morris = morris::Position<morris::NineMensMorris>;
/// assert_eq!(Morris::opening_policy().most_points, 0.1); // a tenth of a win
/// assert!(Morris::opening_names().is_none());
/// ```
pub trait Openings: GameRules {
    /// Returns the default openings.
    fn opening_policy() -> OpeningPolicy {
        match Self::INFO.scoring {
            Scoring::Margin => OpeningPolicy { plies: 8..=12, depth: 8, most_points: 3.0 },
            Scoring::Distance => OpeningPolicy { plies: 4..=6, depth: 6, most_points: 0.1 },
        }
    }

    /// Returns the named openings; `None` if the game has none.
    fn opening_names() -> Option<&'static OpeningNames> {
        None
    }
}

/// How match openings are drawn.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpeningPolicy {
    /// The number of random plies from the start of the game.
    pub plies: RangeInclusive<u32>,
    /// The depth, in plies, of the search that checks whether a position is balanced; 0 accepts
    /// every position.
    pub depth: u32,
    /// The maximum absolute score of a balanced position, in points.
    pub most_points: f64,
}
