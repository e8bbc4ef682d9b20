//! [`BoardDisplay`]: the board for drawing, for input by clicks, and for messages.

use crate::game::{Color, EndDescription, GameError, GameRules, Layout, MovePoints, RuleSummary};

/// A game whose positions can be shown to people.
pub trait BoardDisplay: GameRules {
    /// Returns the rules that people must know to play, in the order in which to explain them.
    fn rules() -> Vec<RuleSummary>;

    /// Returns the board. Point numbers are the same in every position.
    fn layout() -> Layout;

    /// Returns the color of the piece on a point of the [`layout`](Self::layout); `None` if the
    /// point is empty or out of range.
    fn piece_at(&self, point: usize) -> Option<Color>;

    /// Returns the number of pieces that a side has in hand; `None` in games without pieces in
    /// hand.
    fn in_hand(&self, _color: Color) -> Option<u32> {
        None
    }

    /// Returns the number of empty squares, in games that end when the board is full.
    fn empty_count(&self) -> Option<u32> {
        None
    }

    /// Returns the points of a move.
    fn move_points(m: Self::Move) -> MovePoints;

    /// Sets up a position. `pieces` has one entry per point of the [`layout`](Self::layout);
    /// `in_hand` is indexed by [`Color::index`] and ignored in games without pieces [in
    /// hand](Self::in_hand).
    ///
    /// # Errors
    /// The reason why this is not a position of the game.
    fn arrange(pieces: &[Option<Color>], in_hand: [u32; 2], side: Color) -> Result<Self, GameError>;

    /// Describes why the game is over in this position; `None` if it is not over or the game has no
    /// description for it.
    fn describe_end(&self) -> Option<EndDescription> {
        None
    }
}
