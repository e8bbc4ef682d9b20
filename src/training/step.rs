//! The steps of a fit: their options, their order and their results.

use std::time::Duration;

use super::ErrorStatistics;
use crate::othello::engine::patterns::{PLIES, SampleCounts, Weights};

/// Weights with the number of samples that each was fitted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainedWeights {
    /// The weights.
    pub weights: Weights,
    /// The numbers of samples.
    pub counts: SampleCounts,
}

impl TrainedWeights {
    /// Returns weights by which every position is worth nothing, fitted to nothing.
    #[must_use]
    pub fn zero(classes: usize) -> Self {
        Self { weights: Weights::zero(classes), counts: SampleCounts::zero(classes) }
    }
}

/// How weights are fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// The most steps of the descent, at each ply of a sweep.
    pub epochs: u32,
    /// The square of the difference that is expected between the weights of neighbouring plies, in squared discs.
    pub change: f32,
    /// How much a sample that stored weights were fitted to counts, in samples of this fit.
    pub prior: f32,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { epochs: 12, change: 0.5, prior: 1.0 }
    }
}

/// A pass over all plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// From the last ply to the first.
    Backward,
    /// From the first ply to the last.
    Forward,
}

/// The plies that have positions to judge: after the last one the board is full.
pub(super) const JUDGED: usize = PLIES - 1;

/// Returns the steps of a fit, in their order: the sweep and the ply.
pub fn steps() -> impl ExactSizeIterator<Item = (Sweep, usize)> + Clone {
    let step = |index: usize| match index.checked_sub(JUDGED) {
        None => (Sweep::Backward, JUDGED - 1 - index),
        Some(ply) => (Sweep::Forward, ply),
    };
    (0..2 * JUDGED).map(step)
}

/// The weights of a ply, fitted in a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The sweep.
    pub sweep: Sweep,
    /// The ply: the number of discs placed.
    pub ply: usize,
    /// The weights.
    pub weights: Vec<i16>,
    /// The number of samples that each was fitted to.
    pub counts: Vec<u32>,
    /// The errors for the samples that the weights were fitted to.
    pub training: ErrorStatistics,
    /// The errors for the samples held out.
    pub held_out: ErrorStatistics,
    /// The time taken.
    pub time: Duration,
}
