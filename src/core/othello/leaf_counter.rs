//! Counts the leaves of the last plies, eight boards at a time.
//!
//! The order in which leaves are counted does not matter, so boards are queued and processed in
//! eight 64-bit lanes, one board each. All lanes do the same shifts in the eight directions, so the
//! compiler turns plain arithmetic on arrays into vector code with every lane in use. This halves
//! the time of perft(11) compared with one board at a time.

use super::Board;
use super::flips::lanes::{flips, moves};
use crate::game::bits;
use crate::instructions::{SimdLevel, compiled};

/// The number of boards processed at a time. They fill the widest registers.
const LANES: usize = 8;

/// Enough for the grandchildren of most positions. A single board has fewer than 64 moves.
const QUEUE_CAPACITY: usize = 128;

/// Boards, each with a move to play.
struct BoardQueue {
    player: [u64; QUEUE_CAPACITY],
    opponent: [u64; QUEUE_CAPACITY],
    /// The square of each move, as a bit.
    square: [u64; QUEUE_CAPACITY],
    len: usize,
}

/// Eight boards after their moves, and the legal moves on these boards.
struct BoardBatch {
    player: [u64; LANES],
    opponent: [u64; LANES],
    moves: [u64; LANES],
}

impl BoardBatch {
    fn board<const N: usize>(&self, lane: usize) -> Board<N> {
        Board { player: self.player[lane], opponent: self.opponent[lane] }
    }
}

impl BoardQueue {
    const fn new() -> Self {
        Self { player: [0; QUEUE_CAPACITY], opponent: [0; QUEUE_CAPACITY], square: [0; QUEUE_CAPACITY], len: 0 }
    }

    fn has_capacity(&self, moves: u64) -> bool {
        self.len + moves.count_ones() as usize <= QUEUE_CAPACITY
    }

    #[inline(always)]
    fn push<const N: usize>(&mut self, board: Board<N>, mut moves: u64) {
        while moves != 0 {
            let square = moves & moves.wrapping_neg();
            moves ^= square;
            self.player[self.len] = board.player;
            self.opponent[self.len] = board.opponent;
            self.square[self.len] = square;
            self.len += 1;
        }
    }

    /// Plays the moves of eight entries, starting at `first`, and generates the replies.
    #[inline(always)]
    fn play<const N: usize>(&self, first: usize) -> BoardBatch {
        let lanes = |row: &[u64; QUEUE_CAPACITY]| -> [u64; LANES] {
            row[first..][..LANES].try_into().expect("the slice has eight items")
        };
        let (player, opponent, square) = (lanes(&self.player), lanes(&self.opponent), lanes(&self.square));
        let mut batch = BoardBatch { player: [0; LANES], opponent: [0; LANES], moves: [0; LANES] };
        for lane in 0..LANES {
            let flipped = flips(square[lane], player[lane], opponent[lane]);
            let next = Board::<N> { player: opponent[lane] ^ flipped, opponent: player[lane] ^ flipped ^ square[lane] };
            batch.player[lane] = next.player;
            batch.opponent[lane] = next.opponent;
            batch.moves[lane] = moves(next.player, next.opponent) & next.empty_bits();
        }
        batch
    }
}

/// Counts the leaves below boards. A board without a move is passed to `stuck` instead, with the
/// number of remaining plies.
pub(super) struct LeafCounter<const N: usize, L, S> {
    level: L,
    stuck: S,
    nodes: u64,
    /// Boards with three plies left, before the queued move.
    third: BoardQueue,
    /// Boards with two plies left, before the queued move.
    second: BoardQueue,
}

impl<const N: usize, L: SimdLevel, S: FnMut(Board<N>, u32)> LeafCounter<N, L, S> {
    /// Starts a count.
    pub fn new(level: L, stuck: S) -> Self {
        Self { level, stuck, nodes: 0, third: BoardQueue::new(), second: BoardQueue::new() }
    }

    /// Returns the number of leaves `plies` plies below a board. `plies` must be at least 2.
    pub fn count(mut self, board: Board<N>, plies: u32) -> u64 {
        self.add(board, plies);
        self.flush_third();
        self.flush_second();
        self.nodes
    }

    /// Adds the leaves below a board.
    fn add(&mut self, board: Board<N>, plies: u32) {
        compiled!(self.level, |board| {
            let moves = board.move_bits();
            if moves == 0 {
                (self.stuck)(board, plies);
            } else if plies > 3 {
                for square in bits(moves) {
                    self.add(board.flip(square, board.flip_bits(square)), plies - 1);
                }
            } else if plies == 3 {
                if !self.third.has_capacity(moves) {
                    self.flush_third();
                }
                self.third.push(board, moves);
            } else {
                self.add_second(board, moves);
            }
        })
    }

