//! The steps of a fit: their options, their order and their results.

use std::ops::RangeInclusive;
use std::time::Duration;

use morello_core::othello::engine::patterns::{PLIES, SampleCounts, Weights};

use super::ErrorStatistics;

/// Weights and the number of samples that each was fitted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainedWeights {
    /// The weights.
    pub weights: Weights,
    /// The numbers of samples.
    pub counts: SampleCounts,
}

impl TrainedWeights {
    /// Returns weights of zero, fitted to no samples.
    #[must_use]
    pub fn zero(classes: usize) -> Self {
        Self { weights: Weights::zero(classes), counts: SampleCounts::zero(classes) }
    }

    /// Keeps only the weights for these numbers of empty squares; other weights become equal to the
    /// weights of the nearest number, and their sample counts become 0.
    pub fn keep(&mut self, empties: RangeInclusive<u8>) {
        for ply in 0..PLIES {
            let (least, most) = ((*empties.start()).into(), (*empties.end()).into());
            let nearest = PLIES - 1 - (PLIES - 1 - ply).clamp(least, most);
            if nearest != ply {
                self.weights.plies[ply] = self.weights.plies[nearest].clone();
                self.counts.plies[ply].fill(0);
            }
        }
    }

    /// Rounds the weights to multiples of `step`, in
    /// [units](morello_core::othello::engine::patterns::UNIT) of a disc. A weight halfway between
    /// two multiples becomes equal to the weight of the next ply if that is one of them, and else to
    /// the even multiple. Files with fewer distinct weights and fewer changes between plies are
    /// smaller.
    ///
    /// # Panics
    /// If `step` is not positive.
    pub fn round(&mut self, step: i16) {
        assert!(step > 0, "weights are rounded to a positive step");
        let mut next_ply = vec![0; self.weights.plies[0].len()];
        for weights in self.weights.plies.iter_mut().rev() {
            for (weight, next) in weights.iter_mut().zip(&mut next_ply) {
                if 2 * weight.abs_diff(*next) as u32 > step as u32 {
                    let steps = (f32::from(*weight) / f32::from(step)).round_ties_even() as i16;
                    *next = steps.checked_mul(step).unwrap_or_else(|| (steps - steps.signum()) * step);
                }
                *weight = *next;
            }
        }
    }
}

/// The options of a fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// The maximum number of conjugate gradient steps per ply of a sweep.
    pub epochs: u32,
    /// The expected squared difference between the weights of neighboring plies, in squared discs.
    pub change: f32,
    /// The weight of a sample of the initial weights, relative to a sample of this fit.
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

/// The number of plies with positions to evaluate; after the last one the board is full.
pub(super) const EVALUATED_PLIES: usize = PLIES - 1;

/// Returns the steps of a fit in order, each as sweep and ply.
pub fn steps() -> impl ExactSizeIterator<Item = (Sweep, usize)> + Clone {
    let step = |index: usize| match index.checked_sub(EVALUATED_PLIES) {
        None => (Sweep::Backward, EVALUATED_PLIES - 1 - index),
        Some(ply) => (Sweep::Forward, ply),
    };
    (0..2 * EVALUATED_PLIES).map(step)
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
    /// The number of samples that each weight was fitted to.
    pub counts: Vec<u32>,
    /// The errors on the training samples.
    pub training: ErrorStatistics,
    /// The errors on the held-out samples.
    pub held_out: ErrorStatistics,
    /// The time taken.
    pub time: Duration,
}
