//! [`Cause`]: why a game is over, for people and for programs.

use super::{Game, Position as _, Reason};

/// Why a game is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// One word for programs, such as `blocked`, `repetition`.
    pub name: &'static str,
    /// The same as part of a sentence: `White cannot move`.
    pub text: String,
}

impl Cause {
    /// Describes a cause.
    #[must_use]
    pub fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into() }
    }

    /// Returns why a game is over; `None` while it goes on.
    ///
    /// ```
    /// use morello::game::{Cause, Game};
    /// use morello::morris::{NineMensMorris, Position};
    ///
    /// let game = Game::new("0,0 a7,d7,g7 a1,b2 B".parse::<Position<NineMensMorris>>()?);
    /// assert_eq!(Cause::of(&game.any()), Some(Cause::new("too_few", "Black has fewer than three men")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(game: &Game) -> Option<Self> {
        Some(match game.end()?.reason {
            Reason::Rules => game.position().why_over().unwrap_or_else(|| Self::new("rules", "the rules end it here")),
            Reason::Repetition => {
                let times = match game.settings().repetition.unwrap_or(0) {
                    2 => "second".to_owned(),
                    3 => "third".to_owned(),
                    count => format!("{count}th"),
                };
                Self::new("repetition", format!("this position stood for the {times} time"))
            }
            Reason::NoProgress => {
                let words = game.position().game().words();
                let text = match game.position().in_hand(game.position().side_to_move()) {
                    Some(_) => {
                        format!("{} plies without a {} {}", game.quiet_plies(), words.piece, words.captured)
                    }
                    None => format!("{} plies without progress", game.quiet_plies()),
                };
                Self::new("no_progress", text)
            }
            Reason::PlyCap => Self::new("ply_cap", format!("{} plies were played", game.moves().len())),
        })
    }
}
