//! Exact nodes with five to eight empty squares: no list of moves, and a table that stays in the processor's cache.

use super::move_ordering::{NO_KEY, OrderedMoves};
use super::table::{Draft, NO_MOVE};
use super::{BestMove, NO_SCORE, Solver};
use crate::instructions::{SimdLevel, compiled};
use crate::othello::{Board, Squares};

impl<const N: usize> Solver<N> {
    /// Solves a node with five empty squares. Move ordering by more than parity does not pay off here.
    pub(super) fn solve_5<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        alpha: i32,
        beta: i32,
        passed: bool,
    ) -> i32 {
        compiled!(level, |board| {
            let moves = match self.enter(board, 5, alpha) {
                Ok(moves) => moves,
                Err(score) => return score,
            };
            if moves == 0 {
                return if passed {
                    board.final_score()
                } else {
                    -self.solve_5(level, board.pass(), -beta, -alpha, true)
                };
            }
            let (alpha, beta) =
                match self.local.get(board).unwrap_or_default().narrow_window(Draft::exact(5), alpha, beta) {
                    Ok(window) => window,
                    Err(score) => return score,
                };
            let odd = Self::in_odd_quadrants(board.empties());
            let (mut best, mut low) = (NO_SCORE, alpha);
            'moves: for group in [moves & odd, moves & !odd] {
                for square in Squares(group) {
                    let next = board.place(square, board.flips(square));
                    best = best.max(-self.solve_up_to_4(level, next, -beta, -low));
                    if best >= beta {
                        break 'moves;
                    }
                    low = low.max(best);
                }
            }
            if self.stop.is_stopped() {
                return alpha;
            }
            self.local.insert(board, (alpha, beta), BestMove { score: best, square: NO_MOVE });
            best
        })
    }

    /// Solves a node with six to [`FEW_EMPTIES_MAX`](super::FEW_EMPTIES_MAX) empty squares, with all moves ordered in the lanes of a vector.
    pub(super) fn solve_few_empties<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        empties: u32,
        alpha: i32,
        beta: i32,
        passed: bool,
    ) -> i32 {
        compiled!(level, |board| {
            let moves = match self.enter(board, empties, alpha) {
                Ok(moves) => moves,
                Err(score) => return score,
            };
            if moves == 0 {
                return if passed {
                    board.final_score()
                } else {
                    -self.solve_few_empties(level, board.pass(), empties, -beta, -alpha, true)
                };
            }
            let entry = self.local.get(board).unwrap_or_default();
            let (alpha, beta) = match entry.narrow_window(Draft::exact(empties), alpha, beta) {
                Ok(window) => window,
                Err(score) => return score,
            };
            // Half a vector takes half the time on many processors and is usually enough.
            let odd = Self::in_odd_quadrants(board.empties());
            if moves.count_ones() <= 4 {
                let ordered = OrderedMoves::<4>::new(board, moves, odd, entry.moves[0]);
                self.search_ordered(level, board, empties, &ordered, alpha, beta)
            } else {
                let ordered = OrderedMoves::<8>::new(board, moves, odd, entry.moves[0]);
                self.search_ordered(level, board, empties, &ordered, alpha, beta)
            }
        })
    }

    #[inline(always)]
    fn search_ordered<const LANES: usize, L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        empties: u32,
        ordered: &OrderedMoves<LANES>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let (mut best, mut best_lane) = (NO_SCORE, 0);
        let mut low = alpha;
        let mut key = ordered.next_below(i64::MAX);
        while key != NO_KEY {
            let lane = ordered.lane(key);
            let score = -self.node(level, ordered.next(lane), empties - 1, -beta, -low);
            if score > best {
                (best, best_lane) = (score, lane);
                if score >= beta {
                    break;
                }
                low = low.max(score);
            }
            key = ordered.next_below(key);
        }
        if self.stop.is_stopped() {
            return alpha;
        }
        let square = ordered.bits[best_lane].trailing_zeros() as u8;
        self.local.insert(board, (alpha, beta), BestMove { score: best, square });
        best
    }
}
