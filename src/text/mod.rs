//! Games as text, on the screen and at the keyboard: a terminal, a pipe, or anything else that is lines.
//!
//! | module | what |
//! | --- | --- |
//! | [`play()`] | a whole game |
//! | [`TerminalGame`] | the game, its two participants, and what is typed |
//! | [`ParticipantSpec`] | a participant, as a user asks for it |
//! | [`draw`] | the board |
//! | [`Interrupt`] | what Ctrl-C stops |
//! | [`referee`] | a game between others, adjudicated move by move |
//! | [`course`] | the text program of a programming course, with rules of its own |
//!
//! ```
//! use std::sync::Arc;
//!
//! use morello::game::EngineOptions;
//! use morello::games;
//! use morello::session::SearcherPool;
//! use morello::text::{TerminalOptions, Participant, TerminalGame, play};
//!
//! let searchers = SearcherPool::new(games::get("three-mens-morris")?, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
//! let mut terminal = TerminalGame::new(searchers, [Participant::Human, Participant::Human], TerminalOptions::default());
//! let mut output = Vec::new();
//! play(&mut terminal, "b2\nb2\na1\nundo\na3\nc1\nc3\na1\nb3\nquit\n".as_bytes(), &mut output)?;
//! let output = String::from_utf8(output)?;
//! assert!(output.contains("Your move: Invalid move: a man stands on b2\n"));
//! assert!(output.contains("Player Black wins!\nBlack has a mill ("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod course;
pub mod draw;
mod game_files;
mod game_loop;
mod interrupt;
mod messages;
mod participant;
pub mod referee;
mod terminal;
#[cfg(test)]
mod tests;

pub use game_files::FileError;
pub use game_loop::play;
pub use interrupt::Interrupt;
pub use participant::{DEFAULT_ENGINE, ParseParticipantError, ParticipantSpec};
pub use terminal::{Participant, TerminalError, TerminalGame, TerminalOptions};
