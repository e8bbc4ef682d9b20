//! The board for display: squares numbered row by row, from a1 at the top left.

use thiserror::Error;

use super::{Board, Move, SizedPosition, Square};
use crate::game::{BoardDisplay, BoardPoint, Color, EndDescription, GameError, Layout, MovePoints, RuleSummary};

/// The number of squares given does not match the board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {squares} squares, found {found}")]
pub struct WrongPieceCount {
    /// The number of squares given.
    pub found: usize,
    /// The number of squares of the board.
    pub squares: usize,
}

impl<const N: usize> BoardDisplay for SizedPosition<N> {
    fn rules() -> Vec<RuleSummary> {
        ["aim", "flip", "pass", "end"].map(RuleSummary::new).to_vec()
    }

    fn layout() -> Layout {
        let point =
            |square: Square| BoardPoint { name: square.to_string(), row: square.row(), column: square.column() };
        Layout {
            rows: N,
            columns: N,
            points: Board::<N>::SQUARES.iter().map(point).collect(),
            lines: Vec::new(),
            mills: Vec::new(),
        }
    }

    fn piece_at(&self, point: usize) -> Option<Color> {
        let square = Square::at(point % N, point / N)?;
        Color::ALL.into_iter().find(|&color| self.discs(color).contains(square))
    }

    fn empty_count(&self) -> Option<u32> {
        Some(self.board().empty_count())
    }

    fn move_points(m: Move) -> MovePoints {
        let point = |square: Square| N * square.row() + square.column();
        MovePoints { to: m.square().map(point), ..MovePoints::default() }
    }

    fn arrange(pieces: &[Option<Color>], _: [u32; 2], side: Color) -> Result<Self, GameError> {
        if pieces.len() != N * N {
            return Err(GameError::new(WrongPieceCount { found: pieces.len(), squares: N * N }));
        }
        let discs = |color| {
            let squares = Board::<N>::SQUARES.iter().zip(pieces).filter(|&(_, &piece)| piece == Some(color));
            squares.map(|(square, _)| square).collect()
        };
        let board = Board::new(discs(side), discs(side.opponent())).map_err(GameError::new)?;
        Ok(Self::new(board, side))
    }

    fn describe_end(&self) -> Option<EndDescription> {
        self.why_over()
    }
}
