//! `Database`: the endgame database of a mill game.

use std::path::PathBuf;

use morello::game::{AnyPosition, Packed, result_name};
use morello::games;
use morello::morris::engine::database::{self as tables, Metric, MillGame};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{board_array, packed_rows};
use crate::errors::{check_folder, failed, invalid};
use crate::position::Position;
use crate::values::{Keywords, value_class};
use crate::work;

/// The value of a position or a move in a database, for the side to move.
#[pyclass(module = "morello", frozen, get_all, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Probe {
    /// "win", "draw" or "loss".
    pub result: String,
    /// The number of plies to the end of the game with best play; None for a draw, or if the tables
    /// store only results.
    pub plies: Option<u32>,
    /// Whether the ten-move rule of Morabaraba turns a win or loss into this draw.
    pub drawn_by_rule: bool,
}

value_class!(Probe { result, plies, drawn_by_rule });

#[pymethods]
impl Probe {
    #[new]
    #[pyo3(signature = (**fields))]
    fn with_fields(fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::of_fields(fields)
    }

    /// Returns the fields as a dict, which `json.dumps` accepts; `Probe(**fields)` is equal again.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Keywords<'py>> {
        self.keywords(py)
    }

    fn __repr__(&self) -> String {
        let plies = self.plies.map_or_else(String::new, |plies| format!(" in {plies} plies"));
        format!("Probe({}{plies}{})", self.result, if self.drawn_by_rule { ", by the ten-move rule" } else { "" })
    }
}

impl Probe {
    fn new(probe: tables::Probe) -> Self {
        Self {
            result: result_name(probe.outcome()).to_owned(),
            plies: probe.plies(),
            drawn_by_rule: probe.drawn_by_rule,
        }
    }
}

/// The endgame database of a mill game: a directory of tables that `morello database build` writes.
///
/// Args:
///     game: the name of a mill game.
///     folder: the directory with the tables of this game, or the directory that has a subdirectory
///         for each game.
///
/// Raises:
///     MorelloError: not a mill game.
///     OSError: the directory does not exist, or a table cannot be read.
#[pyclass(module = "morello", frozen)]
pub struct Database {
    game: &'static dyn MillGame,
    pub tables: tables::Database,
}

#[pymethods]
impl Database {
    #[new]
    fn new(game: &str, folder: PathBuf) -> PyResult<Self> {
        let game = games::mill(game).map_err(invalid)?;
        let rules = game.ruleset().map_err(invalid)?;
        check_folder(Some(&folder))?;
        let of_game = folder.join(game.info().name);
        let folder = if of_game.is_dir() { of_game } else { folder };
        let tables = tables::Database::open(&folder, rules).map_err(|error| failed(&error))?;
        if let Some(unusable) = tables.unusable_tables().first() {
            return Err(failed(&unusable.error));
        }
        Ok(Self { game, tables })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.info().name
    }

    /// Returns the value of a position; None if no table contains it.
    ///
    /// Args:
    ///     position: a position of the game.
    ///     clock: the number of plies since the last capture or placement, for the ten-move rule of Morabaraba.
    #[pyo3(signature = (position, clock=0))]
    fn probe(&self, py: Python<'_>, position: &Position, clock: u32) -> PyResult<Option<Probe>> {
        self.check(position)?;
        let probe = py.detach(|| self.tables.probe(&position.inner, clock));
        Ok(probe.map_err(|error| failed(&error))?.map(Probe::new))
    }

    /// Returns the moves of a position with their values for the side that makes them, the best
    /// first; None if a table is missing.
    #[pyo3(signature = (position, clock=0))]
    fn probe_moves(&self, py: Python<'_>, position: &Position, clock: u32) -> PyResult<Option<Vec<(String, Probe)>>> {
        self.check(position)?;
        let moves = py.detach(|| self.tables.probe_moves(&position.inner, clock));
        let moves = moves.map_err(|error| failed(&error))?;
        Ok(moves.map(|moves| moves.into_iter().map(|value| (value.m.to_string(), Probe::new(value.probe))).collect()))
    }

    /// The names of the sectors that have a table. "3-3" has three men of each side; "2+1-3+0" also
    /// gives the men in hand: two men on the board and one in hand for the side to move, three and
    /// none for the opponent.
    #[getter]
    fn sectors(&self) -> Vec<String> {
        self.tables.sectors().iter().map(ToString::to_string).collect()
    }

    /// Returns the positions of a sector: uint64 (n, 3), each at least once up to symmetry, with White to move.
    ///
    /// Raises:
    ///     MorelloError: there is no table for this sector.
    fn boards<'py>(&self, py: Python<'py>, sector: &str) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let sector = sector.parse().map_err(invalid)?;
        let table = self.tables.table(sector, Metric::End);
        let table = table.ok_or_else(|| invalid(format!("no table of the sector {sector} of {}", self.name())))?;
        work::check_memory(table.slots() as usize, 2 * size_of::<Packed>() + size_of::<AnyPosition>(), "boards")?;
        let rows = py.detach(|| packed_rows(self.name(), &self.tables.positions(table).collect::<Vec<_>>()))?;
        Ok(board_array(py, rows))
    }

    fn __repr__(&self) -> String {
        format!("Database({:?})", self.game())
    }
}

impl Database {
    /// The name of the game.
    pub fn name(&self) -> &'static str {
        self.game.info().name
    }

    fn check(&self, position: &Position) -> PyResult<()> {
        let name = position.inner.game().name();
        if name == self.game.info().name {
            return Ok(());
        }
        Err(invalid(format!("a position of {name}, but the database of {}", self.game.info().name)))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Database>()?;
    module.add_class::<Probe>()
}
