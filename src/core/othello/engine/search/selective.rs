//! Nodes of a search with limited depth or confidence, with Multi-ProbCut.

use super::Solver;
use super::candidates::EvaluatedBoard;
use super::table::Draft;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::Board;
use crate::othello::engine::patterns::{Features, ShapeSet};
use crate::othello::engine::probcut;

/// A shallow search is tried if the evaluation is at most this many discs on the wrong side of the
/// window.
const PROBCUT_SLACK: i32 = 7;

/// The minimum depth at which enhanced transposition cutoffs are tried.
const ETC_MIN_DEPTH: u8 = 4;

// Tried in 1,000 games at 30,000 nodes per move, without a gain: a ply more after a forced move,
// 0.0 ± 1.7 Elo; two plies less for late moves, +6.6 ± 18.6 from the fourth move at depth 4 and
// +8.3 ± 13.5 from the seventh at depth 6 (at 50 ms per move, +6.6 ± 12.5); margins times 0.85,
// -7.6 ± 17.7, and times 1.15, -1.7 ± 18.1.

impl<const N: usize> Solver<N> {
    /// Searches a node of at least [`SEARCH_MIN_DEPTH`](probcut::SEARCH_MIN_DEPTH) plies.
    pub(super) fn selective<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        features: &Features,
        draft: Draft,
        (alpha, beta): (i32, i32),
        passed: bool,
    ) -> i32 {
        compiled!(level, |board| {
            let empties = board.empty_count();
            let moves = match self.enter(board, empties, alpha) {
                Ok(moves) => moves,
                Err(score) => return score,
            };
            if moves == 0 {
                self.expects_refutation = !self.expects_refutation;
                return if passed {
                    board.final_score()
                } else {
                    -self.selective(level, board.pass(), &ShapeSet::after_pass(features), draft, (-beta, -alpha), true)
                };
            }
            let entry = self.table.get(board).unwrap_or_default();
            let (alpha, beta) = match entry.narrow_window(draft, alpha, beta) {
                Ok(window) => window,
                Err(score) => return score,
            };
            if beta - alpha == 1
                && let Some(score) = self.try_probcut(level, board, moves, features, draft, alpha)
            {
                return score;
            }
            let first = self.candidates.len();
            self.generate_with_evaluation(level, board, moves, entry.moves, features, draft);
            if draft.depth >= ETC_MIN_DEPTH
                && let Some(score) = self.enhanced_transposition_cutoff(first, draft.after_move(), beta)
            {
                self.candidates.truncate(first);
                return score;
            }
            let node = EvaluatedBoard { board, features: *features };
            let best = self.best_candidate::<false, _>(level, &node, first, draft.after_move(), alpha, beta);
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return alpha;
            }
            self.table.insert(board, self.age, draft, (alpha, beta), best);
            best.score
        })
    }

    /// Returns a bound if a shallow search makes it sufficiently likely that the score lies outside
    /// the window from `alpha` to `alpha + 1`.
    fn try_probcut<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        features: &Features,
        draft: Draft,
        alpha: i32,
    ) -> Option<i32> {
        let (depth, empties) = (u32::from(draft.depth), board.empty_count());
        let margin = self.evaluation.as_ref()?.probcut.margin(draft.confidence, empties, depth)?;
        let shallow = Draft { depth: probcut::shallow_depth(depth) as u8, ..draft };
        let beta = alpha + 1;
        let estimate = self.evaluate(level, features, empties, moves);
        let expects_refutation = std::mem::replace(&mut self.expects_refutation, true);
        let area = Board::<N>::AREA as i32;
        let (above, below) = (beta + i32::from(margin.above), alpha - i32::from(margin.below));
        // Try a side only if the evaluation suggests that a cutoff there is likely enough.
        if estimate >= beta - PROBCUT_SLACK
            && above < area
            && self.visit(level, board, features, shallow, above - 1, above) >= above
        {
            return Some(beta).filter(|_| !self.stop.is_stopped());
        }
        self.expects_refutation = false;
        if estimate <= alpha + PROBCUT_SLACK
            && below > -area
            && self.visit(level, board, features, shallow, below, below + 1) <= below
        {
            return Some(alpha).filter(|_| !self.stop.is_stopped());
        }
        self.expects_refutation = expects_refutation;
        None
    }
}
