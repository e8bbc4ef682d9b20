//! [`CoordinateGame`]: Othello as an object that is asked and told move by move, in coordinates.
//!
//! It is what the Perl module *Games::Othello* 0.01 (Daniel J. Wright, 2006) describes and leaves unimplemented:
//!
//! | there | here |
//! | --- | --- |
//! | `new` | [`CoordinateGame::new`] |
//! | `game_over` (`over` in its synopsis) | [`CoordinateGame::game_over`] |
//! | `whos_move`: `b` or `w` | [`CoordinateGame::whos_move`]: a [`Color`], whose [`letter`](Color::letter) is that |
//! | `possible_moves`: a hash with the keys `"x,y"` | [`CoordinateGame::possible_moves`]: a map with the keys `(x, y)`, in their order |
//! | `{ x, y, chips }` | [`Placement`] |
//! | `place_chip(x, y)` | [`CoordinateGame::place_chip`] |
//! | `pass_to_opponent` | [`CoordinateGame::pass_to_opponent`] |
//! | `chip_layout` | [`CoordinateGame::chip_layout`] |
//! | `score` | [`CoordinateGame::score`] |
//! | `Games::Othello::InvalidMove` | [`InvalidMove`] |
//!
//! # Coordinates
//!
//! A square is `(x, y)`: x counts the columns from the left, y the rows from the top, both from 0, and (0, 0) is the top left corner, a1.
//!
//! ```text
//!       0   1   2   3   4   5   6   7
//!   ...
//!   3              W   B
//!   4              B   W
//!   ...
//! ```
//!
//! The course project of [`text::course`](crate::text::course) names a square the other way round, (row, column): its (3, 2) is (2, 3) here.
//!
//! The text of Games::Othello slips into that order once. Black plays its first chip "on (2,3)", which is x and y, as the drawings
//! that follow show; then "the new chip at (3,2)" turns the white one at (3,3): this is the same square by row and column. White's replies
//! (2,2), (4,2) and (2,4) are x and y again, and the list of Black's four first moves is the same in either order.
//!
//! # Example
//!
//! A whole game, as the synopsis of the module plays it; here each player takes the first of its moves:
//!
//! ```
//! use morello::game::Color;
//! use morello::othello::coordinate_game::CoordinateGame;
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
//! # Ok::<(), morello::othello::coordinate_game::InvalidMove>(())
//! ```

use std::collections::BTreeMap;

use thiserror::Error;

use super::{IllegalReason, Move, Position, Squares};
use crate::game::{Color, Position as _};

/// The rows of the board, and the squares of a row.
const SIZE: usize = 8;

/// A game of Othello on 8x8 squares, played move by move. See the [module](self) for the coordinates and an example.
///
/// A side that has no move while the other has one is to move nevertheless, until it [passes](Self::pass_to_opponent).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoordinateGame {
    position: Position,
}

/// A chip that may be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The column of its square, from the left, from 0.
    pub x: usize,
    /// The row of its square, from the top, from 0.
    pub y: usize,
    /// The opponent's chips that it flips, (x, y) each, row by row; at least one.
    pub chips: Vec<(usize, usize)>,
}

/// A move that the game refuses; it stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidMove {
    /// The coordinates are those of no square.
    #[error("no chip can be placed on ({x}, {y}): x and y are from 0 to 7")]
    OffBoard {
        /// The column that was given.
        x: usize,
        /// The row that was given.
        y: usize,
    },
    /// The rules do not allow the chip.
    #[error("no chip can be placed on ({x}, {y}): {reason}")]
    Placement {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
        /// The reason.
        reason: IllegalReason,
    },
    /// The rules do not allow a pass.
    #[error("the turn cannot be passed: {0}")]
    Pass(IllegalReason),
}

impl CoordinateGame {
    /// Starts a game: two chips of each side in the middle of the board, Black to move.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the position of the game, for everything else that is done with Othello in this crate.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns whether the game is over: all squares are occupied, neither player has a move, or one has lost all chips. (Then there is
    /// nothing to flip for one player and nothing to flip with for the other, so that neither has a move.)
    #[must_use]
    pub fn game_over(&self) -> bool {
        self.position.is_over()
    }

    /// Returns whose turn it is; once the game is over, whose it would be.
    #[must_use]
    pub fn whos_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns the placements open to the player whose turn it is, by their coordinates (x, y). There is none if the player must pass,
    /// and none once the game is over.
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

    /// Places a chip of the player whose turn it is, flips what it flips and gives the turn to the opponent. Returns the chips flipped,
    /// (x, y) each, row by row.
    ///
    /// # Errors
    /// [`InvalidMove`], if the square is not on the board or not empty, the chip would flip nothing, or the game is over.
    pub fn place_chip(&mut self, x: usize, y: usize) -> Result<Vec<(usize, usize)>, InvalidMove> {
        if x >= SIZE || y >= SIZE {
            return Err(InvalidMove::OffBoard { x, y });
        }
        let square = (SIZE * y + x) as u32;
        let flips = self.flips(square);
        self.play(Move::place(square)).map_err(|why| InvalidMove::Placement { x, y, reason: why })?;
        Ok(flips)
    }

    /// Gives the turn to the opponent, without a chip placed.
    ///
    /// # Errors
    /// [`InvalidMove`], if the player has a move or the game is over.
    pub fn pass_to_opponent(&mut self) -> Result<(), InvalidMove> {
        self.play(Move::PASS).map_err(InvalidMove::Pass)
    }

    /// Returns the rows of the board from the top, each from the left: `b` or `w` for a chip and a blank for an empty square. The chip on
    /// (x, y) is `chip_layout()[y][x]`.
    #[must_use]
    pub fn chip_layout(&self) -> [[char; SIZE]; SIZE] {
        let mut layout = [[' '; SIZE]; SIZE];
        for color in Color::ALL {
            for (x, y) in Squares(self.position.discs(color)).map(coordinates) {
                layout[y][x] = color.letter();
            }
        }
        layout
    }

    /// Returns the chips that Black has on the board, and those of White: empty squares count for nobody.
    #[must_use]
    pub fn score(&self) -> (u32, u32) {
        (self.position.discs(Color::Black).count_ones(), self.position.discs(Color::White).count_ones())
    }

    fn play(&mut self, m: Move) -> Result<(), IllegalReason> {
        match self.position.why_illegal(m) {
            Some(why) => Err(why),
            None => {
                self.position.play_unchecked(m);
                Ok(())
            }
        }
    }

    fn flips(&self, square: u32) -> Vec<(usize, usize)> {
        Squares(self.position.board().flips(square)).map(coordinates).collect()
    }
}

impl From<Position> for CoordinateGame {
    /// Goes on from a position.
    fn from(position: Position) -> Self {
        Self { position }
    }
}

/// Returns the column and row of a square.
fn coordinates(square: u32) -> (usize, usize) {
    (square as usize % SIZE, square as usize / SIZE)
}

#[cfg(test)]
mod tests;
