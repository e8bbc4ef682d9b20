//! The network during training, with floating-point parameters, and its gradients.
//!
//! Inputs, neurons and estimates are in units of [`SCALE`] discs.

use morello_core::game::RandomNumbers;
use morello_core::instructions::{InstructionSet, SimdLevel, at_level, compiled};
use morello_core::othello::engine::network::{
    INPUTS, LANES, LAYERS, Layer, MAX_NUMBER, NEURON_SHIFT, NEURONS, NetworkParameters, SUM_SHIFT, Stage, layer_of,
    row_indices,
};
use morello_core::othello::engine::patterns::{PLIES, UNIT};

use super::Start;
use crate::training::Sample;

/// The number of discs per unit of the model.
pub const SCALE: f32 = 8.0;

/// The direct weights of the first inputs start as pattern weights that were trained for these
/// numbers of empty squares, one number per input. In between, direct weights are interpolated.
const KNOTS: [f32; 8] = [4.0, 10.0, 16.0, 22.0, 28.0, 34.0, 42.0, 52.0];

/// The number of parameters of a stage: bias, direct weights and offset.
const STAGE: usize = 2 * INPUTS + 1;

/// The number of parameters of a layer: each neuron's weights for the positive and negative parts
/// of all inputs, the biases and the outputs.
const LAYER: usize = NEURONS * 2 * INPUTS + 2 * NEURONS;

/// The number of parameters of all stages and layers.
pub const DENSE: usize = PLIES * STAGE + LAYERS * LAYER;

/// The number of row units in the file per unit of the model.
const ROW_UNITS: f32 = 64.0;

/// Inputs that do not start as patterns are rounded to multiples of this unit. A step from 2 to 3 or
/// from 3 to 4 makes the file about a tenth smaller and the errors slightly larger, by amounts that
/// `data/weights/notebook.md` lists.
const OTHER_UNITS: f32 = 4.0;

/// The number of estimate units in the file per unit of the model.
const ESTIMATE_UNITS: f32 = SCALE * UNIT as f32;

/// The number of direct weight units in the file per unit of the model.
const DIRECT_UNITS: f32 = ESTIMATE_UNITS * (1 << SUM_SHIFT) as f32 / ROW_UNITS;

/// The numbers of units in the file per unit of the model: for a neuron before its last bits are
/// dropped, for its weights and for its output.
const NEURON_UNITS: f32 = (1 << 18) as f32;
const NEURON_WEIGHT_UNITS: f32 = NEURON_UNITS / ROW_UNITS;
const OUTPUT_UNITS: f32 = ESTIMATE_UNITS * (1 << SUM_SHIFT) as f32 * (1 << NEURON_SHIFT) as f32 / NEURON_UNITS;

/// The maximum absolute value of a number in a row.
pub const MAX_ROW_NUMBER: f32 = MAX_NUMBER as f32 / ROW_UNITS;

/// A row in the model.
pub type WeightRow = [f32; INPUTS];

/// The range of the parameters of a stage.
fn stage(empties: usize) -> std::ops::Range<usize> {
    empties * STAGE..(empties + 1) * STAGE
}

/// The range of the parameters of a layer.
fn layer(index: usize) -> std::ops::Range<usize> {
    let first = PLIES * STAGE + index * LAYER;
    first..first + LAYER
}

/// The parameters of a network during training.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The rows, as in [`NetworkParameters::rows`].
    pub rows: Vec<WeightRow>,
    /// The parameters of the stages and the layers.
    pub dense: Vec<f32>,
}

/// What a sample contributes to its rows.
#[derive(Debug, Clone)]
pub struct RowGradient {
    /// The rows that its evaluation adds.
    pub indices: [u32; LANES],
    /// The gradient of the squared error, halved, for each of these rows.
    pub gradient: WeightRow,
}

/// Values between the steps of an evaluation.
struct Evaluated {
    inputs: WeightRow,
    parts: [WeightRow; 2],
    neurons: [f32; NEURONS],
    estimate: f32,
}

