//! Fits weights to the scores of games, ply by ply.
//!
//! At each ply the weights are those that make the sum of
//!
//! * the squared errors of the estimates, in discs, and
//! * for each weight the squared distance from what was expected of it, times how sure that was,
//!
//! as small as it gets. What is expected is the weight of the next ply, for patterns change their worth slowly; and so many squared discs as
//! [`FitOptions::change`] says are expected between the two. So a pattern that is met often is worth what its games say, one that is met
//! seldom keeps the worth it has later in the game, and one that is never met has just that. Stored weights are expected as well, as sure as
//! the number of samples that they were fitted to.
//!
//! The plies are swept twice: from the last to the first, since scores near the end are the surest, and back, when the weights of
//! both neighbours are expected.
//!
//! The sum is quadratic and is minimised by conjugate gradients, the gradient of each weight divided by its number of samples and how sure it is:
//! full-batch gradient descent whose steps and momentum are the best there are. A dozen steps do what a hundred do with fixed ones.

use std::io;
use std::time::Instant;

use rayon::prelude::*;

use super::samples::{ClassNumbering, Samples};
use super::step::{JUDGED, steps};
use super::{Checkpoint, Corpus, DataSplit, ErrorStatistics, FitOptions, Fitted, Sweep, TrainedWeights};
use crate::game::Cancel;
use crate::othello::engine::patterns::{PLIES, ShapeSet, UNIT, Weights};

/// The parts that samples are summed up in, at most: their number must not depend on that of the threads, or sums would.
const MAX_PARTS: usize = 16;

/// Samples in a part, at least: less is not worth a vector of all weights.
const MIN_PART_SAMPLES: usize = if cfg!(test) { 16 } else { 4096 };

/// The variance of a score that is not explained by the weights, in squared discs, at the last ply.
const LAST_VARIANCE: f32 = 1.0;

/// The variance is measured where there are so many samples; weights may explain less by chance alone.
const MIN_VARIANCE_SAMPLES: u64 = 10_000;

/// Weights are rounded to multiples of this, a 32nd of a disc: all placements together err by 7 hundredths of a disc then, which is nothing
/// beside the errors of estimates, and the file is a third smaller.
const WEIGHT_STEP: i32 = UNIT / 32;

/// The gradient is 0, for all that matters, when it has become so many times smaller.
const GRADIENT_TOLERANCE: f64 = 1e-6;

/// Fits the weights of a set of shapes to the games of a corpus, those held out excepted; `None` if it was cancelled on the way.
///
/// `init` is what earlier games have taught; the counts of the result are its and those of these games. What a checkpoint has is not fitted
/// again. `on_step` is told of each step, of those that the checkpoint has, too. The result does not depend on the number of threads.
///
/// # Errors
/// If the checkpoint cannot be written.
pub fn fit<const LANES: usize>(
    set: &'static ShapeSet<LANES>,
    corpus: &Corpus,
    init: Option<&TrainedWeights>,
    options: &FitOptions,
    mut checkpoint: Option<&mut Checkpoint>,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Fitted),
) -> io::Result<Option<TrainedWeights>> {
    let numbering = ClassNumbering::new(set);
    let mut trained = TrainedWeights::zero(numbering.classes.count());
    let mut variances = [LAST_VARIANCE; PLIES];
    let mut known =
        checkpoint.as_mut().map_or_else(Vec::new, |checkpoint| checkpoint.take_finished_steps()).into_iter();
    for (sweep, ply) in steps() {
        let fitted = if let Some(fitted) = known.next() {
            fitted
        } else {
            let expected = Prior::new(sweep, ply, &trained.weights, init, variances, options);
            let Some(fitted) = fit_ply(&numbering, corpus, sweep, ply, &expected, options, cancel) else {
                return Ok(None);
            };
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.add(&fitted)?;
            }
            fitted
        };
        on_step(&fitted);
        if sweep == Sweep::Backward {
            let measured =
                fitted.training.root_mean_square().filter(|_| fitted.training.count() >= MIN_VARIANCE_SAMPLES);
            variances[ply] = measured.map_or(variances[ply + 1], |error| (error * error) as f32);
        }
        trained.weights.plies[ply] = fitted.weights;
        trained.counts.plies[ply] = fitted.counts;
    }
    if let Some(init) = init {
        let of_plies = trained.counts.plies.iter_mut().zip(&init.counts.plies);
        of_plies.flat_map(|(counts, more)| counts.iter_mut().zip(more)).for_each(|(count, more)| {
            *count = count.saturating_add(*more);
        });
    }
    Ok(Some(trained))
}

