//! [`Layout`]: the board as people see it, for whatever draws it or is clicked on.
//!
//! A board is a grid of rows and columns, of which some places are points of the game: all of them in Othello, 24 of 49 in nine men's
//! morris. Where the points are the crossings of lines, the lines are told, too; where there are none, the points are squares.

/// The points of a board and where they lie.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Layout {
    /// The rows of the grid.
    pub rows: usize,
    /// The columns of the grid.
    pub columns: usize,
    /// The points, in the order of the numbers by which [`MovePoints`]s and pieces name them.
    pub points: Vec<Point>,
    /// The pairs of points that a line joins, each once; none on a board of squares.
    pub lines: Vec<(usize, usize)>,
}

impl Layout {
    /// Returns the number of the point in a row and column, if one lies there.
    #[must_use]
    pub fn point_at(&self, row: usize, column: usize) -> Option<usize> {
        self.points.iter().position(|point| (point.row, point.column) == (row, column))
    }

    /// Returns the number of the point with this name, whatever the case of its letters.
    #[must_use]
    pub fn point_named(&self, name: &str) -> Option<usize> {
        self.points.iter().position(|point| point.name.eq_ignore_ascii_case(name))
    }
}

/// A point of a board: where a piece may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Point {
    /// Its name in the game's notation.
    pub name: String,
    /// Its row in the grid, from the top, from 0.
    pub row: usize,
    /// Its column in the grid, from the left, from 0.
    pub column: usize,
}

/// The points that a move names, by their numbers. A pass names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MovePoints {
    /// The point that a piece leaves; `None` if it comes from beside the board.
    pub from: Option<usize>,
    /// The point that a piece goes to.
    pub to: Option<usize>,
    /// The point of the piece that is chosen to be captured.
    pub captured: Option<usize>,
}

impl MovePoints {
    /// Returns the points in the order in which a person chooses them: from, to, captured.
    pub fn points(self) -> impl Iterator<Item = usize> {
        [self.from, self.to, self.captured].into_iter().flatten()
    }
}

/// How people speak of a game's pieces and captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Terminology {
    /// One piece.
    pub piece: &'static str,
    /// Several pieces.
    pub pieces: &'static str,
    /// What a side does to a piece that it takes off the board: `captures`.
    pub captures: &'static str,
    /// What the piece is then: `captured`.
    pub captured: &'static str,
}
