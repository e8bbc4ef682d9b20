//! Which move to solve first: the one that leaves the opponent the fewest replies.

use super::Solver;
use super::table::NO_MOVE;
use crate::othello::engine::evaluate::Geometry;
use crate::othello::{Board, Squares};

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
    odd_quadrants: u32,
) {
    for square in Squares(moves) {
        let next = board.place(square, board.flips(square));
        let order = match square as u8 {
            _ if next.player == 0 => i32::MAX,
            square if square == known[0] => i32::MAX - 1,
            square if square == known[1] && square != NO_MOVE => i32::MAX - 2,
            _ => judge(square, next, odd_quadrants),
        };
        list.push(Candidate { order, square: square as u8, next });
    }
}

fn judge<const N: usize>(square: u32, next: Board<N>, odd_quadrants: u32) -> i32 {
    let replies = next.moves();
    let mobility = (replies.count_ones() + (replies & Geometry::<N>::CORNERS).count_ones()) as i32;
    let potential = (Geometry::<N>::around(next.opponent) & next.empties()).count_ones() as i32;
    let corner = Geometry::<N>::CORNERS >> square & 1 != 0;
    let odd = odd_quadrants >> Solver::<N>::quadrant(square) & 1 != 0;
    i32::from(odd) * 12 + i32::from(corner) * 16 - mobility * 32 - potential * 8
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
