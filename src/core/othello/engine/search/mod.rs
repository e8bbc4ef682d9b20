//! The search: principal variation search (alpha-beta) on [`Board`], to the end of the game or to a
//! limited depth.
//!
//! ```text
//!  exact, by the number of empty squares:
//!    solve (root) --> many_empties (12 or more) --> few_empties (5 to 11) --> last_empties (up to 4)
//!  by evaluation, by the number of plies left:
//!    deepening (root) --> selective (3 or more) --> last_plies (up to 2)
//! ```
//!
//! Both kinds of search share the [loop over the moves of a node](candidates), the
//! [move ordering](move_ordering), the [splitting](split) of nodes between threads and one
//! [transposition table](table), whose entries record the depth and confidence of their search.
//! Therefore the entries of a selective search order the moves of a solve, and a search that
//! reaches the end of the game switches to exact nodes.
//!
//! All nodes use enhanced transposition cutoffs, and [`selective`] uses
//! [Multi-ProbCut](super::probcut). Exact nodes with up to 14 empty squares, or 11 if several
//! threads search a position, have a [thread-local table](local_table). [`few_empties`] and
//! [`last_empties`] search only null windows. [`few_empties`] orders moves with vector
//! instructions, without the evaluation. [`last_empties`] has specialized code for each number of
//! empty squares. The features of the evaluation are computed at the root and updated move by move
//! above [`few_empties`]. Exact nodes with five or more empty squares and selective nodes are also
//! cut off by stable discs. Scores are in discs for the player, with the empty squares added to the
//! winner's discs.
//!
//! The nodes are compiled for each level of [instructions](crate::instructions): their functions
//! take the level, do their work in `compiled!` and pass the level on. The roots are compiled once
//! and call `at_level!` with the solver's level.

mod candidates;
mod deepening;
mod few_empties;
mod helper_pool;
mod last_empties;
mod last_plies;
mod local_table;
mod many_empties;
mod move_ordering;
mod selective;
mod solve;
mod split;
mod table;

/// What the pool of helpers is made of.
mod sync {
    pub use std::hint::spin_loop;
    pub use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
    pub use std::sync::{Condvar, Mutex, MutexGuard};
    pub use std::thread;

    pub use crate::host::Instant;
}

use std::sync::Arc;

pub use self::deepening::{Iteration, SearchedLine};
use self::local_table::LocalTable;
use self::move_ordering::Candidate;
pub use self::solve::{Solution, SolvedMove};
use self::split::{HelperPool, SplitPoint};
use self::table::{BoardEntry, NO_MOVE, SharedTable};
use super::patterns::Features;
use super::{HandcraftedEvaluation, TrainedEvaluation};
use crate::game::{Cancel, Evaluator, Limits};
use crate::instructions::{InstructionSet, SimdLevel};
use crate::othello::geometry::Geometry;
use crate::othello::stability::Stability;
use crate::othello::{Board, Move, SizedPosition};
use crate::search::{SearchControl, share_between_threads};

/// Nodes with at most this many empty squares are searched without a move list, and moves are
/// ordered without the evaluation. Compared with 11, a value of 8 takes a fifth more time and 4 %
/// fewer nodes for FFO #40 to #45, and 12 takes 2 % more time.
const FEW_EMPTIES_MAX: u32 = 11;

/// A value below every score.
const NO_SCORE: i32 = -65;

/// The minimum alpha at which a cutoff by stable discs is tried. It grows with the number of empty
/// squares, because fewer discs are stable then.
const fn stability_threshold(empties: u32) -> i32 {
    2 * empties as i32 - 6
}

