//! [`Board`]: two bitboards, and the operations that the engines use.

use super::flips;
use crate::instructions::{InstructionSet, at_level, compiled};

/// The squares of a set, from the lowest bit up.
#[derive(Debug, Clone, Copy)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<u32> {
        for _ in 0..n {
            self.0 &= self.0.wrapping_sub(1);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

/// The discs of the player to move and of the opponent on a board of `N` x `N` squares, without
/// colors.
///
/// The two sets are disjoint and within [`SQUARES`](Self::SQUARES). Any such pair is valid, whether
/// or not play can reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board<const N: usize = 8> {
    /// The discs of the side to move.
    pub player: u64,
    /// The discs of the opponent.
    pub opponent: u64,
}

impl<const N: usize> Board<N> {
    /// The squares of the board.
    pub const SQUARES: u64 = {
        assert!(N == 4 || N == 6 || N == 8, "an Othello board has 4x4, 6x6 or 8x8 squares");
        let row = (1 << N) - 1;
        let mut squares = 0;
        let mut y = 0;
        while y < N {
            squares |= row << (8 * y);
            y += 1;
        }
        squares
    };

    /// The number of squares.
    pub const AREA: u32 = (N * N) as u32;

    /// The start position, with Black as the player.
    pub const START: Self = {
        let corner = 9 * (N / 2 - 1);
        Self { player: (0b10 | 0b01 << 8) << corner, opponent: (0b01 | 0b10 << 8) << corner }
    };

    /// Returns the empty squares.
    #[inline]
    #[must_use]
    pub const fn empties(self) -> u64 {
        !(self.player | self.opponent) & Self::SQUARES
    }

    /// Returns the number of empty squares.
    #[inline]
    #[must_use]
    pub const fn empty_count(self) -> u32 {
        self.empties().count_ones()
    }

    /// Returns the squares where the player may place a disc.
    #[inline]
    #[must_use]
    pub fn moves(self) -> u64 {
        flips::moves(self.player, self.opponent) & self.empties()
    }

    /// Returns the [moves](Self::moves) of many boards. Several at a time take less time than one
    /// after the other.
    ///
    /// ```
    /// use morello::othello::Board;
    ///
    /// let boards = [Board::<8>::START; 3];
    /// assert_eq!(Board::moves_of_all(&boards), boards.map(Board::moves));
    /// ```
    #[must_use]
    pub fn moves_of_all(boards: &[Self]) -> Vec<u64> {
        at_level!(InstructionSet::used(), |level| compiled!(level, {
            boards.iter().map(|board| flips::lanes::moves(board.player, board.opponent) & board.empties()).collect()
        }))
    }

    /// Returns the squares where the opponent could place a disc if it were to move.
    #[inline]
    #[must_use]
    pub fn opponent_moves(self) -> u64 {
        flips::moves(self.opponent, self.player) & self.empties()
    }

    /// Returns the discs that a move to an empty square flips; none if the move is illegal.
    #[inline]
    #[must_use]
    pub fn flips(self, square: u32) -> u64 {
        flips::flips(square, self.player, self.opponent)
    }

    /// Places a disc, flips `flips` and passes the turn.
    #[inline]
    #[must_use]
    pub const fn place(self, square: u32, flips: u64) -> Self {
        Self { player: self.opponent ^ flips, opponent: self.player ^ flips ^ (1 << square) }
    }

    /// Passes the turn.
    #[inline]
    #[must_use]
    pub const fn pass(self) -> Self {
        Self { player: self.opponent, opponent: self.player }
    }

    /// Returns the player's discs minus the opponent's.
    #[inline]
    #[must_use]
    pub const fn disc_difference(self) -> i32 {
        self.player.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// Returns the score of a finished game for the player: the disc difference, with the empty
    /// squares counted for the winner.
    #[inline]
    #[must_use]
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        difference + difference.signum() * self.empty_count() as i32
    }

    /// Returns whether neither side can move.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.opponent_moves() == 0
    }

    /// Returns a hash of both bitboards.
    #[inline]
    #[must_use]
    pub const fn key(self) -> u64 {
        // This takes a few cycles, and the high bits, which index the tables, depend on every
        // square.
        let mixed = self.player.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// Returns the board under one of the eight symmetries: bit 0 of `k` mirrors left and right,
    /// bit 1 mirrors top and bottom, and bit 2 then swaps rows and columns.
    #[must_use]
    pub const fn transform(self, k: usize) -> Self {
        Self { player: transform::<N>(self.player, k), opponent: transform::<N>(self.opponent, k) }
    }
}

/// Moves a set of squares by the `k`-th symmetry of the board ([`Board::transform`]).
#[must_use]
pub(super) const fn transform<const N: usize>(mut squares: u64, k: usize) -> u64 {
    // A smaller board lies in the a1 corner; mirroring moves it to another corner, so it is shifted
    // back.
    if k & 1 != 0 {
        squares = mirror(squares) >> (8 - N);
    }
    if k & 2 != 0 {
        squares = squares.swap_bytes() >> (8 * (8 - N));
    }
    if k & 4 != 0 {
        squares = transpose(squares);
    }
    squares
}

/// Swaps column a with h, b with g and so on.
const fn mirror(squares: u64) -> u64 {
    squares.reverse_bits().swap_bytes()
}

/// Swaps rows and columns in three rounds of block swaps.
const fn transpose(mut squares: u64) -> u64 {
    let mut t = (squares ^ (squares >> 7)) & 0x00aa_00aa_00aa_00aa;
    squares ^= t ^ (t << 7);
    t = (squares ^ (squares >> 14)) & 0x0000_cccc_0000_cccc;
    squares ^= t ^ (t << 14);
    t = (squares ^ (squares >> 28)) & 0x0000_0000_f0f0_f0f0;
    squares ^ t ^ (t << 28)
}
