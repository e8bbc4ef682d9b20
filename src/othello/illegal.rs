//! [`WhyIllegal`]: what a person is told whose move the rules do not allow.

use thiserror::Error;

use super::{Board, Move, Position};
use crate::game::{Cause, Color, Position as _};

/// Why a move is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WhyIllegal {
    /// Nothing is legal any more.
    #[error("the game is over")]
    Over,
    /// The square lies beyond the border of a small board.
    #[error("the board has no such square")]
    OffBoard,
    /// A disc lies there.
    #[error("the square is occupied")]
    Occupied,
    /// The side to move has no move, and passes.
    #[error("the side to move must pass")]
    MustPass,
    /// The disc would turn over no other.
    #[error("it flips no disc")]
    FlipsNothing,
    /// The side to move has a move, and does not pass.
    #[error("who has a move may not pass")]
    MayNotPass,
}

impl<const N: usize> Position<N> {
    /// Returns why a move is not legal; `None` if it is.
    ///
    /// ```
    /// use morello::othello::{Move, Position, WhyIllegal};
    ///
    /// let start = <Position>::default();
    /// assert_eq!(start.why_illegal(Move::from_text("d4").unwrap()), Some(WhyIllegal::Occupied));
    /// assert_eq!(start.why_illegal(Move::from_text("d3").unwrap()), None);
    /// ```
    #[must_use]
    pub fn why_illegal(&self, m: Move) -> Option<WhyIllegal> {
        if self.is_legal(m) {
            return None;
        }
        let beyond = |squares: u64| m.square().is_some_and(|square| squares & 1 << square == 0);
        Some(if self.is_over() {
            WhyIllegal::Over
        } else if m == Move::PASS {
            WhyIllegal::MayNotPass
        } else if beyond(Board::<N>::SQUARES) {
            WhyIllegal::OffBoard
        } else if beyond(self.board().empties()) {
            WhyIllegal::Occupied
        } else if self.is_legal(Move::PASS) {
            WhyIllegal::MustPass
        } else {
            WhyIllegal::FlipsNothing
        })
    }

    /// Returns what ends the game here; `None` while it goes on.
    #[must_use]
    pub fn why_over(&self) -> Option<Cause> {
        if !self.is_over() {
            return None;
        }
        let without = Color::ALL.into_iter().find(|&color| self.discs(color) == 0);
        Some(match without {
            _ if self.board().empty_count() == 0 => Cause::new("full_board", "the board is full"),
            Some(color) => Cause::new("no_discs", format!("{color} has no disc left")),
            None => Cause::new("no_moves", "neither side has a move"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_told() {
        let why =
            |position: &str, m: &str| position.parse::<Position<4>>().unwrap().why_illegal(Move::from_text(m).unwrap());
        let start = "-----OX--XO----- X";
        assert_eq!(why(start, "a2"), None);
        assert_eq!(why(start, "a1"), Some(WhyIllegal::FlipsNothing));
        assert_eq!(why(start, "b2"), Some(WhyIllegal::Occupied));
        assert_eq!(why(start, "e2"), Some(WhyIllegal::OffBoard));
        assert_eq!(why(start, "pa"), Some(WhyIllegal::MayNotPass));
        assert_eq!(why("XO-------------- O", "c1"), Some(WhyIllegal::MustPass));
        assert_eq!(why("X--------------- O", "c1"), Some(WhyIllegal::Over));
        assert_eq!(why("X--------------- O", "pa"), Some(WhyIllegal::Over));
    }

    #[test]
    fn each_end_is_told() {
        let over = |position: &str| position.parse::<Position<4>>().unwrap().why_over().map(|cause| cause.text);
        assert_eq!(over("-----OX--XO----- X"), None);
        assert_eq!(over("XO-------------- O"), None);
        assert_eq!(over("X--------------- O").unwrap(), "White has no disc left");
        assert_eq!(over("XXXXXXXXOOOOOOOO X").unwrap(), "the board is full");
        assert_eq!(over("X-------------O- X").unwrap(), "neither side has a move");
    }
}
