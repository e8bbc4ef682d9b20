//! How the evaluation of Othello is learnt from the engine's own games.
//!
//! [`generate()`] lets the engine play against itself from random openings, with the score of every game known from the solver, and keeps the
//! games in [files](GameFile) that a run which was cut off goes on with. [`fit()`] finds the weights of patterns that explain these scores
//! best, on top of what earlier runs have learnt.

mod checkpoint;
mod error_statistics;
mod evaluation_report;
mod fit;
mod games;
mod generate;
pub mod probcut;
mod samples;
mod step;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use error_statistics::ErrorStatistics;
pub use evaluation_report::EvaluationReport;
pub use fit::fit;
pub use games::{GameFile, GameFileError, GameRecord, GenerationOptions, Sample, TrainingGames};
pub use generate::{Generated, generate, play};
pub use samples::{Corpus, DataSplit};
pub use step::{FitOptions, Fitted, Sweep, TrainedWeights, steps};
