//! Nodes to be solved with many squares left: a table, moves in an order that costs something, and enhanced transposition cutoffs.

use super::Solver;
use super::table::Draft;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::Board;

/// From this many empty squares on, all replies are looked up before any is searched.
const ETC_MIN_EMPTIES: u32 = 12;

impl<const N: usize> Solver<N> {
    /// Searches a node with more than [`FEW_EMPTIES_MAX`](super::FEW_EMPTIES_MAX) empty squares: with the table that all threads share, or this thread's own.
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
            let known = if SHARED { self.table.get(board) } else { self.local.get(board) }.unwrap_or_default();
            let (alpha, beta) = match known.narrow_window(Draft::exact(empties), alpha, beta) {
                Ok(window) => window,
                Err(score) => return score,
            };
            let first = self.candidates.len();
            self.generate(level, board, moves, known.moves);
            if empties >= ETC_MIN_EMPTIES
                && let Some(score) = self.enhanced_transposition_cutoff(first, Draft::exact(empties - 1), beta)
            {
                self.candidates.truncate(first);
                return score;
            }
            let found = self.best_candidate::<true, _>(level, first, Draft::exact(empties - 1), alpha, beta);
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return alpha;
            }
            if SHARED {
                self.table.insert(board, self.age, Draft::exact(empties), (alpha, beta), found);
            } else {
                self.local.insert(board, (alpha, beta), found);
            }
            found.score
        })
    }
}
