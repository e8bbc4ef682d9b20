//! The root of a solve: finds the exact score of a position, or its relation to a window, with the
//! best moves and their principal variations.
//!
//! Each root move has its own bounds, and every search narrows the bounds of one move. Therefore
//! even an interrupted solve has proved bounds: the score is at least the highest lower bound of
//! the moves and at most their highest upper bound.

use std::cmp::Reverse;

use super::table::{Draft, NO_MOVE};
use super::{BestMove, Solver, bounds_by};
use crate::game::bits;
use crate::game::{Cancel, Color, Limits, Score};
use crate::instructions::at_level;
use crate::othello::{Board, Move, SizedPosition};
use crate::search::SearchControl;

/// Half the width of the first window around the evaluation, in discs.
const ASPIRATION_MARGIN: i32 = 4;

/// The width of the first window below the upper bound of a move that is not the best, in discs.
const DESCENT_STEP: i32 = 8;

/// A solve with limits first proves that the score differs from the evaluation by at most this many
/// discs. These two steps take 20 % more nodes on FFO #40 to #44; a third step of 16 discs would
/// take 35 %.
const BRACKET_MARGINS: [i32; 2] = [32, 24];

/// The number of moves to search before the others are searched together with other threads. The
/// best move is usually among the first moves, so the window of the others is narrow. Without this
/// split, 16 threads took 4 to 10 % more time for FFO #40 to #49.
const MOVES_BEFORE_SPLIT: usize = 3;

/// The result of a solve, in discs for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The proved lower bound of the score.
    pub lower: i32,
    /// The proved upper bound of the score.
    pub upper: i32,
    /// Whether everything requested is proved. If not, a limit was reached or the solve was
    /// cancelled.
    pub complete: bool,
    /// All moves, best first as far as proved; empty if the game is over.
    ///
    /// The requested number of best moves have complete variations; the variations of the others
    /// contain only the move.
    pub moves: Vec<SolvedMove>,
    /// The number of nodes visited.
    pub nodes: u64,
}

/// The proved bounds of a move, in discs for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolvedMove {
    /// The proved lower bound of the score after this move.
    pub lower: i32,
    /// The proved upper bound of the score after this move.
    pub upper: i32,
    /// The move and the principal variation after it. It reaches the
    /// end of the game with a final score within the bounds, unless the solve was interrupted.
    pub pv: Vec<Move>,
}

impl Solution {
    /// Returns the exact score, if proved. It may be known even if it lies outside the window.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A root move with proved bounds for the player.
struct BoundedRootMove<const N: usize> {
    next: Board<N>,
    lower: i32,
    upper: i32,
    /// The move and, once computed, the principal variation after it.
    pv: Vec<Move>,
}

impl<const N: usize> BoundedRootMove<N> {
    fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    /// Narrows the bounds. Every score is even, because the number of squares is even, so the
    /// bounds are rounded to even numbers.
    fn narrow(&mut self, (lower, upper): (i32, i32)) {
        self.lower = self.lower.max(lower + lower.rem_euclid(2));
        self.upper = self.upper.min(upper - upper.rem_euclid(2));
    }
}

impl<const N: usize> Solver<N> {
    /// [Solves](Self::solve) a position until a limit is reached, without a way to stop it earlier.
    ///
    /// ```
    /// use morello::game::Limits;
    /// use morello::othello::{Board, engine::Solver};
    ///
    /// let mut solver = Solver::<4>::new(1 << 20);
    /// let solution = solver.solution(Board::START, &Limits::exact());
    /// assert_eq!(solution.score(), Some(-10)); // White wins 11-3 with two empty squares
    ///
    /// // Who wins?
    /// let solution = solver.solution(Board::START, &Limits::window(-1, 1));
    /// assert!(solution.complete && solution.upper < 0);
    /// ```
    #[must_use]
    pub fn solution(&mut self, board: Board<N>, limits: &Limits) -> Solution {
        self.solve(board, limits, &Cancel::new(), &mut |_| ())
    }