impl Model {
    /// Creates the model before training. Its estimates are the estimates of the network or
    /// patterns that it starts from; pattern weights are interpolated between some plies. With a
    /// random start, estimates are near 0.
    pub fn new(start: &Start, seed: u64) -> Self {
        let patterns = match start {
            Start::Network(network) => return Self::of_network(network),
            Start::Patterns(patterns) => Some(patterns),
            Start::Random => None,
        };
        let mut numbers = RandomNumbers::new(seed);
        let mut random = |range: f32| ((numbers.next_u64() >> 40) as f32 / (1 << 24) as f32 - 0.5) * 2.0 * range;
        let mut rows = vec![[0.0; INPUTS]; NetworkParameters::row_count()];
        if let Some(patterns) = patterns {
            for (input, knot) in KNOTS.into_iter().enumerate() {
                let weights = &patterns.plies[PLIES - 1 - knot as usize];
                for (row, weight) in rows.iter_mut().zip(weights) {
                    row[input] = f32::from(*weight) / ESTIMATE_UNITS;
                }
            }
        }
        let mut dense = vec![0.0; DENSE];
        for empties in 0..PLIES {
            let direct = &mut dense[stage(empties)][INPUTS..2 * INPUTS];
            let empties = (empties as f32).clamp(KNOTS[0], KNOTS[KNOTS.len() - 1]);
            for (at, knots) in KNOTS.windows(2).enumerate() {
                if (knots[0]..=knots[1]).contains(&empties) {
                    direct[at + 1] = (empties - knots[0]) / (knots[1] - knots[0]);
                    direct[at] = 1.0 - direct[at + 1];
                }
            }
        }
        for index in 0..LAYERS {
            let layer = &mut dense[layer(index)];
            let (weights, rest) = layer.split_at_mut(NEURONS * 2 * INPUTS);
            let (biases, outputs) = rest.split_at_mut(NEURONS);
            weights.iter_mut().for_each(|weight| *weight = random(1.0 / (INPUTS as f32).sqrt()));
            biases.fill(0.05);
            outputs.iter_mut().for_each(|output| *output = random(0.1));
        }
        Self { rows, dense }
    }

    /// Creates the model that [rounds](Self::rounded) to a given network.
    fn of_network(network: &NetworkParameters) -> Self {
        let rows = network.rows.iter().map(|row| row.map(|number| f32::from(number) / ROW_UNITS)).collect();
        let mut dense = Vec::with_capacity(DENSE);
        for stage in &network.stages {
            dense.extend(stage.bias.map(|bias| f32::from(bias) / ROW_UNITS));
            dense.extend(stage.direct.map(|weight| f32::from(weight) / DIRECT_UNITS));
            dense.push(f32::from(stage.offset) / ESTIMATE_UNITS);
        }
        for layer in &network.layers {
            for neuron in 0..NEURONS {
                let weights = layer.weights.iter().flat_map(|pair| pair[neuron]);
                dense.extend(weights.map(|weight| f32::from(weight) / NEURON_WEIGHT_UNITS));
            }
            dense.extend(layer.bias.map(|bias| bias as f32 / NEURON_UNITS));
            dense.extend(layer.output[..NEURONS].iter().map(|output| f32::from(*output) / OUTPUT_UNITS));
        }
        Self { rows, dense }
    }

    #[inline(always)]
    fn evaluated(&self, indices: &[u32; LANES], empties: usize) -> Evaluated {
        let (stage, layer) = (&self.dense[stage(empties)], &self.dense[layer(layer_of(empties))]);
        let mut inputs: WeightRow = std::array::from_fn(|at| stage[at]);
        for index in indices {
            let row = &self.rows[*index as usize];
            for at in 0..INPUTS {
                inputs[at] += row[at];
            }
        }
        let parts = [inputs.map(|input| input.max(0.0)), inputs.map(|input| (-input).max(0.0))];
        let mut estimate = stage[2 * INPUTS] + dot(&inputs, &stage[INPUTS..2 * INPUTS]);
        let mut neurons = [0.0; NEURONS];
        for neuron in 0..NEURONS {
            let weights = &layer[neuron * 2 * INPUTS..][..2 * INPUTS];
            let sum = dot(&parts[0], &weights[..INPUTS]) + dot(&parts[1], &weights[INPUTS..]);
            neurons[neuron] = sum + layer[NEURONS * 2 * INPUTS + neuron];
            estimate += neurons[neuron].max(0.0) * layer[NEURONS * (2 * INPUTS + 1) + neuron];
        }
        Evaluated { inputs, parts, neurons, estimate }
    }

    /// Returns the estimate of a sample, in discs.
    pub fn estimate(&self, sample: &Sample) -> f32 {
        at_level!(InstructionSet::used(), |level| compiled!(level, {
            self.evaluated(&row_indices(sample.board), sample.board.empty_count() as usize).estimate * SCALE
        }))
    }

    /// Computes the gradients of the halved squared errors of these samples. Adds the gradients of
    /// the dense parameters to `dense`, and returns the gradients of the rows and the sum of the
    /// squared errors, in squared discs.
    pub fn gradients(&self, samples: &[Sample], dense: &mut [f32]) -> (Vec<RowGradient>, f64) {
        let mut squares = 0.0;
        let gradients = samples.iter().map(|sample| {
            at_level!(InstructionSet::used(), |level| {
                let (gradient, error) = self.gradient(level, sample, dense);
                squares += f64::from(error * SCALE).powi(2);
                gradient
            })
        });
        (gradients.collect(), squares)
    }

