//! [`Board`]: the spaces of a board and the pieces on them.

use std::fmt;

use morello_core::game::grid::{BLANK, OutOfBounds, Space};
use thiserror::Error;

/// A space outside a non-rectangular board; no piece may occupy it.
pub const NULL: char = ' ';

/// A board: a grid of characters, each of which is a piece, [`BLANK`] or [`NULL`].
///
/// The board does not enforce rules: it replaces whatever is on a space. `Display` writes its
/// layout.
///
/// ```
/// use morello::seeds::boardwalk::Board;
///
/// let mut board = Board::with_layout((2, 3), " X_\nO__")?;
/// board.move_piece((0, 1), (1, 2))?;
/// board.place_piece('O', (0, 2))?;
/// assert_eq!(board.to_string(), " _O\nO_X");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    height: usize,
    width: usize,
    layout: Vec<Vec<char>>,
}

/// A layout that does not match the shape of its board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// It has more or fewer lines than the board has rows.
    #[error("the layout has {found} lines, the board {height} rows")]
    Lines {
        /// The number of lines in the layout.
        found: usize,
        /// The number of rows of the board.
        height: usize,
    },
    /// A line is longer or shorter than the rows of the board.
    #[error("line {line} of the layout has {found} characters, but the board has {width} columns")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The number of characters in the line.
        found: usize,
        /// The number of columns of the board.
        width: usize,
    },
}

impl Board {
    /// Creates a blank board of `height` rows and `width` columns.
    #[must_use]
    pub fn new((height, width): (usize, usize)) -> Self {
        Self { height, width, layout: vec![vec![BLANK; width]; height] }
    }

    /// Creates a board of `height` rows and `width` columns from text, with one line per row and
    /// one character per space.
    ///
    /// # Errors
    /// [`LayoutError`] if the text has another shape.
    pub fn with_layout((height, width): (usize, usize), layout: &str) -> Result<Self, LayoutError> {
        let layout: Vec<Vec<char>> = layout.split('\n').map(|line| line.chars().collect()).collect();
        if layout.len() != height {
            return Err(LayoutError::Lines { found: layout.len(), height });
        }
        match layout.iter().position(|line| line.len() != width) {
            Some(row) => Err(LayoutError::Line { line: row + 1, found: layout[row].len(), width }),
            None => Ok(Self { height, width, layout }),
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the rows from the top, each from the left.
    #[must_use]
    pub fn layout(&self) -> &[Vec<char>] {
        &self.layout
    }

    /// Returns the content of a space.
    ///
    /// # Errors
    /// [`OutOfBounds`] if the space is not on the board.
    pub fn at(&self, space: Space) -> Result<char, OutOfBounds> {
        let (row, column) = space;
        self.layout.get(row).and_then(|row| row.get(column)).copied().ok_or(self.out_of_bounds(space))
    }

    /// Places a piece on a space and replaces its content. The piece may be [`BLANK`] or [`NULL`].
    ///
    /// # Errors
    /// [`OutOfBounds`]; the board is then unchanged.
    pub fn place_piece(&mut self, piece: char, to: Space) -> Result<(), OutOfBounds> {
        self.at(to)?;
        self.layout[to.0][to.1] = piece;
        Ok(())
    }

    /// Moves the content of a space to another, whose content it replaces, and leaves a [`BLANK`],
    /// even if both spaces are the same.
    ///
    /// # Errors
    /// [`OutOfBounds`]; the board is then unchanged.
    pub fn move_piece(&mut self, from: Space, to: Space) -> Result<(), OutOfBounds> {
        let piece = self.at(from)?;
        self.place_piece(piece, to)?;
        self.place_piece(BLANK, from)
    }

    fn out_of_bounds(&self, (row, column): Space) -> OutOfBounds {
        OutOfBounds { row, column, height: self.height, width: self.width }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.layout.iter().map(|row| row.iter().collect()).collect();
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_blank_or_with_a_layout() {
        let blank = Board::new((2, 3));
        assert_eq!((blank.height(), blank.width(), blank.to_string().as_str()), (2, 3, "___\n___"));
        let cross = " X \nO__\n _ ";
        let board = Board::with_layout((3, 3), cross).unwrap();
        assert_eq!(board.to_string(), cross);
        assert_eq!(board.layout(), [[' ', 'X', ' '], ['O', '_', '_'], [' ', '_', ' ']]);
        assert_eq!((board.at((0, 0)), board.at((1, 0)), board.at((2, 1))), (Ok(NULL), Ok('O'), Ok(BLANK)));
    }

    #[test]
    fn rejects_a_layout_of_the_wrong_size() {
        let error = |shape, layout| Board::with_layout(shape, layout).unwrap_err().to_string();
        assert_eq!(error((2, 2), "__"), "the layout has 1 lines, the board 2 rows");
        assert_eq!(error((2, 2), "__\n__\n"), "the layout has 3 lines, the board 2 rows");
        assert_eq!(error((2, 2), "__\n_ _"), "line 2 of the layout has 3 characters, but the board has 2 columns");
    }

    #[test]
    fn moved_pieces_replace_and_leave_a_blank() {
        let mut board = Board::with_layout((1, 4), "XO _").unwrap();
        board.move_piece((0, 0), (0, 1)).unwrap();
        assert_eq!(board.to_string(), "_X _");
        board.place_piece('O', (0, 1)).unwrap();
        board.place_piece('O', (0, 2)).unwrap();
        assert_eq!(board.to_string(), "_OO_");
        board.move_piece((0, 2), (0, 2)).unwrap();
        board.place_piece(NULL, (0, 3)).unwrap();
        assert_eq!(board.to_string(), "_O_ ");
    }

    #[test]
    fn rejects_squares_off_the_board_without_changes() {
        let mut board = Board::with_layout((1, 2), "XO").unwrap();
        let error = board.place_piece('X', (1, 0)).unwrap_err();
        assert_eq!(error.to_string(), "1,0 is off the board, which has 1 rows and 2 columns, counted from 0");
        assert!(board.move_piece((0, 0), (0, usize::MAX)).is_err());
        assert!(board.move_piece((0, 2), (0, 0)).is_err());
        assert_eq!(board.to_string(), "XO");
    }
}
