//! A game in progress, for the terminal, the page, the referee and the protocols.
//!
//! ```
//! use morello::games;
//! use morello::session::Session;
//!
//! let mut session = Session::new(games::get("othello")?);
//! session.play_text("f5")?;
//! assert_eq!(session.play_text("a1").unwrap_err().to_string(), "illegal move `a1`: it flips no disc");
//! assert_eq!(session.view().moves, ["f5"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Session`] stores the game, [`interpret()`] parses what a user types, and [`SearcherPool`]
//! searches positions. The module does no drawing and works for every game.
//!
//! | file | content |
//! | --- | --- |
//! | `game` | the game, its undone moves, the clock and the result |
//! | `interpret`, `command` | parsing of moves and commands |
//! | `touch` | moves by selected points |
//! | `view`, `end_view` | descriptions of the game for display |
//! | `load_save` | loading and saving of positions and games |
//! | `searcher_pool`, `search_view` | searches and their results |

mod command;
mod end_view;
mod game;
mod interpret;
mod load_save;
mod search_view;
mod searcher_pool;
mod touch;
mod view;

#[cfg(test)]
mod tests;

pub use command::{CommandSyntaxError, SessionCommand, command_words, help};
pub use end_view::EndView;
pub use game::{Forfeit, Session};
pub use interpret::{InputError, PointError, TypedInput, interpret, read_move};
pub use load_save::{LoadError, SaveError, write};
pub use search_view::{LineView, ScoreView, SearchView};
pub use searcher_pool::{
    EngineOptionsError, EngineOptionsProvider, SEPARATE_TABLES, SearcherPool, SearcherUnavailable, TableLimit,
};
pub use view::{BoardView, BookMoveView, FormatView, GameView, MoveView, OpeningView};
