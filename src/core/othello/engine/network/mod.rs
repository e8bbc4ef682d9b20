//! The network: an evaluation that combines patterns non-linearly.
//!
//! ```text
//!  features --> a row of numbers for each lane, from the configuration on it
//!  board    --> a row for the number of moves
//!           --> the sum of all rows, plus a bias by empty squares: the inputs
//!           --> the positive and negative parts of the inputs --> a hidden layer, by groups of empty squares
//!           --> a weighted sum of the positive neurons and of the inputs, by empty squares: the estimate
//! ```
//!
//! The direct path from the inputs to the estimate is a [pattern evaluation](super::patterns) whose
//! weights depend on the number of empty squares. The hidden layer expresses what a sum of patterns
//! cannot, such as an edge that is strong only while a corner is open. All numbers are integers, so
//! estimates are the same on every processor. `src/train/training/network` describes the training.

mod file;

use super::patterns::{FULL, Features, PLIES, ShapeClasses};
use crate::fnv::Fnv1a;
use crate::huge_pages::HugePages;
use crate::instructions::{InstructionSet, PackedRow, ROW, ROW_MAX, ROWS, SUMS, SimdLevel, at_level, compiled};
use crate::othello::Board;
use crate::threads::run_beside;

/// The number of inputs.
pub const INPUTS: usize = ROW;

/// The number of neurons in the hidden layer.
pub const NEURONS: usize = SUMS;

/// The number of consecutive empty-square counts that share a hidden layer.
const EMPTIES_PER_LAYER: usize = 4;

/// The number of hidden layers.
pub const LAYERS: usize = PLIES / EMPTIES_PER_LAYER;

/// The number of fractional bits of a neuron that are dropped.
pub const NEURON_SHIFT: u32 = 10;

/// The number of fractional bits of the sum of all weighted neurons and inputs that are dropped.
/// The unit of the result is 1/128 disc.
pub const SUM_SHIFT: u32 = 10;

/// The numbers that a configuration adds to the inputs, from -[`MAX_NUMBER`] to [`MAX_NUMBER`].
pub type Row = [i8; INPUTS];

/// The maximum absolute value of a number in a row.
pub const MAX_NUMBER: i8 = ROW_MAX;

/// The parameters for a number of empty squares.
#[derive(Clone, PartialEq, Eq)]
pub struct Stage {
    /// The inputs of a board without discs.
    pub bias: [i16; INPUTS],
    /// The weight of each input in the estimate.
    pub direct: [i16; INPUTS],
    /// The estimate for a board without discs.
    pub offset: i16,
}

crate::debug_fields!(Stage { offset });

/// A hidden layer.
#[derive(Clone, PartialEq, Eq)]
pub struct Layer {
    /// The neurons of a board without discs.
    pub bias: [i32; NEURONS],
    /// For each pair of inputs, the weights of their positive parts; then the same for their
    /// negative parts.
    pub weights: [[[i16; 2]; NEURONS]; INPUTS],
    /// The weight of each neuron in the estimate, followed by zeros.
    pub output: [i16; INPUTS],
}

crate::debug_fields!(Layer { bias });

/// The number of rows for the number of moves. The last one is for all larger numbers.
pub const MOVE_ROWS: usize = 32;

/// The number of rows that an evaluation adds.
pub const LANES: usize = 63;

/// The last lane, which has the row for the number of moves. The lanes of [`FULL`] come before it.
pub const MOVE_LANE: usize = LANES - 1;

/// The parameters of a network.
#[derive(Clone, PartialEq, Eq)]
pub struct NetworkParameters {
    /// The row of each [class](ShapeClasses) of [`FULL`], then the row for each number of moves from
    /// 0 to [`MOVE_ROWS`] - 1.
    pub rows: Vec<Row>,
    /// The parameters for each number of empty squares.
    pub stages: Vec<Stage>,
    /// The hidden layers, starting with few empty squares.
    pub layers: Vec<Layer>,
}

crate::debug_fields!(NetworkParameters { rows.len() });

impl NetworkParameters {
    /// Returns the number of rows of a network.
    #[must_use]
    pub fn row_count() -> usize {
        ShapeClasses::of_set(&FULL).count() + MOVE_ROWS
    }
}

/// Returns the indices of the rows that the evaluation of a board adds: one for each lane of
/// [`FULL`] and one for the number of moves.
#[inline(always)]
#[must_use]
pub fn row_indices(board: Board) -> [u32; LANES] {
    let (features, classes) = (FULL.features(board), ShapeClasses::of_set(&FULL));
    let moves = (classes.count() + move_row(board.move_bits())) as u32;
    std::array::from_fn(|lane| if lane == MOVE_LANE { moves } else { classes.class(lane, features[lane]) })
}

/// Returns which of the [`MOVE_ROWS`] belongs to a set of moves.
#[inline(always)]
fn move_row(moves: u64) -> usize {
    (moves.count_ones() as usize).min(MOVE_ROWS - 1)
}

/// Returns the index of the hidden layer for `empties` empty squares.
#[inline]
#[must_use]
pub fn layer_of(empties: usize) -> usize {
    (empties / EMPTIES_PER_LAYER).min(LAYERS - 1)
}

