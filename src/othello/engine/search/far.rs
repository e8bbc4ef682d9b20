//! Nodes with many squares left: moves in an order that costs something, enhanced transposition cutoffs, and splits between threads.

use super::order::{self, Candidate};
use super::table::Draft;
use super::{Best, Solver};
use crate::othello::Board;

/// From this many empty squares on, all replies are looked up before any is searched.
const LOOK_AHEAD_FROM: u32 = 12;

/// A node whose moves leave at least this many empty squares may be split between threads: what they tell each other is little against
/// what they search. Tests split wherever they can.
const SPLIT_FROM: u8 = if cfg!(test) { super::NEAR_TO as u8 } else { 12 };

/// The same for a search of limited depth, in plies.
const SPLIT_FROM_DEPTH: u8 = if cfg!(test) { 3 } else { 5 };

/// Moves of a node that are searched before the rest may be split: when they have not refuted it, the others seldom do, and will all be
/// needed. With 1 in place of 2, two threads visited up to 5 % more nodes on FFO #41 to #47; with 3, they more often had nothing to do.
const BROTHERS_WAIT: usize = 2;

impl<const N: usize> Solver<N> {
    /// Searches a node with more than [`NEAR_TO`](super::NEAR_TO) empty squares: with the table that all threads share, or this thread's own.
    pub(super) fn far<const SHARED: bool>(&mut self, board: Board<N>, alpha: i32, beta: i32, passed: bool) -> i32 {
        let empties = board.empty_count();
        let moves = match self.enter(board, empties, alpha) {
            Ok(moves) => moves,
            Err(score) => return score,
        };
        if moves == 0 {
            return if passed { board.final_score() } else { -self.far::<SHARED>(board.pass(), -beta, -alpha, true) };
        }
        let known = if SHARED { self.table.get(board) } else { self.local.get(board) }.unwrap_or_default();
        let (alpha, beta) = match known.narrow(Draft::exact(empties), alpha, beta) {
            Ok(window) => window,
            Err(score) => return score,
        };
        let first = self.candidates.len();
        self.generate(board, moves, known.moves);
        if empties >= LOOK_AHEAD_FROM
            && let Some(score) = self.known_refutation(first, Draft::exact(empties - 1), beta)
        {
            self.candidates.truncate(first);
            return score;
        }
        let found = self.best_candidate::<true>(first, Draft::exact(empties - 1), alpha, beta);
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
    }

    /// Searches the candidates from index `first` on with a draft, which is exact or not.
    pub(super) fn best_candidate<const EXACT: bool>(
        &mut self,
        first: usize,
        draft: Draft,
        alpha: i32,
        beta: i32,
    ) -> Best {
        let split_from = if EXACT { SPLIT_FROM } else { SPLIT_FROM_DEPTH };
        let mut best = Best::NONE;
        let mut low = alpha;
        for index in first..self.candidates.len() {
            if index >= first + BROTHERS_WAIT && draft.depth >= split_from && self.crew.has_idle() && self.may_split {
                return self.split(index, draft, low, beta, best);
            }
            let Candidate { square, next, .. } = order::next_best(&mut self.candidates, index);
            let mut score = -self.child::<EXACT>(next, draft, if index == first { -beta } else { -low - 1 }, -low);
            if index > first && score > low && score < beta {
                score = -self.child::<EXACT>(next, draft, -beta, -low);
            }
            if self.stop.is_stopped() {
                break;
            }
            if score > best.score {
                best = Best { score, square };
                low = low.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    #[inline]
    fn child<const EXACT: bool>(&mut self, next: Board<N>, draft: Draft, alpha: i32, beta: i32) -> i32 {
        if EXACT { self.node(next, draft.depth.into(), alpha, beta) } else { self.visit(next, draft, alpha, beta) }
    }
}
