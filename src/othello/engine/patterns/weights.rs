//! What patterns are worth: [`Weights`] as they are trained and kept, [`PatternEvaluation`] as a search uses them.

use std::sync::OnceLock;

use super::{Features, ShapeClasses, ShapeSet};
use crate::fnv::Fnv1a;

/// Units in a disc.
pub const UNIT: i32 = 128;

/// Plies of a game, and so sets of weights: after 0 to 60 moves.
pub const PLIES: usize = 61;

/// The configurations of 16 bits, more than any shape has.
const CONFIGURATIONS: usize = 1 << 16;

/// The most shapes of a set.
const MAX_SHAPES: usize = 16;

/// The weight of each [class](ShapeClasses) at each ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// For each ply the weight of each class, in [units](UNIT) of a disc for the player.
    pub plies: Vec<Vec<i16>>,
}

impl Weights {
    /// Returns weights by which every position is worth nothing.
    #[must_use]
    pub fn zero(classes: usize) -> Self {
        Self { plies: vec![vec![0; classes]; PLIES] }
    }
}

/// The weights of one ply, laid out for the search: for each shape a table of all configurations as unsigned numbers.
///
/// Tables are as long as an index can say, so that none needs a check; what no configuration reaches is never touched.
type WeightTable = [i16; MAX_SHAPES * CONFIGURATIONS];

/// An evaluation by the sum of the weights of all lanes.
pub struct PatternEvaluation<const LANES: usize> {
    set: &'static ShapeSet<LANES>,
    weights: Weights,
    /// Where the table of each lane's shape begins.
    offsets: [u32; LANES],
    /// Laid out when a position of the ply is met first.
    tables: [OnceLock<Box<WeightTable>>; PLIES],
}

impl<const LANES: usize> PatternEvaluation<LANES> {
    /// Takes weights into use.
    ///
    /// # Panics
    /// If there are not as many plies, or classes at one, as the set has.
    #[must_use]
    pub fn new(set: &'static ShapeSet<LANES>, weights: Weights) -> Self {
        assert_eq!(weights.plies.len(), PLIES, "a game has so many plies");
        assert!(set.shapes().len() < MAX_SHAPES, "the last table stays zero, for lanes that are not used");
        let lane_offset = |lane: usize| set.placements().get(lane).map_or(MAX_SHAPES - 1, |lane| lane.shape);
        let offsets = std::array::from_fn(|lane| (lane_offset(lane) * CONFIGURATIONS) as u32);
        Self { set, weights, offsets, tables: [const { OnceLock::new() }; PLIES] }
    }

    /// Returns a number that hardly any other weights have: a hash of all of them.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        Fnv1a::new().add(self.weights.plies.iter().flatten().map(|&weight| u64::from(weight as u16))).folded()
    }

    /// Returns the shapes.
    #[must_use]
    pub fn set(&self) -> &'static ShapeSet<LANES> {
        self.set
    }

    fn table(&self, ply: usize) -> &WeightTable {
        self.tables[ply].get_or_init(|| {
            let weights = &self.weights.plies[ply];
            let classes = ShapeClasses::of_set(self.set);
            assert_eq!(weights.len(), classes.count(), "every class has a weight");
            let zero = vec![0i16; MAX_SHAPES * CONFIGURATIONS].into_boxed_slice();
            let mut table: Box<WeightTable> = zero.try_into().expect("a table is so long");
            for shape in 0..self.set.shapes().len() {
                for (configuration, class) in classes.of_shape(shape) {
                    table[shape * CONFIGURATIONS + usize::from(configuration as u16)] = weights[class as usize];
                }
            }
            table
        })
    }

    /// Returns the estimated final score for the player, in [units](UNIT) of a disc, of a position with so many empty squares.
    #[inline]
    #[must_use]
    pub fn units(&self, features: &Features<LANES>, empties: u32) -> i32 {
        let table = self.table(PLIES - 1 - (empties as usize).min(PLIES - 1));
        let index = |lane: usize| (self.offsets[lane] + u32::from(features[lane] as u16)) as usize % table.len();
        (0..LANES).map(|lane| i32::from(table[index(lane)])).sum()
    }
}