    /// Solves a position: proves the score, or on which side of a [window](Limits::window) it lies,
    /// and the requested number of best [lines](Limits::lines). If the solve is cancelled or
    /// reaches a node or time limit, the result contains the bounds proved so far.
    ///
    /// Calls `on_bounds` with the current result, whose variations may be incomplete, each time the
    /// bounds of the score narrow or, with several lines, the score of another move is decided.
    pub fn solve(
        &mut self,
        board: Board<N>,
        limits: &Limits,
        cancel: &Cancel,
        on_bounds: &mut dyn FnMut(&Solution),
    ) -> Solution {
        self.stop = SearchControl::new(limits, cancel);
        self.has_helpers = false;
        self.age = self.table.begin();
        // Several threads cannot keep an exact node limit.
        self.may_split = limits.nodes.is_none();
        if board.is_over() {
            let score = board.final_score();
            return Solution { lower: score, upper: score, complete: true, moves: Vec::new(), nodes: 0 };
        }
        let mut root = RootSearch::new(self, board, limits, on_bounds);
        if root.solve_best_move().and_then(|()| root.solve_other_moves()).is_some() {
            root.extend_missing_pvs();
        }
        root.solution()
    }

    /// Returns the score, or a bound on the same side of the window if the score lies outside. The
    /// result is arbitrary if the search was stopped.
    pub(super) fn score(&mut self, board: Board<N>, alpha: i32, beta: i32) -> i32 {
        at_level!(self.instructions, |level| self.node(
            level,
            board,
            &Self::features(board),
            board.empty_count(),
            alpha,
            beta
        ))
    }

    /// Returns an estimate of the score from the table, or else from the evaluation.
    fn estimate(&self, board: Board<N>) -> i32 {
        match self.table.get(board) {
            Some(entry) if entry.lower == entry.upper => entry.lower.into(),
            _ if self.evaluation.is_some() => self.evaluate_board(board),
            _ => self.evaluator.evaluate(&SizedPosition::new(board, Color::Black)) / Score::POINT,
        }
    }

    /// Returns the bounds in the tables for a board, from the point of view of the side that made
    /// the last move.
    fn bounds_after(&self, next: Board<N>) -> (i32, i32) {
        let area = Board::<N>::AREA as i32;
        let (lower, upper) = self.exact_entry(next).bounds(Draft::exact(next.empty_count()));
        (-upper.min(area), -lower.max(-area))
    }

    /// Extends a variation to the end of the game. Its final score for the player is from `lower`
    /// to `upper`, which must be proved bounds of the board. Each side prefers the move in the
    /// table and plays the first move that keeps its lower bound.
    fn extend_pv(&mut self, mut board: Board<N>, mut lower: i32, mut upper: i32, line: &mut Vec<Move>) {
        let min_score = -(Board::<N>::AREA as i32);
        while !self.stop.is_stopped() {
            let moves = board.move_bits();
            if moves == 0 {
                if board.opponent_move_bits() == 0 {
                    return;
                }
                line.push(Move::PASS);
                board = board.pass();
            } else {
                let table_move = self.exact_entry(board).moves[0];
                let first = 1u64.checked_shl(table_move.into()).unwrap_or(0) & moves;
                let after = |square: u32| board.flip(square, board.flip_bits(square));
                let keeps = |solver: &mut Self, square: u32| {
                    lower <= min_score || -solver.score(after(square), -lower, 1 - lower) >= lower
                };
                let found = bits(first).chain(bits(moves & !first)).find(|&square| keeps(self, square));
                let Some(square) = found.filter(|_| !self.stop.is_stopped()) else { return };
                line.push(Move::from_number(square as u16));
                board = after(square);
            }
            (lower, upper) = (-upper, -lower);
        }
    }
}

/// The state of a solve at its root.
struct RootSearch<'a, const N: usize> {
    solver: &'a mut Solver<N>,
    board: Board<N>,
    moves: Vec<BoundedRootMove<N>>,
    /// Exact scores are required only strictly inside this window. The window lies within the
    /// possible scores.
    window: (i32, i32),
    /// The requested number of best moves.
    lines: usize,
    /// Whether bounds are wanted early, because an exact score was requested and a limit may
    /// prevent it.
    wants_early_bounds: bool,
    on_bounds: &'a mut dyn FnMut(&Solution),
    /// The bounds and the number of decided moves in the last report.
    last_reported: (i32, i32, usize),
}

