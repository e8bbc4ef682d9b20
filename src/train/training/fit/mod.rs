//! Fits weights to the scores of games, ply by ply.
//!
//! The weights of a ply minimize the sum of
//!
//! * the squared errors of the estimates, in discs, and
//! * for each weight, its squared distance from the prior mean, times the prior precision.
//!
//! This is ridge regression towards a prior. The prior mean is the weight at the next ply, because
//! pattern values change slowly; [`FitOptions::change`] is the expected squared difference between
//! the two. The weights of frequent patterns follow the data. Rare patterns stay close to their
//! weights later in the game, and patterns that do not occur keep these weights. Initial weights
//! also enter the prior, with a precision proportional to the number of samples that they were
//! fitted to.
//!
//! There are two sweeps over the plies. The first is backward, because scores near the end are the
//! most reliable; the second is forward, with both neighboring plies as the prior.
//!
//! The quadratic loss is minimized by the conjugate gradient method with a diagonal preconditioner,
//! the number of samples plus the precision of each weight. A dozen steps achieve what takes a
//! hundred steps of plain gradient descent.

use std::io;
use std::time::Instant;

use morello_core::game::Cancel;
use morello_core::othello::engine::patterns::{PLIES, ShapeSet, UNIT, Weights};
use morello_core::parallel;

use super::samples::{ClassNumbering, Samples};
use super::step::{EVALUATED_PLIES, steps};
use super::{Corpus, DataSplit, ErrorStatistics, FitCheckpoint, FitOptions, Fitted, Sweep, TrainedWeights};

/// The maximum number of parts of a sum. If it depended on the number of threads, so would
/// rounding.
const MAX_PARTS: usize = 16;

/// The minimum number of samples in a part; fewer samples do not justify a vector of all weights.
const MIN_PART_SAMPLES: usize = if cfg!(test) { 16 } else { 4096 };

/// The assumed residual variance at the last ply, in squared discs.
const LAST_VARIANCE: f32 = 1.0;

/// The minimum number of samples to measure the residual variance; with fewer samples, overfitting
/// makes it too small.
const MIN_VARIANCE_SAMPLES: u64 = 10_000;

/// Weights are rounded to multiples of this step, 1/32 disc. The total rounding error of 0.07 discs
/// is negligible compared with the error of the estimates, and the file becomes a third smaller.
pub const WEIGHT_STEP: i32 = UNIT / 32;

/// The iteration stops when the squared norm of the gradient has decreased by this factor.
const GRADIENT_TOLERANCE: f64 = 1e-6;

/// Fits the weights of a shape set to the training games of a corpus. Returns `None` if cancelled.
///
/// `init` has weights fitted to earlier games; their sample counts are added to the counts of the
/// result. Steps in the checkpoint are not repeated. `on_step` receives every step, including those
/// from the checkpoint. The result does not depend on the number of threads.
///
/// # Errors
/// If the checkpoint cannot be written.
pub fn fit<const LANES: usize>(
    set: &'static ShapeSet<LANES>,
    corpus: &Corpus,
    init: Option<&TrainedWeights>,
    options: &FitOptions,
    mut checkpoint: Option<&mut FitCheckpoint>,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Fitted),
) -> io::Result<Option<TrainedWeights>> {
    let numbering = ClassNumbering::new(set);
    let mut trained = TrainedWeights::zero(numbering.classes.count());
    let mut variances = [LAST_VARIANCE; PLIES];
    let mut known =
        checkpoint.as_mut().map_or_else(Vec::new, |checkpoint| std::mem::take(&mut checkpoint.known)).into_iter();
    for (sweep, ply) in steps() {
        let fitted = if let Some(fitted) = known.next() {
            fitted
        } else {
            let prior = Prior::new(sweep, ply, &trained.weights, init, variances, options);
            let Some(fitted) = fit_ply(&numbering, corpus, sweep, ply, &prior, options, cancel) else {
                return Ok(None);
            };
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.add(&fitted)?;
            }
            fitted
        };
        on_step(&fitted);
        if sweep == Sweep::Backward {
            let measured = fitted.training.root_mean_square().filter(|_| fitted.training.count >= MIN_VARIANCE_SAMPLES);
            variances[ply] = measured.map_or(variances[ply + 1], |error| (error * error) as f32);
        }
        trained.weights.plies[ply] = fitted.weights;
        trained.counts.plies[ply] = fitted.counts;
    }
    if let Some(init) = init {
        let plies = trained.counts.plies.iter_mut().zip(&init.counts.plies);
        plies.flat_map(|(counts, more)| counts.iter_mut().zip(more)).for_each(|(count, more)| {
            *count = count.saturating_add(*more);
        });
    }
    Ok(Some(trained))
}