/// An exact or selective search. Its forks share the transposition table.
pub struct Solver<const N: usize = 8> {
    evaluator: Arc<dyn Evaluator<SizedPosition<N>>>,
    /// Only for 8x8 boards.
    evaluation: Option<Arc<TrainedEvaluation>>,
    table: Arc<SharedTable>,
    local: LocalTable,
    helper_pool: Arc<HelperPool<N>>,
    /// The split point that this thread is working on.
    current_split: Option<Arc<SplitPoint<N>>>,
    may_split: bool,
    /// Whether another thread was idle or worked on the same split point during this search.
    has_helpers: bool,
    /// The index of this thread's split points in the pool.
    split_list: usize,
    /// Whether the next node is expected to have a move that refutes it. Used only for null
    /// windows.
    expects_refutation: bool,
    stability: Stability,
    instructions: InstructionSet,
    age: u32,
    stop: SearchControl,
    /// A stack of the moves of all nodes on the path.
    candidates: Vec<Candidate<N>>,
}

crate::debug_fields!([const N: usize] Solver<N> { evaluation });

impl<const N: usize> Solver<N> {
    /// Creates a solver with a transposition table of at most `hash_bytes` bytes.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self::with_evaluator(hash_bytes, Arc::new(HandcraftedEvaluation))
    }

    /// Creates a solver that uses an evaluation for move ordering when many squares are empty.
    #[must_use]
    pub fn with_evaluator(hash_bytes: usize, evaluator: Arc<dyn Evaluator<SizedPosition<N>>>) -> Self {
        Self::of_parts(evaluator, None, Arc::new(SharedTable::new(hash_bytes)), Arc::default())
    }

    fn of_parts(
        evaluator: Arc<dyn Evaluator<SizedPosition<N>>>,
        evaluation: Option<Arc<TrainedEvaluation>>,
        table: Arc<SharedTable>,
        helper_pool: Arc<HelperPool<N>>,
    ) -> Self {
        Self {
            evaluator,
            evaluation,
            table,
            local: LocalTable::new(),
            split_list: helper_pool.register(),
            helper_pool,
            current_split: None,
            may_split: false,
            expects_refutation: false,
            has_helpers: false,
            stability: Stability::new(),
            instructions: InstructionSet::used(),
            age: 0,
            stop: SearchControl::new(&Limits::default(), &Cancel::new()),
            candidates: Vec::with_capacity(2048),
        }
    }

    /// Returns a solver for another thread. It shares the table and can [assist](Self::assist).
    ///
    /// ```
    /// use std::thread;
    ///
    /// use morello::game::{Limits, random_game};
    /// use morello::othello::{Position, engine::Solver};
    ///
    /// let solver = Solver::<8>::new(1 << 20);
    /// let scores = thread::scope(|scope| {
    ///     let threads = [1, 2].map(|seed| {
    ///         let mut fork = solver.fork();
    ///         let board = random_game::<Position>(seed, 52).position().board();
    ///         scope.spawn(move || fork.solution(board, &Limits::exact()).score())
    ///     });
    ///     threads.map(|thread| thread.join().expect("a solve does not panic"))
    /// });
    /// assert_eq!(scores, [Some(-16), Some(20)]); // discs for the side to move
    /// ```
    #[must_use]
    pub fn fork(&self) -> Self {
        let Self { evaluator, evaluation, table, helper_pool, .. } = self;
        share_between_threads(table);
        Self::of_parts(Arc::clone(evaluator), evaluation.clone(), Arc::clone(table), Arc::clone(helper_pool))
    }

    /// Returns whether the solver has a trained evaluation, which [`search`](Self::search)
    /// requires.
    #[must_use]
    pub fn has_evaluation(&self) -> bool {
        self.evaluation.is_some()
    }

    /// Clears the shared table and this solver's local table, but not the local tables of forks.
    pub fn clear(&mut self) {
        self.table.clear();
        self.local.clear();
    }

    /// Returns the number of nodes of the last solve or search, whether or not it was completed.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.stop.nodes()
    }

    /// Returns the squares of the set in quadrants that contain an odd number of them.
    fn in_odd_quadrants(squares: u64) -> u64 {
        let quadrant = |index: usize| squares & Geometry::<N>::QUADRANTS[index];
        let odd = |index: usize| if quadrant(index).count_ones() & 1 != 0 { quadrant(index) } else { 0 };
        odd(0) | odd(1) | odd(2) | odd(3)
    }

    /// Visits a node and returns its moves. Returns an error with a score if the node needs no
    /// search: an upper bound by stable discs that is at most alpha, or alpha itself if the search
    /// is stopped.
    #[inline(always)]
    fn enter(&mut self, board: Board<N>, empties: u32, alpha: i32) -> Result<u64, i32> {
        if !self.stop.visit() {
            return Err(alpha);
        }
        match self.stability_cutoff(board, empties, alpha) {
            Some(upper) => Err(upper),
            None => Ok(board.move_bits()),
        }
    }

    /// Returns an upper bound by stable discs if it is at most alpha.
    #[inline(always)]
    fn stability_cutoff(&self, board: Board<N>, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < stability_threshold(empties) {
            return None;
        }
        let upper = Board::<N>::AREA as i32 - 2 * self.stability.stable_opponent_discs(board).len() as i32;
        (upper <= alpha).then_some(upper)
    }

    /// Returns the maximum number of empty squares of exact nodes that use the local table. If
    /// several threads search a position together, it is lower, so that they share more results.
    /// Otherwise 16 threads visit 13 % more nodes of FFO #40 to #49, because each thread solves
    /// nodes that others have already solved.
    #[inline]
    fn local_max_empties(&self) -> u32 {
        if self.has_helpers { FEW_EMPTIES_MAX } else { local_table::MAX_EMPTIES }
    }

    /// Returns the entry of an exact node, from the table that is used for its number of empty
    /// squares.
    fn exact_entry(&self, board: Board<N>) -> BoardEntry {
        if board.empty_count() <= self.local_max_empties() {
            self.local.get(board)
        } else {
            self.table.get(board).unwrap_or_default()
        }
    }

    /// Solves a node with the code for its number of empty squares. The features are used above
    /// [`FEW_EMPTIES_MAX`].
    #[inline]
    fn node<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        features: &Features,
        empties: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        match empties {
            0..=FEW_EMPTIES_MAX => self.solve_few_empties(level, board, empties, alpha, beta),
            _ => self.solve_many_empties(level, board, features, alpha, beta, false),
        }
    }
}

