//! Exact nodes with five to [`FEW_EMPTIES_MAX`](super::FEW_EMPTIES_MAX) empty squares, searched
//! with null windows only and without a move list.

use super::local_table::LocalEntry;
use super::move_ordering::OrderedMoves;
use super::{NO_SCORE, Solver};
use crate::game::bits;
use crate::instructions::{SimdLevel, compiled};
use crate::othello::Board;

/// The minimum number of empty squares at which enhanced transposition cutoffs are tried. They save
/// 4 % of the nodes.
const ETC_MIN_EMPTIES: u32 = 7;

impl<const N: usize> Solver<N> {
    /// Solves a node with at most [`FEW_EMPTIES_MAX`] empty squares. A window is searched as a
    /// sequence of null windows.
    pub(super) fn solve_few_empties<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        empties: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut low = alpha;
        loop {
            let score = self.null_window(level, board, board.move_bits(), empties, low);
            if score <= low {
                return if low == alpha { score } else { low };
            }
            if score >= beta {
                return score;
            }
            low = score;
        }
    }

    /// Returns a bound that shows on which side of the window the score lies: more than `alpha`, or
    /// at most `alpha`. Returns alpha if the search was stopped.
    #[inline(always)]
    fn null_window<L: SimdLevel>(&mut self, level: L, board: Board<N>, moves: u64, empties: u32, alpha: i32) -> i32 {
        match empties {
            0..=4 => self.solve_up_to_4(level, board, alpha),
            5 => self.solve_5(level, board, moves, alpha),
            _ => self.solve_6_or_more(level, board, moves, empties, alpha),
        }
    }

    /// Visits a node with few empty squares. Returns the index of its slot in the local table and
    /// the entry there. Returns an error with a score if the node needs no search.
    #[inline(always)]
    fn enter_few<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> Result<(usize, LocalEntry), i32> {
        if !self.stop.visit() {
            return Err(alpha);
        }
        if let Some(upper) = self.stability_cutoff(board, empties, alpha) {
            return Err(upper);
        }
        if moves == 0 {
            let passed = board.pass();
            return Err(match passed.move_bits() {
                0 => board.final_score(),
                moves => -self.null_window(level, passed, moves, empties, -alpha - 1),
            });
        }
        let index = self.local.index(board, empties);
        let entry = self.local.entry(index, board);
        match entry.settled(alpha) {
            Some(score) => Err(score),
            None => Ok((index, entry)),
        }
    }

    /// Solves a node with five empty squares. Move ordering by more than parity does not pay off
    /// here.
    fn solve_5<L: SimdLevel>(&mut self, level: L, board: Board<N>, moves: u64, alpha: i32) -> i32 {
        compiled!(level, |board| {
            let (index, entry) = match self.enter_few(level, board, moves, 5, alpha) {
                Ok(slot) => slot,
                Err(score) => return score,
            };
            let odd = Self::in_odd_quadrants(board.empty_bits());
            let mut best = NO_SCORE;
            'moves: for group in [moves & odd, moves & !odd] {
                for square in bits(group) {
                    let next = board.flip(square, board.flip_bits(square));
                    best = best.max(-self.solve_up_to_4(level, next, -alpha - 1));
                    if best > alpha {
                        break 'moves;
                    }
                }
            }
            if self.stop.is_stopped() {
                return alpha;
            }
            self.local.insert(index, board, entry.with_score(alpha, best));
            best
        })
    }

    /// Solves a node with six or more empty squares. All moves are ordered in the lanes of a
    /// vector.
    fn solve_6_or_more<L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        moves: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        compiled!(level, |board| {
            let slot = match self.enter_few(level, board, moves, empties, alpha) {
                Ok(slot) => slot,
                Err(score) => return score,
            };
            let odd = Self::in_odd_quadrants(board.empty_bits());
            // Half a vector takes half the time on many processors and is usually large enough.
            match moves.count_ones() {
                0..=4 => {
                    let ordered = OrderedMoves::<4>::new(board, moves, odd, slot.1.square);
                    self.search_ordered(level, board, empties, &ordered, slot, alpha)
                }
                5..=8 => {
                    let ordered = OrderedMoves::<8>::new(board, moves, odd, slot.1.square);
                    self.search_ordered(level, board, empties, &ordered, slot, alpha)
                }
                _ => {
                    let ordered = OrderedMoves::<16>::new(board, moves, odd, slot.1.square);
                    self.search_ordered(level, board, empties, &ordered, slot, alpha)
                }
            }
        })
    }

    /// Searches the moves of a node, unless a table entry refutes it.
    #[inline(always)]
    fn search_ordered<const LANES: usize, L: SimdLevel>(
        &mut self,
        level: L,
        board: Board<N>,
        empties: u32,
        ordered: &OrderedMoves<LANES>,
        (index, entry): (usize, LocalEntry),
        alpha: i32,
    ) -> i32 {
        if empties >= ETC_MIN_EMPTIES {
            for lane in 0..ordered.count {
                let next = ordered.next::<N>(lane);
                let upper = self.local.entry(self.local.index(next, empties - 1), next).upper;
                if -i32::from(upper) > alpha {
                    return -i32::from(upper);
                }
            }
        }
        let (mut best, mut best_lane) = (NO_SCORE, 0);
        for lane in ordered.lanes() {
            let score = -self.null_window(level, ordered.next(lane), ordered.replies[lane], empties - 1, -alpha - 1);
            if score > best {
                (best, best_lane) = (score, lane);
                if score > alpha {
                    break;
                }
            }
        }
        if self.stop.is_stopped() {
            return alpha;
        }
        let square = ordered.bits[best_lane].trailing_zeros() as u8;
        self.local.insert(index, board, LocalEntry { square, ..entry.with_score(alpha, best) });
        best
    }
}
