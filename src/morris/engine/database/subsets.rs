//! Subsets by number: the sets of `k` points among the lowest `n`, in the order of their bits as numbers.
//!
//! A set's rank in that order (the colexicographic one) is the sum of the binomials C(p, i + 1) over its points p, the i-th from the
//! lowest: it depends on the set alone, not on `n`, so two small tables serve sets of every size.

use std::sync::LazyLock;

/// The bits of either half of a set.
const HALF: u32 = 12;
/// The sets of a half.
const SETS: usize = 1 << HALF;

/// Returns the number of sets of `k` points among `n`, at most 24.
pub(super) const fn binomial(n: u32, k: u32) -> u32 {
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

/// The tables that rank sets of up to 24 points.
pub(super) struct Ranks {
    /// What the lower half adds.
    low: [u32; SETS],
    /// What the upper half adds, by the number of points in the lower one.
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

    /// Returns the rank of a set among those of as many points.
    #[inline(always)]
    pub fn rank(&self, set: u32) -> usize {
        let (low, high) = (set as usize % SETS, set as usize / SETS % SETS);
        (self.low[low] + self.high[low.count_ones() as usize % 16][high]) as usize
    }
}

/// Returns all sets of `count` points among the lowest `width`, by rank.
pub(super) fn subsets(width: u32, count: u32) -> Vec<u32> {
    let len = binomial(width, count) as usize;
    let mut set = (1u32 << count) - 1;
    let mut sets = Vec::with_capacity(len);
    for _ in 0..len {
        sets.push(set);
        if set != 0 {
            // The next number with as many bits (Gosper): the lowest run of ones gives its top bit to the left, the rest falls down.
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
