//! Moves by rows and columns, a notation that works for every game: `B 4,5` places a piece,
//! `6,0 3,0` moves one. A capture places a blank on the captured piece: `6,0 3,0 _ 0,3`. Passes
//! cannot be written.
//!
//! ```
//! use morello::game::{Position, grid};
//! use morello::games;
//!
//! let start = games::get("othello")?.start();
//! assert_eq!(grid::read(&start, "B 4,5"), Some(Ok(start.parse_move("f5")?)));
//! let error = grid::read(&start, "B 0,0").and_then(Result::err).map(|error| error.to_string());
//! assert_eq!(error.as_deref(), Some("it flips no disc"));
//! assert_eq!(grid::read(&start, "f5"), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod grid_move;

use thiserror::Error;

pub use self::grid_move::{GridMove, GridMoveError, Space, is_movement, is_placement, move_elements};
use crate::game::{AnyMove, AnyPosition, Color, GameError, Layout, MovePoints, Position as _};

/// An empty space.
pub const BLANK: char = '_';

/// Coordinates outside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{row},{column} is off the board, which has {height} rows and {width} columns, counted from 0")]
pub struct OutOfBounds {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// The rows of the board.
    pub height: usize,
    /// The columns of the board.
    pub width: usize,
}

/// Returns the character of a side's pieces.
#[must_use]
pub fn piece(color: Color) -> char {
    color.letter().to_ascii_uppercase()
}

/// Writes a legal move; `None` for a pass.
///
/// ```
/// use morello::game::{Position, grid};
/// use morello::games;
///
/// let position = games::get("nine-mens-morris")?.parse_position("0,0 a7,d7,g4 a1,b2,c3 W")?;
/// let m = position.parse_move("g4-g7xb2")?;
/// assert_eq!(grid::write(&position, m).as_deref(), Some("3,6 0,6 _ 5,1"));
/// assert_eq!(grid::read(&position, "3,6 0,6 _ 5,1"), Some(Ok(m)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write(position: &AnyPosition, m: AnyMove) -> Option<String> {
    let layout = position.game().layout();
    let at = |point: usize| (layout.points[point].row, layout.points[point].column);
    let path = m.path();
    let to = at(path.to?);
    let first = match path.from {
        Some(from) => GridMove::Movement { from: at(from), to },
        None => GridMove::Placement { piece: piece(position.side_to_move()), to },
    };
    let captured = path.captured.map(|captured| GridMove::Placement { piece: BLANK, to: at(captured) });
    Some(captured.map_or(first.to_string(), |captured| format!("{first} {captured}")))
}

/// Parses a legal move; an error explains why the move is illegal. Returns `None` if the text does
/// not have this format.
#[must_use]
pub fn read(position: &AnyPosition, text: &str) -> Option<Result<AnyMove, GameError>> {
    let (first, captured) = match text.split_once(" _ ") {
        Some((first, captured)) => (first, Some(format!("{BLANK} {captured}"))),
        None => (text, None),
    };
    let first = move_elements(first).ok()?;
    let captured = captured.as_deref().map(move_elements).transpose().ok()?;
    Some(find(position, text, first, captured))
}

fn find(position: &AnyPosition, text: &str, first: GridMove, captured: Option<GridMove>) -> Result<AnyMove, GameError> {
    let layout = position.game().layout();
    let captured = match captured {
        Some(GridMove::Placement { to, .. }) => Some(point(&layout, to)?),
        _ => None,
    };
    let path = match first {
        GridMove::Placement { piece, to } => {
            let side = position.side_to_move();
            let own = self::piece(side);
            if !piece.eq_ignore_ascii_case(&own) {
                return Err(GameError::new(format!("{side} places `{own}`, not `{piece}`")));
            }
            MovePoints { from: None, to: Some(point(&layout, to)?), captured }
        }
        GridMove::Movement { from, to } => {
            MovePoints { from: Some(point(&layout, from)?), to: Some(point(&layout, to)?), captured }
        }
    };
    if let Some(m) = position.legal_moves().find(|m| m.path() == path) {
        return Ok(m);
    }
    let same_step = |m: &AnyMove| MovePoints { captured: None, ..m.path() } == path;
    if let Some(example) = position.legal_moves().find(same_step).and_then(|m| write(position, m)) {
        let piece = position.game().info().terminology.piece;
        let text = format!("the move closes a mill; name the {piece} to remove, as in `{example}`");
        return Err(GameError::new(text));
    }
    let why = position.explain_illegal(&in_names(&layout, path));
    Err(why.unwrap_or_else(|| GameError::new(format!("the rules do not allow `{text}` here"))))
}

