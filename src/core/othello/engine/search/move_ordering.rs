//! Move ordering, mainly by the opponent's mobility and the evaluation.

use super::Solver;
use super::table::{Draft, NO_MOVE};
use crate::game::Color;
use crate::game::{Element as _, bits};
use crate::instructions::{SimdLevel, compiled};
use crate::othello::engine::patterns::{FULL, Features, ORDER, UNIT, order_features};
use crate::othello::flips::lanes;
use crate::othello::geometry::Geometry;
use crate::othello::{Board, SizedPosition, Square, SquareSet};

// The weights were chosen to minimize the nodes for FFO #40 to #43, the first 25 positions of
// `data/positions/hard-20.obf` and 600 random positions with 14 empty squares, varying one weight
// at a time.

/// The weight of each reply of the opponent.
const MOBILITY_WEIGHT: i32 = 64;

/// The additional weight of a reply in a corner.
const CORNER_REPLY_WEIGHT: i32 = 44;

/// The weight of each empty square next to a disc of the player, where the opponent may be able to
/// reply later.
const POTENTIAL_REPLY_WEIGHT: i32 = 8;

/// The weight of each empty square next to a disc of the opponent.
const POTENTIAL_MOVE_WEIGHT: i32 = 14;

const CORNER_BONUS: i32 = 32;
const EDGE_BONUS: i32 = 12;
const X_SQUARE_BONUS: i32 = -40;

/// The bonus for a move in a quadrant with an odd number of empty squares: with at most
/// [`PARITY_MAX_EMPTIES`] empty squares, and with more.
const PARITY_BONUS: i32 = 16;
const PARITY_BONUS_FAR: i32 = 4;
const PARITY_MAX_EMPTIES: u32 = 12;

/// The minimum number of empty squares after the move at which exact nodes order moves by a search
/// of the replies.
const REPLY_SEARCH_MIN_EMPTIES: u32 = 21;

/// Like [`REPLY_SEARCH_MIN_EMPTIES`] for boards without a trained evaluation, and the number of
/// thousandths of a disc of their evaluation that count as 1 in the order. Five random positions on
/// 6x6 with 24 empty squares take 276 million nodes; with 21 and 32 instead of 14 and 8 they took
/// 473 million.
const UNTRAINED_REPLY_SEARCH_MIN_EMPTIES: u32 = 14;
const THOUSANDTHS_PER_ORDER: i32 = 8;

/// The weight of each disc of the evaluation in exact nodes with a search of the replies.
const EVALUATION_WEIGHT_FAR: i32 = 30;

/// The weight of each disc of the small evaluation in the other exact nodes. If it is not used in
/// nodes whose evaluation is 5, 10 or 16 discs below alpha, FFO #40 to #44 take 0.2 to 0.6 % more
/// nodes and the same time.
const EVALUATION_WEIGHT_NEAR: i32 = 14;

/// The weight of each disc of the evaluation in selective nodes. With 96 instead of 40, searches of
/// 12 to 14 plies visit 3 % fewer nodes, but the solve of hard-20 after such searches visits 7 %
/// more: ordering by mobility finds refutations with fewer nodes.
const EVALUATION_WEIGHT_SELECTIVE: i32 = 40;

/// The minimum depth at which selective nodes order moves by a search of the replies.
const REPLY_SEARCH_MIN_DEPTH: u8 = 7;

/// A move with the board after it.
#[derive(Clone, Copy)]
pub(super) struct Candidate<const N: usize> {
    /// The order; higher values are searched first.
    pub order: i32,
    pub square: u8,
    pub next: Board<N>,
}

/// The order of the table move, higher than all others.
const TABLE_MOVE_ORDER: i32 = 1 << 20;

/// Up to `LANES` moves of a board, at most 16, ordered at the same time in the lanes of a vector.
pub(super) struct OrderedMoves<const LANES: usize = 8> {
    /// The number of moves. They are in the lowest lanes.
    pub count: usize,
    /// The squares played, one bit each.
    pub bits: [u64; LANES],
    /// The player's discs after each move.
    pub player: [u64; LANES],
    /// The opponent's discs after each move.
    pub opponent: [u64; LANES],
    /// The legal moves after each move.
    pub replies: [u64; LANES],
    /// The order of each move; higher values are searched first.
    pub orders: [i32; LANES],
}

