//! Othello's board as people see it: squares numbered row by row, from a1 at the top left.

use thiserror::Error;

use super::{Board, Move, Position};
use crate::game::{Color, Layout, Path, Point};

/// Pieces that are not as many as the squares of the board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{found} squares are given, the board has {squares}")]
pub struct OtherBoard {
    /// The squares that are given.
    pub found: usize,
    /// The squares of the board.
    pub squares: usize,
}

/// Returns the squares of a board of `N` x `N`.
pub(super) fn layout<const N: usize>() -> Layout {
    let point = |number| {
        let (row, column) = (number / N, number % N);
        Point { name: Move::place((8 * row + column) as u32).to_string(), row, column }
    };
    Layout { rows: N, columns: N, points: (0..N * N).map(point).collect(), lines: Vec::new() }
}

/// Returns the side of the disc on a point.
pub(super) fn piece_at<const N: usize>(position: &Position<N>, point: usize) -> Option<Color> {
    let bit = if point < N * N { 1 << (8 * (point / N) + point % N) } else { 0 };
    Color::ALL.into_iter().find(|&color| position.discs(color) & bit != 0)
}

/// Returns the point that a move names, if it is no pass.
pub(super) fn path<const N: usize>(m: Move) -> Path {
    let point = |square: u32| N * (square as usize / 8) + square as usize % 8;
    Path { to: m.square().map(point), ..Path::default() }
}

/// Arranges discs.
///
/// # Errors
/// [`OtherBoard`] if not every square is given, or more than there are.
pub(super) fn arrange<const N: usize>(pieces: &[Option<Color>], side: Color) -> Result<Position<N>, OtherBoard> {
    if pieces.len() != N * N {
        return Err(OtherBoard { found: pieces.len(), squares: N * N });
    }
    let discs = |color| {
        let squares = pieces.iter().enumerate().filter(|&(_, &piece)| piece == Some(color));
        squares.fold(0, |discs, (point, _)| discs | 1 << (8 * (point / N) + point % N))
    };
    Ok(Position::new(Board { player: discs(side), opponent: discs(side.opponent()) }, side))
}
