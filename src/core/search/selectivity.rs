//! [`Selectivity`]: the pruning and reductions of a selective search.
//!
//! * *Late-move reductions*: late quiet moves are first searched to a reduced depth. If they exceed
//!   alpha, they are searched again to full depth.
//! * *Late-move pruning*: near the leaves, the last quiet moves are not searched.
//! * *Futility pruning*: near the leaves, quiet moves are pruned if the evaluation is too far below
//!   alpha.
//! * *Reverse futility pruning*: near the leaves, a node is pruned if the evaluation is far enough
//!   above beta.
//! * *Internal iterative reduction*: positions without a table entry are searched one ply less
//!   deeply. Their results order the moves of the next iteration.
//! * *Quiescence*: the best captures are searched beyond the depth.
//!
//! Proofs remain valid: a pruned move counts as an estimate, never as a win or a loss. Therefore
//! every win found is a win, and a value is complete only if nothing was pruned below it. Only the
//! length of a win may be wrong: it may be longer than necessary. Before the search reports the
//! distance of a win or loss at the root, it therefore repeats the search without selectivity.
//!
//! There is no null-move pruning, because zugzwang is common in the mill games.

/// The minimum depth of late-move reductions.
const LMR_MIN_DEPTH: u32 = 3;

/// The maximum depth of late-move pruning, and the number of moves before the first late one at
/// depth 1. The number grows with the square of the depth.
const LMP_MAX_DEPTH: u32 = 3;
const LMP_MOVES: usize = 4;

/// The minimum depth of internal iterative reductions.
const IIR_MIN_DEPTH: u32 = 4;

/// The pruning margins for an evaluation, in thousandths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selectivity {
    /// The gain that a quiet move may bring, per ply of depth.
    pub futility_margin: i32,
    /// The maximum depth of futility pruning, in plies.
    pub futility_depth: u32,
    /// The loss that the side to move may suffer, per ply of depth.
    pub reverse_futility_margin: i32,
    /// The maximum depth of reverse futility pruning, in plies.
    pub reverse_futility_depth: u32,
}

impl Selectivity {
    /// The maximum number of consecutive captures beyond the depth.
    pub(super) const QUIESCENCE_DEPTH: u32 = 3;

    /// The maximum number of captures tried per position beyond the depth.
    pub(super) const QUIESCENCE_MOVES: usize = 3;

    /// Returns an assumed upper bound on the results of quiet moves, if the depth allows futility
    /// pruning. `value` is the static evaluation.
    pub(super) fn futility_bound(self, value: i32, depth: u32) -> Option<i32> {
        (depth <= self.futility_depth).then(|| value + self.futility_margin * depth as i32)
    }

    /// Returns an assumed lower bound on the result, if the depth allows reverse futility pruning.
    /// `value` is the static evaluation.
    pub(super) fn reverse_futility_bound(self, value: i32, depth: u32) -> Option<i32> {
        (depth <= self.reverse_futility_depth).then(|| value - self.reverse_futility_margin * depth as i32)
    }

    /// Returns whether any pruning applies at this depth.
    pub(super) fn applies_at(self, depth: u32) -> bool {
        depth <= self.futility_depth.max(self.reverse_futility_depth)
    }

    /// Returns the reduction, in plies, of a position without a table entry.
    pub(super) fn internal_iterative_reduction(depth: u32) -> u32 {
        u32::from(depth >= IIR_MIN_DEPTH)
    }

    /// Returns the reduction, in plies, of a quiet move after `before` other moves.
    pub(super) fn late_move_reduction(depth: u32, before: usize) -> u32 {
        let before = before as u32;
        if depth < LMR_MIN_DEPTH || before == 0 {
            return 0;
        }
        // About nine tenths of the product of the natural logarithms. Integer arithmetic gives the
        // same result on every machine.
        let log = |n: u32| u64::from(n).pow(4).ilog2();
        (log(depth) * log(before) / 36).min(depth - 2)
    }

    /// Returns whether a quiet move after `before` other moves is pruned.
    pub(super) fn is_late(depth: u32, before: usize) -> bool {
        depth <= LMP_MAX_DEPTH && before >= LMP_MOVES * (depth * depth) as usize
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
                let product = f64::from(depth).ln() * (before.max(1) as f64).ln() * 0.93;
                assert!(f64::from(reduction) <= product * 1.05, "{depth} {before}");
            }
        }
        assert_eq!(Selectivity::late_move_reduction(12, 10), 5);
    }

    #[test]
    fn moves_are_late_near_the_leaves_only() {
        let first_late = |depth| (0..100).find(|&before| Selectivity::is_late(depth, before));
        assert_eq!([1, 2, 3, 4].map(first_late), [Some(4), Some(16), Some(36), None]);
    }
}