impl<const LANES: usize> OrderedMoves<LANES> {
    /// Orders the moves to the `LANES` lowest of `squares`, which must be legal, with `table_move`
    /// first.
    #[inline(always)]
    pub fn new<const N: usize>(board: Board<N>, squares: u64, in_odd_quadrants: u64, table_move: u8) -> Self {
        let table_move = 1u64.checked_shl(table_move.into()).unwrap_or(0);
        let parity = if board.empty_count() <= PARITY_MAX_EMPTIES { PARITY_BONUS } else { PARITY_BONUS_FAR };
        // Lane n drops the lowest n squares and keeps the next one. Doing this in all lanes at once
        // avoids a round trip through memory.
        let mut bits = [squares; LANES];
        for step in 1..LANES {
            for (lane, bits) in bits.iter_mut().enumerate() {
                if lane >= step {
                    *bits &= bits.wrapping_sub(1);
                }
            }
        }
        let count = (squares.count_ones() as usize).min(LANES);
        let zero = [0; LANES];
        let mut ordered = Self { count, bits, player: zero, opponent: zero, replies: zero, orders: [0; LANES] };
        for (lane, squares) in bits.into_iter().enumerate() {
            let bit = squares & squares.wrapping_neg();
            let flipped = lanes::flips(bit, board.player, board.opponent);
            let (player, opponent) = (board.opponent ^ flipped, board.player ^ flipped ^ bit);
            let empty = board.empty_bits() & !bit;
            let replies = lanes::moves(player, opponent) & empty;
            let count = |squares: u64| squares.count_ones() as i32;
            let bonus = |squares: u64, value: i32| if bit & squares != 0 { value } else { 0 };
            let order = bonus(Geometry::<N>::CORNERS, CORNER_BONUS)
                + bonus(Geometry::<N>::EDGE_CENTERS, EDGE_BONUS)
                + bonus(Geometry::<N>::X_SQUARES, X_SQUARE_BONUS)
                + bonus(in_odd_quadrants, parity)
                - count(replies) * MOBILITY_WEIGHT
                - count(replies & Geometry::<N>::CORNERS) * CORNER_REPLY_WEIGHT
                - count(Geometry::<N>::around(opponent) & empty) * POTENTIAL_REPLY_WEIGHT
                + count(Geometry::<N>::around(player) & empty) * POTENTIAL_MOVE_WEIGHT;
            ordered.bits[lane] = bit;
            ordered.player[lane] = player;
            ordered.opponent[lane] = opponent;
            ordered.replies[lane] = replies;
            ordered.orders[lane] = match bit {
                0 => i32::MIN,
                bit if bit & table_move != 0 => TABLE_MOVE_ORDER,
                _ => order,
            };
        }
        ordered
    }

    /// Returns the lanes of the moves in the order of the search.
    #[inline(always)]
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<LANES> {
        // The rank of a lane is the number of lanes before it. Counting them in all lanes at once
        // takes less time than searching for the next best lane each time.
        let mut ranks = [0u64; LANES];
        for (other, &order) in self.orders.iter().enumerate() {
            for (lane, rank) in ranks.iter_mut().enumerate() {
                let precedes = order > self.orders[lane] || (order == self.orders[lane] && other > lane);
                *rank += u64::from(precedes);
            }
        }
        // Four bits per rank, starting with the lowest.
        let mut lanes = (0..LANES).fold(0, |lanes, lane| lanes | (lane as u64) << (4 * ranks[lane]));
        (0..self.count).map(move |_| {
            let lane = lanes as usize & (LANES - 1);
            lanes >>= 4;
            lane
        })
    }

    /// Returns the board after the move of a lane.
    #[inline(always)]
    pub fn next<const N: usize>(&self, lane: usize) -> Board<N> {
        Board { player: self.player[lane], opponent: self.opponent[lane] }
    }
}

