//! Move ordering, mainly by the opponent's mobility and the evaluation.

use super::Solver;
use super::table::{Draft, NO_MOVE};
use crate::game::Color;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::engine::patterns::{FULL, Features, ORDER, UNIT};
use crate::othello::flips::lanes;
use crate::othello::geometry::Geometry;
use crate::othello::{Board, SizedPosition, Squares};

/// Up to this many empty squares, the parity of quadrants has a large weight.
const PARITY_MAX_EMPTIES: u32 = 12;

/// From this many empty squares after the move on, exact nodes order moves by a search of the replies.
const REPLY_SEARCH_MIN_EMPTIES: u32 = 15;

/// The weight of a disc of the evaluation in exact nodes with a search of the replies. Each reply of the opponent weighs 32.
const EVALUATION_WEIGHT_FAR: i32 = 10;

/// The weight of a disc of the small evaluation in the other exact nodes. Without it, `data/positions/hard-20.obf` takes 505 M nodes instead of
/// 351 M and a third more time.
const EVALUATION_WEIGHT_NEAR: i32 = 6;

/// The weight of a disc of the evaluation in selective nodes, where mobility is divided by [`MOBILITY_DIVISOR`].
const EVALUATION_WEIGHT_SELECTIVE: i32 = 32;
const MOBILITY_DIVISOR: i32 = 4;

/// From this depth on, selective nodes order moves by a search of the replies.
const REPLY_SEARCH_MIN_DEPTH: u8 = 7;

/// A move with the board after it.
#[derive(Clone, Copy)]
pub(super) struct Candidate<const N: usize> {
    /// Higher values are searched first.
    pub order: i32,
    pub square: u8,
    pub next: Board<N>,
}

/// The order of the table move, above all others.
const TABLE_MOVE_ORDER: i64 = 1 << 20;

/// The number of low bits of a key that are its lane.
const LANE_BITS: u32 = 3;

/// The key of a lane without a move.
pub(super) const NO_KEY: i64 = i64::MIN;

/// Up to `LANES` moves of a board, ordered side by side in the lanes of a vector.
pub(super) struct OrderedMoves<const LANES: usize = 8> {
    /// The squares played, one bit each.
    pub bits: [u64; LANES],
    /// The player's discs after each move.
    pub player: [u64; LANES],
    /// The opponent's discs after each move.
    pub opponent: [u64; LANES],
    /// Higher keys are searched first. No two are equal, because the lowest [`LANE_BITS`] bits are the lane. [`NO_KEY`] for an illegal move.
    pub keys: [i64; LANES],
}

impl<const LANES: usize> OrderedMoves<LANES> {
    /// Orders the moves to the lowest `LANES` empty squares of `squares`, with `table_move` first.
    #[inline(always)]
    pub fn new<const N: usize>(board: Board<N>, squares: u64, in_odd_quadrants: u64, table_move: u8) -> Self {
        let table_move = 1u64.checked_shl(table_move.into()).unwrap_or(0);
        let parity = if board.empty_count() <= PARITY_MAX_EMPTIES { 24 } else { 4 };
        // Lane n drops the lowest n squares and keeps the next one. Doing this in all lanes at once avoids a round trip through memory.
        let mut bits = [squares; LANES];
        for step in 1..LANES {
            for (lane, bits) in bits.iter_mut().enumerate() {
                if lane >= step {
                    *bits &= bits.wrapping_sub(1);
                }
            }
        }
        let mut ordered = Self { bits, player: [0; LANES], opponent: [0; LANES], keys: [0; LANES] };
        for (lane, squares) in bits.into_iter().enumerate() {
            let bit = squares & squares.wrapping_neg();
            let flipped = lanes::flips(bit, board.player, board.opponent);
            let (player, opponent) = (board.opponent ^ flipped, board.player ^ flipped ^ bit);
            let empty = board.empties() & !bit;
            let replies = lanes::moves(player, opponent) & empty;
            let mobility = i64::from(replies.count_ones() + (replies & Geometry::<N>::CORNERS).count_ones());
            let potential = i64::from((Geometry::<N>::around(opponent) & empty).count_ones());
            let corner = if bit & Geometry::<N>::CORNERS != 0 { 16 } else { 0 };
            let odd = if bit & in_odd_quadrants != 0 { parity } else { 0 };
            let order = odd + corner - mobility * 32 - potential * 8;
            ordered.bits[lane] = bit;
            ordered.player[lane] = player;
            ordered.opponent[lane] = opponent;
            let order = if bit & table_move != 0 { TABLE_MOVE_ORDER } else { order };
            ordered.keys[lane] = if flipped == 0 { NO_KEY } else { order << LANE_BITS | lane as i64 };
        }
        ordered
    }

    /// Returns the highest key below `key`, or [`NO_KEY`].
    #[inline(always)]
    pub fn next_below(&self, key: i64) -> i64 {
        self.keys.map(|k| if k < key { k } else { NO_KEY }).into_iter().fold(NO_KEY, i64::max)
    }

