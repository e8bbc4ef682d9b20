//! Exact nodes with many empty squares: a move list, costly move ordering, and splitting between
//! threads.

use super::Solver;
use super::candidates::EvaluatedBoard;
use super::table::Draft;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::Board;
use crate::othello::engine::patterns::{Features, ShapeSet};

impl<const N: usize> Solver<N> {
    /// Solves a node with more than [`FEW_EMPTIES_MAX`](super::FEW_EMPTIES_MAX) empty squares.
    pub(super) fn solve_many_empties<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        features: &Features,
        alpha: i32,
        beta: i32,
        passed: bool,
    ) -> i32 {
        compiled!(level, |board| {
            let empties = board.empty_count();
            let moves = match self.enter(board, empties, alpha) {
                Ok(moves) => moves,
                Err(score) => return score,
            };
            if moves == 0 {
                self.expects_refutation = !self.expects_refutation;
                return if passed {
                    board.final_score()
                } else {
                    -self.solve_many_empties(level, board.pass(), &ShapeSet::after_pass(features), -beta, -alpha, true)
                };
            }
            let entry = self.exact_entry(board);
            let (alpha, beta) = match entry.narrow_window(Draft::exact(empties), alpha, beta) {
                Ok(window) => window,
                Err(score) => return score,
            };
            let first = self.candidates.len();
            self.generate(level, board, features, moves, entry.moves);
            if let Some(score) = self.exact_transposition_cutoff(first, empties - 1, beta) {
                self.candidates.truncate(first);
                return score;
            }
            let node = EvaluatedBoard { board, features: *features };
            let best = self.best_candidate::<true, _>(level, &node, first, Draft::exact(empties - 1), alpha, beta);
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return alpha;
            }
            if empties <= self.local_max_empties() {
                self.local.insert_result(board, (alpha, beta), best);
            } else {
                self.table.insert(board, self.age, Draft::exact(empties), (alpha, beta), best);
            }
            best.score
        })
    }

    /// Like [`enhanced_transposition_cutoff`](Self::enhanced_transposition_cutoff) for exact nodes,
    /// with this many empty squares after the move.
    fn exact_transposition_cutoff(&self, first: usize, empties: u32, beta: i32) -> Option<i32> {
        if empties > self.local_max_empties() {
            return self.enhanced_transposition_cutoff(first, Draft::exact(empties), beta);
        }
        self.candidates[first..].iter().find_map(|candidate| {
            let index = self.local.index(candidate.next, empties);
            let upper = i32::from(self.local.entry(index, candidate.next).upper);
            (-upper >= beta).then_some(-upper)
        })
    }
}
