//! [`Pieces`]: a game's board as people see it, for whatever draws a position, is clicked on or explains a refusal.

use std::error::Error;

use super::{Color, EndDescription, GameRules, Layout, MovePoints, Terminology};

/// A game whose positions can be shown to people.
pub trait BoardDisplay: GameRules {
    /// How people speak of its pieces.
    const TERMINOLOGY: Terminology;

    /// Returns the board. Its points are numbered the same in every position.
    fn layout() -> Layout;

    /// Returns whose piece stands on a point of the [`layout`](Self::layout); `None` if it is empty, or no point of the board.
    fn piece_at(&self, point: usize) -> Option<Color>;

    /// Returns how many pieces a side has beside the board, still to be placed; `None` in games where that is not counted.
    fn in_hand(&self, _color: Color) -> Option<u32> {
        None
    }

    /// Returns how many squares are empty, in games that end when none is.
    fn empties(&self) -> Option<u32> {
        None
    }

    /// Returns the points that a move names.
    fn move_points(m: Self::Move) -> MovePoints;

    /// Arranges pieces into a position: those on the points of the [`layout`](Self::layout), in its order, and those beside the board of
    /// either side, by [`Color::index`], which are ignored where they are [not counted](Self::in_hand).
    ///
    /// # Errors
    /// What keeps that from being a position of the game.
    fn arrange(pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<Self, Box<dyn Error + Send + Sync>>;

    /// Returns why no legal move has this text, in words for people; `None` if the text is not a move at all, or the game cannot tell.
    ///
    /// It is asked only where [`parse_move`](super::Position::parse_move) fails.
    fn explain_illegal(&self, _text: &str) -> Option<Box<dyn Error + Send + Sync>> {
        None
    }

    /// Returns what ends the game in this position, in words for people; `None` while it goes on, or if the game cannot tell.
    fn describe_end(&self) -> Option<EndDescription> {
        None
    }
}
