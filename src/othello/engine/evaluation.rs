//! [`Evaluation`]: all that was learnt from games, as one thing to be handed around.

use super::patterns::{FULL, ORDER, PatternEvaluation, Weights};
use super::probcut::{Model, ProbCut};

/// What a search of 8x8 Othello judges by.
pub struct Evaluation {
    /// Judges positions.
    pub full: PatternEvaluation<64>,
    /// Judges positions in a quarter of the time, for the order of moves near the end.
    pub order: PatternEvaluation<16>,
    /// Says what a shallow search tells of a deep one.
    pub probcut: ProbCut,
}

impl Evaluation {
    /// Puts an evaluation together.
    ///
    /// # Panics
    /// If the weights are not of these sets of shapes.
    #[must_use]
    pub fn new(full: Weights, order: Weights, model: &Model) -> Self {
        Self {
            full: PatternEvaluation::new(&FULL, full),
            order: PatternEvaluation::new(&ORDER, order),
            probcut: ProbCut::new(model),
        }
    }
}
