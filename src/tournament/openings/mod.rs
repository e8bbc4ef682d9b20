//! Openings: what is played before the players are asked.
//!
//! They are drawn by chance ([`generate`]), are all that there are after some plies ([`all`]), or come out of a file ([`read`]).

mod all;
mod balance;
mod file;
mod random;
mod source;

pub use all::{MOST_POSITIONS, TooManyPositions, all};
pub use balance::Balance;
pub use file::{OpeningFile, ReadOpeningsError, read};
pub use random::generate;
pub use source::{FindOpeningsError, Found, Source};

use crate::game::{AnyMove, AnyPosition, Game, PlayError, Settings};

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
    pub fn game(&self, settings: Settings) -> Result<Game, PlayError> {
        let mut game = Game::with_settings(self.start, settings);
        self.moves.iter().try_for_each(|&m| game.play(m))?;
        Ok(game)
    }
}
