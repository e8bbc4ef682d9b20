//! What a caller asks of the solver: the score of a position or the side of a window on which it lies, the best moves with theirs, and
//! lines of best play.
//!
//! Each move of the root has bounds of its own, and every search narrows those of one move. So whatever ends a solve, what was proved until
//! then is known: the position's score is at least the highest lower bound of its moves and at most the highest upper bound.

use std::cmp::Reverse;

use super::table::{Draft, NO_MOVE, SharedTable};
use super::{BestMove, LOCAL_TABLE_MAX_EMPTIES, Solver};
use crate::game::{Cancel, Color, Limits, Score};
use crate::instructions::at_level;
use crate::othello::{Board, Position, Squares};
use crate::search::SearchControl;

/// Half the first window around the evaluation, in discs.
const ASPIRATION_MARGIN: i32 = 4;

/// The first window below what a move beside the best one is known not to exceed, in discs.
const DESCENT_STEP: i32 = 8;

/// A solve that may be cut short first proves that the score is no further than this from the evaluation, in discs. On FFO #40 to #44 this
/// takes 20 % more nodes; one step more, 16, takes 35 %.
const BRACKET_MARGINS: [i32; 2] = [32, 24];

/// What a solve has proved, in discs for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// Whether all that was asked for is proved. If not, a bound on the search was reached, or it was cancelled, before.
    pub complete: bool,
    /// All moves, best first, as far as is proved; none where the game is over.
    ///
    /// As many as were asked for have their lines of play, the others no more than the move.
    pub moves: Vec<SolvedMove>,
    /// Nodes visited.
    pub nodes: u64,
}

/// What a solve has proved about a move, in discs for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolvedMove {
    /// The score after this move is at least this.
    pub lower: i32,
    /// The score after this move is at most this.
    pub upper: i32,
    /// The move and how play goes on, as squares; `None` is a pass. It goes to the end of the game, with a final score that keeps to what is
    /// proved, unless the solve was cut short before.
    pub pv: Vec<Option<u32>>,
}

