//! Trains the [network](morello_core::othello::engine::network) by stochastic gradient descent.
//!
//! ```text
//!  samples --shuffled--> batches --Model::gradients, in parts--> gradients of the rows and of the dense parameters
//!          rows: Adagrad, with one rate for each row, since some configurations are a million times rarer than others
//!          dense parameters (stages and layers): Adam
//! ```
//!
//! The learning rates first rise briefly and then decrease linearly to almost 0. The order of all
//! sums is independent of the number of threads, and so is the result.

mod checkpoint;
mod model;

use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use morello_core::game::{Cancel, RandomNumbers};
use morello_core::othello::engine::network::{MOVE_LANE, Network, NetworkParameters};
use morello_core::othello::engine::patterns::{DecodeError, FULL, Weights};
use morello_core::parallel;

use self::model::{DENSE, MAX_ROW_NUMBER, Model, RowGradient};
use super::samples::ClassNumbering;
use super::{Corpus, DataSplit, ErrorStatistics, Sample};

pub use self::checkpoint::NetworkCheckpoint;

/// The number of samples between parameter updates.
const BATCH: usize = 256;

/// The number of samples in a part of a batch. If it depended on the number of threads, so would
/// rounding.
const PART: usize = 32;

/// The default learning rates of the rows and of the dense parameters.
const ROW_RATE: f32 = 0.07;
const DENSE_RATE: f32 = 0.002;

/// The share of the training in which the learning rates rise from 0, and the minimum number of
/// batches for this. At full rates, the first batches would do more harm than good.
const RISE: f32 = 0.01;
const MIN_RISE: f32 = 200.0;

/// The learning rates at the end, relative to the highest rates.
const LAST_RATE: f32 = 0.01;

/// The initial sum of squares of each row.
const FIRST_SQUARES: f32 = 0.01;

/// The decay rates of the mean gradients and mean squared gradients, and the minimum root of the
/// latter, as Kingma and Ba advise (Adam, 2015).
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const MIN_ROOT: f32 = 1e-7;

/// The options of the training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkOptions {
    /// The number of passes over the samples.
    pub epochs: u32,
    /// The learning rate of the rows. The learning rate of the other parameters is proportional to
    /// it.
    pub rate: f32,
    /// The seed of the order of the samples and of the initial weights.
    pub seed: u64,
}

impl Default for NetworkOptions {
    fn default() -> Self {
        Self { epochs: 2, rate: ROW_RATE, seed: 1 }
    }
}

/// What training starts from.
#[derive(Debug, Clone, Default)]
pub enum Start {
    /// Random parameters.
    #[default]
    Random,
    /// Pattern weights.
    Patterns(Weights),
    /// A network.
    Network(NetworkParameters),
}

impl Start {
    /// Decodes a file with pattern weights or a network.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are neither.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        if Network::is_file(bytes) {
            return NetworkParameters::decode(bytes).map(Self::Network);
        }
        Weights::decode(&FULL, bytes).map(Self::Patterns)
    }
}

/// A finished pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// The number of the pass, from 1.
    pub number: u32,
    /// The number of samples trained on since the training was started or resumed.
    pub samples: u64,
    /// The root mean square error on the samples during training, in discs; `None` without samples.
    pub training_rmse: Option<f64>,
    /// The errors on the held-out samples.
    pub held_out: ErrorStatistics,
    /// The time taken.
    pub time: Duration,
}

/// The state of the training between two batches.
#[derive(Debug, Clone, PartialEq)]
struct TrainingState {
    model: Model,
    /// The sum of the mean squared gradients of each row.
    row_squares: Vec<f32>,
    /// The decaying means of the gradients of each dense parameter, and of their squares.
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The number of finished passes.
    epochs: u32,
    /// The number of finished batches of all passes.
    batches: u64,
}

impl TrainingState {
    fn new(start: &Start, seed: u64) -> Self {
        let model = Model::new(start, seed);
        let row_squares = vec![FIRST_SQUARES; model.rows.len()];
        Self { model, row_squares, means: vec![0.0; DENSE], squares: vec![0.0; DENSE], epochs: 0, batches: 0 }
    }

    /// Learns from a batch and returns the sum of the squared errors. `progress` is the finished
    /// share of the training, from 0 to 1.
    fn learn(&mut self, batch: &[Sample], options: &NetworkOptions, progress: f32, tables: &Tables) -> f64 {
        let model = &self.model;
        let parts: Vec<(Vec<f32>, Vec<RowGradient>, f64)> = map_parts(batch, &|part| {
            let mut dense = vec![0.0; DENSE];
            let (rows, squares) = model.gradients(part, &mut dense);
            (dense, rows, squares)
        });
        let rise = (progress / RISE).min(self.batches as f32 / MIN_RISE);
        let relative_rate = (1.0 - progress).max(LAST_RATE).min(rise);
        let rate = options.rate * relative_rate;
        let dense_rate = rate / ROW_RATE * DENSE_RATE;
        self.batches += 1;

        let step = self.batches.min(1 << 20) as i32;
        let [mean_share, square_share] = [MEAN_DECAY, SQUARE_DECAY].map(|decay| 1.0 - decay.powi(step));
        for (at, parameter) in self.model.dense.iter_mut().enumerate() {
            let gradient = parts.iter().map(|(dense, ..)| dense[at]).sum::<f32>() / batch.len() as f32;
            let (mean, square) = (&mut self.means[at], &mut self.squares[at]);
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            let change = (*mean / mean_share) / ((*square / square_share).sqrt() + MIN_ROOT);
            *parameter -= dense_rate * tables.dense_rates[at] * change;
        }

        // One thread updates all rows of a shape, in the order of the samples.
        let (mut rows, mut squares) = (&mut self.model.rows[..], &mut self.row_squares[..]);
        let mut shapes = Vec::new();
        for (classes, lanes) in &tables.shapes {
            let (rows_of, rows_after) = rows.split_at_mut(classes.len());
            let (squares_of, squares_after) = squares.split_at_mut(classes.len());
            (rows, squares) = (rows_after, squares_after);
            shapes.push(Mutex::new((classes.start, lanes, rows_of, squares_of)));
        }
        parallel::for_each(shapes.len(), &|shape| {
            let (first, lanes, rows, squares) = &mut *shapes[shape].lock().unwrap_or_else(PoisonError::into_inner);
            for RowGradient { indices, gradient } in parts.iter().flat_map(|(_, rows, _)| rows) {
                let square = gradient.iter().map(|number| number * number).sum::<f32>() / gradient.len() as f32;
                for &lane in *lanes {
                    let row = indices[lane] as usize - *first;
                    squares[row] += square;
                    let rate = rate / squares[row].sqrt();
                    for (number, gradient) in rows[row].iter_mut().zip(gradient) {
                        *number = (*number - rate * gradient).clamp(-MAX_ROW_NUMBER, MAX_ROW_NUMBER);
                    }
                }
            }
        });
        parts.iter().map(|(.., squares)| squares).sum()
    }
}

