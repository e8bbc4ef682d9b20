//! [`Observation`]: what a player sees, as an array.

use morello::game::{Color, Playable};
use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, IntoPyArray as _};
use pyo3::prelude::*;

use super::actions::{ActionSet, Actions};
use super::turns::{Pieces, Turns};
use crate::errors::invalid;

/// A kind of observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observation {
    /// A number for each point, the men in hand, and whether a capture is due.
    Points,
    /// Planes of the grid of the board.
    Planes,
    /// The observation tensor of OpenSpiel.
    Tensor,
}

impl Observation {
    pub fn named(name: &str) -> PyResult<Self> {
        match name {
            "points" => Ok(Self::Points),
            "planes" => Ok(Self::Planes),
            "tensor" => Ok(Self::Tensor),
            _ => Err(invalid(format!("observation must be \"points\", \"planes\" or \"tensor\", not `{name}`"))),
        }
    }

    pub fn shape(self, actions: &Actions) -> Vec<usize> {
        let layout = &actions.layout;
        let planes = match (self, actions.is_squares()) {
            (Self::Points, _) => return vec![layout.points.len() + 3],
            (_, true) => 3,
            (Self::Planes, false) => 7,
            (Self::Tensor, false) => 5,
        };
        vec![planes, layout.rows, layout.columns]
    }

    /// Returns written values as an array with the type of this kind.
    pub fn array(self, py: Python<'_>, shape: Vec<usize>, values: Vec<i8>) -> Bound<'_, PyAny> {
        match self {
            Self::Points | Self::Planes => shaped(py, shape, values),
            Self::Tensor => shaped(py, shape, values.into_iter().map(f32::from).collect()),
        }
    }

    /// Writes what `side` sees to an array of zeros of this shape.
    pub fn write<P: Playable>(
        self,
        turns: &Turns<P>,
        actions: &Actions,
        legal: &ActionSet,
        side: Color,
        array: &mut [i8],
    ) {
        let Pieces { points, hands } = turns.pieces(actions);
        let (sign, hands) = if side == Color::Black { (1, hands) } else { (-1, [hands[1], hands[0]]) };
        let n = actions.points.len();
        let planes = Planes { actions, points: &points[..n] };
        match self {
            Self::Points => {
                for (cell, piece) in array.iter_mut().zip(planes.points) {
                    *cell = sign * piece;
                }
                array[n..n + 2].copy_from_slice(&hands);
                array[n + 2] = turns.must_capture().into();
            }
            Self::Planes => {
                planes.write_pieces([sign, -sign], array);
                planes.write_choices(hands, turns.must_capture(), legal, &mut array[2 * actions.cells..]);
            }
            Self::Tensor if actions.is_squares() => planes.write_pieces([0, sign, -sign], array),
            Self::Tensor => {
                // The first player's men come first, regardless of who observes.
                let first = if P::default().side_to_move() == Color::Black { 1 } else { -1 };
                planes.write_pieces([first, -first, 0], array);
                planes.write_lines(&mut array[3 * actions.cells..]);
            }
        }
    }
}

/// Returns values as an array of this shape.
fn shaped<'py, T: Element>(py: Python<'py>, shape: Vec<usize>, values: Vec<T>) -> Bound<'py, PyAny> {
    ArrayD::from_shape_vec(IxDyn(&shape), values).expect("the values have this shape").into_pyarray(py).into_any()
}

/// The pieces on a board in reading order, as planes of its grid.
struct Planes<'a> {
    actions: &'a Actions,
    points: &'a [i8],
}

impl Planes<'_> {
    /// Writes a plane for each of these pieces.
    fn write_pieces<const N: usize>(&self, pieces: [i8; N], array: &mut [i8]) {
        for (plane, piece) in array.chunks_exact_mut(self.actions.cells).zip(pieces) {
            for (&point, &cell) in self.points.iter().zip(&self.actions.cell_of) {
                plane[cell] = i8::from(point == piece);
            }
        }
    }

    /// Writes the points of the legal actions, and in the mill games also their origins, the men in
    /// hand and whether a capture is due.
    fn write_choices(&self, hands: [i8; 2], must_capture: bool, legal: &ActionSet, array: &mut [i8]) {
        let Actions { cells, cell_of, points, .. } = self.actions;
        if self.actions.is_squares() {
            // The last action is the pass.
            legal.iter().filter(|&action| action < points.len()).for_each(|action| array[cell_of[action]] = 1);
            return;
        }
        for action in legal.iter() {
            let (origin, destination) = self.actions.origin_and_destination(action);
            array[cell_of[destination]] = 1;
            if let Some(origin) = origin {
                array[cells + cell_of[origin]] = 1;
            }
        }
        let constants = [hands[0], hands[1], must_capture.into()];
        for (plane, constant) in array[2 * cells..].chunks_exact_mut(*cells).zip(constants) {
            plane.fill(constant);
        }
    }

    /// Writes a plane with the cells between connected points of a row, and one for columns.
    fn write_lines(&self, array: &mut [i8]) {
        let Actions { layout, cells, .. } = self.actions;
        for &(a, b) in &layout.lines {
            let [a, b] = [a, b].map(|point| &layout.points[point]);
            if a.row == b.row {
                let columns = a.column.min(b.column) + 1..a.column.max(b.column);
                columns.for_each(|column| array[a.row * layout.columns + column] = 1);
            } else if a.column == b.column {
                let rows = a.row.min(b.row) + 1..a.row.max(b.row);
                rows.for_each(|row| array[cells + row * layout.columns + a.column] = 1);
            }
        }
    }
}
