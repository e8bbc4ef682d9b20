//! Which move to solve first: the one that leaves the opponent the fewest replies.

use super::table::NO_MOVE;
use crate::game::{Color, Evaluator};
use crate::othello::engine::Evaluate;
use crate::othello::geometry::Geometry;
use crate::othello::{Board, Position, Squares};

/// With fewer empty squares than this, it matters much who gets the last move of a quadrant.
const PARITY_BELOW: u32 = 12;

/// From this many empty squares on, the subtree is large enough to look at the replies first: 25 % fewer nodes on FFO #40-#44.
const REPLIES_FROM: u32 = 13;

/// A move with the board after it.
#[derive(Clone, Copy)]
pub(super) struct Candidate<const N: usize> {
    /// The higher, the earlier.
    pub order: i32,
    pub square: u8,
    pub next: Board<N>,
}

/// Appends the moves of a node to `list`; `known` come first, then by the replies they leave.
pub(super) fn generate<const N: usize>(
    list: &mut Vec<Candidate<N>>,
    board: Board<N>,
    moves: u64,
    known: [u8; 2],
    in_odd_quadrants: u64,
) {
    for square in Squares(moves) {
        let next = board.place(square, board.flips(square));
        let order = match square as u8 {
            _ if next.player == 0 => i32::MAX,
            square if square == known[0] => i32::MAX - 1,
            square if square == known[1] && square != NO_MOVE => i32::MAX - 2,
            _ => judge(square, next, in_odd_quadrants),
        };
        list.push(Candidate { order, square: square as u8, next });
    }
}

/// Judges a move by what it leaves the opponent: few replies, soon and later, and none in a corner; high up, by the best of them too.
fn judge<const N: usize>(square: u32, next: Board<N>, in_odd_quadrants: u64) -> i32 {
    let empties = next.empty_count();
    let replies = next.moves();
    let mobility = (replies.count_ones() + (replies & Geometry::<N>::CORNERS).count_ones()) as i32;
    let potential = (Geometry::<N>::around(next.opponent) & next.empties()).count_ones() as i32;
    let corner = Geometry::<N>::CORNERS >> square & 1 != 0;
    let odd = in_odd_quadrants >> square & 1 != 0;
    let parity = if empties < PARITY_BELOW { 24 } else { 4 };
    let reply = if empties >= REPLIES_FROM { best_reply(next, replies) / 64 } else { 0 };
    i32::from(odd) * parity + i32::from(corner) * 16 - mobility * 32 - potential * 8 - reply
}

/// Returns the evaluation of the best reply in thousandths of a disc, seen from the side that replies.
fn best_reply<const N: usize>(board: Board<N>, replies: u64) -> i32 {
    let after = |square| board.place(square, board.flips(square));
    let evaluate = |board| Evaluate.evaluate(&Position::new(board, Color::Black));
    Squares(replies).map(|square| -evaluate(after(square))).max().unwrap_or_else(|| evaluate(board))
}

/// Moves the best of the candidates from index `from` on to that index and returns it.
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
