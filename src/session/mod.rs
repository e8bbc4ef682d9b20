//! A game in progress, for whatever shows it to people or plays it for programs: the terminal, the page, the referee and the protocols.
//!
//! [`Session`] is the one holder of such a game, [`interpret()`] the one place where a text becomes a move or a command, and [`Searchers`] are what
//! thinks about the games. Nothing here draws, and nothing knows which game it is.
//!
//! | file | what |
//! | --- | --- |
//! | `state` | the game, what was taken back, the clock and the result |
//! | `interpret`, `command`, [`grid`] | what a text means at the board |
//! | `touch` | moves by the points that are touched |
//! | `view`, `end` | what there is to see |
//! | `text` | positions and games read and written |
//! | `clock` | the time of both sides |
//! | `searchers`, `thought` | what thinks, and what it finds |
//!
//! ```
//! use morello::games;
//! use morello::session::Session;
//!
//! let mut session = Session::new(games::get("othello")?);
//! session.play_text("f5")?;
//! assert_eq!(session.play_text("a1").unwrap_err().to_string(), "`a1`: it flips no disc");
//! assert_eq!(session.view().moves, ["f5"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod command;
mod end;
pub mod grid;
mod interpret;
mod searchers;
mod state;
mod text;
mod thought;
mod touch;
mod view;

#[cfg(test)]
mod tests;

pub use clock::{Clock, TimeControl};
pub use command::{Command, WrongForm, help};
pub use end::EndView;
pub use interpret::{Refused, Typed, interpret, read_move};
pub use searchers::{NoSearcher, Searchers, Setup, SetupError};
pub use state::{Forfeit, Session};
pub use text::{Loaded, SaveError, SetUpError, write};
pub use thought::{LineView, ScoreView, Thought};
pub use view::{BoardView, FormatView, MoveView, View};
