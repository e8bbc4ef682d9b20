//! The last two plies before the evaluation: no table, and features updated incrementally. In a
//! null window, the evaluation of the node itself may cause a cutoff, by the margins of
//! [Multi-ProbCut](crate::othello::engine::probcut).
//!
//! Leaves are evaluated without testing whether the game is over, because the test would cost more
//! than it gains. Only a side without discs is scored as having lost.

use super::move_ordering::OrderedMoves;
use super::table::{Draft, NO_MOVE};
use super::{NO_SCORE, Solver};
use crate::game::{Confidence, Element as _, bits};
use crate::instructions::{SimdLevel, at_level, compiled};
use crate::othello::engine::patterns::{FULL, Features, ShapeSet, discs};
use crate::othello::{Board, Square, SquareSet};

/// The squares in four groups. Groups in which a move is more likely to be good come first.
const SQUARE_ORDER: [u64; 4] = {
    let corners = 0x8100_0000_0000_0081;
    let beside_corners = 0x42c3_0000_0000_c342;
    let edges = 0x3c00_8181_8181_003c;
    [corners, edges, !(corners | beside_corners | edges), beside_corners]
};

impl<const N: usize> Solver<N> {
    /// Returns the features of a board.
    #[inline]
    pub(super) fn features(board: Board<N>) -> Features {
        FULL.features(Self::on_8x8(board))
    }

    /// Converts the type of the board to 8x8, the only size with a trained evaluation.
    #[inline]
    pub(super) fn on_8x8(board: Board<N>) -> Board<8> {
        Board { player: board.player, opponent: board.opponent }
    }

    /// Returns the evaluation for the player in [units](crate::othello::engine::patterns::UNIT) of
    /// a disc. `moves` are the player's moves.
    #[inline]
    pub(super) fn units<L: SimdLevel>(&self, level: L, features: &Features, empties: u32, moves: u64) -> i32 {
        let Some(evaluation) = &self.evaluation else { return 0 };
        evaluation.full.units(level, features, empties, moves)
    }

    /// Returns the evaluation for the player in discs.
    #[inline]
    pub(super) fn evaluate<L: SimdLevel>(&self, level: L, features: &Features, empties: u32, moves: u64) -> i32 {
        discs(self.units(level, features, empties, moves))
    }

    /// Returns the evaluation of a board for the player in discs.
    pub(super) fn evaluate_board(&self, board: Board<N>) -> i32 {
        let (empties, moves) = (board.empty_count(), board.move_bits());
        at_level!(self.instructions, |level| self.evaluate(level, &Self::features(board), empties, moves))
    }

    /// Searches 0 to 2 plies, fewer than there are empty squares. `moves` are the player's moves.
    pub(super) fn shallow<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        features: &Features,
        draft: Draft,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        if draft.depth == 0 {
            return if self.stop.visit() { self.evaluate(level, features, board.empty_count(), moves) } else { alpha };
        }
        if beta - alpha == 1
            && moves != 0
            && let Some(score) = self.static_cutoff(level, board.empty_count(), moves, features, draft, alpha)
        {
            return score;
        }
        match draft.depth {
            1 => self.one_ply(level, board, moves, features, (alpha, beta)),
            _ => self.two_plies(level, board, moves, features, draft.confidence, (alpha, beta)),
        }
    }

    /// Returns the score of a one-ply search with a full window, in discs. `moves` are the player's
    /// moves.
    pub(super) fn one_ply_score<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        features: &Features,
    ) -> i32 {
        let area = Board::<N>::AREA as i32;
        self.one_ply(level, board, moves, features, (-area, area))
    }

    /// Returns a bound if the evaluation of a node that has a move makes it sufficiently likely
    /// that a search would return a score outside the window from `alpha` to `alpha + 1`. Returns
    /// alpha if the search is stopped.
    #[inline(always)]
    fn static_cutoff<L: SimdLevel>(
        &mut self,
        level: L,
        empties: u32,
        moves: u64,
        features: &Features,
        draft: Draft,
        alpha: i32,
    ) -> Option<i32> {
        let margin = self.evaluation.as_ref()?.probcut.margin(draft.confidence, empties, draft.depth.into())?;
        let estimate = self.evaluate(level, features, empties, moves);
        let bound = if estimate > alpha + i32::from(margin.above) {
            alpha + 1
        } else if estimate <= alpha - i32::from(margin.below) {
            alpha
        } else {
            return None;
        };
        Some(if self.stop.visit() { bound } else { alpha })
    }

    fn one_ply<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        features: &Features,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        compiled!(level, |board| {
            // The leaves are counted together at the end.
            if !self.stop.may_visit(1 + u64::from(moves.count_ones())) {
                return alpha;
            }
            self.stop.count(1);
            if moves == 0 {
                let next = board.pass();
                let replies = next.move_bits();
                return if replies == 0 {
                    board.final_score()
                } else {
                    -self.one_ply(level, next, replies, &ShapeSet::after_pass(features), (-beta, -alpha))
                };
            }
            let empties = board.empty_count() - 1;
            let (mut best, mut visited) = (NO_SCORE, 0);
            for square in SQUARE_ORDER.iter().flat_map(|squares| bits(moves & squares)) {
                let flips = board.flip_bits(square);
                let score = if flips == board.opponent {
                    Board::<N>::AREA as i32
                } else {
                    let features = FULL.after(features, Square::from_bit(square), SquareSet::new(flips));
                    -self.evaluate(level, &features, empties, board.flip(square, flips).move_bits())
                };
                visited += 1;
                best = best.max(score);
                if best >= beta {
                    break;
                }
            }
            self.stop.count(visited);
            best
        })
    }

    fn two_plies<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        features: &Features,
        confidence: Confidence,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        compiled!(level, |board| {
            if !self.stop.visit() {
                return alpha;
            }
            if moves == 0 {
                let next = board.pass();
                let replies = next.move_bits();
                return if replies == 0 {
                    board.final_score()
                } else {
                    -self.two_plies(level, next, replies, &ShapeSet::after_pass(features), confidence, (-beta, -alpha))
                };
            }
            let draft = Draft { depth: 1, confidence };
            let (mut best, mut low) = (NO_SCORE, alpha);
            let mut rest = moves;
            while rest != 0 {
                let ordered = <OrderedMoves>::new(board, rest, 0, NO_MOVE);
                for lane in ordered.lanes() {
                    let square = ordered.bits[lane].trailing_zeros();
                    let (next, replies) = (ordered.next::<N>(lane), ordered.replies[lane]);
                    rest &= !ordered.bits[lane];
                    let score = if next.player == 0 {
                        Board::<N>::AREA as i32
                    } else {
                        let flips = board.opponent ^ next.player;
                        let features = FULL.after(features, Square::from_bit(square), SquareSet::new(flips));
                        let scout = if best == NO_SCORE { -beta } else { -low - 1 };
                        let score = -self.shallow(level, next, replies, &features, draft, (scout, -low));
                        if score > low && score < beta && best != NO_SCORE {
                            -self.shallow(level, next, replies, &features, draft, (-beta, -low))
                        } else {
                            score
                        }
                    };
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
        })
    }
}
