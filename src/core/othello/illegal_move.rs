//! [`IllegalReason`]: why a move is illegal, for messages.

use thiserror::Error;

use super::{Board, Move, SizedPosition, SquareSet};
use crate::game::{Color, EndDescription, Position as _};

/// Why a move is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The square lies beyond the border of a small board.
    #[error("the board has no such square")]
    OffBoard,
    /// The square is occupied.
    #[error("the square is occupied")]
    Occupied,
    /// The only legal move is a pass.
    #[error("the side to move must pass")]
    MustPass,
    /// The disc would not flip any disc.
    #[error("it flips no disc")]
    FlipsNothing,
    /// The side to move has a legal move and cannot pass.
    #[error("the side to move has a legal move and cannot pass")]
    MayNotPass,
}

impl<const N: usize> SizedPosition<N> {
    /// Returns why a move is illegal; `None` if it is legal.
    ///
    /// ```
    /// use morello::othello::{IllegalReason, Move, Position, Square};
    ///
    /// let start = Position::default();
    /// assert_eq!(start.why_illegal(Square::D4.into()), Some(IllegalReason::Occupied));
    /// assert_eq!(start.why_illegal(Move::PASS), Some(IllegalReason::MayNotPass));
    /// assert_eq!(start.why_illegal(Square::D3.into()), None);
    /// ```
    #[must_use]
    pub fn why_illegal(&self, m: Move) -> Option<IllegalReason> {
        if self.is_legal(m) {
            return None;
        }
        let outside = |squares: SquareSet| m.square().is_some_and(|square| !squares.contains(square));
        Some(if self.is_over() {
            IllegalReason::Over
        } else if m == Move::PASS {
            IllegalReason::MayNotPass
        } else if outside(Board::<N>::SQUARES) {
            IllegalReason::OffBoard
        } else if outside(self.board().empties()) {
            IllegalReason::Occupied
        } else if self.is_legal(Move::PASS) {
            IllegalReason::MustPass
        } else {
            IllegalReason::FlipsNothing
        })
    }

    /// Returns why the game is over; `None` if it is not over.
    #[must_use]
    pub fn why_over(&self) -> Option<EndDescription> {
        if !self.is_over() {
            return None;
        }
        let without = Color::ALL.into_iter().find(|&color| self.discs(color).is_empty());
        Some(match without {
            _ if self.board().empty_count() == 0 => EndDescription::new("full_board", "the board is full"),
            Some(color) => EndDescription::new("no_discs", format!("{color} has no disc left")),
            None => EndDescription::new("no_moves", "neither side has a move"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_each_reason() {
        let why = |position: &str, m: &str| {
            position.parse::<SizedPosition<4>>().unwrap().why_illegal(Move::from_text(m).unwrap())
        };
        let start = "-----OX--XO----- X";
        assert_eq!(why(start, "a2"), None);
        assert_eq!(why(start, "a1"), Some(IllegalReason::FlipsNothing));
        assert_eq!(why(start, "b2"), Some(IllegalReason::Occupied));
        assert_eq!(why(start, "e2"), Some(IllegalReason::OffBoard));
        assert_eq!(why(start, "pa"), Some(IllegalReason::MayNotPass));
        assert_eq!(why("XO-------------- O", "c1"), Some(IllegalReason::MustPass));
        assert_eq!(why("X--------------- O", "c1"), Some(IllegalReason::Over));
        assert_eq!(why("X--------------- O", "pa"), Some(IllegalReason::Over));
    }

    #[test]
    fn reports_each_end_of_the_game() {
        let over = |position: &str| position.parse::<SizedPosition<4>>().unwrap().why_over().map(|cause| cause.text);
        assert_eq!(over("-----OX--XO----- X"), None);
        assert_eq!(over("XO-------------- O"), None);
        assert_eq!(over("X--------------- O").unwrap(), "White has no disc left");
        assert_eq!(over("XXXXXXXXOOOOOOOO X").unwrap(), "the board is full");
        assert_eq!(over("X-------------O- X").unwrap(), "neither side has a move");
    }
}
