//! Pattern evaluation: the value of a position is the sum of the weights of its patterns.
//!
//! ```
//! use morello::othello::Position;
//! use morello::othello::engine::patterns::{FULL, PatternEvaluation, ShapeClasses, Weights};
//!
//! // Every class weighs 1/128 disc, at all plies.
//! let mut weights = Weights::zero(ShapeClasses::of_set(&FULL).count());
//! weights.plies.iter_mut().for_each(|ply| ply.fill(1));
//! let evaluation = PatternEvaluation::new(&FULL, weights);
//! let units = evaluation.evaluate(Position::default().board());
//! assert_eq!(units, FULL.placements().len() as i32);
//! ```
//!
//! ```text
//!  board --ShapeSet--> features: the configuration of each placement of each shape (updated incrementally)
//!        --Weights---> a weight per configuration, by ply; the sum estimates the final score
//! ```
//!
//! [`shapes`] defines the patterns and their configurations, [`weights`] their values. There are
//! two sets of shapes. [`FULL`] evaluates positions and is also the input of the
//! [network](super::network). [`ORDER`] orders moves near the end of the game, at a quarter of the
//! cost. The method is Michael Buro's (From Simple Features to Sophisticated Evaluation Functions,
//! 1998). `src/train/training` and `data/weights` describe how the weights are trained.

pub(super) mod file;
pub mod shapes;
pub mod weights;
#[cfg(any(test, feature = "zstd"))]
mod write;

pub use shapes::{FULL, Features, ORDER, ShapeClasses, ShapeSet, order_features};
pub use weights::{PLIES, PatternEvaluation, UNIT, Weights, discs};
#[cfg(any(test, feature = "zstd"))]
pub use write::SampleCounts;

pub use crate::weights_file::DecodeError;

#[cfg(test)]
mod tests;
