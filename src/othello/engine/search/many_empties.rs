//! Exact nodes with nine or more empty squares: a table, costly move ordering and enhanced transposition cutoffs.

use super::Solver;
use super::table::Draft;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::Board;

/// From this many empty squares on, enhanced transposition cutoffs are tried.
const ETC_MIN_EMPTIES: u32 = 12;

impl<const N: usize> Solver<N> {
    /// Solves a node with more than [`FEW_EMPTIES_MAX`](super::FEW_EMPTIES_MAX) empty squares, with the shared or the thread-local table.
    pub(super) fn solve_many_empties<const SHARED: bool, L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
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
                return if passed {
                    board.final_score()
                } else {
                    -self.solve_many_empties::<SHARED, _>(level, board.pass(), -beta, -alpha, true)
                };
            }
            let entry = if SHARED { self.table.get(board) } else { self.local.get(board) }.unwrap_or_default();
            let (alpha, beta) = match entry.narrow_window(Draft::exact(empties), alpha, beta) {
                Ok(window) => window,
                Err(score) => return score,
            };
            let first = self.candidates.len();
            self.generate(level, board, moves, entry.moves);
            if empties >= ETC_MIN_EMPTIES
                && let Some(score) = self.enhanced_transposition_cutoff(first, Draft::exact(empties - 1), beta)
            {
                self.candidates.truncate(first);
                return score;
            }
            let best = self.best_candidate::<true, _>(level, first, Draft::exact(empties - 1), alpha, beta);
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return alpha;
            }
            if SHARED {
                self.table.insert(board, self.age, Draft::exact(empties), (alpha, beta), best);
            } else {
                self.local.insert(board, (alpha, beta), best);
            }
            best.score
        })
    }
}