    fn gradient<L: SimdLevel>(&self, level: L, sample: &Sample, dense: &mut [f32]) -> (RowGradient, f32) {
        compiled!(level, {
            let (indices, empties) = (row_indices(sample.board), sample.board.empty_count() as usize);
            let Evaluated { inputs, parts, neurons, estimate } = self.evaluated(&indices, empties);
            let error = estimate - f32::from(sample.score) / SCALE;

            let layer = layer(layer_of(empties));
            let (of_layer, changes) = (&self.dense[layer.clone()], &mut dense[layer]);
            let mut of_parts = [[0.0; INPUTS]; 2];
            for neuron in 0..NEURONS {
                if neurons[neuron] <= 0.0 {
                    continue;
                }
                let output = NEURONS * (2 * INPUTS + 1) + neuron;
                let change = error * of_layer[output];
                changes[output] += error * neurons[neuron];
                changes[NEURONS * 2 * INPUTS + neuron] += change;
                let weights = &of_layer[neuron * 2 * INPUTS..][..2 * INPUTS];
                let changes = &mut changes[neuron * 2 * INPUTS..][..2 * INPUTS];
                for at in 0..INPUTS {
                    changes[at] += change * parts[0][at];
                    changes[INPUTS + at] += change * parts[1][at];
                    of_parts[0][at] += change * weights[at];
                    of_parts[1][at] += change * weights[INPUTS + at];
                }
            }

            let (of_stage, changes) = (&self.dense[stage(empties)], &mut dense[stage(empties)]);
            let mut gradient = [0.0; INPUTS];
            for at in 0..INPUTS {
                let of_part = if inputs[at] > 0.0 { of_parts[0][at] } else { -of_parts[1][at] };
                gradient[at] = error * of_stage[INPUTS + at] + of_part;
                changes[at] += gradient[at];
                changes[INPUTS + at] += error * inputs[at];
            }
            changes[2 * INPUTS] += error;
            (RowGradient { indices, gradient }, error)
        })
    }

    /// Returns factors for the learning rates of the dense parameters. All samples of a stage
    /// update its parameters, so these must change slowly.
    pub fn dense_rates() -> Vec<f32> {
        let stage = [[0.3; INPUTS], [0.2; INPUTS]].concat().into_iter().chain([1.0]);
        let layers = std::iter::repeat_n(1.0, LAYERS * LAYER);
        std::iter::repeat_n(stage, PLIES).flatten().chain(layers).collect()
    }

    /// Rounds the parameters to the integers that the search uses.
    pub fn rounded(&self) -> NetworkParameters {
        let word = |number: f32| number.round().clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let rounded = |at: usize, number: f32| {
            let unit = if at < KNOTS.len() { 1.0 } else { OTHER_UNITS };
            let limit = (f32::from(MAX_NUMBER) / unit).floor();
            ((number * ROW_UNITS / unit).round().clamp(-limit, limit) * unit) as i8
        };
        let rows = self.rows.iter().map(|row| std::array::from_fn(|at| rounded(at, row[at])));
        let stages = (0..PLIES).map(|empties| {
            let stage = &self.dense[stage(empties)];
            Stage {
                bias: std::array::from_fn(|at| word(stage[at] * ROW_UNITS)),
                direct: std::array::from_fn(|at| word(stage[INPUTS + at] * DIRECT_UNITS)),
                offset: word(stage[2 * INPUTS] * ESTIMATE_UNITS),
            }
        });
        let layers = (0..LAYERS).map(|index| {
            let layer = &self.dense[layer(index)];
            let (weights, rest) = layer.split_at(NEURONS * 2 * INPUTS);
            let weight = |neuron: usize, at: usize| word(weights[neuron * 2 * INPUTS + at] * NEURON_WEIGHT_UNITS);
            let outputs: [i16; NEURONS] = std::array::from_fn(|neuron| word(rest[NEURONS + neuron] * OUTPUT_UNITS));
            Layer {
                bias: std::array::from_fn(|neuron| (rest[neuron] * NEURON_UNITS).round() as i32),
                weights: std::array::from_fn(|pair| {
                    std::array::from_fn(|neuron| [weight(neuron, 2 * pair), weight(neuron, 2 * pair + 1)])
                }),
                output: bytemuck::must_cast([outputs, [0; NEURONS]]),
            }
        });
        NetworkParameters { rows: rows.collect(), stages: stages.collect(), layers: layers.collect() }
    }
}

/// Returns the dot product, summed in eight parts that vector instructions can add.
#[inline(always)]
fn dot(numbers: &WeightRow, others: &[f32]) -> f32 {
    let mut parts = [0.0; 8];
    for at in 0..INPUTS {
        parts[at % 8] += numbers[at] * others[at];
    }
    parts.iter().sum()
}