    #[inline(always)]
    fn add_second(&mut self, board: Board<N>, moves: u64) {
        if !self.second.has_capacity(moves) {
            self.flush_second();
        }
        self.second.push(board, moves);
    }

    fn flush_third(&mut self) {
        compiled!(self.level, {
            let len = std::mem::take(&mut self.third.len);
            for first in (0..len).step_by(LANES) {
                let batch = self.third.play::<N>(first);
                for lane in 0..LANES.min(len - first) {
                    match batch.moves[lane] {
                        0 => (self.stuck)(batch.board(lane), 2),
                        moves => self.add_second(batch.board(lane), moves),
                    }
                }
            }
        })
    }

    fn flush_second(&mut self) {
        compiled!(self.level, {
            let len = std::mem::take(&mut self.second.len);
            let (mut counts, mut stuck) = ([0; LANES], [0; LANES]);
            let full = len - len % LANES;
            for first in (0..full).step_by(LANES) {
                let moves = self.second.play::<N>(first).moves;
                for lane in 0..LANES {
                    counts[lane] += u64::from(moves[lane].count_ones());
                    stuck[lane] += u64::from(moves[lane] == 0);
                }
            }
            self.nodes += counts.iter().sum::<u64>();
            // The last batch may be incomplete; its other lanes hold stale entries.
            let last = self.second.play::<N>(full.min(QUEUE_CAPACITY - LANES));
            let last = &last.moves[..len - full];
            self.nodes += last.iter().map(|moves| u64::from(moves.count_ones())).sum::<u64>();
            if stuck.iter().sum::<u64>() > 0 || last.contains(&0) {
                for first in (0..len).step_by(LANES) {
                    let batch = self.second.play::<N>(first);
                    for lane in (0..LANES.min(len - first)).filter(|&lane| batch.moves[lane] == 0) {
                        (self.stuck)(batch.board(lane), 1);
                    }
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::CountLeaves as _;
    use crate::game::{Position as _, random_game};
    use crate::instructions::{InstructionSet, at_level};
    use crate::othello::{Position, SizedPosition};

    /// Counts the leaves one at a time.
    fn naive_count<const N: usize>(board: Board<N>, plies: u32, stuck: &mut Vec<(Board<N>, u32)>) -> u64 {
        let moves = board.move_bits();
        if plies == 0 {
            return 1;
        }
        if moves == 0 {
            stuck.push((board, plies));
        }
        bits(moves).map(|square| naive_count(board.flip(square, board.flip_bits(square)), plies - 1, stuck)).sum()
    }

    fn check<const N: usize>() -> usize {
        let mut passes = 0;
        for seed in 0..60 {
            // Includes the end of the game, where many boards have no move.
            let length = random_game::<SizedPosition<N>>(seed, usize::MAX).moves().len();
            for plies_played in (0..=length).step_by(7).chain([length.saturating_sub(4), length]) {
                let board = random_game::<SizedPosition<N>>(seed, plies_played).position().board();
                for plies in 2..=4 {
                    let mut expected = Vec::new();
                    let nodes = naive_count(board, plies, &mut expected);
                    expected.sort_unstable();
                    passes += expected.len();
                    for instructions in InstructionSet::all() {
                        let mut found = Vec::new();
                        let stuck = |board, left| found.push((board, left));
                        let counted =
                            at_level!(instructions, |level| LeafCounter::new(level, stuck).count(board, plies));
                        assert_eq!(counted, nodes, "{board:?}, {plies} plies, {instructions:?}");
                        // The order may differ.
                        found.sort_unstable();
                        assert_eq!(found, expected, "{board:?}, {plies} plies, {instructions:?}");
                    }
                }
            }
        }
        passes
    }

    #[test]
    fn vectorized_counts_equal_the_naive_count() {
        assert!(check::<8>() > 100);
        assert!(check::<6>() > 100);
        assert!(check::<4>() > 100);
    }

    #[test]
    fn positions_without_a_move_are_passed_with_their_side_to_move() {
        // White has no reply to any move of Black.
        let position: Position = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOO-- X".parse().unwrap();
        for plies in 2..=4 {
            let mut stuck = Vec::new();
            assert_eq!(position.count_leaves(plies, &mut |position, left| stuck.push((*position, left))), 0);
            let after = position.after(position.legal_moves().next().unwrap());
            assert_eq!(stuck, [(after, plies - 1)]);
        }
    }
}
