//! [`Selectivity`]: what a selective search leaves out, and what it searches less.
//!
//! * *Late moves* that are quiet are searched less deep at first, and again to the full depth if they turn out better than what is at hand
//!   (late-move reductions).
//! * *Futile moves*: near the leaves, quiet moves are left out where they would have to gain more than a quiet move does.
//! * *Safe positions*: near the leaves, a position so much better than the window that the rest is unlikely to matter is not searched.
//! * *Unknown positions*, which the table says nothing about, are searched one ply less: what they come to orders the moves of the next
//!   iteration.
//!
//! None of it touches a proof. What is left out counts as an estimate, never as a win or a loss, so a win that is found is one, and a value
//! is complete only if nothing was left out below it. Only the way to a win may be longer than need be: so the root's is searched again
//! with nothing left out before it is reported as proved.
//!
//! There is no null move: in the mill games to have to move is often what loses.

/// The least depth at which late moves are reduced, and how many moves are not late.
const LMR_MIN_DEPTH_AND_MOVES: (u32, u32) = (3, 3);

/// The least depth at which an unknown position is searched one ply less.
const IIR_MIN_DEPTH: u32 = 4;

/// What a selective search takes for granted of an evaluation, in thousandths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selectivity {
    /// What a quiet move may gain.
    pub futility_margin: i32,
    /// Up to how many plies above the leaves futile moves are left out.
    pub futility_depth: u32,
    /// What the side to move may lose in a ply.
    pub reverse_futility_margin: i32,
    /// Up to how many plies above the leaves safe positions are not searched.
    pub reverse_futility_depth: u32,
}

impl Selectivity {
    /// Returns what a position of this value may come to at most by quiet moves, if it is near enough to the leaves to tell.
    pub(super) fn futility_bound(self, value: i32, depth: u32) -> Option<i32> {
        (depth <= self.futility_depth).then(|| value + self.futility_margin * depth as i32)
    }

    /// Returns what a position of this value is worth at least, if it is near enough to the leaves to tell.
    pub(super) fn reverse_futility_bound(self, value: i32, depth: u32) -> Option<i32> {
        (depth <= self.reverse_futility_depth).then(|| value - self.reverse_futility_margin * depth as i32)
    }

    /// Returns whether anything is told by the value at this depth.
    pub(super) fn applies_at(self, depth: u32) -> bool {
        depth <= self.futility_depth.max(self.reverse_futility_depth)
    }

    /// Returns the plies by which an unknown position is searched less.
    pub(super) fn internal_iterative_reduction(depth: u32) -> u32 {
        u32::from(depth >= IIR_MIN_DEPTH)
    }

    /// Returns by how many plies less a quiet move is searched at first, `before` others having been searched before it.
    pub(super) fn late_move_reduction(depth: u32, before: usize) -> u32 {
        let before = before as u32;
        if depth < LMR_MIN_DEPTH_AND_MOVES.0 || before < LMR_MIN_DEPTH_AND_MOVES.1 {
            return 0;
        }
        // Half the product of the natural logarithms, by logarithms to base 2 in quarters, which are the same on every machine.
        let log = |n: u32| u64::from(n).pow(4).ilog2();
        (log(depth) * log(before) / 64).min(depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        for depth in 1..240 {
            for before in 0..100 {
                let reduction = Selectivity::late_move_reduction(depth, before);
                assert!(reduction < depth);
                assert!(reduction <= Selectivity::late_move_reduction(depth + 1, before));
                assert!(reduction <= Selectivity::late_move_reduction(depth, before + 1));
                let product = f64::from(depth).ln() * (before.max(1) as f64).ln() / 2.0;
                assert!(f64::from(reduction) <= product * 1.05, "{depth} {before}");
            }
        }
        assert_eq!(Selectivity::late_move_reduction(12, 10), 2);
    }
}
