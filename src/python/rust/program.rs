//! The program, for `python -m morello`.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use morello::cli;
use pyo3::prelude::*;

/// Runs the program with a command line, its name first, and returns its exit code.
#[pyfunction]
fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| match cli::run_from(arguments) {
        // The type has no conversion to a number.
        Ok(code) => (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(cli::FAILED),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            cli::USAGE_OR_IO
        }
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_program, module)?)
}