    /// Returns the lane of a key.
    #[inline(always)]
    pub fn lane(&self, key: i64) -> usize {
        key as usize & ((1 << LANE_BITS) - 1) & (LANES - 1)
    }

    /// Returns the board after the move of a lane.
    #[inline(always)]
    pub fn next<const N: usize>(&self, lane: usize) -> Board<N> {
        Board { player: self.player[lane], opponent: self.opponent[lane] }
    }
}

impl<const N: usize> Solver<N> {
    /// Appends the moves of an exact node to the candidates: `table_moves` first, then by mobility and evaluation.
    pub(super) fn generate<L: SimdLevel>(&mut self, level: L, board: Board<N>, moves: u64, table_moves: [u8; 2]) {
        compiled!(level, |board| {
            let empties = board.empty_count() - 1;
            if self.evaluation.is_some() {
                if empties >= REPLY_SEARCH_MIN_EMPTIES {
                    let features = Self::features(board);
                    self.generate_by(board, moves, table_moves, |solver, square, next, order| {
                        let features = FULL.after(&features, square, board.opponent ^ next.player);
                        order - solver.one_ply_score(level, next, &features) * EVALUATION_WEIGHT_FAR
                    });
                } else {
                    let features = ORDER.features(Self::on_8x8(board));
                    self.generate_by(board, moves, table_moves, |solver, square, next, order| {
                        let features = ORDER.after(&features, square, board.opponent ^ next.player);
                        let units = solver
                            .evaluation
                            .as_ref()
                            .map_or(0, |evaluation| evaluation.order.units(&features, empties));
                        order - units * EVALUATION_WEIGHT_NEAR / UNIT
                    });
                }
            } else if empties >= REPLY_SEARCH_MIN_EMPTIES {
                self.generate_by(board, moves, table_moves, |solver, _, next, order| {
                    order - solver.best_reply(next) / 64
                });
            } else {
                self.generate_by(board, moves, table_moves, |_, _, _, order| order);
            }
        })
    }

    /// Appends the moves of a selective node to the candidates.
    pub(super) fn generate_with_evaluation<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        table_moves: [u8; 2],
        features: &Features,
        draft: Draft,
    ) {
        compiled!(level, |board| {
            let empties = board.empty_count() - 1;
            self.generate_by(board, moves, table_moves, |solver, square, next, order| {
                let features = FULL.after(features, square, board.opponent ^ next.player);
                let units = if draft.depth >= REPLY_SEARCH_MIN_DEPTH {
                    solver.one_ply_score(level, next, &features) * UNIT
                } else {
                    solver.units(&features, empties)
                };
                order / MOBILITY_DIVISOR - units * EVALUATION_WEIGHT_SELECTIVE / UNIT
            });
        })
    }

    /// Appends moves to the candidates: wipeouts first, then `table_moves`, then by `rank`, which gets the square, the board after
    /// the move and the order by mobility.
    #[inline]
    fn generate_by(
        &mut self,
        board: Board<N>,
        moves: u64,
        table_moves: [u8; 2],
        mut rank: impl FnMut(&mut Self, u32, Board<N>, i32) -> i32,
    ) {
        let odd = Self::in_odd_quadrants(board.empties());
        let mut rest = moves;
        while rest != 0 {
            let ordered = <OrderedMoves>::new(board, rest, odd, NO_MOVE);
            for lane in 0..ordered.bits.len().min(rest.count_ones() as usize) {
                let next = ordered.next(lane);
                let square = ordered.bits[lane].trailing_zeros() as u8;
                let order = (ordered.keys[lane] >> LANE_BITS) as i32;
                let order = match square {
                    _ if next.player == 0 => i32::MAX,
                    square if square == table_moves[0] => i32::MAX - 1,
                    square if square == table_moves[1] => i32::MAX - 2,
                    square => rank(self, square.into(), next, order),
                };
                self.candidates.push(Candidate { order, square, next });
            }
            rest &= !ordered.bits.iter().fold(0, |all, bit| all | bit);
        }
    }

    /// Returns the evaluation of the best reply in thousandths of a disc, for the side that replies.
    fn best_reply(&self, board: Board<N>) -> i32 {
        let after = |square| board.place(square, board.flips(square));
        let evaluate = |board| self.evaluator.evaluate(&SizedPosition::new(board, Color::Black));
        Squares(board.moves()).map(|square| -evaluate(after(square))).max().unwrap_or_else(|| evaluate(board))
    }
}

/// Swaps the best of the candidates from index `from` on to that index and returns it.
#[inline]
pub(super) fn next_best<const N: usize>(list: &mut [Candidate<N>], from: usize) -> Candidate<N> {
    let mut best = from;
    for i in from + 1..list.len() {
        if list[i].order > list[best].order {
            best = i;
        }
    }
    list.swap(from, best);
    list[from]
}