impl Solver<8> {
    /// Creates a solver with a trained evaluation. It can also [search](Self::search) to a limited
    /// depth.
    ///
    /// ```
    /// use morello::game::{Cancel, Confidence, Limits, Position as _};
    /// use morello::othello::Position;
    /// use morello::othello::engine::{Solver, TrainedEvaluation};
    ///
    /// let mut solver = Solver::with_evaluation(1 << 20, TrainedEvaluation::built_in());
    /// let drafts: Vec<_> = (1..=6).map(|depth| (depth, Confidence::LOWEST)).collect();
    /// let board = Position::default().board();
    /// let found = solver.search(board, &drafts, &Limits::default(), &Cancel::new(), &mut |_| ());
    /// assert_eq!((found.depth, found.lines.len()), (6, 1));
    /// assert!(found.lines[0].score.abs() <= 3, "the start is balanced");
    /// ```
    #[must_use]
    pub fn with_evaluation(hash_bytes: usize, evaluation: Arc<TrainedEvaluation>) -> Self {
        Self::of_parts(
            Arc::new(HandcraftedEvaluation),
            Some(evaluation),
            Arc::new(SharedTable::new(hash_bytes)),
            Arc::default(),
        )
    }
}

/// The best move so far.
#[derive(Debug, Clone, Copy)]
struct BestMove {
    score: i32,
    square: u8,
}

impl BestMove {
    const NONE: Self = Self { score: NO_SCORE, square: NO_MOVE };
}

/// Returns the square number of a move; [`NO_MOVE`] for a pass.
fn square_number(m: Move) -> u8 {
    m.square().map_or(NO_MOVE, |square| square.index() as u8)
}

/// Returns the bounds that follow from the result `score` of a search with the window from `alpha`
/// to `beta`.
fn bounds_by(score: i32, alpha: i32, beta: i32) -> (i32, i32) {
    (if score > alpha { score } else { -64 }, if score < beta { score } else { 64 })
}

#[cfg(test)]
mod tests;