impl<'a, const N: usize> RootSearch<'a, N> {
    fn new(
        solver: &'a mut Solver<N>,
        board: Board<N>,
        limits: &Limits,
        on_bounds: &'a mut dyn FnMut(&Solution),
    ) -> Self {
        let area = Board::<N>::AREA as i32;
        let (alpha, beta) = limits.window.unwrap_or((-area, area));
        let window = (alpha.clamp(-area, area), beta.clamp(-area, area));
        // Stable discs bound the score of every move.
        let stable = |board| 2 * solver.stability.stable_opponent_discs(board).len() as i32;
        let (min_score, mut max_score) = (stable(board.pass()) - area, area - stable(board));
        let (mut known_lower, mut table_moves) = (min_score, [NO_MOVE; 2]);
        if let Some(entry) = solver.table.get(board) {
            let (lower, upper) = entry.bounds(Draft::exact(board.empty_count()));
            (known_lower, max_score) = (known_lower.max(lower), max_score.min(upper));
            table_moves = entry.moves;
        }
        at_level!(solver.instructions, |level| solver.generate(
            level,
            board,
            &Solver::<N>::features(board),
            board.move_bits(),
            table_moves
        ));
        let mut candidates = std::mem::take(&mut solver.candidates);
        candidates.sort_by_key(|candidate| Reverse(candidate.order));
        let places = candidates.iter().map(|candidate| (Move::from_number(candidate.square.into()), candidate.next));
        let pass = candidates.is_empty().then(|| (Move::PASS, board.pass()));
        let moves = places.chain(pass).map(|(m, next)| {
            let (lower, upper) = solver.bounds_after(next);
            BoundedRootMove { next, lower: min_score.max(lower), upper: max_score.min(upper), pv: vec![m] }
        });
        let moves: Vec<_> = moves.collect();
        let (lines, last_reported) = (limits.lines.max(1), (-area, area, 0));
        let wants_early_bounds = limits.exact && (limits.nodes.is_some() || limits.time.is_some());
        let mut root = Self { solver, board, moves, window, lines, wants_early_bounds, on_bounds, last_reported };
        // The table does not record which move has the lower bound. With the table, a search finds
        // that move quickly.
        if known_lower > root.lower() {
            root.search_root_moves(known_lower - 1, known_lower);
        }
        root.report_bounds();
        root
    }

    /// Returns the proved lower bound of the score.
    fn lower(&self) -> i32 {
        self.moves.iter().map(|m| m.lower).max().expect("the game is not over")
    }

    /// Returns the proved upper bound of the score.
    fn upper(&self) -> i32 {
        self.moves.iter().map(|m| m.upper).max().expect("the game is not over")
    }

    /// Returns whether these bounds are exact or decide on which side of the window a score lies.
    fn settles(&self, lower: i32, upper: i32) -> bool {
        lower == upper || lower >= self.window.1 || upper <= self.window.0
    }

    /// Searches the move at `index` with a window and narrows its bounds. Returns `None` if the
    /// search was stopped.
    fn search(&mut self, index: usize, alpha: i32, beta: i32) -> Option<()> {
        let BoundedRootMove { next, .. } = self.moves[index];
        self.solver.expects_refutation = index > 0;
        let score = -self.solver.score(next, -beta, -alpha);
        if self.solver.stop.is_stopped() {
            return None;
        }
        self.moves[index].narrow(bounds_by(score, alpha, beta));
        self.report_bounds();
        Some(())
    }

