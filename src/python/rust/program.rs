//! Runs the program, for `python -m morello`.

use std::ffi::OsString;
use std::process::ExitCode;

use morello::cli;
use pyo3::prelude::*;

use crate::items::Items;

/// Runs the program with a command line, which starts with the program name, and returns the exit
/// code.
#[pyfunction]
fn run_program(py: Python<'_>, arguments: Items<OsString>) -> u8 {
    let code = py.detach(|| cli::run(arguments.0));
    // The type has no conversion to a number.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(cli::FAILED)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_program, module)?)
}
