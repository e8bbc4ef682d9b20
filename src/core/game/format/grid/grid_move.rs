//! [`GridMove`]: the text of a placement or a movement by rows and columns.

use std::fmt;

use thiserror::Error;

/// A space of a board: its row from the top, then its column from the left, both counted from 0.
pub type Space = (usize, usize);

/// A placement or a movement by rows and columns. `Display` writes it in the same format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GridMove {
    /// Places a new piece on the board: `X 1,2`.
    Placement {
        /// The character of the piece.
        piece: char,
        /// Its space.
        to: Space,
    },
    /// Moves a piece on the board: `1,2 3,4`.
    Movement {
        /// Its old space.
        from: Space,
        /// Its new space.
        to: Space,
    },
}

impl fmt::Display for GridMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placement { piece, to } => write!(f, "{piece} {},{}", to.0, to.1),
            Self::Movement { from, to } => write!(f, "{},{} {},{}", from.0, from.1, to.0, to.1),
        }
    }
}

/// The text is neither a placement nor a movement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridMoveError {
    /// It is neither a placement nor a movement.
    #[error(
        "not a move: `{0}`; write a placement as `X 1,2` (piece, row, column) and a movement as `1,2 3,4` (from, \
        to)"
    )]
    Format(String),
    /// A coordinate is larger than any board.
    #[error("no board has a row or column {0}")]
    TooLarge(String),
}

/// Two coordinates, as text.
type CoordinatePair<'a> = (&'a str, &'a str);

/// Returns whether the text has the format of a placement, `X D,D`: any character except a line
/// break, a space, and two numbers separated by a comma. Does not check that the piece and the
/// space exist.
///
/// ```
/// use morello::game::grid::is_placement;
///
/// assert!(is_placement("X 0,12"));
/// assert!(!is_placement("X 0, 12"));
/// assert!(!is_placement("0,1 0,12"));
/// ```
#[must_use]
pub fn is_placement(text: &str) -> bool {
    placement(text).is_some()
}

/// Returns whether the text has the format of a movement, `D,D D,D`: two pairs of numbers separated
/// by a space. Does not check that the spaces exist.
///
/// ```
/// use morello::game::grid::is_movement;
///
/// assert!(is_movement("0,1 0,12"));
/// assert!(!is_movement("X 0,12"));
/// ```
#[must_use]
pub fn is_movement(text: &str) -> bool {
    movement(text).is_some()
}

/// Parses a placement or a movement.
///
/// ```
/// use morello::game::grid::{GridMove, move_elements};
///
/// assert_eq!(move_elements("X 0,12"), Ok(GridMove::Placement { piece: 'X', to: (0, 12) }));
/// assert_eq!(move_elements("3,4 0,12"), Ok(GridMove::Movement { from: (3, 4), to: (0, 12) }));
/// ```
///
/// # Errors
/// [`GridMoveError`] if the text is neither a placement nor a movement, or a number in it exceeds
/// `usize`.
pub fn move_elements(text: &str) -> Result<GridMove, GridMoveError> {
    if let Some((piece, to)) = placement(text) {
        Ok(GridMove::Placement { piece, to: space(to)? })
    } else if let Some((from, to)) = movement(text) {
        Ok(GridMove::Movement { from: space(from)?, to: space(to)? })
    } else {
        Err(GridMoveError::Format(text.to_owned()))
    }
}

fn placement(text: &str) -> Option<(char, CoordinatePair<'_>)> {
    let mut chars = text.chars();
    let piece = chars.next().filter(|&piece| piece != '\n')?;
    Some((piece, pair(chars.as_str().strip_prefix(' ')?)?))
}

fn movement(text: &str) -> Option<(CoordinatePair<'_>, CoordinatePair<'_>)> {
    let (from, to) = text.split_once(' ')?;
    Some((pair(from)?, pair(to)?))
}

fn pair(text: &str) -> Option<CoordinatePair<'_>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.split_once(',').filter(|(row, column)| is_number(row) && is_number(column))
}

fn space((row, column): CoordinatePair<'_>) -> Result<Space, GridMoveError> {
    let number = |text: &str| text.parse().map_err(|_| GridMoveError::TooLarge(text.to_owned()));
    Ok((number(row)?, number(column)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn moves_round_trip(piece: char, row: usize, column: usize, to: (usize, usize)) {
            prop_assume!(piece != '\n');
            let placed = GridMove::Placement { piece, to };
            prop_assert_eq!(move_elements(&placed.to_string()), Ok(placed));
            prop_assert!(is_placement(&placed.to_string()) && !is_movement(&placed.to_string()));
            let moved = GridMove::Movement { from: (row, column), to };
            prop_assert_eq!(move_elements(&moved.to_string()), Ok(moved));
            prop_assert!(is_movement(&moved.to_string()) && !is_placement(&moved.to_string()));
        }

        #[test]
        fn parses_exactly_placements_and_movements(text in "[X_0-9, ]{0,9}|\\PC{0,9}") {
            let elements = move_elements(&text);
            prop_assert_eq!(elements.is_ok(), is_placement(&text) || is_movement(&text));
            // Writing a move and parsing it again gives the same move; leading zeros are dropped.
            if let Ok(elements) = elements {
                prop_assert_eq!(move_elements(&elements.to_string()), Ok(elements));
            }
        }
    }

    #[test]
    fn accepts_any_character_as_a_piece() {
        assert_eq!(move_elements("7 1,2"), Ok(GridMove::Placement { piece: '7', to: (1, 2) }));
        assert_eq!(move_elements("_ 1,2"), Ok(GridMove::Placement { piece: '_', to: (1, 2) }));
        assert_eq!(move_elements("  1,2"), Ok(GridMove::Placement { piece: ' ', to: (1, 2) }));
        assert_eq!(move_elements("♞ 1,2"), Ok(GridMove::Placement { piece: '♞', to: (1, 2) }));
    }

    #[test]
    fn rejects_malformed_moves() {
        for text in [
            "",
            "X",
            "X 1",
            "X 1,",
            "X ,1",
            "XX 1,2",
            "X  1,2",
            "X 1,2 ",
            "X -1,2",
            "1,2",
            "1,2 3",
            "1,2 3,4 5,6",
            "X 1,٣",
        ] {
            assert_eq!(move_elements(text), Err(GridMoveError::Format(text.to_owned())), "{text}");
        }
        let huge = "9".repeat(40);
        assert!(is_placement(&format!("X {huge},0")) && is_movement(&format!("0,0 0,{huge}")));
        let error = move_elements(&format!("X {huge},0")).unwrap_err();
        assert_eq!(error.to_string(), format!("no board has a row or column {huge}"));
    }
}
