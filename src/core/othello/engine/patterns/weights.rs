//! Pattern weights: [`Weights`] for training and files, [`PatternEvaluation`] for the search.

use std::sync::OnceLock;

use super::{Features, ShapeClasses, ShapeSet};
use crate::fnv::Fnv1a;
use crate::othello::Board;

/// The number of units in a disc.
pub const UNIT: i32 = 128;

/// The maximum estimate for an unfinished game, in discs.
const MAX_ESTIMATE: i32 = 62;

/// Converts an estimate in [units](UNIT) to whole discs, from -62 to 62. Halves are rounded up.
///
/// ```
/// use morello::othello::engine::patterns::{UNIT, discs};
///
/// assert_eq!([UNIT / 2, UNIT / 2 - 1, -UNIT / 2, 100 * UNIT].map(discs), [1, 0, 0, 62]);
/// ```
#[inline]
#[must_use]
pub fn discs(units: i32) -> i32 {
    (units + UNIT / 2).div_euclid(UNIT).clamp(-MAX_ESTIMATE, MAX_ESTIMATE)
}

/// The number of plies, each with its own weights: after 0 to 60 moves.
pub const PLIES: usize = 61;

/// The number of 16-bit configurations. No shape has more.
const CONFIGURATIONS: usize = 1 << 16;

/// The maximum number of shapes in a set, plus one.
const MAX_SHAPES: usize = 16;

/// The weight of each [class](ShapeClasses) at each ply.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// For each ply, the weight of each class in [units](UNIT) of a disc, for the player.
    pub plies: Vec<Vec<i16>>,
}

crate::debug_fields!(Weights { plies.len() });

impl Weights {
    /// Returns weights of 0.
    #[must_use]
    pub fn zero(classes: usize) -> Self {
        Self { plies: vec![vec![0; classes]; PLIES] }
    }
}

/// The weights of one ply in the layout of the search: one table per shape, indexed by the
/// configuration as an unsigned number.
///
/// The tables have the full length of a 16-bit index, so that lookups need no bounds check.
type WeightTable = [i16; MAX_SHAPES * CONFIGURATIONS];

/// Evaluates a position by the sum of the weights of all lanes.
pub struct PatternEvaluation<const LANES: usize> {
    set: &'static ShapeSet<LANES>,
    weights: Weights,
    /// The offset of the table for each lane's shape.
    offsets: [u32; LANES],
    /// The tables, each created at the first evaluation of its ply.
    tables: [OnceLock<Box<WeightTable>>; PLIES],
}

crate::debug_fields!([const LANES: usize] PatternEvaluation<LANES> { set });

impl<const LANES: usize> PatternEvaluation<LANES> {
    /// Creates an evaluation.
    ///
    /// # Panics
    /// If the number of plies is not [`PLIES`]; or, at the first evaluation of a ply, if its number
    /// of weights does not match the set.
    #[must_use]
    pub fn new(set: &'static ShapeSet<LANES>, weights: Weights) -> Self {
        assert_eq!(weights.plies.len(), PLIES, "every ply has weights");
        assert!(set.shapes().len() < MAX_SHAPES, "the last table is reserved for unused lanes and stays zero");
        let lane_offset = |lane: usize| set.placements().get(lane).map_or(MAX_SHAPES - 1, |lane| lane.shape);
        let offsets = std::array::from_fn(|lane| (lane_offset(lane) * CONFIGURATIONS) as u32);
        Self { set, weights, offsets, tables: [const { OnceLock::new() }; PLIES] }
    }

    /// Returns a 32-bit hash of the weights.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        Fnv1a::new().add(self.weights.plies.iter().flatten().map(|&weight| u64::from(weight as u16))).folded()
    }

    fn table(&self, ply: usize) -> &WeightTable {
        self.tables[ply].get_or_init(|| {
            let weights = &self.weights.plies[ply];
            let classes = ShapeClasses::of_set(self.set);
            assert_eq!(weights.len(), classes.count(), "every class has a weight");
            let zero = vec![0i16; MAX_SHAPES * CONFIGURATIONS].into_boxed_slice();
            let mut table: Box<WeightTable> = zero.try_into().expect("the sizes are equal");
            for shape in 0..self.set.shapes().len() {
                for (configuration, class) in classes.of_shape(shape) {
                    table[shape * CONFIGURATIONS + usize::from(configuration as u16)] = weights[class as usize];
                }
            }
            table
        })
    }

    /// Returns the estimated final score for the player, in [units](UNIT) of a disc. `empties` is
    /// the number of empty squares.
    #[inline]
    #[must_use]
    pub fn units(&self, features: &Features<LANES>, empties: u32) -> i32 {
        let table = self.table(PLIES - 1 - (empties as usize).min(PLIES - 1));
        let index = |lane: usize| (self.offsets[lane] + u32::from(features[lane] as u16)) as usize % table.len();
        (0..LANES).map(|lane| i32::from(table[index(lane)])).sum()
    }

    /// Returns the estimated final score for the player, in [units](UNIT) of a disc.
    #[must_use]
    pub fn evaluate(&self, board: Board) -> i32 {
        self.units(&self.set.features(board), board.empty_count())
    }
}
