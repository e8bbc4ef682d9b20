//! [`CoordinateGame`]: a game of Othello played move by move, in (x, y) coordinates.
//!
//! This module implements the interface that the Perl module *Games::Othello* 0.01 (Daniel J.
//! Wright, 2006) documents but does not implement:
//!
//! * `new`: [`CoordinateGame::new`]
//! * `game_over` (`over` in its synopsis): [`CoordinateGame::game_over`]
//! * `whos_move`: `b` or `w`; [`CoordinateGame::whos_move`]: a [`Color`]; [`letter`](Color::letter)
//!   returns `b` or `w`
//! * `possible_moves`: a hash with the keys `"x,y"`: [`CoordinateGame::possible_moves`]: a map with
//!   the keys `(x, y)`, sorted
//! * `{ x, y, chips }`: [`Placement`]
//! * `place_chip(x, y)`: [`CoordinateGame::place_chip`]
//! * `pass_to_opponent`: [`CoordinateGame::pass_to_opponent`]
//! * `chip_layout`: [`CoordinateGame::chip_layout`]
//! * `score`: [`CoordinateGame::score`]
//! * `Games::Othello::InvalidMove`: [`InvalidMove`]
//!
//! # Coordinates
//!
//! A square is `(x, y)`: x is the column from the left and y the row from the top, both counted
//! from 0. (0, 0) is the top left corner, a1.
//!
//! ```text
//!       0   1   2   3   4   5   6   7
//!   ...
//!   3              W   B
//!   4              B   W
//!   ...
//! ```
//!
//! [`course`](super::course) uses the opposite order, (row, column): its (3, 2) is (2, 3) here.
//!
//! The documentation of Games::Othello uses (row, column) in one place. Black plays its first chip
//! "on (2,3)", which is (x, y) according to the drawings. Then "the new chip at (3,2)" flips the
//! white one at (3,3); here (3,2) is the same square as (row, column). White's replies (2,2), (4,2)
//! and (2,4) are (x, y) again. Black's four first moves form the same list in either order.
//!
//! # Example
//!
//! A complete game, modeled on the synopsis of Games::Othello, in which each player plays its first
//! legal move:
//!
//! ```
//! use morello::game::Color;
//! use morello::seeds::coordinate_game::CoordinateGame;
//!
//! let mut game = CoordinateGame::new();
//! let mut passes = 0;
//! while !game.game_over() {
//!     println!("It is presently {}'s move", if game.whos_move() == Color::Black { "black" } else { "white" });
//!     let possible_moves = game.possible_moves();
//!     if let Some(first) = possible_moves.values().next() {
//!         for m in possible_moves.values() {
//!             println!(
//!                 "You will take {} of your opponents chips if you place your chip on {},{}",
//!                 m.chips.len(),
//!                 m.x,
//!                 m.y
//!             );
//!         }
//!         let flipped = game.place_chip(first.x, first.y)?;
//!         assert_eq!(flipped, first.chips);
//!     } else {
//!         println!("You have no moves available, you must pass.");
//!         game.pass_to_opponent()?;
//!         passes += 1;
//!     }
//!     for row in game.chip_layout() {
//!         for chip in row {
//!             print!("{:>3}", chip.to_ascii_uppercase());
//!         }
//!         print!("\n\n");
//!     }
//! }
//! let (black_score, white_score) = game.score();
//! println!("Black has {black_score} chips, white {white_score}.");
//! assert_eq!((black_score, white_score, passes), (19, 45, 4));
//! # Ok::<(), morello::seeds::coordinate_game::InvalidMove>(())
//! ```

use std::collections::BTreeMap;

use morello_core::game::{Color, Position as _};
use morello_core::othello::{IllegalReason, Move, Position, Square};
use thiserror::Error;

/// The number of rows and columns.
const SIZE: usize = 8;

/// A game of Othello on 8x8 squares, played move by move. See the [module](self) for the
/// coordinates and an example.
///
/// Passes are not automatic: a side that must pass stays to move until it
/// [passes](Self::pass_to_opponent).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoordinateGame {
    position: Position,
}

/// A legal placement of a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The column, counted from the left from 0.
    pub x: usize,
    /// The row, counted from the top from 0.
    pub y: usize,
    /// The (x, y) of each flipped chip, row by row; at least one.
    pub chips: Vec<(usize, usize)>,
}

