//! The exact solver: the score of a position under best play to the end, on [`Board`] alone.
//!
//! Principal-variation alpha-beta in stages by the number of empty squares. High up, a [table](table) of whole boards, enhanced transposition
//! cutoffs and an order by the opponent's replies (fastest first); lower, the same order without the table; at the [last four](last), code of
//! its own for each number. Scores are discs for the player, empties to the winner.

mod last;
mod local;
mod order;
mod root;
mod split;
mod table;

use std::sync::Arc;

use self::local::LocalTable;
use self::order::{Candidate, Judged, LANES, NO_KEY};
pub use self::root::Solution;
use self::split::{Crew, Split};
use self::table::{NO_MOVE, Table};
use crate::game::{Cancel, Limits};
use crate::othello::geometry::Geometry;
use crate::othello::stability::Stability;
use crate::othello::{Board, Squares};
use crate::search::Stop;

/// Up to this many empty squares, no more than a vector has lanes, positions are looked up and kept in a small table of the thread's
/// own, which stays in its cache; above, in the table that all threads share.
const NEAR_TO: u32 = LANES as u32;

/// Above this many empty squares, all replies are looked up before any is searched.
const LOOK_AHEAD_ABOVE: u32 = 11;

/// A node whose moves leave at least this many empty squares may be split between threads: what they tell each other is little against
/// what they search. Tests split wherever they can.
const SPLIT_FROM: u32 = if cfg!(test) { NEAR_TO } else { 12 };

/// The least alpha at which stable discs may cut a node off, by the number of empty squares: the more are left, the fewer are stable.
const fn stability_threshold(empties: u32) -> i32 {
    2 * empties as i32 - 6
}

