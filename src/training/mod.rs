//! How the evaluation of Othello is learnt from the engine's own games.
//!
//! [`generate`] lets the engine play against itself from random openings, with the score of every game known from the solver, and keeps the
//! games in [files](GameFile) that a run which was cut off goes on with.

mod games;
mod generate;

pub use games::{GameFile, GameFileError, GameRecord, Games, Sample};
pub use generate::{Generated, Recipe, generate, play};
