//! The exact solver: the score of a position under best play to the end, on [`Board`] alone.
//!
//! Principal-variation alpha-beta in stages by the number of empty squares. High up, a [table](table) of whole boards, enhanced transposition
//! cutoffs and an order by the opponent's replies (fastest first); lower, the same order without the table; at the [last four](last), code of
//! its own for each number. Scores are discs for the player, empties to the winner.

mod last;
mod order;
mod root;
mod table;

use std::sync::Arc;

use self::order::Candidate;
pub use self::root::{Solution, SolvedMove};
use self::table::{NO_MOVE, Table};
use crate::game::{Cancel, Limits};
use crate::othello::geometry::Geometry;
use crate::othello::stability::Stability;
use crate::othello::{Board, Squares};
use crate::search::Stop;

/// Up to this many empty squares moves are ordered by parity alone.
const SHALLOW_TO: u32 = 6;

/// From this many empty squares on, positions are looked up and kept in the table.
const TABLE_FROM: u32 = 8;

/// From this many empty squares on, all replies are looked up before any is searched.
const LOOK_AHEAD_FROM: u32 = 12;

/// The least alpha at which stable discs may cut a node off, by the number of empty squares: the more are left, the fewer are stable.
const fn stability_threshold(empties: u32) -> i32 {
    2 * empties as i32 - 6
}

/// An exact solver with a table that its forks share.
pub struct Solver<const N: usize = 8> {
    table: Arc<Table>,
    stability: Stability,
    age: u32,
    stop: Stop,
    /// Moves of all nodes on the path, one node's after the other's.
    candidates: Vec<Candidate<N>>,
}

impl<const N: usize> Solver<N> {
    /// Creates a solver with a table of at most `hash_bytes` bytes.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self::with_table(Arc::new(Table::new(hash_bytes)))
    }

    fn with_table(table: Arc<Table>) -> Self {
        let stop = Stop::new(&Limits::default(), &Cancel::new());
        Self { table, stability: Stability::new(), age: 0, stop, candidates: Vec::with_capacity(2048) }
    }

    /// Returns another solver, for another thread, that shares this one's table.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::with_table(Arc::clone(&self.table))
    }

    /// Forgets all that the table holds.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Returns the nodes of the last solve, finished or not.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.stop.nodes()
    }

    /// Returns the squares of the quadrants that hold an odd number of these.
    fn in_odd_quadrants(squares: u64) -> u64 {
        let quadrant = |index: usize| squares & Geometry::<N>::QUADRANTS[index];
        let odd = |index: usize| if quadrant(index).count_ones() & 1 != 0 { quadrant(index) } else { 0 };
        odd(0) | odd(1) | odd(2) | odd(3)
    }

    /// Returns a score that stable discs keep the player from exceeding, if it does not exceed alpha.
    #[inline]
    fn stability_cutoff(&self, board: Board<N>, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < stability_threshold(empties) {
            return None;
        }
        let most = Board::<N>::AREA as i32 - 2 * self.stability.opponent(board).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// Searches a node with five to [`SHALLOW_TO`] empty squares: here an order that costs more than a look at the parity does not pay.
    fn shallow(&mut self, board: Board<N>, alpha: i32, beta: i32, passed: bool) -> i32 {
        if !self.stop.visit() {
            return alpha;
        }
        let empties = board.empty_count();
        if let Some(most) = self.stability_cutoff(board, empties, alpha) {
            return most;
        }
        let moves = board.moves();
        if moves == 0 {
            return if passed { board.final_score() } else { -self.shallow(board.pass(), -beta, -alpha, true) };
        }
        let odd = Self::in_odd_quadrants(board.empties());
        let (mut best, mut low) = (-65, alpha);
        for group in [moves & odd, moves & !odd] {
            for square in Squares(group) {
                let next = board.place(square, board.flips(square));
                let score =
                    if empties == 5 { -self.few(next, -beta, -low) } else { -self.shallow(next, -beta, -low, false) };
                if score > best {
                    best = score;
                    low = low.max(score);
                    if score >= beta {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// Searches a node with five or more empty squares.
    fn node(&mut self, board: Board<N>, alpha: i32, beta: i32, passed: bool) -> i32 {
        let empties = board.empty_count();
        if empties <= SHALLOW_TO {
            return self.shallow(board, alpha, beta, passed);
        }
        if !self.stop.visit() {
            return alpha;
        }
        if let Some(most) = self.stability_cutoff(board, empties, alpha) {
            return most;
        }
        let moves = board.moves();
        if moves == 0 {
            return if passed { board.final_score() } else { -self.node(board.pass(), -beta, -alpha, true) };
        }
        let (mut alpha, mut beta) = (alpha, beta);
        let mut known_moves = [NO_MOVE; 2];
        if empties >= TABLE_FROM
            && let Some(entry) = self.table.get(board)
        {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            (alpha, beta) = (alpha.max(lower), beta.min(upper));
            known_moves = entry.moves;
        }
        let first = self.candidates.len();
        order::generate(&mut self.candidates, board, moves, known_moves, Self::in_odd_quadrants(board.empties()));
        if empties >= LOOK_AHEAD_FROM {
            for candidate in &self.candidates[first..] {
                if let Some(entry) = self.table.get(candidate.next)
                    && -i32::from(entry.upper) >= beta
                {
                    self.candidates.truncate(first);
                    return -i32::from(entry.upper);
                }
            }
        }
        let (best, best_move) = self.candidates(first, alpha, beta);
        self.candidates.truncate(first);
        if self.stop.is_stopped() {
            return alpha;
        }
        if empties >= TABLE_FROM {
            self.table.insert(board, self.age, alpha, beta, best, best_move);
        }
        best
    }

    /// Searches the candidates from index `first` on; returns the best score and its square.
    fn candidates(&mut self, first: usize, alpha: i32, beta: i32) -> (i32, u8) {
        let (mut best, mut best_move) = (-65, NO_MOVE);
        let mut low = alpha;
        for index in first..self.candidates.len() {
            let Candidate { square, next, .. } = order::next_best(&mut self.candidates, index);
            let mut score = if index == first {
                -self.node(next, -beta, -low, false)
            } else {
                -self.node(next, -low - 1, -low, false)
            };
            if index > first && score > low && score < beta {
                score = -self.node(next, -beta, -low, false);
            }
            if self.stop.is_stopped() {
                break;
            }
            if score > best {
                (best, best_move) = (score, square);
                low = low.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        (best, best_move)
    }
}

#[cfg(test)]
mod tests;