/// The prior of the weights of a ply.
struct Prior {
    /// The starting point of the minimization.
    start: Vec<f32>,
    /// The mean of each weight, in discs.
    weights: Vec<f32>,
    /// The precision of each weight, in samples.
    precision: Vec<f32>,
}

impl Prior {
    fn new(
        sweep: Sweep,
        ply: usize,
        fitted: &Weights,
        init: Option<&TrainedWeights>,
        variances: [f32; PLIES],
        options: &FitOptions,
    ) -> Self {
        let in_discs = |weight: i16| f32::from(weight) / UNIT as f32;
        let (neighbors, variance) = match sweep {
            Sweep::Backward => (vec![ply + 1], variances[ply + 1]),
            Sweep::Forward => {
                let both = [ply.checked_sub(1), Some(ply + 1).filter(|&next| next < EVALUATED_PLIES)];
                (both.into_iter().flatten().collect(), variances[ply])
            }
        };
        let neighbor_precision = neighbors.len() as f32 * variance / options.change;
        let mut weights = vec![0.0; fitted.plies[ply].len()];
        for &neighbor in &neighbors {
            for (mean, &weight) in weights.iter_mut().zip(&fitted.plies[neighbor]) {
                *mean += in_discs(weight) / neighbors.len() as f32;
            }
        }
        let mut precision = vec![neighbor_precision; weights.len()];
        if let Some(init) = init {
            let initial = init.weights.plies[ply].iter().zip(&init.counts.plies[ply]);
            for ((mean, precision), (&weight, &count)) in weights.iter_mut().zip(&mut precision).zip(initial) {
                let initial = options.prior * count as f32;
                *mean = (neighbor_precision * *mean + initial * in_discs(weight)) / (neighbor_precision + initial);
                *precision = neighbor_precision + initial;
            }
        }
        let start = match sweep {
            Sweep::Backward => weights.clone(),
            Sweep::Forward => fitted.plies[ply].iter().copied().map(in_discs).collect(),
        };
        Self { start, weights, precision }
    }
}

/// Fits the weights of one ply; `None` if cancelled.
fn fit_ply<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    corpus: &Corpus,
    sweep: Sweep,
    ply: usize,
    prior: &Prior,
    options: &FitOptions,
    cancel: &Cancel,
) -> Option<Fitted> {
    let start = Instant::now();
    let samples = Samples::of_ply(corpus, DataSplit::Training, ply, numbering);
    let weights = minimize(numbering, &samples, prior, options.epochs, cancel)?;
    let round =
        |weight: f32| ((weight * (UNIT / WEIGHT_STEP) as f32).round() as i16).saturating_mul(WEIGHT_STEP as i16);
    let weights: Vec<i16> = weights.into_iter().map(round).collect();
    let held_out = Samples::of_ply(corpus, DataSplit::HeldOut, ply, numbering);
    Some(Fitted {
        sweep,
        ply,
        counts: samples.counts(numbering),
        training: errors(numbering, &samples, &weights),
        held_out: errors(numbering, &held_out, &weights),
        weights,
        time: start.elapsed(),
    })
}

