//! Boardwalk: a platform for board games, played by any number of players, with pieces of any kind, on any board that is a grid.
//!
//! [`Board`] is the spaces with the pieces on them, the trait [`Game`] is the rules, and [`game_loop`] plays. It is what the documentation of
//! the Python package *Boardwalk* describes, in Rust:
//!
//! | there | here |
//! | --- | --- |
//! | `Board(shape, layout)` | [`Board::new`] for a blank one, [`Board::with_layout`] |
//! | its `layout`, `height`, `width` | [`Board::layout`], [`Board::height`], [`Board::width`]; [`Board::at`] is one space |
//! | `'_'` `BLANK`, `' '` `NULL` | [`BLANK`], [`NULL`] |
//! | `place_piece`, `move_piece` | [`Board::place_piece`], [`Board::move_piece`]: of the elements of a move, not of its text |
//! | `Game`'s attributes `board`, `round`, `current_player` | [`Attributes`], which [`Game::attributes`] lends |
//! | final: `game_loop` | [`game_loop`], a function, so that no game has another |
//! | optional: `__init__`, `initial_player` | [`Attributes::new`], where the first player is the default of its type, 0 for a number; [`Attributes::with_initial_player`] for another |
//! | optional: `prompt_current_player` | [`Game::prompt_current_player`]; the default is [`prompt`] |
//! | optional: `get_state` | [`Game::state`]; the default is [`Attributes::state`] |
//! | optional: `perform_move` | [`Game::perform_move`]; the default is [`Attributes::perform_move`] |
//! | optional: `finish_message`, `round_counter` | [`Game::finish_message`], [`Game::round_counter`] |
//! | required: `validate_move`, with a default to begin with | [`Game::validate_move`], [`Attributes::validate_move`] |
//! | required: `game_finished`, `get_winner`, `next_player` | [`Game::game_finished`], [`Game::winner`], [`Game::next_player`] |
//! | `is_placement`, `is_movement`, `get_move_elements` | [`is_placement`], [`is_movement`], [`move_elements`] |
//! | integers or other values for players, `None` for a draw | [`Game::Player`], `Option` |
//!
//! What calls `super` there calls the method of [`Attributes`] here. Where that text leaves something open:
//!
//! * Coordinates are row, then column, both from 0, as those of the matrix that the layout is there.
//! * A piece that is moved leaves a blank where it was. (The text says so twice; once it has the destination left blank, by mistake.)
//! * A null space has coordinates like any other: that no piece may go there is checked by the game.
//! * The loop tells a player why a move is not valid, and a game without a winner ends with `It is a draw!`. Games may check a move no further than
//!   they like: one that cannot be made is refused as well, so nothing that is typed ends the game or stops the program.
//! * The input may end, which the text does not speak of: see [`LoopEnd`] and [`Game::unfinished_message`].
//! * A board may be drawn otherwise than as its layout: [`Game::print_board`].
//!
//! [`GameAdapter`] is every game of this crate on this platform.
//!
//!
//! `tests/examples/boardwalk.rs` is a whole game, noughts and crosses; `cargo run --example boardwalk` plays it, and with the name of a game
//! of this crate that one.

mod adapter;
pub(crate) mod board;
mod game;
pub(crate) mod move_text;
#[cfg(test)]
mod tests;

pub use adapter::GameAdapter;
pub use board::{BLANK, Board, LayoutError, NULL, OutOfBounds};
pub use game::{Attributes, Game, InvalidMove, LoopEnd, State, game_loop, prompt};
pub use move_text::{Move, MoveFormatError, Square, is_movement, is_placement, move_elements};