impl Solution {
    /// Returns the score under best play, if it is proved.
    ///
    /// With a window it may be known even where it lies beyond.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A move of the root and what is proved about it, for the player.
struct BoundedRootMove<const N: usize> {
    next: Board<N>,
    lower: i32,
    upper: i32,
    /// The move, and how play goes on once that was sought.
    pv: Vec<Option<u32>>,
}

impl<const N: usize> BoundedRootMove<N> {
    fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}

impl<const N: usize> Solver<N> {
    /// Solves a position: the score, or with a [window](Limits::window) on which side of it the score lies, and as many of the best
    /// [lines](Limits::lines) as are asked for. If `cancel` is raised or a bound on nodes or time is reached before, what is returned is
    /// what was proved until then.
    ///
    /// `on_bounds` is told what is proved, but for lines of play, each time the bounds of the score have come closer or another of
    /// several moves asked for is settled.
    ///
    /// ```
    /// use morello::game::{Cancel, Limits};
    /// use morello::othello::{Board, engine::Solver};
    ///
    /// let mut solver = Solver::<4>::new(1 << 20);
    /// let solution = solver.solve(Board::START, &Limits::exact(), &Cancel::new(), &mut |_| ());
    /// assert_eq!(solution.score(), Some(-10)); // White wins 11-3, and two squares stay empty
    ///
    /// // Who wins?
    /// let solution = solver.solve(Board::START, &Limits::window(-1, 1), &Cancel::new(), &mut |_| ());
    /// assert!(solution.complete && solution.upper < 0);
    /// ```
    pub fn solve(
        &mut self,
        board: Board<N>,
        limits: &Limits,
        cancel: &Cancel,
        on_bounds: &mut dyn FnMut(&Solution),
    ) -> Solution {
        self.stop = SearchControl::new(limits, cancel);
        self.age = self.table.begin();
        // A bound on nodes is kept by counting them, which threads cannot do together.
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

    /// Returns the score in the window, or beyond it on the right side; anything if the search was stopped.
    pub(super) fn score(&mut self, board: Board<N>, alpha: i32, beta: i32) -> i32 {
        at_level!(self.instructions, |level| self.node(level, board, board.empty_count(), alpha, beta))
    }

    /// Returns what the score is thought to be: by the last search of the position, or else by the evaluation.
    fn estimate(&self, board: Board<N>) -> i32 {
        match self.table.get(board) {
            Some(entry) if entry.lower == entry.upper => entry.lower.into(),
            _ if self.evaluation.is_some() => self.evaluate(&Self::features(board), board.empty_count()),
            _ => self.evaluator.evaluate(&Position::new(board, Color::Black)) / Score::POINT,
        }
    }

    /// Follows play to the end of the game, where the score for the player is from `lower` to `upper`, as is proved of the board's: the side
    /// that could lose its bound plays a move that keeps it, and the other side, whose every move does, the one the table names.
    fn extend_pv(&mut self, mut board: Board<N>, mut lower: i32, mut upper: i32, line: &mut Vec<Option<u32>>) {
        let least = -(Board::<N>::AREA as i32);
        while !self.stop.is_stopped() {
            let moves = board.moves();
            if moves == 0 {
                if board.opponent_moves() == 0 {
                    return;
                }
                line.push(None);
                board = board.pass();
            } else {
                let entry = if board.empty_count() <= LOCAL_TABLE_MAX_EMPTIES {
                    self.local.get(board)
                } else {
                    self.table.get(board)
                };
                let known = entry.unwrap_or_default().moves[0];
                let first = 1u64.checked_shl(known.into()).unwrap_or(0) & moves;
                let after = |square: u32| board.place(square, board.flips(square));
                let keeps = |solver: &mut Self, square: u32| {
                    lower <= least || -solver.score(after(square), -lower, 1 - lower) >= lower
                };
                let found = Squares(first).chain(Squares(moves & !first)).find(|&square| keeps(self, square));
                let Some(square) = found.filter(|_| !self.stop.is_stopped()) else { return };
                line.push(Some(square));
                board = after(square);
            }
            (lower, upper) = (-upper, -lower);
        }
    }
}

/// The root of one solve.
struct RootSearch<'a, const N: usize> {
    solver: &'a mut Solver<N>,
    board: Board<N>,
    moves: Vec<BoundedRootMove<N>>,
    /// A score is wanted only strictly within; both are scores that the board allows, so that the widest window wants every score.
    window: (i32, i32),
    /// How many of the best moves are wanted.
    lines: usize,
    /// Whether a bound on nodes or time may end the search before all is proved.
    has_limits: bool,
    on_bounds: &'a mut dyn FnMut(&Solution),
    /// The bounds that were told last, and how many moves were settled then.
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
        let window = (alpha.max(-area), beta.min(area));
        // Stable discs stay, whatever is played.
        let stable = |board| 2 * solver.stability.stable_opponent_discs(board).count_ones() as i32;
        let (least, mut most) = (stable(board.pass()) - area, area - stable(board));
        let (mut known, mut known_moves) = (least, [NO_MOVE; 2]);
        if let Some(entry) = solver.table.get(board) {
            let (lower, upper) = entry.bounds(Draft::exact(board.empty_count()));
            (known, most) = (known.max(lower), most.min(upper));
            known_moves = entry.moves;
        }
        at_level!(solver.instructions, |level| solver.generate(level, board, board.moves(), known_moves));
        let mut candidates = std::mem::take(&mut solver.candidates);
        candidates.sort_by_key(|candidate| Reverse(candidate.order));
        let places = candidates.iter().map(|candidate| (Some(u32::from(candidate.square)), candidate.next));
        let pass = candidates.is_empty().then(|| (None, board.pass()));
        let moves = places.chain(pass).map(|(square, next)| {
            let (worst, best) = bounds_after(&solver.table, next, area);
            BoundedRootMove { next, lower: least.max(worst), upper: most.min(best), pv: vec![square] }
        });
        let moves: Vec<_> = moves.collect();
        let (lines, told) = (limits.lines.max(1), (-area, area, 0));
        let may_be_cut_short = limits.nodes.is_some() || limits.time.is_some();
        let mut root =
            Self { solver, board, moves, window, lines, has_limits: may_be_cut_short, on_bounds, last_reported: told };
        // The table does not say which move it owes a lower bound to; to find it again takes next to nothing.
        if known > root.lower() {
            root.search_root_moves(known - 1, known);
        }
        root.report_bounds();
        root
    }

