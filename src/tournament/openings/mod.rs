//! Openings: what is played before the players are asked.
//!
//! They are drawn by chance ([`generate`]), are all that there are after some plies ([`all_openings`]), or come out of a file ([`read`]).

mod balance;
mod enumerate;
mod file;
mod random;
mod source;

pub use balance::Balance;
pub use enumerate::{MAX_POSITIONS, TooManyPositions, all_openings};
pub use file::{OpeningFile, ReadOpeningsError, read};
pub use random::generate;
pub use source::{FindOpeningsError, OpeningSet, OpeningSource};

use crate::game::{AnyMove, AnyPosition, DrawRules, Game, PlayError};

/// A position to start from, and the moves from there that the players find played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position before the first move: in general that of the game's start.
    pub start: AnyPosition,
    /// The moves; they are legal, and the game goes on after them.
    pub moves: Vec<AnyMove>,
}

impl Opening {
    /// Takes a game for an opening.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        Self { start: *game.start(), moves: game.moves().to_vec() }
    }

    /// Plays the opening.
    ///
    /// # Errors
    /// [`PlayError`] if its moves are not legal, or one comes after the end.
    pub fn game(&self, settings: DrawRules) -> Result<Game, PlayError> {
        let mut game = Game::with_draw_rules(self.start, settings);
        self.moves.iter().try_for_each(|&m| game.play(m))?;
        Ok(game)
    }
}
