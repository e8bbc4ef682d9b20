//! [`GameInfo`]: the constants of a game. [`RuleSummary`]: a rule, for explaining a game to people.

use crate::game::Terminology;

/// The meaning of a [final score](crate::game::Position::final_score).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Scoring {
    /// The margin matters, and the length of the game does not: discs in Othello.
    Margin,
    /// Every win is +1, and a shorter win is better: the mill games.
    Distance,
}

/// The constants of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// The title for people, such as `Morabaraba, no return`.
    pub title: &'static str,
    /// A one-line description for lists of games, without a full stop.
    pub about: &'static str,
    /// The terms for pieces and captures.
    pub terminology: Terminology,
    /// The meaning of the final score.
    pub scoring: Scoring,
    /// Whether a position can recur within a game.
    pub cyclic: bool,
    /// The number of symmetries of the board, including the identity.
    pub symmetries: usize,
    /// Whether the searcher, given enough time, proves the score of every position that it searches
    /// with [`Limits::exact`](crate::game::Limits::exact).
    pub exact_solver: bool,
    /// Whether the searcher is selective: it prunes moves that a shallower search shows to be
    /// unlikely to matter, and uses [`Limits::confidence`](crate::game::Limits::confidence).
    pub selective: bool,
    /// The [table of known perft values](crate::perft::Reference).
    pub known_perft: &'static str,
}

impl GameInfo {
    /// Returns the constants of a game without symmetries, whose positions cannot recur and whose
    /// wins all count the same.
    ///
    /// ```
    /// use morello::game::{GameInfo, Scoring};
    ///
    /// const HEX: GameInfo = GameInfo { symmetries: 2, ..GameInfo::new("hex", "Hex", "Hex on 11x11 cells") };
    /// assert_eq!((HEX.name, HEX.scoring, HEX.cyclic), ("hex", Scoring::Distance, false));
    /// ```
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, about: &'static str) -> Self {
        let terminology = Terminology { piece: "piece", pieces: "pieces", captures: "captures", captured: "captured" };
        Self {
            name,
            title,
            about,
            terminology,
            scoring: Scoring::Distance,
            cyclic: false,
            symmetries: 1,
            exact_solver: false,
            selective: false,
            known_perft: "",
        }
    }
}

/// A rule of a game, to explain it to people in any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RuleSummary {
    /// The name of the rule, such as `flying`.
    pub name: &'static str,
    /// The number in the rule, such as the number of men per side.
    pub number: Option<u32>,
}

impl RuleSummary {
    /// Creates a rule without a number.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, number: None }
    }

    /// Creates a rule with a number.
    #[must_use]
    pub const fn with_number(name: &'static str, number: u32) -> Self {
        Self { name, number: Some(number) }
    }
}