    /// Returns what the score is proved to reach.
    fn lower(&self) -> i32 {
        self.moves.iter().map(|m| m.lower).max().expect("the game is not over")
    }

    /// Returns what the score is proved not to exceed.
    fn upper(&self) -> i32 {
        self.moves.iter().map(|m| m.upper).max().expect("the game is not over")
    }

    /// Returns whether such bounds are all that is wanted of a score.
    fn settles(&self, lower: i32, upper: i32) -> bool {
        lower == upper || lower >= self.window.1 || upper <= self.window.0
    }

    /// Searches the move at `index` in a window, within what is proved of it, and narrows its bounds; `None` if the search was stopped.
    fn search(&mut self, index: usize, alpha: i32, beta: i32) -> Option<()> {
        let BoundedRootMove { next, .. } = self.moves[index];
        let score = -self.solver.score(next, -beta, -alpha);
        if self.solver.stop.is_stopped() {
            return None;
        }
        let m = &mut self.moves[index];
        // Every score is even, for so is the number of squares; a bound need not be.
        if score < beta {
            m.upper = m.upper.min(score - score.rem_euclid(2));
        }
        if score > alpha {
            m.lower = m.lower.max(score + score.rem_euclid(2));
        }
        self.report_bounds();
        Some(())
    }

    /// Searches the moves for the best score in the window, the first with the whole of it and the others once they are shown to be
    /// better; leaves the best in front. `None` if the search was stopped.
    fn search_root_moves(&mut self, alpha: i32, beta: i32) -> Option<()> {
        let mut low = alpha;
        let (mut best, mut best_index) = (i32::MIN, 0);
        for index in 0..self.moves.len() {
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
        if let Some(square) = self.moves[0].pv[0] {
            let Solver { table, age, .. } = &*self.solver;
            let draft = Draft::exact(self.board.empty_count());
            table.insert(self.board, *age, draft, (alpha, beta), BestMove { score: best, square: square as u8 });
        }
        Some(())
    }

    /// Settles the score of the position, sought first in a narrow window around the evaluation, and follows play from there; the best move
    /// is in front then. `None` if the search was stopped.
    fn solve_best_move(&mut self) -> Option<()> {
        let evaluation = self.solver.estimate(self.board);
        if self.has_limits && !self.settles(self.lower(), self.upper()) {
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
        // A position may be settled, by the table, with its best move not in front.
        let best = self.sorted()[0];
        self.moves[..=best].rotate_right(1);
        self.extend_pv(0);
        (!self.solver.stop.is_stopped()).then_some(())
    }

    /// Proves that the score is not far from the evaluation, or on which side it is. That takes far less time than the score itself and is
    /// more than nothing where the search ends before it is known. `None` if the search was stopped.
    fn bracket_score(&mut self, guess: i32) -> Option<()> {
        for far in BRACKET_MARGINS {
            // More than the ends of the window need not be proved.
            let below = (guess - far).clamp(self.window.0 + 1, self.window.1);
            if self.lower() < below && below <= self.upper() {
                self.search_root_moves(below - 1, below)?;
            }
            let above = (guess + far).clamp(self.window.0, self.window.1 - 1);
            if self.lower() <= above && above < self.upper() {
                self.search_root_moves(above, above + 1)?;
            }
        }
        Some(())
    }

    /// Settles the scores of the best of the other moves, as many as are wanted. `None` if the search was stopped.
    fn solve_other_moves(&mut self) -> Option<()> {
        if self.lines == 1 {
            return Some(());
        }
        self.moves[1..].sort_by_key(|m| Reverse(m.upper));
        for index in 1..self.moves.len() {
            let floor = self.multi_pv_threshold();
            let mut step = DESCENT_STEP;
            loop {
                let m = &self.moves[index];
                if m.upper <= floor || self.settles(m.lower, m.upper) {
                    break;
                }
                // Is it wanted at all? Then down from what it is known not to exceed.
                let scout = self.lines < self.moves.len() && m.lower <= floor && step == DESCENT_STEP;
                let high = if scout { floor + 1 } else { m.upper.min(self.window.1) };
                let low = if scout { floor } else { floor.max(m.lower - 1).max(high - step) };
                self.search(index, low, high)?;
                step *= 2;
            }
            if self.moves[index].upper > floor {
                self.extend_pv(index);
            }
        }
        (!self.solver.stop.is_stopped()).then_some(())
    }

    /// Returns what a move must exceed to be wanted: below the window are its scores told no closer, and where as many moves as are
    /// wanted reach a score, others that do not exceed it are not wanted.
    fn multi_pv_threshold(&self) -> i32 {
        let mut lowers: Vec<i32> = self.moves.iter().map(|m| m.lower).collect();
        lowers.sort_unstable_by_key(|&lower| Reverse(lower));
        lowers.get(self.lines - 1).map_or(self.window.0, |&enough| enough.max(self.window.0))
    }

    /// Returns whether all that is wanted is proved.
    fn is_complete(&self) -> bool {
        let floor = self.multi_pv_threshold();
        self.settles(self.lower(), self.upper())
            && (self.lines == 1 || self.moves.iter().all(|m| m.upper <= floor || self.settles(m.lower, m.upper)))
    }

    /// Follows play after the move at `index`, whose score is settled.
    fn extend_pv(&mut self, index: usize) {
        let area = Board::<N>::AREA as i32;
        let m = &mut self.moves[index];
        // Beyond the window it is known of one side alone how it keeps its bound.
        let (lower, upper) = match (m.lower, m.upper) {
            (lower, upper) if lower == upper => (lower, upper),
            (lower, _) if lower >= self.window.1 => (lower, area),
            (_, upper) => (-area, upper),
        };
        m.pv.truncate(1);
        self.solver.extend_pv(m.next, -upper, -lower, &mut m.pv);
    }

    /// Follows play after those of the wanted moves that did not seem wanted before.
    fn extend_missing_pvs(&mut self) {
        for index in self.sorted().into_iter().take(self.lines) {
            if self.moves[index].pv.len() == 1 {
                self.extend_pv(index);
            }
        }
    }

    /// Returns the indices of the moves, best first: by what they are proved to reach, but last, by what they do not exceed, those that are
    /// proved to lie below the window.
    fn sorted(&self) -> Vec<usize> {
        let mut sorted: Vec<usize> = (0..self.moves.len()).collect();
        sorted.sort_by_key(|&index| {
            let BoundedRootMove { lower, upper, .. } = self.moves[index];
            Reverse(if upper <= self.window.0 { (0, upper, lower) } else { (1, lower, upper) })
        });
        sorted
    }

    /// Tells the caller what is proved if that is more than what was told last.
    fn report_bounds(&mut self) {
        let settled = self.moves.iter().filter(|m| self.lines > 1 && self.settles(m.lower, m.upper)).count();
        let now = (self.lower(), self.upper(), settled);
        if now != self.last_reported {
            self.last_reported = now;
            let solution = self.solution();
            (self.on_bounds)(&solution);
        }
    }

    /// Returns what is proved.
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

/// Returns what the table knows of a board, as bounds for the side that moved there.
fn bounds_after<const N: usize>(table: &SharedTable, next: Board<N>, area: i32) -> (i32, i32) {
    let (lower, upper) = table.get(next).unwrap_or_default().bounds(Draft::exact(next.empty_count()));
    (-upper.min(area), -lower.max(-area))
}
