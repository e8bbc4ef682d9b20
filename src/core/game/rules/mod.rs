//! The rules of a game: positions, boards, results, and the constants of a game.

pub(super) mod bit_set;
pub(super) mod board_display;
pub(super) mod color;
pub mod disc_result;
pub(super) mod end_description;
pub(super) mod info;
pub(super) mod layout;
pub(super) mod outcome;
pub(super) mod position;
pub(super) mod random;