/// Data that stays the same during training.
struct Tables {
    /// The relative learning rate of each dense parameter.
    dense_rates: Vec<f32>,
    /// For each shape, its rows and its lanes. The last entry is for the number of moves.
    shapes: Vec<(Range<usize>, Vec<usize>)>,
}

impl Tables {
    fn new() -> Self {
        let numbering = ClassNumbering::new(&FULL);
        let mut shapes: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
        for (lane, range) in numbering.ranges.iter().enumerate() {
            match shapes.last_mut() {
                Some((last, lanes)) if last == range => lanes.push(lane),
                _ => shapes.push((range.clone(), vec![lane])),
            }
        }
        shapes.push((numbering.classes.count()..NetworkParameters::row_count(), vec![MOVE_LANE]));
        Self { dense_rates: Model::dense_rates(), shapes }
    }
}

/// Trains a network on the training games of a corpus. Returns `None` if cancelled; the checkpoint
/// then contains the state.
///
/// `on_batch` receives the number of finished samples, the total number of samples and the root
/// mean square error of the pass so far. `on_epoch` receives each finished pass. The result does
/// not depend on the number of threads.
///
/// # Errors
/// If the checkpoint cannot be written.
pub fn train(
    corpus: &Corpus,
    start: &Start,
    options: &NetworkOptions,
    checkpoint: &NetworkCheckpoint,
    cancel: &Cancel,
    on_batch: &mut dyn FnMut(u64, u64, f64),
    on_epoch: &mut dyn FnMut(&Epoch),
) -> io::Result<Option<NetworkParameters>> {
    let collect = |part| {
        let mut samples = Vec::new();
        corpus.for_each_sample(part, |sample| samples.push(sample));
        samples
    };
    let (mut samples, held_out) = (collect(DataSplit::Training), collect(DataSplit::HeldOut));
    let tables = Tables::new();
    let mut state = checkpoint.state.clone().unwrap_or_else(|| TrainingState::new(start, options.seed));
    let per_epoch = samples.len().div_ceil(BATCH) as u64;
    let (all, total) = (per_epoch * u64::from(options.epochs), samples.len() as u64 * u64::from(options.epochs));
    for epoch in 1..=options.epochs {
        let begin = Instant::now();
        // The order of a pass depends on the earlier orders, even when training is resumed.
        shuffle(&mut samples, &mut RandomNumbers::new(options.seed ^ u64::from(epoch) << 32));
        if epoch <= state.epochs {
            continue;
        }
        let first = state.batches - u64::from(epoch - 1) * per_epoch;
        let (mut squares, mut trained) = (0.0, 0);
        for batch in samples.chunks(BATCH).skip(first as usize) {
            if cancel.is_cancelled() {
                checkpoint.save(&state)?;
                return Ok(None);
            }
            let progress = state.batches as f32 / all as f32;
            squares += state.learn(batch, options, progress, &tables);
            trained += batch.len() as u64;
            on_batch((state.batches * BATCH as u64).min(total), total, (squares / trained as f64).sqrt());
        }
        state.epochs = epoch;
        // Sums of floating-point numbers need a fixed order.
        let errors = map_parts(&held_out, &|part| {
            let mut errors = ErrorStatistics::default();
            for sample in part {
                errors.add(f64::from(state.model.estimate(sample).clamp(-64.0, 64.0)) - f64::from(sample.score));
            }
            errors
        });
        on_epoch(&Epoch {
            number: epoch,
            samples: trained,
            training_rmse: (trained > 0).then(|| (squares / trained as f64).sqrt()),
            held_out: errors.into_iter().fold(ErrorStatistics::default(), ErrorStatistics::merge),
            time: begin.elapsed(),
        });
        checkpoint.save(&state)?;
    }
    Ok(Some(state.model.rounded()))
}

/// Calls `task` for each part of the samples, and returns the results in order.
fn map_parts<T: Send>(samples: &[Sample], task: &(dyn Fn(&[Sample]) -> T + Sync)) -> Vec<T> {
    let parts: Vec<_> = samples.chunks(PART).collect();
    parallel::map(parts.len(), &|part| task(parts[part]))
}

/// Shuffles samples.
fn shuffle(samples: &mut [Sample], numbers: &mut RandomNumbers) {
    for last in (1..samples.len()).rev() {
        samples.swap(last, numbers.below(last + 1));
    }
}

#[cfg(test)]
mod tests;