impl<const N: usize> Solver<N> {
    /// Appends the moves of an exact node to the candidates: `table_moves` first, then by mobility
    /// and evaluation.
    pub(super) fn generate<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        features: &Features,
        moves: u64,
        table_moves: [u8; 2],
    ) {
        compiled!(level, |board| {
            let empties = board.empty_count() - 1;
            if self.evaluation.is_some() {
                if empties >= REPLY_SEARCH_MIN_EMPTIES {
                    self.generate_by(board, moves, table_moves, |solver, square, next, replies, order| {
                        let features = FULL.after(
                            features,
                            Square::from_bit(square),
                            SquareSet::new(board.opponent ^ next.player),
                        );
                        order - solver.one_ply_score(level, next, replies, &features) * EVALUATION_WEIGHT_FAR
                    });
                } else {
                    let features = order_features(features);
                    self.generate_by(board, moves, table_moves, |solver, square, next, _, order| {
                        let features = ORDER.after(
                            &features,
                            Square::from_bit(square),
                            SquareSet::new(board.opponent ^ next.player),
                        );
                        let units = solver
                            .evaluation
                            .as_ref()
                            .map_or(0, |evaluation| evaluation.order.units(&features, empties));
                        order - units * EVALUATION_WEIGHT_NEAR / UNIT
                    });
                }
            } else if empties >= UNTRAINED_REPLY_SEARCH_MIN_EMPTIES {
                self.generate_by(board, moves, table_moves, |solver, _, next, _, order| {
                    order - solver.best_reply(next) / THOUSANDTHS_PER_ORDER
                });
            } else {
                self.generate_by(board, moves, table_moves, |_, _, _, _, order| order);
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
            self.generate_by(board, moves, table_moves, |solver, square, next, replies, order| {
                let features =
                    FULL.after(features, Square::from_bit(square), SquareSet::new(board.opponent ^ next.player));
                let units = if draft.depth >= REPLY_SEARCH_MIN_DEPTH {
                    solver.one_ply_score(level, next, replies, &features) * UNIT
                } else {
                    solver.units(level, &features, empties, replies)
                };
                order - units * EVALUATION_WEIGHT_SELECTIVE / UNIT
            });
        })
    }

    /// Appends moves to the candidates: wipeouts first, then `table_moves`, then by `rank`, a
    /// function of the square, the board after the move, its moves and the order by mobility.
    #[inline]
    fn generate_by(
        &mut self,
        board: Board<N>,
        moves: u64,
        table_moves: [u8; 2],
        mut rank: impl FnMut(&mut Self, u32, Board<N>, u64, i32) -> i32,
    ) {
        let odd = Self::in_odd_quadrants(board.empty_bits());
        let mut rest = moves;
        while rest != 0 {
            let ordered = <OrderedMoves>::new(board, rest, odd, NO_MOVE);
            for lane in 0..ordered.count {
                let next = ordered.next(lane);
                let square = ordered.bits[lane].trailing_zeros() as u8;
                let order = ordered.orders[lane];
                let order = match square {
                    _ if next.player == 0 => i32::MAX,
                    square if square == table_moves[0] => i32::MAX - 1,
                    square if square == table_moves[1] => i32::MAX - 2,
                    square => rank(self, square.into(), next, ordered.replies[lane], order),
                };
                self.candidates.push(Candidate { order, square, next });
            }
            rest &= !ordered.bits.iter().fold(0, |all, bit| all | bit);
        }
    }

    /// Returns the evaluation after the best reply, in thousandths of a disc for the side that
    /// replies.
    fn best_reply(&self, board: Board<N>) -> i32 {
        let after = |square| board.flip(square, board.flip_bits(square));
        let evaluate = |board| self.evaluator.evaluate(&SizedPosition::new(board, Color::Black));
        bits(board.move_bits()).map(|square| -evaluate(after(square))).max().unwrap_or_else(|| evaluate(board))
    }
}

/// Swaps the best of the candidates, starting at index `from`, to that index and returns it.
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