/// What is expected of the weights of a ply before its samples are seen.
struct Prior {
    /// Where the descent begins.
    start: Vec<f32>,
    /// The expected weights, in discs.
    weights: Vec<f32>,
    /// How sure each is: as so many samples.
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
        let (neighbours, variance) = match sweep {
            Sweep::Backward => (vec![ply + 1], variances[ply + 1]),
            Sweep::Forward => {
                let both = [ply.checked_sub(1), Some(ply + 1).filter(|&next| next < JUDGED)];
                (both.into_iter().flatten().collect(), variances[ply])
            }
        };
        let sure = neighbours.len() as f32 * variance / options.change;
        let mut weights = vec![0.0; fitted.plies[ply].len()];
        for &neighbour in &neighbours {
            for (expected, &weight) in weights.iter_mut().zip(&fitted.plies[neighbour]) {
                *expected += in_discs(weight) / neighbours.len() as f32;
            }
        }
        let mut sureness = vec![sure; weights.len()];
        if let Some(init) = init {
            let stored = init.weights.plies[ply].iter().zip(&init.counts.plies[ply]);
            for ((expected, sureness), (&weight, &count)) in weights.iter_mut().zip(&mut sureness).zip(stored) {
                let stored = options.prior * count as f32;
                *expected = (sure * *expected + stored * in_discs(weight)) / (sure + stored);
                *sureness = sure + stored;
            }
        }
        let start = match sweep {
            Sweep::Backward => weights.clone(),
            Sweep::Forward => fitted.plies[ply].iter().copied().map(in_discs).collect(),
        };
        Self { start, weights, precision: sureness }
    }
}

/// Fits the weights of one ply; `None` if it was cancelled on the way.
fn fit_ply<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    corpus: &Corpus,
    sweep: Sweep,
    ply: usize,
    expected: &Prior,
    options: &FitOptions,
    cancel: &Cancel,
) -> Option<Fitted> {
    let start = Instant::now();
    let samples = Samples::of_ply(corpus, DataSplit::Training, ply, numbering);
    let weights = minimise(numbering, &samples, expected, options.epochs, cancel)?;
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

/// Returns the weights, in discs, that minimise the sum of the module's head; `None` if it was cancelled on the way.
fn minimise<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    samples: &Samples,
    expected: &Prior,
    epochs: u32,
    cancel: &Cancel,
) -> Option<Vec<f32>> {
    let Prior { start, weights: expected, precision: sureness } = expected;
    let mut weights = start.clone();
    // Half the negative gradient of the sum, to begin with.
    let mut gradient = sums(numbering, samples, &weights, |estimate, score| score - estimate);
    for (((gradient, weight), expected), sureness) in gradient.iter_mut().zip(&weights).zip(expected).zip(sureness) {
        *gradient += sureness * (expected - weight);
    }
    let counts = samples.counts(numbering);
    let scale: Vec<f32> =
        counts.iter().zip(sureness).map(|(&count, sureness)| 1.0 / (count as f32 + sureness)).collect();
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
        // How the gradient changes along the direction.
        let mut change = sums(numbering, samples, &direction, |estimate, _| estimate);
        for ((change, direction), sureness) in change.iter_mut().zip(&direction).zip(sureness) {
            *change += sureness * direction;
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

/// Estimates every sample, and returns for each weight the sum of what `value` makes of estimate and score, over all places where samples have
/// its class.
fn sums<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    samples: &Samples,
    weights: &[f32],
    value: impl Fn(f32, f32) -> f32 + Sync,
) -> Vec<f32> {
    let ranges = &numbering.ranges;
    let of_lanes: Vec<&[f32]> = ranges.iter().map(|range| &weights[range.clone()]).collect();
    let parts = (samples.len() / MIN_PART_SAMPLES).clamp(1, MAX_PARTS);
    let sums = samples.parts(parts).map(|part| {
        let mut sums = vec![0.0; weights.len()];
        for (classes, score) in part {
            let estimate: f32 = of_lanes.iter().zip(classes).map(|(weights, &class)| weights[usize::from(class)]).sum();
            let value = value(estimate, score.into());
            for (range, &class) in ranges.iter().zip(classes) {
                sums[range.start + usize::from(class)] += value;
            }
        }
        sums
    });
    // In the order of the parts, whoever was first.
    let sums: Vec<Vec<f32>> = sums.collect();
    let add = |mut a: Vec<f32>, b: Vec<f32>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    sums.into_iter().reduce(add).unwrap_or_else(|| vec![0.0; weights.len()])
}

/// Returns the errors of the estimates by weights in [units](UNIT), no estimate being beyond the scores that a game can end in.
fn errors<const LANES: usize>(
    numbering: &ClassNumbering<LANES>,
    samples: &Samples,
    weights: &[i16],
) -> ErrorStatistics {
    let of_lanes: Vec<&[i16]> = numbering.ranges.iter().map(|range| &weights[range.clone()]).collect();
    let errors = samples.parts(MAX_PARTS).map(|part| {
        let mut errors = ErrorStatistics::default();
        for (classes, score) in part {
            let weights = of_lanes.iter().zip(classes).map(|(weights, &class)| i32::from(weights[usize::from(class)]));
            let estimate = f64::from(weights.sum::<i32>()) / f64::from(UNIT);
            errors.add(estimate.clamp(-64.0, 64.0) - f64::from(score));
        }
        errors
    });
    let errors: Vec<ErrorStatistics> = errors.collect();
    errors.into_iter().fold(ErrorStatistics::default(), ErrorStatistics::merge)
}

#[cfg(test)]
mod tests;
