//! The exceptions, and conversions from the crate's errors.

use std::error::Error;
use std::fmt::Display;
use std::path::Path;
use std::{io, iter};

use morello::input::{ReadTextError, RecordError};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(morello, MorelloError, PyValueError, "The base of all exceptions of this package.");
create_exception!(
    morello,
    ParseError,
    MorelloError,
    "A text or file is not a position or game. `line` and `column` count from 1; `file` is the file or None."
);
create_exception!(morello, IllegalMoveError, MorelloError, "A move is illegal in its position, or the game is over.");

/// Returns an exception for wrong arguments.
pub fn invalid(error: impl Display) -> PyErr {
    MorelloError::new_err(error.to_string())
}

/// Returns an exception for an illegal move.
pub fn illegal(error: impl Display) -> PyErr {
    IllegalMoveError::new_err(error.to_string())
}

/// Returns an exception for a system or file error, with its causes. If the system reports an error
/// number, it is a subclass of OSError such as FileNotFoundError.
pub fn failed(error: &(dyn Error + 'static)) -> PyErr {
    let mut chain = iter::successors(Some(error), |&error| error.source());
    let number = chain.find_map(|error| error.downcast_ref::<io::Error>()?.raw_os_error());
    match number {
        Some(number) => PyOSError::new_err((number, with_causes(error))),
        None => PyOSError::new_err(with_causes(error)),
    }
}

/// Checks that a database directory exists, because the library treats a missing directory as
/// empty.
pub fn check_folder(folder: Option<&Path>) -> PyResult<()> {
    let Some(folder) = folder else { return Ok(()) };
    match folder.metadata() {
        Ok(_) => Ok(()),
        Err(error) => {
            let folder = folder.display();
            let text =
                format!("cannot read the directory `{folder}`: {error}; `morello database build` writes the tables");
            Err(PyOSError::new_err((error.raw_os_error(), text)))
        }
    }
}

/// Reads a number that must not be negative, for `from_py_with`. The error contains the number, and
/// PyO3 adds the argument name.
pub fn natural<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<T> {
    let is_read = |&most: &u64| most.into_pyobject(value.py()).is_ok_and(|most| most.extract::<T>().is_ok());
    value.extract().map_err(|_| match value.repr() {
        Ok(text) => {
            // The largest number that the type can be read from.
            let most = [u64::MAX, u32::MAX.into()].into_iter().find(is_read).unwrap_or(u8::MAX.into());
            PyTypeError::new_err(format!("expected an integer from 0 to {most}, not {text}"))
        }
        Err(error) => error,
    })
}

/// Returns an exception for running out of memory.
pub fn no_memory(error: impl Display) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// Returns the messages of an error and its causes.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// Returns a [`ParseError`] with its location.
pub fn parse_error(py: Python<'_>, message: &str, file: Option<&str>, line: u64, column: u64) -> PyErr {
    let place = file.map_or_else(|| format!("line {line}, column {column}"), |file| format!("{file}:{line}:{column}"));
    let error = ParseError::new_err(format!("{place}: {message}"));
    let value = error.value(py);
    let set = || -> PyResult<()> {
        value.setattr("line", line)?;
        value.setattr("column", column)?;
        value.setattr("file", file)
    };
    match set() {
        Ok(()) => error,
        Err(error) => error,
    }
}

/// Converts an error in a record of a file.
pub fn in_record(py: Python<'_>, error: &RecordError, file: Option<&str>) -> PyErr {
    parse_error(py, &error.problem.to_string(), file, error.line, error.column as u64)
}

/// Converts an error in text of any format.
pub fn in_text(py: Python<'_>, error: &ReadTextError) -> PyErr {
    match error {
        ReadTextError::Invalid(error) => in_record(py, error, None),
        error => parse_error(py, &error.to_string(), None, 1, 1),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("MorelloError", py.get_type::<MorelloError>())?;
    module.add("ParseError", py.get_type::<ParseError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())
}
