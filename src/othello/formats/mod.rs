//! Text formats of Othello positions.

use super::Position;
use crate::game::LineFormat;

/// Returns the formats of one position a line.
#[must_use]
pub fn formats<const N: usize>() -> &'static [LineFormat<Position<N>>] {
    &[]
}