/// Returns the point at a row and column.
fn point(layout: &Layout, (row, column): Space) -> Result<usize, GameError> {
    let &Layout { rows: height, columns: width, .. } = layout;
    if row >= height || column >= width {
        return Err(GameError::new(OutOfBounds { row, column, height, width }));
    }
    layout.point_at(row, column).ok_or_else(|| GameError::new(format!("the board has no point at {row},{column}")))
}

/// Writes a move in the notation of the mill games and Othello, to find out why it is illegal.
/// Games with other notations give no reason.
fn in_names(layout: &Layout, path: MovePoints) -> String {
    let name = |point: Option<usize>| point.map_or("", |point| &layout.points[point].name);
    let after_from = if path.from.is_some() { "-" } else { "" };
    let before_captured = if path.captured.is_some() { "x" } else { "" };
    format!("{}{after_from}{}{before_captured}{}", name(path.from), name(path.to), name(path.captured))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::games;

    #[test]
    fn every_move_but_a_pass_round_trips() {
        for (game, seed) in games::all().iter().flat_map(|game| (0..20).map(move |seed| (game, seed))) {
            let position = *game.random_game(seed, 3 * seed as usize).position();
            let mut texts = HashSet::new();
            for m in position.legal_moves() {
                let Some(text) = write(&position, m) else {
                    assert!(m.is_pass());
                    continue;
                };
                assert_eq!(read(&position, &text), Some(Ok(m)), "{text} in {position}");
                assert!(texts.insert(text), "{m}: the text must be unique");
            }
        }
    }

    #[test]
    fn rejects_other_texts_and_illegal_moves_with_the_reason() {
        let othello = ("othello-4x4", "-----OX--XO----- X");
        let nine = ("nine-mens-morris", "0,0 a1,d1,g4,b2 a7,d7,b6,f4 W");
        let cows = ("morabaraba", "9,9 a1,d1 a7,d7 W");
        for ((game, position), text, reason) in [
            (othello, "B 0,4", "0,4 is off the board, which has 4 rows and 4 columns, counted from 0"),
            (othello, "W 0,1", "Black places `B`, not `W`"),
            (othello, "b 1,1", "the square is occupied"),
            (othello, "B 0,0", "it flips no disc"),
            (othello, "1,2 0,1", "the rules do not allow `1,2 0,1` here"),
            (othello, "B 0,1 _ 1,1", "the rules do not allow `B 0,1 _ 1,1` here"),
            (nine, "0,1 0,0", "the board has no point at 0,1"),
            (nine, "W 0,6", "no man is in hand"),
            (nine, "0,0 3,0", "the side to move has no man on a7"),
            (nine, "6,0 0,6", "g7 is not adjacent to a1"),
            (nine, "3,6 6,6", "the move closes a mill; name the man to remove, as in `3,6 6,6 _ 0,0`"),
            (nine, "3,6 6,6 _ 0,6", "the opponent has no man on g7"),
            (nine, "3,6 0,6 _ 0,0", "the move captures nothing"),
            (cows, "W 6,6", "the move closes a mill; name the cow to remove, as in `W 6,6 _ 0,0`"),
        ] {
            let position = games::get(game).unwrap().parse_position(position).unwrap();
            assert_eq!(read(&position, text), Some(Err(GameError::new(reason))), "{text}");
            for text in ["", "hello", "B 1", "B 0,1 _", "B 0,1 _ 2", "0,1", "f5 f6", "B 9,99999999999999999999"] {
                assert_eq!(read(&position, text), None, "{text}");
            }
        }
    }
}