/// Returns the weights, in discs, that minimize the loss (see the module); `None` if cancelled.
fn minimize<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    samples: &Samples,
    prior: &Prior,
    epochs: u32,
    cancel: &Cancel,
) -> Option<Vec<f32>> {
    let Prior { start, weights: means, precision: precisions } = prior;
    let mut weights = start.clone();
    // Half the negative gradient of the loss.
    let mut gradient = sums(numbering, samples, &weights, |estimate, score| score - estimate);
    for (((gradient, weight), mean), precision) in gradient.iter_mut().zip(&weights).zip(means).zip(precisions) {
        *gradient += precision * (mean - weight);
    }
    let counts = samples.counts(numbering);
    let scale: Vec<f32> =
        counts.iter().zip(precisions).map(|(&count, precision)| 1.0 / (count as f32 + precision)).collect();
    let mut direction: Vec<f32> = gradient.iter().zip(&scale).map(|(gradient, scale)| gradient * scale).collect();
    let mut size = dot(&gradient, &direction);
    let first = size;
    for _ in 0..epochs {
        if cancel.is_cancelled() {
            return None;
        }
        if size <= GRADIENT_TOLERANCE * first {
            break;
        }
        // The change of the gradient along the direction.
        let mut change = sums(numbering, samples, &direction, |estimate, _| estimate);
        for ((change, direction), precision) in change.iter_mut().zip(&direction).zip(precisions) {
            *change += precision * direction;
        }
        let step = (size / dot(&direction, &change)) as f32;
        for ((weight, gradient), (direction, change)) in
            weights.iter_mut().zip(&mut gradient).zip(direction.iter().zip(&change))
        {
            *weight += step * direction;
            *gradient -= step * change;
        }
        let scaled = |(gradient, scale): (&f32, &f32)| gradient * scale;
        let next: f64 = gradient.iter().zip(&scale).map(|both| f64::from(*both.0) * f64::from(scaled(both))).sum();
        let momentum = (next / size) as f32;
        for (direction, both) in direction.iter_mut().zip(gradient.iter().zip(&scale)) {
            *direction = scaled(both) + momentum * *direction;
        }
        size = next;
    }
    Some(weights)
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// Returns, for each weight, the sum of `value(estimate, score)` over all occurrences of its class
/// in the samples.
fn sums<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    samples: &Samples,
    weights: &[f32],
    value: impl Fn(f32, f32) -> f32 + Sync,
) -> Vec<f32> {
    let ranges = &numbering.ranges;
    let lane_weights: Vec<&[f32]> = ranges.iter().map(|range| &weights[range.clone()]).collect();
    let parts = (samples.len() / MIN_PART_SAMPLES).clamp(1, MAX_PARTS);
    let parts = samples.parts(parts);
    // Add in the order of the parts, so that rounding does not depend on the threads.
    let sums = parallel::map(parts.len(), &|part| {
        let mut sums = vec![0.0; weights.len()];
        for (classes, score) in parts[part].clone() {
            let estimate: f32 =
                lane_weights.iter().zip(classes).map(|(weights, &class)| weights[usize::from(class)]).sum();
            let value = value(estimate, score.into());
            for (range, &class) in ranges.iter().zip(classes) {
                sums[range.start + usize::from(class)] += value;
            }
        }
        sums
    });
    let add = |mut a: Vec<f32>, b: Vec<f32>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    sums.into_iter().reduce(add).unwrap_or_else(|| vec![0.0; weights.len()])
}

/// Returns the errors of the estimates. The weights are in [units](UNIT) of a disc. Estimates are
/// clamped to -64..=64.
fn errors<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    samples: &Samples,
    weights: &[i16],
) -> ErrorStatistics {
    let lane_weights: Vec<&[i16]> = numbering.ranges.iter().map(|range| &weights[range.clone()]).collect();
    let parts = samples.parts(MAX_PARTS);
    let errors = parallel::map(parts.len(), &|part| {
        let mut errors = ErrorStatistics::default();
        for (classes, score) in parts[part].clone() {
            let weights =
                lane_weights.iter().zip(classes).map(|(weights, &class)| i32::from(weights[usize::from(class)]));
            let estimate = f64::from(weights.sum::<i32>()) / f64::from(UNIT);
            errors.add(estimate.clamp(-64.0, 64.0) - f64::from(score));
        }
        errors
    });
    errors.into_iter().fold(ErrorStatistics::default(), ErrorStatistics::merge)
}

#[cfg(test)]
mod tests;
