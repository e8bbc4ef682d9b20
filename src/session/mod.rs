//! A game in progress, for whatever shows it to people or plays it for programs: the terminal, the page, the referee and the protocols.
//!
//! [`Session`] is the one holder of such a game, [`interpret()`] the one place where a text becomes a move or a command, and [`SearcherPool`] are what
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
mod end_view;
mod game;
pub mod grid;
mod interpret;
mod load_save;
mod search_view;
mod searcher_pool;
mod touch;
mod view;

#[cfg(test)]
mod tests;

pub use clock::{Clock, TimeControl};
pub use command::{Command, CommandSyntaxError, help};
pub use end_view::EndView;
pub use game::{Forfeit, Session};
pub use interpret::{InputError, TypedInput, interpret, read_move};
pub use load_save::{LoadError, LoadOutcome, SaveError, write};
pub use search_view::{LineView, ScoreView, SearchView};
pub use searcher_pool::{EngineOptionsError, EngineOptionsProvider, SearcherPool, SearcherUnavailable};
pub use view::{BoardView, FormatView, GameView, MoveView};
