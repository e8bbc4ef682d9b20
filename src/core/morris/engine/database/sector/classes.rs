//! [`SymmetryClasses`]: the sets of a given number of points, up to symmetry.

use std::sync::OnceLock;

use super::subsets::{Ranks, binomial, subsets};
use crate::morris::Board;

/// The number of bits of a symmetry, which is stored below the class.
const SYMMETRY_BITS: u32 = 4;

/// The sets of a given number of points of a board, partitioned into classes under its symmetries.
/// The smallest set of a class represents it. Classes are numbered in the order of their
/// representatives.
pub(crate) struct SymmetryClasses {
    /// For each set, by rank: its class, and the symmetry that maps the set to the representative.
    of: Vec<u32>,
    /// The representative of each class.
    sets: Vec<u32>,
    /// The symmetries that map the representative of a class to itself, as bits.
    stabilizers: Vec<u16>,
}

impl SymmetryClasses {
    /// Partitions the sets of `men` points.
    fn new(board: &Board, men: u32) -> Self {
        let (symmetries, ranks) = (board.symmetries(), Ranks::get());
        assert!(symmetries.len() <= 1 << SYMMETRY_BITS, "the number of a symmetry fits in its bits");
        let inverse: Vec<usize> = (0..symmetries.len())
            .map(|k| {
                let is_inverse =
                    |&j: &usize| (0..board.len()).all(|p| symmetries.point(j, symmetries.point(k, p)) == p);
                (0..symmetries.len()).find(is_inverse).expect("every symmetry has an inverse")
            })
            .collect();
        let mut classes =
            Self { of: vec![u32::MAX; binomial(board.len(), men) as usize], sets: Vec::new(), stabilizers: Vec::new() };
        for (rank, set) in subsets(board.len(), men).into_iter().enumerate() {
            if classes.of[rank] != u32::MAX {
                continue;
            }
            let class = classes.sets.len() as u32;
            let mut stabilizer = 0;
            for (k, &inverse) in inverse.iter().enumerate() {
                let image = symmetries.set(k, set);
                stabilizer |= u16::from(image == set) << k;
                let of = &mut classes.of[ranks.rank(image)];
                if *of == u32::MAX {
                    *of = class << SYMMETRY_BITS | inverse as u32;
                }
            }
            classes.sets.push(set);
            classes.stabilizers.push(stabilizer);
        }
        classes
    }

    /// Returns the number of classes.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns the class of the set with this rank, and the symmetry that maps the set to [the
    /// representative](Self::set).
    #[inline]
    pub fn of(&self, rank: usize) -> (usize, usize) {
        let of = self.of[rank];
        ((of >> SYMMETRY_BITS) as usize, (of % (1 << SYMMETRY_BITS)) as usize)
    }

    /// Returns the representative of a class.
    #[inline]
    pub fn set(&self, class: usize) -> u32 {
        self.sets[class]
    }

    /// Returns the symmetries that map the representative of a class to itself, as bits. Bit 0 is
    /// the identity.
    #[inline]
    pub fn stabilizer(&self, class: usize) -> u16 {
        self.stabilizers[class]
    }
}

/// The classes of a board for each number of points, computed on first use.
pub(crate) struct ClassCache {
    board: &'static Board,
    classes: [OnceLock<SymmetryClasses>; 16],
}

impl ClassCache {
    /// Creates an empty cache.
    pub fn new(board: &'static Board) -> Self {
        Self { board, classes: [const { OnceLock::new() }; 16] }
    }

    /// Returns the board.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the classes of the sets of `men` points. `men` must be at most 15.
    pub fn classes(&self, men: u8) -> &SymmetryClasses {
        self.classes[usize::from(men)].get_or_init(|| SymmetryClasses::new(self.board, men.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::{NINE, SIX, THREE};

    #[test]
    fn symmetries_map_sets_to_their_class_representative() {
        for (board, men) in [(NINE, 0), (NINE, 3), (NINE, 5), (SIX, 4), (THREE, 3)] {
            let class_cache = ClassCache::new(board);
            let classes = class_cache.classes(men);
            for (rank, set) in subsets(board.len(), men.into()).into_iter().enumerate() {
                let (class, symmetry) = classes.of(rank);
                let images = (0..board.symmetries().len()).map(|k| board.symmetries().set(k, set));
                assert_eq!(classes.set(class), images.clone().min().unwrap());
                assert_eq!(board.symmetries().set(symmetry, set), classes.set(class));
                let kept = images.filter(|&image| image == set).count() as u32;
                assert_eq!(classes.stabilizer(class).count_ones(), kept);
            }
        }
    }
}
