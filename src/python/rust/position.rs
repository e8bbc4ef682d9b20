//! `Position`: a position without history.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use morello::game::{AnyGame, AnyMove, AnyPosition, Color, NamedOpening, Position as _};
use morello::input::read_position;
use morello::output::{PointLabel, board_svg};
use morello::perft::Convention;
use morello::{games, perft};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::errors::{illegal, in_text, invalid};
use crate::work;

/// Returns the game with this name.
pub fn game_named(name: &str) -> PyResult<&'static dyn AnyGame> {
    games::get(name).map_err(invalid)
}

/// Parses a legal move.
pub fn parse_move(position: &AnyPosition, text: &str) -> PyResult<AnyMove> {
    find_move(position, text).map_err(illegal)
}

/// Parses a legal move, or returns why the text is not one.
pub fn find_move(position: &AnyPosition, text: &str) -> Result<AnyMove, String> {
    position.find_move(text).ok_or_else(|| {
        let reason = match (position.explain_illegal(text), position.legal_moves().next()) {
            (Some(reason), _) => reason.to_string(),
            (None, Some(m)) => format!("expected a move such as `{m}`"),
            (None, None) => "the game is over".to_owned(),
        };
        format!("illegal move `{text}`: {reason} (position `{position}`)")
    })
}

/// An integer with the bits of a `u64`: signed integers are the same bits, as in arrays of boards.
struct Bits(u64);

impl<'py> FromPyObject<'_, 'py> for Bits {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract::<u64>().or_else(|error| object.extract().map(i64::cast_unsigned).map_err(|_| error)).map(Self)
    }
}

