//! [`OpponentSet`]: the men of the side not to move, and the rest of the board.

use super::super::Ruleset;
use super::super::sector::bits::extract;

/// A set of men of the opponent, and the board without their points. The remaining points are
/// renumbered from 0.
pub(super) struct OpponentSet {
    /// The images of the men under the symmetries.
    pub images: [u32; 16],
    /// The men of the opponent.
    pub men: u32,
    /// The remaining points, as a set of points of the board.
    pub rest: u32,
    /// All remaining points, renumbered.
    pub all: u32,
    /// The edges between remaining points.
    edges: [u32; 64],
    /// The edges at each remaining point, as bits.
    ends: [u64; 24],
    mills: [u32; 24],
    mill_count: usize,
    /// The men that a mill may capture, as points of the board.
    pub victims: u32,
}

impl OpponentSet {
    /// Computes the remaining board, given the men of the opponent.
    pub fn new(rules: &Ruleset, other: u32) -> Self {
        let board = rules.board;
        let rest = board.points() & !other;
        let all = (1u32 << rest.count_ones()) - 1;
        let mut images = [0; 16];
        for (k, image) in images.iter_mut().enumerate().take(board.symmetries().len()) {
            *image = board.symmetries().set(k, other);
        }
        let (mut edges, mut ends) = ([0; 64], [0; 24]);
        for (number, &edge) in board.edges().iter().filter(|&edge| edge & other == 0).enumerate() {
            edges[number] = extract(edge, rest);
            ends[edges[number].trailing_zeros() as usize] |= 1 << number;
            ends[edges[number].ilog2() as usize] |= 1 << number;
        }
        let (mut mills, mut mill_count) = ([0; 24], 0);
        for &mill in board.mills().iter().filter(|&mill| mill & other == 0) {
            mills[mill_count] = extract(mill, rest);
            mill_count += 1;
        }
        Self {
            images,
            men: other,
            rest,
            all,
            edges,
            ends,
            mills,
            mill_count,
            victims: rules.rules.victims(board, other),
        }
    }

    /// Returns the men of the side to move that are in mills.
    #[inline(always)]
    pub fn in_mills(&self, men: u32) -> u32 {
        self.mills[..self.mill_count].iter().fold(0, |points, &mill| points | if mill & !men == 0 { mill } else { 0 })
    }

    /// Returns the edges with a man at exactly one end: the possible steps of these men.
    #[inline(always)]
    fn steps(&self, men: u32) -> u64 {
        // An edge with men at both ends is toggled twice.
        let (mut steps, mut rest) = (0, men);
        while rest != 0 {
            steps ^= self.ends[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        steps
    }

    /// Returns the number of moves of these men, including those into mills.
    #[inline(always)]
    pub fn count_moves(&self, men: u32, flies: bool) -> u32 {
        if flies { men.count_ones() * (self.all & !men).count_ones() } else { self.steps(men).count_ones() }
    }

    /// Calls `found` with each set of men from which a move to a point in `last` leads to `men`.
    #[inline(always)]
    pub fn for_each_predecessor<E>(
        &self,
        men: u32,
        last: u32,
        flies: bool,
        mut found: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut last = last;
        if flies {
            while last != 0 {
                let to = last & last.wrapping_neg();
                last ^= to;
                let mut from = self.all & !men;
                while from != 0 {
                    found(men ^ to ^ from & from.wrapping_neg())?;
                    from &= from - 1;
                }
            }
            return Ok(());
        }
        let mut steps = self.steps(men);
        let mut unmoved = men & !last;
        while unmoved != 0 {
            steps &= !self.ends[unmoved.trailing_zeros() as usize];
            unmoved &= unmoved - 1;
        }
        while steps != 0 {
            found(men ^ self.edges[steps.trailing_zeros() as usize])?;
            steps &= steps - 1;
        }
        Ok(())
    }
}
