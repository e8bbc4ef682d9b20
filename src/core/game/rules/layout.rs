//! [`Layout`]: the geometry of a board, for drawing and for input by clicks.
//!
//! A board is a grid of rows and columns. Some cells of the grid are points of the game: all 64 in
//! Othello, 24 of 49 in nine men's morris. On a board without lines the points are squares;
//! otherwise they are the places where lines meet.

/// The points of a board and their places in the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Layout {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The points, in the order of their numbers.
    pub points: Vec<BoardPoint>,
    /// The pairs of points joined by a line, each listed once; empty on a board of squares.
    pub lines: Vec<(usize, usize)>,
    /// The mills, as three points in order; empty in games without mills.
    pub mills: Vec<[usize; 3]>,
}

impl Layout {
    /// Returns the mills through a point.
    pub fn mills_of(&self, point: usize) -> impl Iterator<Item = &[usize; 3]> {
        self.mills.iter().filter(move |mill| mill.contains(&point))
    }

    /// Returns the number of the point in this row and column; `None` if there is none.
    #[must_use]
    pub fn point_at(&self, row: usize, column: usize) -> Option<usize> {
        self.points.iter().position(|point| (point.row, point.column) == (row, column))
    }

    /// Returns the number of the point with this name, ignoring case; `None` if there is none.
    #[must_use]
    pub fn point_named(&self, name: &str) -> Option<usize> {
        self.points.iter().position(|point| point.name.eq_ignore_ascii_case(name))
    }

    /// Returns the digits in the names of the points of a row; empty if the row has no points.
    #[must_use]
    pub fn row_name(&self, row: usize) -> &str {
        let point = self.points.iter().find(|point| point.row == row);
        point.map_or("", |point| point.name.trim_start_matches(|c: char| !c.is_ascii_digit()))
    }

    /// Returns the letters in the names of the points of a column; empty if the column has no
    /// points.
    #[must_use]
    pub fn column_name(&self, column: usize) -> &str {
        let point = self.points.iter().find(|point| point.column == column);
        point.map_or("", |point| point.name.trim_end_matches(|c: char| c.is_ascii_digit()))
    }
}

/// A point of a board, on which a piece can stand.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BoardPoint {
    /// Its name in the game's notation.
    pub name: String,
    /// Its row in the grid, from the top, starting at 0.
    pub row: usize,
    /// Its column in the grid, from the left, starting at 0.
    pub column: usize,
}

/// The numbers of the points of a move; all `None` for a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovePoints {
    /// The origin; `None` for a placement.
    pub from: Option<usize>,
    /// The destination.
    pub to: Option<usize>,
    /// The point of the piece chosen for capture.
    pub captured: Option<usize>,
}

impl MovePoints {
    /// Returns the points in the order in which a player selects them: from, to, captured.
    pub fn points(self) -> impl Iterator<Item = usize> {
        [self.from, self.to, self.captured].into_iter().flatten()
    }
}

/// A game's terms for pieces and captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Terminology {
    /// A piece: `man`.
    pub piece: &'static str,
    /// Pieces: `men`.
    pub pieces: &'static str,
    /// The verb for a capture: `captures`.
    pub captures: &'static str,
    /// Its past participle: `captured`.
    pub captured: &'static str,
}
