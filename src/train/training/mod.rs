//! Trains the evaluations on self-play games.
//!
//! For the mill games, [`mills`] fits weights to games with results and scores. Everything else is
//! for Othello:
//!
//! [`generate()`] lets the engine play against itself from random openings, with exact endgames,
//! and adds the games to a resumable [file](TrainingFile). [`fit()`] fits pattern weights to the
//! scores of the games, optionally starting from earlier weights.

pub mod balance;
mod boards;
mod checkpoint;
mod error_statistics;
mod evaluation_report;
mod fit;
mod games;
mod generate;
mod in_order;
mod label;
mod labels;
pub mod mills;
pub mod network;
mod normal_equations;
pub mod probcut;
mod records;
mod samples;
pub mod score_errors;
mod step;

pub use checkpoint::{FitCheckpoint, TrainingCheckpointError};
pub use error_statistics::ErrorStatistics;
pub use evaluation_report::EvaluationReport;
pub use fit::{WEIGHT_STEP, fit};
pub use games::{GenerationOptions, Sample, TrainingGame};
pub use generate::generate;
pub use label::label;
pub use labels::LabelOptions;
pub use records::{TrainingData, TrainingFile, TrainingFileError};
pub use samples::{Corpus, DataSplit};
pub use step::{FitOptions, Fitted, Sweep, TrainedWeights, steps};