/// An invalid move. The game is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidMove {
    /// The coordinates are not on the board.
    #[error("cannot place a chip on ({x}, {y}): x and y must be from 0 to 7")]
    OffBoard {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
    },
    /// The placement is illegal.
    #[error("cannot place a chip on ({x}, {y}): {reason}")]
    Placement {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
        /// The reason.
        reason: IllegalReason,
    },
    /// The pass is illegal.
    #[error("cannot pass the turn: {0}")]
    Pass(IllegalReason),
}

impl CoordinateGame {
    /// Starts a game: two chips of each side in the center of the board, Black to move.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the position of the game, for use with the rest of the crate.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns whether the game is over: neither side has a legal move.
    #[must_use]
    pub fn game_over(&self) -> bool {
        self.position.is_over()
    }

    /// Returns the side to move; in a finished game, the side that would be to move.
    #[must_use]
    pub fn whos_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns the legal placements of the side to move, by their coordinates (x, y). The map is
    /// empty if the side must pass or the game is over.
    ///
    /// ```
    /// use morello::seeds::coordinate_game::CoordinateGame;
    ///
    /// let moves = CoordinateGame::new().possible_moves();
    /// assert_eq!(moves.keys().collect::<Vec<_>>(), [&(2, 3), &(3, 2), &(4, 5), &(5, 4)]);
    /// ```
    #[must_use]
    pub fn possible_moves(&self) -> BTreeMap<(usize, usize), Placement> {
        let squares = self.position.legal_moves().filter_map(Move::square);
        squares
            .map(|square| {
                let (x, y) = coordinates(square);
                ((x, y), Placement { x, y, chips: self.flips(square) })
            })
            .collect()
    }

    /// Places a chip for the side to move, flips the enclosed chips and passes the turn. Returns
    /// the (x, y) of each flipped chip, row by row.
    ///
    /// ```
    /// use morello::seeds::coordinate_game::CoordinateGame;
    ///
    /// let mut game = CoordinateGame::new();
    /// assert_eq!(game.place_chip(2, 3)?, [(3, 3)]);
    /// assert_eq!(game.score(), (4, 1));
    /// let error = game.place_chip(0, 0).unwrap_err().to_string();
    /// assert_eq!(error, "cannot place a chip on (0, 0): it flips no disc");
    /// # Ok::<(), morello::seeds::coordinate_game::InvalidMove>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidMove`] if the square is not on the board or not empty, the chip flips nothing, or
    /// the game is over.
    pub fn place_chip(&mut self, x: usize, y: usize) -> Result<Vec<(usize, usize)>, InvalidMove> {
        let Some(square) = Square::at(x, y) else { return Err(InvalidMove::OffBoard { x, y }) };
        let flips = self.flips(square);
        self.play(Move::place(square)).map_err(|reason| InvalidMove::Placement { x, y, reason })?;
        Ok(flips)
    }

    /// Passes the turn to the opponent.
    ///
    /// # Errors
    /// [`InvalidMove`] if the side to move has a legal placement or the game is over.
    pub fn pass_to_opponent(&mut self) -> Result<(), InvalidMove> {
        self.play(Move::PASS).map_err(InvalidMove::Pass)
    }

    /// Returns the rows of the board from the top, each from the left: `b` or `w` for a chip, a
    /// space for an empty square. The chip on (x, y) is `chip_layout()[y][x]`.
    #[must_use]
    pub fn chip_layout(&self) -> [[char; SIZE]; SIZE] {
        let mut layout = [[' '; SIZE]; SIZE];
        for color in Color::ALL {
            for square in self.position.discs(color) {
                layout[square.row()][square.column()] = color.letter();
            }
        }
        layout
    }

    /// Returns the numbers of Black's and White's chips. Empty squares are not counted.
    #[must_use]
    pub fn score(&self) -> (u32, u32) {
        let count = |color| self.position.discs(color).len() as u32;
        (count(Color::Black), count(Color::White))
    }

    fn play(&mut self, m: Move) -> Result<(), IllegalReason> {
        match self.position.why_illegal(m) {
            Some(reason) => Err(reason),
            None => {
                self.position.play_unchecked(m);
                Ok(())
            }
        }
    }

    fn flips(&self, square: Square) -> Vec<(usize, usize)> {
        self.position.board().flips(square).iter().map(coordinates).collect()
    }
}

impl From<Position> for CoordinateGame {
    /// Starts a game from a position.
    fn from(position: Position) -> Self {
        Self { position }
    }
}

/// Returns the column and row of a square.
fn coordinates(square: Square) -> (usize, usize) {
    (square.column(), square.row())
}

#[cfg(test)]
mod tests;
