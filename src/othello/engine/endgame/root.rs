//! What a caller asks of the solver: the score of a position and a line of best play.

use super::Solver;
use super::table::NO_MOVE;
use crate::game::{Cancel, Color, Evaluator, Limits, Score};
use crate::othello::engine::Evaluate;
use crate::othello::{Board, Position, Squares};
use crate::search::Stop;

/// Half the first window around the evaluation, in discs.
const ASPIRATION: i32 = 4;

/// A solved position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The score in discs for the player.
    pub score: i32,
    /// Best play, as squares; `None` is a pass. It goes to the end of the game unless a bound was reached once the score was known.
    pub pv: Vec<Option<u32>>,
    /// Nodes visited.
    pub nodes: u64,
}

impl<const N: usize> Solver<N> {
    /// Solves a position; `None` if `cancel` was raised or a bound on nodes or time was reached before.
    ///
    /// ```
    /// use morello::game::{Cancel, Limits};
    /// use morello::othello::{Board, engine::Solver};
    ///
    /// let mut solver = Solver::<4>::new(1 << 20);
    /// let solution = solver.solve(Board::START, &Limits::exact(), &Cancel::new()).expect("there is no bound");
    /// assert_eq!(solution.score, -10); // White wins 11-3, and two squares stay empty
    /// ```
    pub fn solve(&mut self, board: Board<N>, limits: &Limits, cancel: &Cancel) -> Option<Solution> {
        self.stop = Stop::new(limits, cancel);
        self.age = self.table.begin();
        // A bound on nodes is kept by counting them, which threads cannot do together.
        self.may_split = limits.nodes.is_none();
        let score = self.aspire(board);
        if self.stop.is_stopped() {
            return None;
        }
        let pv = self.best_line(board, score);
        (!pv.is_empty() || board.is_over()).then(|| Solution { score, pv, nodes: self.nodes() })
    }

    /// Returns the score, sought first in a narrow window around the evaluation; anything if the search was stopped.
    fn aspire(&mut self, board: Board<N>) -> i32 {
        let guess = Evaluate.evaluate(&Position::new(board, Color::Black)) / Score::POINT;
        let (mut alpha, mut beta) = ((guess - ASPIRATION).max(-64), (guess + ASPIRATION).min(64));
        let mut step = ASPIRATION;
        loop {
            let score = self.score(board, alpha, beta);
            step *= 2;
            if score <= alpha && alpha > -64 && !self.stop.is_stopped() {
                (alpha, beta) = ((score - step).max(-64), score + 1);
            } else if score >= beta && beta < 64 && !self.stop.is_stopped() {
                (alpha, beta) = (score - 1, (score + step).min(64));
            } else {
                return score;
            }
        }
    }

    /// Returns the score in the window, or beyond it on the right side; anything if the search was stopped.
    fn score(&mut self, board: Board<N>, alpha: i32, beta: i32) -> i32 {
        self.node(board, board.empty_count(), alpha, beta)
    }

    /// Follows best play to the end: at each position some move keeps the score.
    fn best_line(&mut self, mut board: Board<N>, mut score: i32) -> Vec<Option<u32>> {
        let mut line = Vec::with_capacity(board.empty_count() as usize + 4);
        loop {
            let moves = board.moves();
            if moves == 0 {
                if board.opponent_moves() == 0 {
                    return line;
                }
                line.push(None);
                (board, score) = (board.pass(), -score);
                continue;
            }
            let known = self.table.get(board).map_or(NO_MOVE, |entry| entry.moves[0]);
            let first = 1u64.checked_shl(known.into()).unwrap_or(0) & moves;
            let keeps = |solver: &mut Self, square: u32| {
                -solver.score(board.place(square, board.flips(square)), -score, -score + 1) >= score
            };
            let best = Squares(first).chain(Squares(moves & !first)).find(|&square| keeps(self, square));
            let Some(square) = best.filter(|_| !self.stop.is_stopped()) else {
                if line.is_empty() && first != 0 {
                    line.push(Some(first.trailing_zeros()));
                }
                return line;
            };
            line.push(Some(square));
            (board, score) = (board.place(square, board.flips(square)), -score);
        }
    }
}
