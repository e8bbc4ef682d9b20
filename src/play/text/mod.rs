//! Terminal play and the referee.
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
//! let players = [Participant::Human, Participant::Human];
//! let mut terminal = TerminalGame::new(searchers, players, TerminalOptions::default());
//! let mut output = Vec::new();
//! play(&mut terminal, "b2\nb2\na1\nundo\na3\nc1\nc3\na1\nb3\nquit\n".as_bytes(), &mut output)?;
//! let output = String::from_utf8(output)?;
//! assert!(output.contains("Your move: Invalid move: a man stands on b2\n"));
//! assert!(output.contains("\nBlack wins!\nBlack has a mill ("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | item | purpose |
//! | --- | --- |
//! | [`play()`] | plays a whole game |
//! | [`TerminalGame`] | a game between two participants, and its commands |
//! | [`ParticipantSpec`] | parses who plays a side |
//! | [`draw`] | draws the board |
//! | [`pieces`] | describes the pieces on the board and in hand |
//! | [`Interrupt`] | cancels a search on Ctrl-C |
//! | [`referee`] | checks the moves of a game |

pub mod draw;
mod game_files;
mod interrupt;
mod messages;
mod participant;
pub mod referee;
mod terminal;
#[cfg(test)]
mod tests;

pub use game_files::{FileError, check_extension};
pub use interrupt::Interrupt;
pub use messages::pieces;
pub use participant::{DEFAULT_ENGINE, ParseParticipantError, ParticipantSpec};
pub use terminal::{LineEditor, Participant, TerminalError, TerminalGame, TerminalOptions, play};
