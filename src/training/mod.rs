//! How the evaluation of Othello is learnt from the engine's own games.
//!
//! [`generate()`] lets the engine play against itself from random openings, with the score of every game known from the solver, and keeps the
//! games in [files](GameFile) that a run which was cut off goes on with. [`fit()`] finds the weights of patterns that explain these scores
//! best, on top of what earlier runs have learnt.

mod checkpoint;
mod errors;
mod fit;
mod games;
mod generate;
pub mod probcut;
mod report;
mod samples;
mod step;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use errors::Errors;
pub use fit::fit;
pub use games::{GameFile, GameFileError, GameRecord, Games, Recipe, Sample};
pub use generate::{Generated, generate, play};
pub use report::Report;
pub use samples::{Corpus, Part};
pub use step::{FitOptions, Fitted, Sweep, Trained, steps};
