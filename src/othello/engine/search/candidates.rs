//! The moves of a node, one after the other: what exact and selective nodes have in common.

use super::move_ordering::{self, Candidate};
use super::table::Draft;
use super::{BestMove, Solver};
use crate::game::Confidence;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::Board;
use crate::othello::engine::probcut;

/// Up to this many empty squares, a search that goes to the end of the game leaves nothing out: to solve takes as little.
const FULL_WIDTH_MAX_EMPTIES: u32 = 10;

/// Searches of fewer plies do without the table, and leave nothing out.
const TABLE_MIN_DEPTH: u8 = probcut::MIN_DEPTH as u8;

/// A node whose moves leave at least this many empty squares may be split between threads: what they tell each other is little against
/// what they search. Tests split wherever they can.
const SPLIT_MIN_EMPTIES: u8 = if cfg!(test) { super::FEW_EMPTIES_MAX as u8 } else { 12 };

/// The same for a search of limited depth, in plies.
const SPLIT_MIN_DEPTH: u8 = if cfg!(test) { 3 } else { 5 };

/// Moves of a node that are searched before the rest may be split: when they have not refuted it, the others seldom do, and will all be
/// needed. With 1 in place of 2, two threads visited up to 5 % more nodes on FFO #41 to #47; with 3, they more often had nothing to do.
const MOVES_BEFORE_SPLIT: usize = 2;

impl Draft {
    /// Returns whether a search of this draft goes to the end of the game with nothing left out.
    #[inline]
    fn is_exact(self, empties: u32) -> bool {
        u32::from(self.depth) >= empties && (self.confidence == Confidence::FULL || empties <= FULL_WIDTH_MAX_EMPTIES)
    }
}

impl<const N: usize> Solver<N> {
    /// Searches a position of any kind.
    pub(super) fn visit<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        compiled!(level, |board| {
            let empties = board.empty_count();
            if draft.is_exact(empties) {
                self.node(level, board, empties, alpha, beta)
            } else if draft.depth < TABLE_MIN_DEPTH {
                self.shallow(level, board, &Self::features(board), draft.depth.into(), alpha, beta)
            } else {
                self.selective(level, board, draft, alpha, beta, false)
            }
        })
    }

    /// Returns a bound that refutes the node, if the table has one for one of its candidates, those from index `first` on.
    pub(super) fn enhanced_transposition_cutoff(&self, first: usize, draft: Draft, beta: i32) -> Option<i32> {
        // All at once: one memory access then takes hardly less time than all of them.
        for candidate in &self.candidates[first..] {
            self.table.prefetch(candidate.next);
        }
        self.candidates[first..].iter().find_map(|candidate| {
            let (_, upper) = self.table.get(candidate.next)?.bounds(draft);
            (-upper >= beta).then_some(-upper)
        })
    }

    /// Searches the candidates from index `first` on with a draft, which is exact or not.
    pub(super) fn best_candidate<const EXACT: bool, L: SimdLevel>(
        &mut self,
        level: L,
        first: usize,
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> BestMove {
        compiled!(level, {
            let split_from = if EXACT { SPLIT_MIN_EMPTIES } else { SPLIT_MIN_DEPTH };
            let mut best = BestMove::NONE;
            let mut low = alpha;
            for index in first..self.candidates.len() {
                if index >= first + MOVES_BEFORE_SPLIT
                    && draft.depth >= split_from
                    && self.helper_pool.has_idle_threads()
                    && self.may_split
                {
                    return self.split(level, index, draft, low, beta, best);
                }
                let Candidate { square, next, .. } = move_ordering::next_best(&mut self.candidates, index);
                let mut score =
                    -self.child::<EXACT, _>(level, next, draft, if index == first { -beta } else { -low - 1 }, -low);
                if index > first && score > low && score < beta {
                    score = -self.child::<EXACT, _>(level, next, draft, -beta, -low);
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
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if EXACT {
            self.node(level, next, draft.depth.into(), alpha, beta)
        } else {
            self.visit(level, next, draft, alpha, beta)
        }
    }
}