/// A position of a game, without history.
///
/// Positions are immutable and hashable. Equal positions of a game compare equal; they have no
/// order. Moves are text in the notation of the game: "f5" in Othello, "a7", "a7-d7" or "a7-d7xg1"
/// in the mill games; a forced pass is the move "pa".
///
///     Position()                                  # the start of Othello
///     Position("f5d6c3")                          # after some moves
///     Position("0,0 a7,d7,g7 b4,d2 W", "nine-mens-morris")
///
/// Args:
///     text: a position or the moves of a game in any notation; None for the starting position.
///     game: the name of the game, one of `games()`.
///
/// Raises:
///     ParseError: the text is not a position; `line` and `column` say where.
///     MorelloError: no game has this name.
#[pyclass(module = "morello", frozen, from_py_object)]
#[derive(Clone, Copy)]
pub struct Position {
    pub inner: AnyPosition,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text=None, game="othello"))]
    fn new(py: Python<'_>, text: Option<&str>, game: &str) -> PyResult<Self> {
        let game = game_named(game)?;
        let inner = match text {
            // Reading a position is much faster than distinguishing it from all other formats.
            Some(text) => match game.parse_position(text).ok().filter(|position| position.to_string() == text) {
                Some(position) => position,
                None => read_position(game, text).map_err(|error| in_text(py, &error))?,
            },
            None => game.start(),
        };
        Ok(Self { inner })
    }

    /// Returns the position that is stored in a row of a `batch` array.
    ///
    /// Args:
    ///     board: three integers, such as a row of an array of boards: see `board`.
    ///     game: the name of the game, one of `games()`.
    ///
    /// Raises:
    ///     TypeError: the board is not three integers.
    ///     MorelloError: the row is not a position of the game, or no game has this name.
    #[staticmethod]
    #[pyo3(signature = (board, game="othello"))]
    fn from_board(board: &Bound<'_, PyAny>, game: &str) -> PyResult<Self> {
        let game = game_named(game)?;
        let packed = board.extract::<[Bits; 3]>().map_err(|_| {
            PyTypeError::new_err(format!("board must be three integers, such as a row of boards, not {board:?}"))
        })?;
        let packed = packed.map(|Bits(bits)| bits);
        let inner = AnyPosition::from_packed(game, packed);
        let inner = inner.ok_or_else(|| invalid(format!("board is not a position of {}: {packed:?}", game.name())))?;
        Ok(Self { inner })
    }

    /// The position as a row of a `batch` array: uint64 (3,). In Othello these are the discs of the
    /// side to move, the discs of the opponent, and the side to move: see `batch`.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(py, &self.inner.packed())
    }

    /// Returns the pieces as an array: int8 (points,), in the order of `point_names()`, with 1 for
    /// a piece of the side to move, -1 for a piece of the opponent, and 0 for an empty point.
    #[pyo3(name = "to_array")]
    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let side = self.inner.side_to_move();
        let number = |point| self.inner.piece_at(point).map_or(0, |color| if color == side { 1 } else { -1 });
        let points = self.inner.game().layout().points.len();
        PyArray1::from_iter(py, (0..points).map(number))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.game().name()
    }

    /// The name of the opening that ends in this position, up to symmetry; None if it has no name.
    #[getter]
    fn opening(&self) -> Option<&'static str> {
        self.inner.game().opening_names()?.get(&self.inner).map(|opening| opening.name)
    }

    /// The side to move: "black" or "white".
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.inner.side_to_move().name()
    }

    /// Whether the position itself ends the game.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    /// The final score in points for the side to move (discs in Othello, 1 or -1 in the mill
    /// games); None if the game is not over.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.inner.is_over().then(|| self.inner.final_score())
    }

    /// The number of empty squares; None in the mill games.
    #[getter]
    fn empties(&self) -> Option<u32> {
        self.inner.empty_count()
    }

    /// The pieces in hand of Black and White, in this order; None in Othello.
    #[getter]
    fn in_hand(&self) -> Option<(u32, u32)> {
        Some((self.inner.in_hand(Color::Black)?, self.inner.in_hand(Color::White)?))
    }

    /// The pieces by the name of their point, such as {"d4": "white"}.
    #[getter]
    fn pieces(&self) -> std::collections::BTreeMap<String, &'static str> {
        let points = self.inner.game().layout().points.into_iter().enumerate();
        points.filter_map(|(number, point)| Some((point.name, self.inner.piece_at(number)?.name()))).collect()
    }

    /// The legal moves; empty if the game is over, and only "pa" if the side to move must pass.
    fn legal_moves(&self) -> Vec<String> {
        self.inner.legal_moves().map(|m| m.to_string()).collect()
    }

    /// Returns whether a move is legal.
    fn is_legal(&self, r#move: &str) -> bool {
        self.inner.find_move(r#move).is_some()
    }

    /// Returns the position after a move.
    ///
    /// Raises:
    ///     IllegalMoveError: with the reason.
    fn play(&self, r#move: &str) -> PyResult<Self> {
        let m = parse_move(&self.inner, r#move)?;
        Ok(Self { inner: self.inner.after(m) })
    }

    /// The order of the symmetry group of the board: 8 in Othello, 16 in nine men's morris.
    #[getter]
    fn symmetry_count(&self) -> usize {
        self.inner.game().info().symmetries
    }

    /// Returns the image under the `k`-th symmetry of the board, 0 (the identity) to
    /// `symmetry_count - 1`.
    fn transform(&self, k: usize) -> PyResult<Self> {
        let count = self.symmetry_count();
        if k >= count {
            return Err(invalid(format!("symmetry must be below {count}, not {k}")));
        }
        Ok(Self { inner: self.inner.transform(k) })
    }

    /// Returns the images under all symmetries, the position itself first.
    fn symmetries(&self) -> Vec<Self> {
        (0..self.symmetry_count()).map(|k| Self { inner: self.inner.transform(k) }).collect()
    }

    /// Returns the representative of the position and its symmetric images: it is the same for all
    /// of them.
    fn canonical(&self) -> Self {
        Self { inner: self.inner.canonical() }
    }

    /// Counts the leaves `depth` plies below the position.
    ///
    /// Args:
    ///     depth: the number of plies.
    ///     convention: "passes-count" (a forced pass is a ply, and games that end earlier are not
    ///         counted), "ended-once" or "free-pass".
    #[pyo3(signature = (depth, convention="passes-count"))]
    fn perft(&self, py: Python<'_>, depth: u32, convention: &str) -> PyResult<u64> {
        let convention: Convention = convention.parse().map_err(invalid)?;
        let parts = self.divide_on(py, depth, convention, None)?;
        Ok(match parts {
            Some(parts) => perft::total(&parts),
            None => games::perft(self.game()).map_err(invalid)?.count(&self.inner, depth, convention),
        })
    }

    /// Counts the leaves below each move.
    ///
    /// Returns:
    ///     a dict that maps each move to its count; their sum is `perft(depth)`.
    #[pyo3(signature = (depth, convention="passes-count", threads=None))]
    fn divide(
        &self,
        py: Python<'_>,
        depth: u32,
        convention: &str,
        threads: Option<usize>,
    ) -> PyResult<std::collections::BTreeMap<String, u64>> {
        let convention = convention.parse().map_err(invalid)?;
        let parts = self.divide_on(py, depth, convention, threads)?;
        Ok(parts.into_iter().flatten().map(|part| (part.root.to_string(), part.nodes)).collect())
    }

    /// Returns the names of the points in the order of `batch` arrays: square 0 is "a1" in Othello.
    fn point_names(&self) -> Vec<String> {
        self.inner.game().layout().points.into_iter().map(|point| point.name).collect()
    }

    /// Returns a drawing of the board as SVG.
    ///
    /// Args:
    ///     values: a dict from moves to numbers or strings that are written on their destinations,
    ///         such as the result of `Engine.move_values`; the highest number is highlighted.
    #[pyo3(signature = (values=None))]
    fn svg(&self, values: Option<std::collections::BTreeMap<String, Bound<'_, PyAny>>>) -> PyResult<String> {
        let values = values.unwrap_or_default();
        let number = |value: &Bound<'_, PyAny>| value.extract::<f64>().ok();
        let best = values.values().filter_map(number).fold(f64::NEG_INFINITY, f64::max);
        // If several moves lead to a point, the best one counts.
        let mut labels: Vec<(f64, PointLabel)> = Vec::new();
        for (text, value) in &values {
            let Some(point) = parse_move(&self.inner, text)?.path().to else { continue };
            let worth = number(value).unwrap_or(f64::NEG_INFINITY);
            let text = match number(value) {
                Some(number) => format!("{:+}", (number * 100.0).round() / 100.0),
                None => value.str()?.to_string(),
            };
            let label = PointLabel { point, text, is_best: worth == best && worth.is_finite() };
            match labels.iter_mut().find(|(_, other)| other.point == point) {
                Some(other) if other.0 < worth => *other = (worth, label),
                Some(_) => {}
                None => labels.push((worth, label)),
            }
        }
        let labels: Vec<_> = labels.into_iter().map(|(_, label)| label).collect();
        Ok(board_svg(&self.inner, &labels))
    }

    fn _repr_svg_(&self) -> String {
        board_svg(&self.inner, &[])
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    pub fn __repr__(&self) -> String {
        format!("Position({:?}, {:?})", self.inner.to_string(), self.game())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, &'static str)) {
        (py.get_type::<Self>(), (self.inner.to_string(), self.game()))
    }
}

impl Position {
    /// Counts the leaves below each move on several threads; `None` at depth 0.
    fn divide_on(
        &self,
        py: Python<'_>,
        depth: u32,
        convention: Convention,
        threads: Option<usize>,
    ) -> PyResult<Option<Vec<perft::Division>>> {
        if depth == 0 {
            return Ok(None);
        }
        const TABLE_BYTES: usize = 64 << 20;
        let position = self.inner;
        let functions = games::perft(self.game()).map_err(invalid)?;
        let pool = work::pool(threads)?;
        work::run(py, &mut |_| Ok(()), |cancel| {
            pool.install(|| functions.divide_with(&position, depth, convention, TABLE_BYTES, cancel, &|_, _| ()))
        })
    }
}

/// Returns the names of all games.
#[pyfunction]
fn games_list() -> Vec<&'static str> {
    games::all().iter().map(|game| game.name()).collect()
}

/// Returns a one-line description of a game.
///
/// Raises:
///     MorelloError: no game has this name.
#[pyfunction]
fn about(game: &str) -> PyResult<&'static str> {
    Ok(game_named(game)?.info().about)
}

/// Returns the named openings of a game, sorted by their moves; [] if the game has no named
/// openings.
///
/// Args:
///     game: the name of the game, one of `games()`.
///
/// Returns:
///     a list of dicts with these keys:
///     "name"
///     "other_names": a list
///     "moves": one of the move orders, as text
///     "source": where the name comes from
#[pyfunction]
#[pyo3(signature = (game="othello"))]
fn opening_names<'py>(py: Python<'py>, game: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let openings = game_named(game)?.opening_names().map_or(&[][..], |names| names.all());
    let dict = |opening: &NamedOpening| {
        let dict = PyDict::new(py);
        dict.set_item("name", opening.name)?;
        dict.set_item(
            "other_names",
            opening.other_names.split(';').filter(|name| !name.is_empty()).collect::<Vec<_>>(),
        )?;
        dict.set_item("moves", opening.moves.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        dict.set_item("source", opening.source)?;
        Ok(dict)
    };
    openings.iter().map(dict).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Position>()?;
    module.add("games", wrap_pyfunction!(games_list, module)?)?;
    module.add_function(wrap_pyfunction!(about, module)?)?;
    module.add_function(wrap_pyfunction!(opening_names, module)?)
}
