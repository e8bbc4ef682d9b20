//! [`Board`]: two bitboards, and the operations that the engines use.

use std::fmt;

use thiserror::Error;

use super::{Square, SquareSet, flips};
use crate::game::Element as _;
use crate::instructions::{InstructionSet, at_level, compiled};

/// The discs of the player to move and of the opponent on a board of `N` x `N` squares, without
/// colors.
///
/// The two sets are disjoint and within [`SQUARES`](Self::SQUARES). Every such pair is valid,
/// whether or not it can be reached in a game.
///
/// ```
/// use morello::othello::{Board, Square};
///
/// let start = Board::<8>::START;
/// assert_eq!(start.moves().to_string(), "d3 c4 f5 e6");
/// assert_eq!(start.flips(Square::F5).to_string(), "e5");
/// let next = start.after(Square::F5).expect("f5 is a legal move");
/// assert_eq!((next.player().len(), next.opponent().len()), (1, 4));
/// assert_eq!(format!("{:?}", Board::<4>::START), "-----OX--XO-----");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board<const N: usize = 8> {
    pub(crate) player: u64,
    pub(crate) opponent: u64,
}

/// The discs do not form a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidBoard {
    /// Some squares have discs of both sides.
    #[error("discs of both sides on {0}")]
    Overlap(SquareSet),
    /// Some discs lie beyond the border of a small board.
    #[error("the board has no squares {0}")]
    OffBoard(SquareSet),
}

impl<const N: usize> Board<N> {
    /// The squares of the board.
    pub const SQUARES: SquareSet = {
        assert!(N == 4 || N == 6 || N == 8, "an Othello board has 4x4, 6x6 or 8x8 squares");
        let row = (1 << N) - 1;
        let mut squares = 0;
        let mut y = 0;
        while y < N {
            squares |= row << (8 * y);
            y += 1;
        }
        SquareSet::new(squares)
    };

    /// The number of squares.
    pub const AREA: u32 = (N * N) as u32;

    /// The starting position, with Black as the player.
    pub const START: Self = {
        let corner = 9 * (N / 2 - 1);
        Self { player: (0b10 | 0b01 << 8) << corner, opponent: (0b01 | 0b10 << 8) << corner }
    };

    /// Creates a board from the discs of the side to move and of the opponent.
    ///
    /// ```
    /// use morello::othello::{Board, InvalidBoard, Square, SquareSet};
    ///
    /// let [b2, e5] = [Square::B2, Square::E5].map(SquareSet::from);
    /// assert_eq!(Board::<4>::new(b2, b2), Err(InvalidBoard::Overlap(b2)));
    /// assert_eq!(Board::<4>::new(b2, e5), Err(InvalidBoard::OffBoard(e5)));
    /// assert_eq!(Board::<8>::new(b2, e5)?.empty_count(), 62);
    /// # Ok::<(), InvalidBoard>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidBoard`] if a square has two discs or lies beyond the border.
    pub const fn new(player: SquareSet, opponent: SquareSet) -> Result<Self, InvalidBoard> {
        let (player, opponent) = (player.bits(), opponent.bits());
        if player & opponent != 0 {
            return Err(InvalidBoard::Overlap(SquareSet::new(player & opponent)));
        }
        match (player | opponent) & !Self::SQUARES.bits() {
            0 => Ok(Self { player, opponent }),
            off_board => Err(InvalidBoard::OffBoard(SquareSet::new(off_board))),
        }
    }

    /// Returns the discs of the side to move.
    #[inline]
    #[must_use]
    pub const fn player(self) -> SquareSet {
        SquareSet::new(self.player)
    }

