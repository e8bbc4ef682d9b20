//! [`Command`]: turns a game's name into its type.

use std::error::Error;

use super::{EngineOptions, Playable};

/// Finds what searchers are made with, for each game that comes up.
pub trait Setup {
    /// Returns it for a game.
    ///
    /// # Errors
    /// If it cannot be had: a file is not what it should be.
    fn options<P: Playable>(&self) -> Result<EngineOptions, Box<dyn Error + Send + Sync>>;
}

/// Something to be done with a game that is known by name only at run time.
pub trait Command {
    /// What it results in.
    type Output;

    /// Does it, with the name turned into a type.
    fn run<P: Playable>(self) -> Self::Output;
}
