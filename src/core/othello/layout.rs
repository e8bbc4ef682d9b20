//! The board for display: squares numbered row by row, from a1 at the top left.

use std::error::Error;

use thiserror::Error;

use super::{Board, Move, SizedPosition};
use crate::game::{BoardDisplay, Color, EndDescription, Layout, MovePoints, Point, RuleSummary};

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
        let point = |number| {
            let (row, column) = (number / N, number % N);
            Point { name: Move::place((8 * row + column) as u32).to_string(), row, column }
        };
        Layout { rows: N, columns: N, points: (0..N * N).map(point).collect(), lines: Vec::new() }
    }

    fn piece_at(&self, point: usize) -> Option<Color> {
        let bit = if point < N * N { 1 << (8 * (point / N) + point % N) } else { 0 };
        Color::ALL.into_iter().find(|&color| self.discs(color) & bit != 0)
    }

    fn empties(&self) -> Option<u32> {
        Some(self.board().empty_count())
    }

    fn move_points(m: Move) -> MovePoints {
        let point = |square: u32| N * (square as usize / 8) + square as usize % 8;
        MovePoints { to: m.square().map(point), ..MovePoints::default() }
    }

    fn arrange(pieces: &[Option<Color>], _: [u32; 2], side: Color) -> Result<Self, Box<dyn Error + Send + Sync>> {
        if pieces.len() != N * N {
            return Err(WrongPieceCount { found: pieces.len(), squares: N * N }.into());
        }
        let discs = |color| {
            let squares = pieces.iter().enumerate().filter(|&(_, &piece)| piece == Some(color));
            squares.fold(0, |discs, (point, _)| discs | 1 << (8 * (point / N) + point % N))
        };
        Ok(Self::new(Board { player: discs(side), opponent: discs(side.opponent()) }, side))
    }

    fn explain_illegal(&self, text: &str) -> Option<Box<dyn Error + Send + Sync>> {
        Move::from_text(text).and_then(|m| self.why_illegal(m)).map(Into::into)
    }

    fn describe_end(&self) -> Option<EndDescription> {
        self.why_over()
    }
}