    /// Returns the discs of the opponent.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> SquareSet {
        SquareSet::new(self.opponent)
    }

    /// Returns the [bits](SquareSet::bits) of the player's and of the opponent's discs.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> [u64; 2] {
        [self.player, self.opponent]
    }

    /// Returns the empty squares.
    #[inline]
    #[must_use]
    pub const fn empties(self) -> SquareSet {
        SquareSet::new(self.empty_bits())
    }

    #[inline]
    pub(super) const fn empty_bits(self) -> u64 {
        !(self.player | self.opponent) & Self::SQUARES.bits()
    }

    /// Returns the number of empty squares.
    #[inline]
    #[must_use]
    pub const fn empty_count(self) -> u32 {
        self.empty_bits().count_ones()
    }

    /// Returns the squares where the player may place a disc.
    #[inline]
    #[must_use]
    pub fn moves(self) -> SquareSet {
        SquareSet::new(self.move_bits())
    }

    #[inline]
    pub(super) fn move_bits(self) -> u64 {
        flips::moves(self.player, self.opponent) & self.empty_bits()
    }

    /// Returns the [moves](Self::moves) of many boards. Computing several boards at a time is
    /// faster than calling `moves` for each board.
    ///
    /// ```
    /// use morello::othello::Board;
    ///
    /// let boards = [Board::<8>::START; 3];
    /// assert_eq!(Board::moves_of_all(&boards), boards.map(Board::moves));
    /// ```
    #[must_use]
    pub fn moves_of_all(boards: &[Self]) -> Vec<SquareSet> {
        at_level!(InstructionSet::used(), |level| compiled!(level, {
            let moves = |board: &Self| flips::lanes::moves(board.player, board.opponent) & board.empty_bits();
            boards.iter().map(|board| SquareSet::new(moves(board))).collect()
        }))
    }

    /// Returns the squares where the opponent could place a disc if it were to move.
    #[inline]
    #[must_use]
    pub fn opponent_moves(self) -> SquareSet {
        SquareSet::new(self.opponent_move_bits())
    }

    #[inline]
    pub(super) fn opponent_move_bits(self) -> u64 {
        self.pass().move_bits()
    }

    /// Returns the discs that a move to an empty square flips; the set is empty if the move is
    /// illegal. If the square is not [empty](Self::empties), the result has no meaning.
    #[inline]
    #[must_use]
    pub fn flips(self, square: Square) -> SquareSet {
        SquareSet::new(self.flip_bits(square.bit()))
    }

    #[inline]
    pub(super) fn flip_bits(self, square: u32) -> u64 {
        flips::flips(square, self.player, self.opponent)
    }

    /// Places a disc, flips the discs in `flips` and passes the turn.
    #[inline]
    pub(super) const fn flip(self, square: u32, flips: u64) -> Self {
        Self { player: self.opponent ^ flips, opponent: self.player ^ flips ^ (1 << square) }
    }

    /// Returns the board after placing a disc, with the opponent as the player; `None` if the
    /// square is not one of the [moves](Self::moves).
    #[inline]
    #[must_use]
    pub fn after(self, square: Square) -> Option<Self> {
        let flips = self.flip_bits(square.bit());
        (self.empties().contains(square) && flips != 0).then(|| self.flip(square.bit(), flips))
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

    /// Returns the score of a finished game from the player's point of view: the disc difference,
    /// with the empty squares added to the winner's discs.
    #[inline]
    #[must_use]
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        difference + difference.signum() * self.empty_count() as i32
    }

    /// Returns whether neither side can move.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.move_bits() == 0 && self.opponent_move_bits() == 0
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

    /// Returns the board under one of the eight symmetries: bit 0 of `k` swaps left and right, bit
    /// 1 swaps top and bottom, and bit 2 then swaps rows and columns.
    #[must_use]
    pub const fn transform(self, k: usize) -> Self {
        Self { player: transform::<N>(self.player, k), opponent: transform::<N>(self.opponent, k) }
    }
}

impl<const N: usize> fmt::Debug for Board<N> {
    /// Writes the squares row by row from a1: `X` for the player, `O` for the opponent. `{:#?}`
    /// draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_squares(f, *self, *b"XO")
    }
}

/// Writes the squares row by row, with these letters for the player's and the opponent's discs. The
/// alternate form has one line per row, with coordinates.
pub(super) fn write_squares<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    board: Board<N>,
    letters: [u8; 2],
) -> fmt::Result {
    let square = |row: usize, column: usize| {
        let bit = 1u64 << (8 * row + column);
        match (board.player & bit != 0, board.opponent & bit != 0) {
            (true, _) => letters[0],
            (_, true) => letters[1],
            _ => b'-',
        }
    };
    let mut text = Vec::with_capacity(3 * N * N);
    if f.alternate() {
        writeln!(f, "  {}", &"a b c d e f g h"[..2 * N - 1])?;
    }
    for row in 0..N {
        if f.alternate() {
            text.extend_from_slice(if row > 0 { b"\n" } else { b"" });
            text.push(b'1' + row as u8);
        }
        for column in 0..N {
            text.extend_from_slice(if f.alternate() { b" " } else { b"" });
            text.push(square(row, column));
        }
    }
    f.write_str(str::from_utf8(&text).expect("the letters are ASCII"))
}

/// Maps a set of squares by the `k`-th symmetry of the board ([`Board::transform`]).
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
