//! The compiled part of the Python package `morello`.
//!
//! ```text
//! morello/__init__.py
//!     -> _morello: position, record, engine, book (one at a time), batch (NumPy arrays), files, matches
//!     -> the crate `morello`
//! ```
//!
//! Long calls release the interpreter's lock, and [`work`] stops them on Ctrl-C.

mod analysis;
mod batch;
mod book;
mod database;
mod engine;
mod environments;
mod errors;
mod files;
mod items;
mod limits;
mod matches;
mod pickled;
mod player;
mod position;
mod program;
mod record;
mod report;
mod staged;
mod state;
mod tags;
mod values;
mod work;
mod wthor;

use morello::provenance::Provenance;
use numpy::{PyArray1, PyArrayMethods, get_array_module};
use pyo3::prelude::*;

/// Othello and mill games: rules, search, exact solver, endgame databases.
#[pymodule]
#[pyo3(name = "_morello")]
fn python_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    load_numpy(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    morello::provenance::set_source(|| Provenance {
        program: "morello for Python".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Provenance::default()
    });
    errors::register(module)?;
    position::register(module)?;
    record::register(module)?;
    report::register(module)?;
    state::register(module)?;
    environments::register(module)?;
    limits::register(module)?;
    engine::register(module)?;
    database::register(module)?;
    book::register(module)?;
    files::register(module)?;
    analysis::register(module)?;
    wthor::register(module)?;
    batch::register(module)?;
    matches::register(module)?;
    program::register(module)
}

/// Loads what arrays need of NumPy. Otherwise the first array of the process would, and panic at Ctrl-C.
fn load_numpy(py: Python<'_>) -> PyResult<()> {
    get_array_module(py)?;
    // The functions of arrays, and the register of arrays in use.
    drop(PyArray1::<u64>::zeros(py, 1, false).try_readonly());
    Ok(())
}
