//! The loop over the moves of a node, shared by exact and selective nodes.

use super::move_ordering::{self, Candidate};
use super::table::Draft;
use super::{BestMove, FEW_EMPTIES_MAX, Solver};
use crate::game::Confidence;
use crate::game::Element as _;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::engine::patterns::{FULL, Features};
use crate::othello::engine::probcut;
use crate::othello::{Board, Square, SquareSet};

/// With at most this many empty squares, a selective search to the end of the game is replaced by
/// an exact search, which is as fast.
const FULL_WIDTH_MAX_EMPTIES: u32 = 10;

/// The minimum depth of searches that use the table.
const TABLE_MIN_DEPTH: u8 = probcut::SEARCH_MIN_DEPTH as u8;

/// The minimum number of empty squares after the moves of a node that may be split between threads.
/// Below it, the overhead is too large. Tests split wherever possible.
const SPLIT_MIN_EMPTIES: u8 = if cfg!(test) { FEW_EMPTIES_MAX as u8 } else { 12 };

/// Like [`SPLIT_MIN_EMPTIES`], for searches of limited depth, in plies.
const SPLIT_MIN_DEPTH: u8 = if cfg!(test) { 3 } else { 5 };

/// Returns the number of moves of a node to search before the rest may be split. A larger number
/// saves nodes, a smaller one finds work for more threads. With 16 threads and exact nodes that are
/// expected to be refuted, 5 took a quarter more time than 3, and 2 took a tenth more. If no move
/// is expected to refute the node, all have to be searched.
const fn moves_before_split(is_exact: bool, is_null_window: bool, expects_refutation: bool) -> usize {
    match (is_exact, expects_refutation) {
        _ if !is_null_window => 1,
        (true, true) => 3,
        (false, true) => 2,
        (true, false) => 1,
        (false, false) => 0,
    }
}

impl Draft {
    /// Returns whether a search with this draft reaches the end of the game without selective
    /// pruning.
    #[inline]
    fn is_exact(self, empties: u32) -> bool {
        u32::from(self.depth) >= empties && (self.confidence == Confidence::FULL || empties <= FULL_WIDTH_MAX_EMPTIES)
    }
}

/// A board with its features, which are updated move by move instead of being computed for each
/// node.
#[derive(Clone, Copy)]
pub(super) struct EvaluatedBoard<const N: usize> {
    pub board: Board<N>,
    pub features: Features,
}

impl<const N: usize> EvaluatedBoard<N> {
    /// Returns the features of `next`, the board after a move to `square`.
    #[inline(always)]
    pub fn features_after(&self, square: u8, next: Board<N>) -> Features {
        FULL.after(&self.features, Square::from_bit(square.into()), SquareSet::new(self.board.opponent ^ next.player))
    }
}

impl<const N: usize> Solver<N> {
    /// Searches a node with the code for its draft and number of empty squares.
    pub(super) fn visit<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        features: &Features,
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        compiled!(level, |board| {
            let empties = board.empty_count();
            if draft.is_exact(empties) {
                self.node(level, board, features, empties, alpha, beta)
            } else if draft.depth < TABLE_MIN_DEPTH {
                self.shallow(level, board, board.move_bits(), features, draft, (alpha, beta))
            } else {
                self.selective(level, board, features, draft, (alpha, beta), false)
            }
        })
    }

    /// Returns a bound that refutes the node, if the table has one for a candidate at index `first`
    /// or later.
    pub(super) fn enhanced_transposition_cutoff(&self, first: usize, draft: Draft, beta: i32) -> Option<i32> {
        // Prefetching all entries first makes their memory accesses overlap.
        for candidate in &self.candidates[first..] {
            self.table.prefetch(candidate.next);
        }
        self.candidates[first..].iter().find_map(|candidate| {
            let (_, upper) = self.table.get(candidate.next)?.bounds(draft);
            (-upper >= beta).then_some(-upper)
        })
    }

    /// Searches the candidates, starting at index `first`, and returns the best. `EXACT` is true if
    /// the draft is exact.
    pub(super) fn best_candidate<const EXACT: bool, L: SimdLevel>(
        &mut self,
        level: L,
        node: &EvaluatedBoard<N>,
        first: usize,
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> BestMove {
        compiled!(level, {
            let split_from = if EXACT { SPLIT_MIN_EMPTIES } else { SPLIT_MIN_DEPTH };
            let is_null_window = beta - alpha == 1;
            let expects_refutation = self.expects_refutation && is_null_window;
            let before_split = moves_before_split(EXACT, is_null_window, expects_refutation);
            let mut best = BestMove::NONE;
            let mut low = alpha;
            for index in first..self.candidates.len() {
                self.expects_refutation = if is_null_window { !expects_refutation } else { index > first };
                if index >= first + before_split
                    && draft.depth >= split_from
                    && self.wants_split(draft.depth > split_from)
                {
                    return self.split(level, *node, index, draft, (low, beta), best);
                }
                let Candidate { square, next, .. } = move_ordering::next_best(&mut self.candidates, index);
                let needs_features = !EXACT || u32::from(draft.depth) > FEW_EMPTIES_MAX;
                let features = if needs_features { node.features_after(square, next) } else { [0; _] };
                let scout = if index == first { -beta } else { -low - 1 };
                let mut score = -self.child::<EXACT, _>(level, next, &features, draft, scout, -low);
                if index > first && score > low && score < beta {
                    score = -self.child::<EXACT, _>(level, next, &features, draft, -beta, -low);
                }
                if self.stop.is_stopped() {
                    break;
                }
                if score > best.score {
                    best = BestMove { score, square };
                    low = low.max(score);
                    if score >= beta {
                        break;
                    }
                }
            }
            best
        })
    }

    #[inline]
    fn child<const EXACT: bool, L: SimdLevel>(
        &mut self,
        level: L,
        next: Board<N>,
        features: &Features,
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if EXACT {
            self.node(level, next, features, draft.depth.into(), alpha, beta)
        } else {
            self.visit(level, next, features, draft, alpha, beta)
        }
    }
}