/// An exact solver with a table that its forks share.
pub struct Solver<const N: usize = 8> {
    table: Arc<Table>,
    local: LocalTable,
    crew: Arc<Crew<N>>,
    /// The split that this thread is working on.
    under: Option<Arc<Split<N>>>,
    may_split: bool,
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
        Self::with(Arc::new(Table::new(hash_bytes)), Arc::default())
    }

    fn with(table: Arc<Table>, crew: Arc<Crew<N>>) -> Self {
        Self {
            table,
            local: LocalTable::new(),
            crew,
            under: None,
            may_split: false,
            stability: Stability::new(),
            age: 0,
            stop: Stop::new(&Limits::default(), &Cancel::new()),
            candidates: Vec::with_capacity(2048),
        }
    }

    /// Returns another solver, for another thread, that shares this one's table and can [assist](Self::assist) it.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::with(Arc::clone(&self.table), Arc::clone(&self.crew))
    }

    /// Forgets all that the tables hold, but for those that forks keep for themselves.
    pub fn clear(&mut self) {
        self.table.clear();
        self.local.clear();
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

    /// Searches a node with five empty squares: here an order that costs more than a look at the parity does not pay.
    fn shallow(&mut self, board: Board<N>, alpha: i32, beta: i32, passed: bool) -> i32 {
        if !self.stop.visit() {
            return alpha;
        }
        let empty = board.empties();
        if let Some(most) = self.stability_cutoff(board, 5, alpha) {
            return most;
        }
        let moves = board.moves();
        if moves == 0 {
            return if passed { board.final_score() } else { -self.shallow(board.pass(), -beta, -alpha, true) };
        }
        let odd = Self::in_odd_quadrants(empty);
        let (mut best, mut low) = (-65, alpha);
        for group in [moves & odd, moves & !odd] {
            for square in Squares(group) {
                let next = board.place(square, board.flips(square));
                let score = -self.few(next, -beta, -low);
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

    /// Searches a node with six to [`NEAR_TO`] empty squares: all of them are judged at once in the lanes of a vector, moves or not.
    fn near(&mut self, board: Board<N>, alpha: i32, beta: i32, passed: bool) -> i32 {
        if !self.stop.visit() {
            return alpha;
        }
        let empty = board.empties();
        let empties = empty.count_ones();
        if let Some(most) = self.stability_cutoff(board, empties, alpha) {
            return most;
        }
        let (mut alpha, mut beta) = (alpha, beta);
        let mut known = NO_MOVE;
        if let Some(entry) = self.local.get(board) {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            (alpha, beta) = (alpha.max(lower), beta.min(upper));
            known = entry.moves[0];
        }
        let known = 1u64.checked_shl(known.into()).unwrap_or(0);
        let judged = Judged::new(board, empty, Self::in_odd_quadrants(empty), known);
        let mut key = judged.next_below(i64::MAX);
        if key == NO_KEY {
            return if passed { board.final_score() } else { -self.near(board.pass(), -beta, -alpha, true) };
        }
        let (mut best, mut best_lane) = (-65, 0);
        let mut low = alpha;
        while key != NO_KEY {
            let lane = key as usize % LANES;
            let next = judged.next(lane);
            let score = -self.node(next, empties - 1, -beta, -low);
            if self.stop.is_stopped() {
                return alpha;
            }
            if score > best {
                (best, best_lane) = (score, lane);
                low = low.max(score);
                if score >= beta {
                    break;
                }
            }
            key = judged.next_below(key);
        }
        self.local.insert(board, alpha, beta, best, judged.bits[best_lane].trailing_zeros() as u8);
        best
    }

    /// Searches a node with any number of empty squares, by the stage that is made for it.
    #[inline]
    fn node(&mut self, board: Board<N>, empties: u32, alpha: i32, beta: i32) -> i32 {
        match empties {
            0..=4 => self.few(board, alpha, beta),
            5 => self.shallow(board, alpha, beta, false),
            6..=NEAR_TO => self.near(board, alpha, beta, false),
            _ => self.far(board, alpha, beta, false),
        }
    }

    /// Searches a node with more than [`NEAR_TO`] empty squares.
    fn far(&mut self, board: Board<N>, alpha: i32, beta: i32, passed: bool) -> i32 {
        if !self.stop.visit() {
            return alpha;
        }
        let empties = board.empty_count();
        if let Some(most) = self.stability_cutoff(board, empties, alpha) {
            return most;
        }
        let moves = board.moves();
        if moves == 0 {
            return if passed {
                board.final_score()
            } else {
                -self.far(board.pass(), -beta, -alpha, true)
            };
        }
        let (mut alpha, mut beta) = (alpha, beta);
        let mut known_moves = [NO_MOVE; 2];
        if let Some(entry) = self.table.get(board) {
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
        if empties > LOOK_AHEAD_ABOVE {
            for candidate in &self.candidates[first..] {
                if let Some(entry) = self.table.get(candidate.next)
                    && -i32::from(entry.upper) >= beta
                {
                    self.candidates.truncate(first);
                    return -i32::from(entry.upper);
                }
            }
        }
        let found = self.candidates(first, empties - 1, alpha, beta);
        self.candidates.truncate(first);
        if self.stop.is_stopped() {
            return alpha;
        }
        self.table.insert(board, self.age, alpha, beta, found.score, found.square);
        found.score
    }

    /// Searches the candidates from index `first` on, each of which leaves `empties` squares.
    fn candidates(&mut self, first: usize, empties: u32, alpha: i32, beta: i32) -> Best {
        let mut best = Best::NONE;
        let mut low = alpha;
        for index in first..self.candidates.len() {
            if index > first && empties >= SPLIT_FROM && self.crew.has_idle() && self.may_split {
                return self.split(index, empties, low, beta, best);
            }
            let Candidate { square, next, .. } = order::next_best(&mut self.candidates, index);
            let mut score = -self.node(next, empties, if index == first { -beta } else { -low - 1 }, -low);
            if index > first && score > low && score < beta {
                score = -self.node(next, empties, -beta, -low);
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
}

/// The best of some moves.
#[derive(Debug, Clone, Copy)]
struct Best {
    score: i32,
    square: u8,
}

impl Best {
    const NONE: Self = Self { score: -65, square: NO_MOVE };
}

#[cfg(test)]
mod tests;
