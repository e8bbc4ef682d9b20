//! The mill games (morris): the rules on sets of points.
//!
//! A point is a bit. The larger boards are numbered square by square, each clockwise from its upper left corner:
//!
//! ```text
//!  0-----------1-----------2          a7----------d7----------g7
//!  |           |           |          |           |           |
//!  |   8-------9------10   |          |   b6------d6------f6  |
//!  |   |       |       |   |          |   |       |       |   |
//!  |   |  16--17--18   |   |          |   |   c5--d5--e5  |   |
//!  |   |   |       |   |   |          |   |   |       |   |   |
//!  7--15--23      19--11---3          a4--b4--c4      e4--f4--g4
//!  |   |   |       |   |   |          |   |   |       |   |   |
//!  |   |  22--21--20   |   |          |   |   c3--d3--e3  |   |
//!  |   |       |       |   |          |   |       |       |   |
//!  |  14------13------12   |          |   b2------d2------f2  |
//!  |           |           |          |           |           |
//!  6-----------5-----------4          a1----------d1----------g1
//! ```
//!
//! Morabaraba adds the diagonals a1-b2-c3, g1-f2-e3, a7-b6-c5 and g7-f6-e5. Six men's morris is played on the two outer squares, three
//! men's morris on nine points a1..c3 with both diagonals.
//!
//! [`Board`] computes everything about a board from its lines. A game is a type ([`NineMensMorris`], ...; [`Variant`]) whose board and
//! [`Rules`] are constants, and [`Position`] is generic over it. Morabaraba's cows are called men and its shots captures.
//!
//! # The rules where their texts are silent
//!
//! * A side *reduced to two men* is one whose men in hand and on the board together are fewer than three; it loses at once, while men are
//!   still placed as well. (In three men's morris nobody is captured, so the rule is not in force.) In a position that was set up the
//!   other side may be the one reduced: the game is over and lost for it.
//! * A side without a legal move loses.
//! * Only lines through the man placed or moved count as formed; a mill opened and closed again captures again.
//! * A capture is mandatory where one is possible; two mills formed at once capture one man. If the other side has no man on the
//!   board, nothing is captured.
//! * Men in mills can be captured only if all men of their side on the board are in mills. Where mills are protected, such a side
//!   loses nothing and the move stands.
//! * Flying asks for no man in hand and exactly three on the board. A side with men in hand must place (in Lasker's morris it may
//!   move as well, by steps). If the hands are uneven, each side follows its own.
//! * If the men fill the board the side to move has no move: [`Rules::full_board`] says what that is; in Morabaraba it loses, as any
//!   other side that is blocked.
//! * A cow that left one mill and formed another may not make the reverse move on its owner's very next turn, in
//!   [`MorabarabaNoReturn`] only. That ban is part of the position. If nothing but the banned move is left, the side has no move and
//!   loses.
//! * The ten-move draw of the Morabaraba games: ten moves of either side since one came down to three cows, or since the last shot
//!   after that. The [record of the game](crate::game::Game) keeps the clock.
//! * The rules name no other draw. Repetition is a matter of the adjudicator.

mod bans;
mod board;
pub mod engine;
pub mod formats;
mod illegal_move;
mod layout;
mod moves;
mod notation;
mod position;
mod rules;
mod symmetry;
#[cfg(test)]
mod tests;

pub use bans::{BanRecord, Bans, Step};
pub use board::{Board, MORABARABA, NINE, SIX, THREE};
pub use illegal_move::{IllegalReason, why_illegal, why_over};
pub use moves::{Move, Moves};
pub use notation::{ParsePositionError, PositionErrorKind, PositionField};
pub use position::{ArrangementError, Position, TooManyMen};
pub use rules::*;
pub use symmetry::Symmetries;

/// The most points a board has.
const MAX_POINTS: usize = 24;
