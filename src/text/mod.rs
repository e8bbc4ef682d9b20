//! Games as text, on the screen and at the keyboard: a terminal, a pipe, or anything else that is lines.
//!
//! | module | what |
//! | --- | --- |
//! | [`play()`] | a whole game |
//! | [`Table`] | who sits at the board, and what is typed there |
//! | [`Seat`] | who is to sit there, as a user asks for it |
//! | [`draw`] | the board |
//! | [`Patience`] | what Ctrl-C stops |
//! | [`referee`] | a game between others, adjudicated move by move |
//! | [`course`] | the text program of a programming course, with rules of its own |
//!
//! ```
//! use std::sync::Arc;
//!
//! use morello::game::EngineOptions;
//! use morello::games;
//! use morello::session::Searchers;
//! use morello::text::{Manners, Sitter, Table, play};
//!
//! let searchers = Searchers::new(games::get("three-mens-morris")?, Arc::new(|_| Ok(EngineOptions::new(1 << 20))));
//! let mut table = Table::new(searchers, [Sitter::Human, Sitter::Human], Manners::default());
//! let mut output = Vec::new();
//! play(&mut table, "b2\nb2\na1\nundo\na3\nc1\nc3\na1\nb3\nquit\n".as_bytes(), &mut output)?;
//! let output = String::from_utf8(output)?;
//! assert!(output.contains("Your move: Invalid move: a man stands on b2\n"));
//! assert!(output.contains("Player Black wins!\nBlack has a mill ("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod course;
pub mod draw;
mod files;
mod patience;
mod play;
pub mod referee;
mod seat;
mod table;
mod tell;
#[cfg(test)]
mod tests;

pub use files::FileError;
pub use patience::Patience;
pub use play::play;
pub use seat::{DEFAULT_ENGINE, ParseSeatError, Seat};
pub use table::{Manners, Sitter, Table, TableError};