/// The number of 16-bit configurations. No shape has more.
const CONFIGURATIONS: usize = 1 << 16;

/// The index of the first row for numbers of moves in a [`RowTable`], and of a row of zeros for the
/// lanes after [`LANES`].
const MOVES_AT: usize = 15 * CONFIGURATIONS;
const ZEROS_AT: usize = MOVES_AT + MOVE_ROWS;

/// The length of a [`RowTable`].
const TABLE_LEN: usize = 16 * CONFIGURATIONS;

/// The rows in the layout of the search: for each shape, the rows of its configurations as unsigned
/// numbers; then the rows for each number of moves.
type RowTable = [PackedRow; TABLE_LEN];

/// Evaluates positions with a network.
pub struct Network {
    table: HugePages<PackedRow>,
    /// The index of the first row of each lane.
    offsets: [u32; ROWS],
    stages: Vec<Stage>,
    layers: Vec<Layer>,
}

crate::debug_fields!(Network {});

impl Network {
    /// Creates an evaluation.
    ///
    /// # Panics
    /// If the number of rows, stages or layers is wrong, or a number in a row is too large.
    #[must_use]
    pub fn new(parameters: &NetworkParameters) -> Self {
        let NetworkParameters { rows, stages, layers } = parameters;
        let classes = ShapeClasses::of_set(&FULL);
        assert_eq!((rows.len(), stages.len(), layers.len()), (NetworkParameters::row_count(), PLIES, LAYERS));
        assert_eq!((FULL.placements().len(), FULL.shapes().len()), (MOVE_LANE, MOVES_AT / CONFIGURATIONS));
        let mut table = HugePages::<PackedRow>::new(TABLE_LEN);
        let fill = |shapes: Vec<(usize, &mut [PackedRow])>| {
            for (shape, table) in shapes {
                for (configuration, class) in classes.of_shape(shape) {
                    table[usize::from(configuration as u16)] = PackedRow::new(&rows[class as usize]);
                }
            }
        };
        // Another thread handles every second shape.
        let shapes = table.chunks_mut(CONFIGURATIONS).enumerate().take(FULL.shapes().len());
        let (first, second) = shapes.partition(|(shape, _)| shape % 2 == 0);
        run_beside(vec![Box::new(|| fill(first))], || fill(second));
        for (row, numbers) in table[MOVES_AT..].iter_mut().zip(&rows[classes.count()..]) {
            *row = PackedRow::new(numbers);
        }
        table[ZEROS_AT] = PackedRow::new(&[0; INPUTS]);
        let offset =
            |lane: usize| FULL.placements().get(lane).map_or(ZEROS_AT, |lane| lane.shape * CONFIGURATIONS) as u32;
        let offsets = std::array::from_fn(offset);
        Self { table, offsets, stages: stages.clone(), layers: layers.clone() }
    }

    /// Calculates a 32-bit hash of the parameters.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let others = file::stages_and_layers(&self.stages, &self.layers);
        Fnv1a::new().add_words(bytemuck::cast_slice(&self.table)).add_words(&others).folded()
    }

    /// Returns the estimated final score for the player, in [units](super::patterns::UNIT) of a
    /// disc.
    #[must_use]
    pub fn evaluate(&self, board: Board) -> i32 {
        at_level!(InstructionSet::used(), |level| compiled!(level, |board| {
            self.units(level, &FULL.features(board), board.empty_count(), board.move_bits())
        }))
    }

    /// Returns the estimated final score for the player, in [units](super::patterns::UNIT) of a
    /// disc. `empties` is the number of empty squares, `moves` the player's moves.
    pub(crate) fn units<L: SimdLevel>(&self, level: L, features: &Features, empties: u32, moves: u64) -> i32 {
        compiled!(level, {
            let empties = (empties as usize).min(PLIES - 1);
            let (stage, layer) = (&self.stages[empties], &self.layers[layer_of(empties)]);
            // All indices are calculated first, so that the processor can read several rows at a
            // time. Updating the sums move by move would save little: a move changes 16 of the 62
            // rows on average, and replacing a row takes six vector instructions, while adding one
            // takes two.
            let mut indices: [u32; ROWS] =
                std::array::from_fn(|lane| self.offsets[lane].wrapping_add(u32::from(features[lane] as u16)));
            indices[MOVE_LANE] = (MOVES_AT + move_row(moves)) as u32;
            let mut inputs = stage.bias;
            let table: &RowTable = (&*self.table).try_into().expect("the table has this length");
            level.add_rows(&mut inputs, table, &indices);
            let parts = [inputs.map(|input| input.max(0)), inputs.map(|input| input.wrapping_neg().max(0))];
            let mut neurons = layer.bias;
            level.add_pair_products::<INPUTS>(&mut neurons, &bytemuck::must_cast(parts), &layer.weights);
            let outputs = neurons.map(|neuron| (neuron >> NEURON_SHIFT).clamp(0, i16::MAX.into()) as i16);
            let sum = level
                .dot_product(&[inputs, bytemuck::must_cast([outputs, [0; NEURONS]])], &[stage.direct, layer.output]);
            i32::from(stage.offset) + (sum >> SUM_SHIFT)
        })
    }
}

#[cfg(test)]
mod tests;
