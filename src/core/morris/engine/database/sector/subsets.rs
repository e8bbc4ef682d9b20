//! Ranks of subsets: the sets of `k` points among the lowest `n`, in the order of their bits as
//! numbers.
//!
//! The rank of a set in this (colexicographic) order is the sum of the binomials C(p, i + 1) over
//! its points p, where p is the i-th lowest point, counted from 0. The sum does not depend on `n`,
//! so two small tables suffice for sets of every size.

use std::sync::LazyLock;

/// The number of bits in each half of a set.
const HALF: u32 = 12;
/// The number of sets in a half.
const SETS: usize = 1 << HALF;

/// Returns the number of sets of `k` points among `n` points; `n` must be at most 24.
pub(crate) const fn binomial(n: u32, k: u32) -> u32 {
    if k > n {
        return 0;
    }
    let (mut value, mut i) = (1u64, 0);
    while i < k {
        value = value * (n - i) as u64 / (i as u64 + 1);
        i += 1;
    }
    value as u32
}

/// Tables that rank sets of points among 24.
pub(crate) struct Ranks {
    /// The contribution of the lower half to the rank.
    low: [u32; SETS],
    /// The contribution of the upper half to the rank, indexed by the number of points in the lower
    /// half.
    high: [[u32; SETS]; 16],
}

static RANKS: LazyLock<Box<Ranks>> = LazyLock::new(|| {
    let mut ranks = Box::new(Ranks { low: [0; SETS], high: [[0; SETS]; 16] });
    for set in 1..SETS as u32 {
        let (top, rest) = (set.ilog2(), set ^ 1 << set.ilog2());
        let below = rest.count_ones();
        ranks.low[set as usize] = ranks.low[rest as usize] + binomial(top, below + 1);
        for in_low in 0..=HALF {
            let row = &mut ranks.high[in_low as usize];
            row[set as usize] = row[rest as usize] + binomial(top + HALF, in_low + below + 1);
        }
    }
    ranks
});

impl Ranks {
    /// Returns the tables.
    pub fn get() -> &'static Self {
        &RANKS
    }

    /// Returns the rank of a set among the sets with the same number of points.
    #[inline(always)]
    pub fn rank(&self, set: u32) -> usize {
        let (low, high) = (set as usize % SETS, set as usize / SETS % SETS);
        (self.low[low] + self.high[low.count_ones() as usize % 16][high]) as usize
    }
}

/// Returns all sets of `count` points among the lowest `width` points, in the order of their ranks.
pub(crate) fn subsets(width: u32, count: u32) -> Vec<u32> {
    let len = binomial(width, count) as usize;
    let mut set = (1u32 << count) - 1;
    let mut sets = Vec::with_capacity(len);
    for _ in 0..len {
        sets.push(set);
        if set != 0 {
            // Gosper's hack: the next number with the same number of one bits.
            let lowest = set.trailing_zeros();
            let carried = set + (1 << lowest);
            set = carried | (set ^ carried) >> (lowest + 2);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_colexicographic_order() {
        let ranks = Ranks::get();
        for (width, count) in [(0, 0), (5, 0), (9, 3), (17, 8), (24, 3), (24, 12), (24, 21)] {
            let sets = subsets(width, count);
            assert_eq!(sets.len(), binomial(width, count) as usize);
            for (rank, &set) in sets.iter().enumerate() {
                assert_eq!((set.count_ones(), set >> width, ranks.rank(set)), (count, 0, rank));
            }
        }
    }
}
