//! [`EndDescription`]: why a game is over, as a word and as text.

use crate::game::{Game, GameEndReason, Position as _};

/// Why a game is over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EndDescription {
    /// A fixed identifier for programs, such as `blocked` or `repetition`.
    pub name: &'static str,
    /// A clause for messages, such as `White cannot move`.
    pub text: String,
}

impl EndDescription {
    /// Creates a description.
    #[must_use]
    pub fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into() }
    }

    /// Describes why a game is over; `None` if it is not over.
    ///
    /// ```
    /// use morello::game::{EndDescription, Game};
    /// use morello::morris::{NineMensMorris, Position};
    ///
    /// let game = Game::new("0,0 a7,d7,g7 a1,b2 B".parse::<Position<NineMensMorris>>()?);
    /// let end = EndDescription::new("too_few", "Black has fewer than three men");
    /// assert_eq!(EndDescription::of(&game.any()), Some(end));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(game: &Game) -> Option<Self> {
        Some(match game.end()?.reason {
            GameEndReason::Rules => {
                game.position().why_over().unwrap_or_else(|| Self::new("rules", "the position ends the game"))
            }
            GameEndReason::Repetition => {
                let ordinal = match game.draw_rules().repetition.unwrap_or(0) {
                    2 => "second".to_owned(),
                    3 => "third".to_owned(),
                    count => format!("{count}th"),
                };
                Self::new("repetition", format!("this position occurred for the {ordinal} time"))
            }
            GameEndReason::NoProgress => {
                let words = game.position().game().info().terminology;
                let text = match game.position().in_hand(game.position().side_to_move()) {
                    Some(_) => {
                        format!("{} plies without a {} {}", game.halfmove_clock(), words.piece, words.captured)
                    }
                    None => format!("{} plies without progress", game.halfmove_clock()),
                };
                Self::new("no_progress", text)
            }
            GameEndReason::PlyCap => Self::new("ply_cap", format!("limit of {} plies reached", game.moves().len())),
        })
    }
}
