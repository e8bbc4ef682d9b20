//! The search: principal-variation alpha-beta on [`Board`] alone, to the end of the game or to a limited depth.
//!
//! ```text
//!  solve  --> root       proves bounds of the score of each move ---+--> far --> near --> last      exact, by the empty squares left
//!  search --> deepening  iterations, each deeper or surer than the last --> selective --> shallow   by evaluation, by the plies left
//! ```
//!
//! Both kinds of search go through the [moves of a node](candidates) alike, in an [order](order) by the evaluation and the opponent's replies,
//! and [split] nodes between threads; both keep what they find in one [table] of whole boards, marked with how much the search
//! looked at. So a selective search tells a solve where to begin, and where a search comes near the end of the game it solves.
//!
//! [`far`] (nine empty squares and more) and [`selective`] have enhanced transposition cutoffs; [`selective`] leaves out what a shallower
//! search makes unlikely to matter ([multi-probcut](super::probcut)); [`near`] (five to eight) has a [table of the thread's own](local) and
//! an order found in a few vector instructions; [`last`] code of its own for each number; [`shallow`] (up to two plies) keeps the features
//! of the evaluation up to date move by move. Stable discs cut off in all but the last. Scores are discs for the player, empties to the
//! winner.
//!
//! The stages are compiled for each level of [instructions](crate::instructions): each takes the level, does its work in `compiled!`, and
//! hands the level on. What is above them is compiled once, and begins by `at_level!` with the level of the solver.

mod candidates;
mod deepening;
mod few_empties;
mod last_empties;
mod last_plies;
mod local_table;
mod many_empties;
mod move_ordering;
mod selective;
mod solve;
mod split;
mod table;

use std::sync::Arc;

pub use self::deepening::{Iteration, SearchedLine};
use self::local_table::LocalTable;
use self::move_ordering::Candidate;
pub use self::solve::{Solution, SolvedMove};
use self::split::{HelperPool, SplitPoint};
use self::table::{NO_MOVE, SharedTable};
use super::{HandcraftedEvaluation, TrainedEvaluation};
use crate::game::{Cancel, Evaluator, Limits};
use crate::instructions::{InstructionSet, SimdLevel};
use crate::othello::geometry::Geometry;
use crate::othello::stability::Stability;
use crate::othello::{Board, Position};
use crate::search::SearchControl;

/// Up to this many empty squares, no more than a vector has lanes, nodes are searched without a list of moves.
const FEW_EMPTIES_MAX: u32 = 8;

/// Up to this many empty squares positions are kept in the thread's own table; above, in the one that all threads share: with 8 for both
/// instead of 10, FFO #40 to #43 took 10 % more time and 3 % fewer nodes.
const LOCAL_TABLE_MAX_EMPTIES: u32 = 10;

/// Below every score.
const NO_SCORE: i32 = -65;

/// The least alpha at which stable discs are counted, in the hope of a cutoff, by the number of empty squares: the more are left, the fewer
/// are stable.
const fn stability_threshold(empties: u32) -> i32 {
    2 * empties as i32 - 6
}

/// A search, exact or selective, with a table that its forks share.
pub struct Solver<const N: usize = 8> {
    evaluator: Arc<dyn Evaluator<Position<N>>>,
    /// Only for boards of eight by eight squares.
    evaluation: Option<Arc<TrainedEvaluation>>,
    table: Arc<SharedTable>,
    local: LocalTable,
    helper_pool: Arc<HelperPool<N>>,
    /// The split that this thread is working on.
    current_split: Option<Arc<SplitPoint<N>>>,
    may_split: bool,
    stability: Stability,
    instructions: InstructionSet,
    age: u32,
    stop: SearchControl,
    /// Moves of all nodes on the path, one node's after the other's.
    candidates: Vec<Candidate<N>>,
}

impl<const N: usize> Solver<N> {
    /// Creates a solver with a table of at most `hash_bytes` bytes.
    #[must_use]
    pub fn new(hash_bytes: usize) -> Self {
        Self::with_evaluator(hash_bytes, Arc::new(HandcraftedEvaluation))
    }

    /// Creates a solver that orders moves by an evaluation where the squares left are many.
    #[must_use]
    pub fn with_evaluator(hash_bytes: usize, evaluator: Arc<dyn Evaluator<Position<N>>>) -> Self {
        Self::of_parts(evaluator, None, Arc::new(SharedTable::new(hash_bytes)), Arc::default())
    }

    fn of_parts(
        evaluator: Arc<dyn Evaluator<Position<N>>>,
        evaluation: Option<Arc<TrainedEvaluation>>,
        table: Arc<SharedTable>,
        crew: Arc<HelperPool<N>>,
    ) -> Self {
        Self {
            evaluator,
            evaluation,
            table,
            local: LocalTable::new(),
            helper_pool: crew,
            current_split: None,
            may_split: false,
            stability: Stability::new(),
            instructions: InstructionSet::used(),
            age: 0,
            stop: SearchControl::new(&Limits::default(), &Cancel::new()),
            candidates: Vec::with_capacity(2048),
        }
    }

    /// Returns another solver, for another thread, that shares this one's table and can [assist](Self::assist) it.
    #[must_use]
    pub fn fork(&self) -> Self {
        let Self { evaluator, evaluation, table, helper_pool: crew, .. } = self;
        Self::of_parts(Arc::clone(evaluator), evaluation.clone(), Arc::clone(table), Arc::clone(crew))
    }

    /// Returns whether there is something to [search](Self::search) by.
    #[must_use]
    pub fn has_evaluation(&self) -> bool {
        self.evaluation.is_some()
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

    /// Visits a node and returns its moves; or the score that ends it: one that stable discs keep the player from exceeding, if it does not
    /// exceed alpha, and alpha itself if the search is stopped.
    #[inline(always)]
    fn enter(&mut self, board: Board<N>, empties: u32, alpha: i32) -> Result<u64, i32> {
        if !self.stop.visit() {
            return Err(alpha);
        }
        if alpha >= stability_threshold(empties) {
            let most = Board::<N>::AREA as i32 - 2 * self.stability.stable_opponent_discs(board).count_ones() as i32;
            if most <= alpha {
                return Err(most);
            }
        }
        Ok(board.moves())
    }

    /// Searches a node with any number of empty squares, by the stage that is made for it.
    #[inline]
    fn node<L: SimdLevel>(&mut self, level: L, board: Board<N>, empties: u32, alpha: i32, beta: i32) -> i32 {
        match empties {
            0..=4 => self.solve_up_to_4(level, board, alpha, beta),
            5 => self.solve_5(level, board, alpha, beta, false),
            6..=FEW_EMPTIES_MAX => self.solve_few_empties(level, board, empties, alpha, beta, false),
            _ if empties <= LOCAL_TABLE_MAX_EMPTIES => {
                self.solve_many_empties::<false, _>(level, board, alpha, beta, false)
            }
            _ => self.solve_many_empties::<true, _>(level, board, alpha, beta, false),
        }
    }
}

impl Solver<8> {
    /// Creates one that judges by what was learnt, and can [search](Self::search) to a limited depth as well.
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

/// The best of some moves.
#[derive(Debug, Clone, Copy)]
struct BestMove {
    score: i32,
    square: u8,
}

impl BestMove {
    const NONE: Self = Self { score: NO_SCORE, square: NO_MOVE };
}

#[cfg(test)]
mod tests;