    /// Searches all moves with the window (principal variation search) and moves the best to the
    /// front. Returns `None` if the search was stopped.
    fn search_root_moves(&mut self, alpha: i32, beta: i32) -> Option<()> {
        let mut low = alpha;
        let (mut best, mut best_index) = (i32::MIN, 0);
        for index in 0..self.moves.len() {
            if index == MOVES_BEFORE_SPLIT && self.solver.may_split_root() {
                self.search_together(low, beta)?;
            }
            let narrow = |m: &BoundedRootMove<N>, low: i32| (low.max(m.lower - 1), beta.min(m.upper));
            let open = |m: &BoundedRootMove<N>, low: i32| !m.is_exact() && m.lower < beta && m.upper > low;
            if index > 0 && open(&self.moves[index], low) && self.moves[index].lower <= low {
                self.search(index, low, low + 1)?;
            }
            if open(&self.moves[index], low) {
                let (alpha, beta) = narrow(&self.moves[index], low);
                self.search(index, alpha, beta)?;
            }
            let m = &self.moves[index];
            let score = if m.lower > low { m.lower } else { m.upper };
            if score > best {
                (best, best_index) = (score, index);
                low = low.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.moves[..=best_index].rotate_right(1);
        if let Some(square) = self.moves[0].pv[0].square() {
            let Solver { table, age, .. } = &*self.solver;
            let draft = Draft::exact(self.board.empty_count());
            table.insert(
                self.board,
                *age,
                draft,
                (alpha, beta),
                BestMove { score: best, square: square.index() as u8 },
            );
        }
        Some(())
    }

    /// Searches the moves from index [`MOVES_BEFORE_SPLIT`] with the window, together with idle
    /// threads, and moves the best of them to the front of these moves. Returns `None` if the
    /// search was stopped.
    fn search_together(&mut self, low: i32, beta: i32) -> Option<()> {
        let is_open = |m: &&mut BoundedRootMove<N>| !m.is_exact() && m.lower < beta && m.upper > low;
        let mut open: Vec<_> = self.moves[MOVES_BEFORE_SPLIT..].iter_mut().filter(is_open).collect();
        let nexts = open.iter().map(|m| (m.pv[0], m.next));
        let draft = Draft::exact(self.board.empty_count()).after_move();
        let bounds = self.solver.split_root(self.board, nexts, draft, (low, beta), low);
        for (m, bounds) in open.iter_mut().zip(bounds) {
            m.narrow(bounds);
        }
        let best =
            (MOVES_BEFORE_SPLIT..self.moves.len()).max_by_key(|&index| (self.moves[index].lower, Reverse(index)));
        self.moves[MOVES_BEFORE_SPLIT..=best.expect("there are other moves")].rotate_right(1);
        self.report_bounds();
        (!self.solver.stop.is_stopped()).then_some(())
    }

    /// Finds the score of the position, starting with a narrow window around the evaluation, and
    /// extends the variation of the best move, which is then at the front. Returns `None` if the
    /// search was stopped.
    fn solve_best_move(&mut self) -> Option<()> {
        let evaluation = self.solver.estimate(self.board);
        if self.wants_early_bounds && !self.settles(self.lower(), self.upper()) {
            self.bracket_score(evaluation)?;
        }
        let guess = evaluation.min(self.upper()).min(self.window.1).max(self.lower()).max(self.window.0);
        let (mut alpha, mut beta) = (guess - ASPIRATION_MARGIN, guess + ASPIRATION_MARGIN);
        let mut step = ASPIRATION_MARGIN;
        while !self.settles(self.lower(), self.upper()) {
            let low = alpha.max(self.window.0).max(self.lower() - 1);
            let high = beta.min(self.window.1).min(self.upper());
            self.search_root_moves(low, high)?;
            step *= 2;
            let (lower, upper) = (self.lower(), self.upper());
            (alpha, beta) = if upper <= low { (upper - step, upper) } else { (lower - 1, lower + step) };
        }
        // If the table alone decided the score, the best move may not be at the front.
        let best = self.sorted()[0];
        self.moves[..=best].rotate_right(1);
        self.extend_pv(0);
        (!self.solver.stop.is_stopped()).then_some(())
    }

    /// Proves that the score is near the evaluation, or on which side of it. This takes much less
    /// time than finding the exact score, and gives useful bounds if the search is interrupted.
    /// Returns `None` if the search was stopped.
    fn bracket_score(&mut self, guess: i32) -> Option<()> {
        for margin in BRACKET_MARGINS {
            // Bounds outside the window are not needed.
            let below = (guess - margin).clamp(self.window.0 + 1, self.window.1);
            if self.lower() < below && below <= self.upper() {
                self.search_root_moves(below - 1, below)?;
            }
            let above = (guess + margin).clamp(self.window.0, self.window.1 - 1);
            if self.lower() <= above && above < self.upper() {
                self.search_root_moves(above, above + 1)?;
            }
        }
        Some(())
    }

    /// Finds the scores of the other requested moves. Returns `None` if the search was stopped.
    fn solve_other_moves(&mut self) -> Option<()> {
        if self.lines == 1 {
            return Some(());
        }
        self.moves[1..].sort_by_key(|m| Reverse(m.upper));
        for index in 1..self.moves.len() {
            let threshold = self.multi_pv_threshold();
            let mut step = DESCENT_STEP;
            loop {
                let m = &self.moves[index];
                if m.upper <= threshold || self.settles(m.lower, m.upper) {
                    break;
                }
                // First test whether the move exceeds the threshold, then search downward from its
                // upper bound.
                let scout = self.lines < self.moves.len() && m.lower <= threshold && step == DESCENT_STEP;
                let high = if scout { threshold + 1 } else { m.upper.min(self.window.1) };
                let low = if scout { threshold } else { threshold.max(m.lower - 1).max(high - step) };
                self.search(index, low, high)?;
                step *= 2;
            }
            if self.moves[index].upper > threshold {
                self.extend_pv(index);
            }
        }
        (!self.solver.stop.is_stopped()).then_some(())
    }

    /// Returns the score that a move must exceed to be among the requested lines: the lower end of
    /// the window, or a score that the requested number of moves already reach.
    fn multi_pv_threshold(&self) -> i32 {
        let mut lowers: Vec<i32> = self.moves.iter().map(|m| m.lower).collect();
        lowers.sort_unstable_by_key(|&lower| Reverse(lower));
        lowers.get(self.lines - 1).map_or(self.window.0, |&enough| enough.max(self.window.0))
    }

    /// Returns whether everything requested is proved.
    fn is_complete(&self) -> bool {
        let threshold = self.multi_pv_threshold();
        self.settles(self.lower(), self.upper())
            && (self.lines == 1 || self.moves.iter().all(|m| m.upper <= threshold || self.settles(m.lower, m.upper)))
    }

    /// Extends the variation of the move at `index`, whose score must be decided.
    fn extend_pv(&mut self, index: usize) {
        let area = Board::<N>::AREA as i32;
        let m = &mut self.moves[index];
        // If the score lies outside the window, only one bound is proved, so the variation respects
        // only that bound.
        let (lower, upper) = match (m.lower, m.upper) {
            (lower, upper) if lower == upper => (lower, upper),
            (lower, _) if lower >= self.window.1 => (lower, area),
            (_, upper) => (-area, upper),
        };
        m.pv.truncate(1);
        self.solver.extend_pv(m.next, -upper, -lower, &mut m.pv);
    }

    /// Extends the variations of requested moves that have no variation yet.
    fn extend_missing_pvs(&mut self) {
        for index in self.sorted().into_iter().take(self.lines) {
            if self.moves[index].pv.len() == 1 {
                self.extend_pv(index);
            }
        }
    }

    /// Returns the indices of the moves, best first by lower bound. Moves proved to be below the
    /// window come last, by upper bound.
    fn sorted(&self) -> Vec<usize> {
        let mut sorted: Vec<usize> = (0..self.moves.len()).collect();
        sorted.sort_by_key(|&index| {
            let BoundedRootMove { lower, upper, .. } = self.moves[index];
            Reverse(if upper <= self.window.0 { (0, upper, lower) } else { (1, lower, upper) })
        });
        sorted
    }

    /// Reports the current result if it has changed since the last report.
    fn report_bounds(&mut self) {
        let settled = self.moves.iter().filter(|m| self.lines > 1 && self.settles(m.lower, m.upper)).count();
        let now = (self.lower(), self.upper(), settled);
        if now != self.last_reported {
            self.last_reported = now;
            let solution = self.solution();
            (self.on_bounds)(&solution);
        }
    }

    /// Returns the current result.
    fn solution(&self) -> Solution {
        let solved = |index: usize| {
            let BoundedRootMove { lower, upper, ref pv, .. } = self.moves[index];
            SolvedMove { lower, upper, pv: pv.clone() }
        };
        Solution {
            lower: self.lower(),
            upper: self.upper(),
            complete: self.is_complete(),
            moves: self.sorted().into_iter().map(solved).collect(),
            nodes: self.solver.nodes(),
        }
    }
}
