//! The rules of the mill games (morris), on sets of points.
//!
//! Each point is a bit. The larger boards number their points square by square, clockwise from the
//! upper left corner of each square:
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
//! Morabaraba, eleven and twelve men's morris add the diagonals a1-b2-c3, g1-f2-e3, a7-b6-c5 and
//! g7-f6-e5. Five and six men's morris use two squares. Seven men's morris also has the center d4,
//! so that d1-d2-d4-d6-d7 and a4-b4-d4-f4-g4 are lines of five points with three mills each. Three
//! men's morris uses nine points a1..c3 with both diagonals.
//!
//! [`Board`] derives neighbors, mills and symmetries from the lines of a board. Each game is a type
//! ([`NineMensMorris`], ...; [`Variant`]) whose board and [`Rules`] are constants; [`Position`] is
//! generic over this type. In this module, Morabaraba's cows are called men, and its shots
//! captures.
//!
//! # Our reading of ambiguous rules
//!
//! * A side with fewer than three men, in hand and on the board together, loses at once, even while
//!   men are still being placed. (Three men's morris has no captures, so the rule does not apply.)
//!   In a position that was set up, the opponent may have too few men; then the opponent has lost.
//! * A side without a legal move loses, except in [`NineMensMorrisFlyingBlockedDraw`], where the
//!   game is drawn.
//! * A move forms a mill only through the man placed or moved. Opening a mill and closing it again
//!   captures again.
//! * A capture is mandatory if one is possible; two mills formed by the same move capture one man.
//!   If the opponent has no men on the board, nothing is captured.
//! * Men in mills can be captured only if all men of their side on the board are in mills. In games
//!   with fully protected mills, no man can be captured even then; the move is still legal. In
//!   [`NineMensMorrisFlyingUnprotected`] any man can be captured.
//! * A side flies if it has no man in hand and exactly three on the board. A side with men in hand
//!   must place a man; in Lasker's morris it may instead move a man to an adjacent point. Each side
//!   follows its own hand, even if the hands differ.
//! * On a full board the side to move has no move; [`Rules::blocked`] gives the result. In
//!   Morabaraba the side to move loses, like any blocked side; in [`MorabarabaFullDraw`] and
//!   [`TwelveMensMorris`] it is a draw.
//! * A man that left one mill and formed another may not make the reverse move on its side's next
//!   turn; only [`MorabarabaNoReturn`] and [`NineMensMorrisFlyingNoReturn`] have this ban. The ban
//!   is part of the position. A side whose only move is banned loses.
//! * The ten-move draw of the Morabaraba games: ten moves by each side since a side was reduced to
//!   three cows, or since the last shot after that. The [record of the game](crate::game::Game)
//!   counts them.
//! * The rules define no other draws. Draws by repetition are left to
//!   [`DrawRules`](crate::game::DrawRules).

mod bans;
mod board;
pub mod engine;
pub mod formats;
mod illegal_move;
mod layout;
mod moves;
mod notation;
pub(crate) mod point;
mod position;
mod rules;
mod symmetry;
#[cfg(test)]
mod tests;

pub use bans::{BanRecord, Bans, Step};
pub use board::{Board, MORABARABA, NINE, SEVEN, SIX, THREE};
pub use illegal_move::{IllegalReason, WordedReason};
pub use moves::{Move, Moves, ParseMoveError};
pub use notation::{ParsePositionError, PositionErrorKind, PositionField};
pub use point::{Point, PointSet, UnknownPoint};
pub use position::{ArrangementError, Position, TooManyMen};
pub use rules::*;

/// The maximum number of points of a board.
const MAX_POINTS: usize = 24;
