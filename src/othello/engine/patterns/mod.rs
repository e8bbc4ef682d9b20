//! The trained evaluation: a position is worth the sum of what the patterns on its board are worth.
//!
//! ```text
//!  board --ShapeSet--> features: the configuration of each placement of each shape   (kept up to date move by move)
//!        --Weights---> one number for each, by the ply; their sum is the estimate of the final score
//! ```
//!
//! [`shapes`] says where to look and what a configuration is; [`weights`] what it is worth. There are two sets of shapes: [`FULL`] judges,
//! [`ORDER`], at a quarter of the cost, orders moves near the end of the game. The idea is Michael Buro's (From Simple Features to
//! Sophisticated Evaluation Functions, 1998); how weights come about is told in `src/training` and `data/weights`.

mod file;
pub mod shapes;
pub mod weights;
#[cfg(feature = "training")]
mod write;

pub use file::DecodeError;
pub use shapes::{FULL, Features, ORDER, ShapeClasses, ShapeSet};
pub use weights::{PLIES, PatternEvaluation, UNIT, Weights};
#[cfg(feature = "training")]
pub use write::SampleCounts;

#[cfg(test)]
mod tests;
