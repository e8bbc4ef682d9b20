//! Moves by rows and columns, a notation that every game has: `B 4,5` places a piece, `6,0 3,0` moves
//! one. A capture places a blank on the captured piece: `6,0 3,0 _ 0,3`. A pass has no such text.
//!
//! ```
//! use morello::game::{Position, grid};
//! use morello::games;
//!
//! let start = games::get("othello")?.start();
//! assert_eq!(grid::read(&start, "B 4,5"), Some(Ok(start.parse_move("f5")?)));
//! assert_eq!(grid::read(&start, "B 0,0"), Some(Err("it flips no disc".to_owned())));
//! assert_eq!(grid::read(&start, "f5"), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod grid_move;

use thiserror::Error;

pub use self::grid_move::{GridMove, GridMoveError, Space, is_movement, is_placement, move_elements};
use super::{AnyMove, AnyPosition, Color, Layout, MovePoints, Position as _};

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

/// Parses a legal move; an error is the reason why it is not legal. `None` if the text does not have this format.
#[must_use]
pub fn read(position: &AnyPosition, text: &str) -> Option<Result<AnyMove, String>> {
    let (first, captured) = match text.split_once(" _ ") {
        Some((first, captured)) => (first, Some(format!("{BLANK} {captured}"))),
        None => (text, None),
    };
    let first = move_elements(first).ok()?;
    let captured = captured.as_deref().map(move_elements).transpose().ok()?;
    Some(find(position, text, first, captured))
}

fn find(position: &AnyPosition, text: &str, first: GridMove, captured: Option<GridMove>) -> Result<AnyMove, String> {
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
                return Err(format!("{side} places `{own}`, not `{piece}`"));
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
        return Err(format!("the move closes a mill: name the {piece} to remove, as in `{example}`"));
    }
    let why = position.why_illegal(&in_names(&layout, path));
    Err(why.map_or_else(|| format!("the rules do not allow `{text}` here"), |why| why.to_string()))
}

/// Returns the point at a row and column.
fn point(layout: &Layout, (row, column): Space) -> Result<usize, String> {
    let &Layout { rows: height, columns: width, .. } = layout;
    if row >= height || column >= width {
        return Err(OutOfBounds { row, column, height, width }.to_string());
    }
    layout.point_at(row, column).ok_or_else(|| format!("the board has no point at {row},{column}"))
}

/// Writes a move in the notation of the mill games and Othello, to find out why it is not legal. Games with other notations give no reason.
fn in_names(layout: &Layout, path: MovePoints) -> String {
    let name = |point: Option<usize>| point.map_or("", |point| &layout.points[point].name);
    let after_from = if path.from.is_some() { "-" } else { "" };
    let before_captured = if path.captured.is_some() { "x" } else { "" };
    format!("{}{after_from}{}{before_captured}{}", name(path.from), name(path.to), name(path.captured))
}
