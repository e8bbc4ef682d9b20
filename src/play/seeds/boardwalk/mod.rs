//! Boardwalk: a platform for board games on grid boards, with any number of players and any kind of
//! pieces.
//!
//! A [`Board`] stores the spaces and pieces, the trait [`Game`] defines the rules, and
//! [`game_loop`] plays:
//!
//! ```
//! use morello::seeds::boardwalk::{Attributes, BLANK, Board, Game, GridMove, InvalidMove, LoopEnd, game_loop};
//!
//! /// Whoever fills the last of three spaces wins.
//! struct LastSpace(Attributes<u8>);
//!
//! impl Game for LastSpace {
//!     type Player = u8;
//!     type Extras = ();
//!
//!     fn attributes(&self) -> &Attributes<u8> {
//!         &self.0
//!     }
//!     fn attributes_mut(&mut self) -> &mut Attributes<u8> {
//!         &mut self.0
//!     }
//!     fn validate_move(&self, m: &str) -> Result<(), InvalidMove> {
//!         match self.0.validate_move(m)? {
//!             GridMove::Placement { to, .. } if self.0.board.at(to)? == BLANK => Ok(()),
//!             _ => Err("place a piece on a blank space".into()),
//!         }
//!     }
//!     fn game_finished(&self) -> bool {
//!         !self.0.board.to_string().contains(BLANK)
//!     }
//!     fn winner(&self) -> Option<u8> {
//!         Some(self.0.current_player)
//!     }
//!     fn next_player(&self) -> u8 {
//!         1 - self.0.current_player
//!     }
//! }
//!
//! let mut game = LastSpace(Attributes::new(Board::new((1, 3))));
//! let mut output = Vec::new();
//! let end = game_loop(&mut game, "X 0,0\nX 0,0\nX 0,1\nX 0,2\n".as_bytes(), &mut output)?;
//! assert_eq!(end, LoopEnd::Finished { winner: Some(0) });
//! assert!(String::from_utf8_lossy(&output).contains("Invalid move: place a piece on a blank space"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! This is a Rust version of the Python package *Boardwalk*, based on its documentation. The items
//! correspond as follows:
//!
//! * `Board(shape, layout)`: [`Board::new`] for a blank board, [`Board::with_layout`]
//! * its `layout`, `height`, `width`: [`Board::layout`], [`Board::height`], [`Board::width`];
//!   [`Board::at`] for one space
//! * `'_'` `BLANK`, `' '` `NULL`: [`BLANK`], [`NULL`]
//! * `place_piece`, `move_piece`: [`Board::place_piece`], [`Board::move_piece`], which take the
//!   elements of a move instead of its text
//! * `Game`'s attributes `board`, `round`, `current_player`: [`Attributes`], returned by
//!   [`Game::attributes`]
//! * final: `game_loop`: [`game_loop`], a function, so that games cannot override it
//! * optional: `__init__`, `initial_player`: [`Attributes::new`], with the player type's default as
//!   the first player, such as 0; [`Attributes::with_initial_player`]
//! * optional: `prompt_current_player`: [`Game::prompt_current_player`]; the default is [`prompt`]
//! * optional: `get_state`: [`Game::state`]; the default is [`Attributes::state`]
//! * optional: `perform_move`: [`Game::perform_move`]; the default is [`Attributes::perform_move`]
//! * optional: `finish_message`, `round_counter`: [`Game::finish_message`], [`Game::round_counter`]
//! * required: `validate_move`, which may call the default: [`Game::validate_move`],
//!   [`Attributes::validate_move`]
//! * required: `game_finished`, `get_winner`, `next_player`: [`Game::game_finished`],
//!   [`Game::winner`], [`Game::next_player`]
//! * `is_placement`, `is_movement`, `get_move_elements`: [`is_placement`], [`is_movement`],
//!   [`move_elements`]
//! * integers or other values for players, `None` for a draw: [`Game::Player`], `Option`
//!
//! Calls of `super` in Python become calls of the methods of [`Attributes`]. Where the
//! documentation is ambiguous:
//!
//! * Coordinates are row, then column, both from 0, as in the matrix of the layout.
//! * A moved piece leaves a blank on its old space. (The documentation says so twice, but says
//!   once, by mistake, that the new space becomes blank.)
//! * A null space has coordinates like any other. The game must check that no piece goes there.
//! * The loop prints why a move is invalid, and a game without a winner ends with `It is a draw!`.
//!   A game need not check every move completely: a move that cannot be performed is also invalid,
//!   so no input can crash the program.
//! * The input may end before the game is over: see [`LoopEnd`] and [`Game::unfinished_message`].
//! * A game may draw the board differently from its layout: [`Game::print_board`].
//!
//! [`GameAdapter`] runs any game of this crate on the platform.
//!
//! The example `tests/examples/boardwalk.rs` is a complete game, noughts and crosses.
//! `cargo run --example boardwalk` plays it; with the name of a game of this crate, it plays that
//! game.

mod adapter;
mod board;
mod game;
#[cfg(test)]
mod tests;

pub use adapter::GameAdapter;
pub use board::{Board, LayoutError, NULL};
pub use game::{Attributes, Game, InvalidMove, LoopEnd, State, game_loop, prompt};
pub use morello_core::game::grid::{
    BLANK, GridMove, GridMoveError, OutOfBounds, Space, is_movement, is_placement, move_elements,
};
