//! The last four empty squares, each with code of its own: most of the nodes of a solve are here.
//!
//! Squares are tried by parity: first those in a quadrant with an odd number of empty squares, where the player also gets the last move.

use std::hint::select_unpredictable;

use super::Solver;
use crate::othello::flips::last_flips;
use crate::othello::geometry::Geometry;
use crate::othello::{Board, Squares};

/// Below every score.
const NONE: i32 = -65;

/// More than the nodes below four empty squares: no path is longer than four moves with as many passes.
const MOST_NODES: u64 = 8 * (1 + 4 + 4 * 3 + 4 * 3 * 2 + 4 * 3 * 2);

/// For each square, the squares around it: without an opponent's disc there, nothing turns over.
static AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        around[square] = Geometry::<8>::around(bit) & !bit;
        square += 1;
    }
    around
};

/// Returns the board after a player's disc on `square`; `None` if it turns nothing over.
#[inline(always)]
fn play<const N: usize>(board: Board<N>, square: u32) -> Option<Board<N>> {
    if AROUND[square as usize] & board.opponent == 0 {
        return None;
    }
    let flips = board.flips(square);
    (flips != 0).then(|| board.place(square, flips))
}

/// Returns the score for the player where `square` alone is empty.
#[inline(always)]
fn last_1<const N: usize>(player: u64, square: u32) -> i32 {
    // Twice the player's discs less the area: the score if the opponent had all others and the empty square.
    let base = 2 * player.count_ones() as i32 - Board::<N>::AREA as i32;
    let (player_turns, opponent_turns) = last_flips::<N>(square, player);
    let (player_turns, opponent_turns) = (player_turns as i32, opponent_turns as i32);
    // Where nobody can move, the square goes to the winner; an opponent's disc there counts as its empty square.
    let unmoved = if opponent_turns == 0 && base >= 0 { base + 2 } else { base - 2 * opponent_turns };
    if player_turns != 0 { base + 2 + 2 * player_turns } else { unmoved }
}

impl<const N: usize> Solver<N> {
    fn last_2(&mut self, board: Board<N>, alpha: i32, beta: i32, [x1, x2]: [u32; 2]) -> i32 {
        let (flips1, flips2) = (board.flips(x1), board.flips(x2));
        if flips1 | flips2 != 0 {
            let score1 = select_unpredictable(flips1 != 0, -last_1::<N>(board.opponent ^ flips1, x2), NONE);
            let score2 = select_unpredictable(flips2 != 0, -last_1::<N>(board.opponent ^ flips2, x1), NONE);
            // As many as are visited one by one, with a cutoff after the first.
            self.stop.count(1 + u64::from(flips1 != 0) + u64::from(flips2 != 0 && score1 < beta));
            return score1.max(score2);
        }
        // The player must pass; the opponent seeks the least score.
        let passed = board.pass();
        let (flips1, flips2) = (passed.flips(x1), passed.flips(x2));
        let score1 = if flips1 != 0 { last_1::<N>(passed.opponent ^ flips1, x2) } else { -NONE };
        let score2 = if flips2 != 0 { last_1::<N>(passed.opponent ^ flips2, x1) } else { -NONE };
        self.stop.count(1 + u64::from(flips1 != 0) + u64::from(flips2 != 0 && score1 > alpha));
        if flips1 | flips2 == 0 { board.final_score() } else { score1.min(score2) }
    }

    fn last_3(&mut self, board: Board<N>, alpha: i32, beta: i32, empties: [u32; 3], passed: bool) -> i32 {
        self.stop.count(1);
        // Where two share a quadrant, the third comes first.
        let [x1, x2, x3] = empties;
        let [q1, q2, q3] = empties.map(Geometry::<N>::quadrant);
        let [x1, x2, x3] = if q1 == q2 {
            [x3, x1, x2]
        } else if q1 == q3 {
            [x2, x1, x3]
        } else {
            [x1, x2, x3]
        };
        let mut best = NONE;
        let mut low = alpha;
        for (square, others) in [(x1, [x2, x3]), (x2, [x1, x3]), (x3, [x1, x2])] {
            if let Some(next) = play(board, square) {
                best = best.max(-self.last_2(next, -beta, -low, others));
                if best >= beta {
                    return best;
                }
                low = low.max(best);
            }
        }
        match best {
            NONE if passed => board.final_score(),
            NONE => -self.last_3(board.pass(), -beta, -alpha, [x1, x2, x3], true),
            _ => best,
        }
    }

    /// Returns the score where four squares are empty, in the window or beyond it on the right side.
    fn last_4(&mut self, board: Board<N>, alpha: i32, beta: i32, empties: [u32; 4], passed: bool) -> i32 {
        self.stop.count(1);
        let [x1, x2, x3, x4] = empties;
        let mut best = NONE;
        let mut low = alpha;
        for (square, others) in [(x1, [x2, x3, x4]), (x2, [x1, x3, x4]), (x3, [x1, x2, x4]), (x4, [x1, x2, x3])] {
            if let Some(next) = play(board, square) {
                best = best.max(-self.last_3(next, -beta, -low, others, false));
                if best >= beta {
                    return best;
                }
                low = low.max(best);
            }
        }
        match best {
            NONE if passed => board.final_score(),
            NONE => -self.last_4(board.pass(), -beta, -alpha, empties, true),
            _ => best,
        }
    }

    /// Returns the score where at most four squares are empty; anything if the search was stopped.
    pub(super) fn few(&mut self, board: Board<N>, alpha: i32, beta: i32) -> i32 {
        if !self.stop.may_visit(MOST_NODES) {
            return alpha;
        }
        let mut squares = [0; 4];
        let mut count = 0;
        let empties = board.empties();
        let odd = Self::in_odd_quadrants(empties);
        for group in [odd, empties & !odd] {
            for square in Squares(group) {
                squares[count] = square;
                count += 1;
            }
        }
        let [x1, x2, x3, _] = squares;
        match count {
            4 => self.last_4(board, alpha, beta, squares, false),
            3 => self.last_3(board, alpha, beta, [x1, x2, x3], false),
            2 => self.last_2(board, alpha, beta, [x1, x2]),
            1 => {
                self.stop.count(1);
                last_1::<N>(board.player, x1)
            }
            _ => board.final_score(),
        }
    }
}
