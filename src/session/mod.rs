//! A game in progress, as whatever shows it to people needs it: text in, a typed [`View`] out.
//!
//! [`Session`] is a game with the moves that were taken back, and what thinks about it; [`AnySession`] is the same without its type, and
//! [`Room`] and [`AnyGame`] are where sessions of a game are had from. Nothing here draws, and nothing knows which game it is.
//!
//! | file | what |
//! | --- | --- |
//! | `play` | moves by their text or by the points that are touched, taken back and made again |
//! | `view` | what there is to see |
//! | `text` | positions and games read and written |
//! | `thought` | what a search found, for people |
//! | `room` | the searchers of a game, shared by its sessions |
//!
//! ```
//! use morello::game::EngineOptions;
//! use morello::othello::Position;
//! use morello::session::{AnyGame, Room};
//!
//! let room = Room::<Position>::new(|| Ok(EngineOptions::new(1 << 20)));
//! let mut session = room.session();
//! session.play("f5")?;
//! assert_eq!(session.play("a1").unwrap_err().to_string(), "`a1`: it flips no disc");
//! assert_eq!(session.view().moves, ["f5"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod play;
mod room;
mod text;
mod thought;
mod view;

#[cfg(test)]
mod tests;

use std::error::Error;

use thiserror::Error;

pub use play::{Refused, Session};
pub use room::{AnyGame, Room};
pub use text::{Loaded, SaveError, SetUpError, write};
pub use thought::{LineView, ScoreView, Thought};
pub use view::{BoardView, EndView, FormatView, MoveView, View};

use crate::game::{Cancel, Color, Limits};

/// A game in progress, whichever it is.
pub trait AnySession: Send {
    /// Returns what there is to see.
    fn view(&self) -> View;

    /// Begins a new game.
    fn restart(&mut self);

    /// Begins at a position made of pieces: those on the points of the [layout](crate::game::Layout), and those beside the board of Black and
    /// White, where they are counted.
    ///
    /// # Errors
    /// [`SetUpError`] if that is no position of the game; the session is then as it was.
    fn arrange(&mut self, pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<(), SetUpError>;

    /// Takes the first position or game of a text in any format of the game, and shows its end.
    ///
    /// # Errors
    /// [`SetUpError`] with the place; the session is then as it was.
    fn load(&mut self, text: &str) -> Result<Loaded, SetUpError>;

    /// Takes a game that a [`View`] told: its start and its moves. A draw that is a matter of custom does not end it on the way.
    ///
    /// # Errors
    /// [`SetUpError`] if the start is no position or a move is not legal; the session is then as it was.
    fn resume(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), SetUpError>;

    /// [Writes](write()) the game up to the move that is shown, in the format with this name; `names` are those of Black and White, where no
    /// others were loaded.
    ///
    /// # Errors
    /// [`SaveError`] if the game has no such format, or it cannot hold this game.
    fn save(&self, format: &str, names: [&str; 2]) -> Result<String, SaveError>;

    /// Plays a move by its text.
    ///
    /// # Errors
    /// [`Refused`], with the reason.
    fn play(&mut self, text: &str) -> Result<(), Refused>;

    /// Returns the points that may be touched next, after these, each once and from the lowest number on; none after a whole move.
    fn targets(&self, touched: &[usize]) -> Vec<usize>;

    /// Plays the move whose [points](crate::game::Path::points) were touched, and returns none; or returns those that may be touched next, if
    /// they are not yet a whole move.
    ///
    /// # Errors
    /// [`Refused`] if no move begins so.
    fn touch(&mut self, touched: &[usize]) -> Result<Vec<usize>, Refused>;

    /// Shows the game as it was after so many plies, or after all of them; the moves after that can be made again.
    fn jump(&mut self, plies: usize);

    /// Takes a move back; returns whether there was one.
    fn undo(&mut self) -> bool;

    /// Makes the move again that was taken back last; returns whether there was one.
    fn redo(&mut self) -> bool;

    /// Returns what a search is asked at a [level](crate::game::Playable::level) of play.
    fn level(&self, level: u32) -> Limits;

    /// Thinks about the position that is shown, and tells of each new finding. Other sessions of the game may do so at the same time.
    ///
    /// # Errors
    /// If the game's searcher cannot be had.
    fn think(
        &self,
        limits: &Limits,
        cancel: &Cancel,
        on_thought: &mut dyn FnMut(Thought),
    ) -> Result<Thought, NoSearcher>;
}

/// A searcher that cannot be had.
#[derive(Debug, Error)]
#[error("cannot think about this game")]
pub struct NoSearcher(#[source] pub Box<dyn Error + Send + Sync>);
