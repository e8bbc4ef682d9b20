//! The program `morello`, a wrapper around [`morello::cli`].

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    morello::cli::run().unwrap_or_else(|error| {
        // Stderr may be closed; the exit code still reports the failure.
        let _ = writeln!(std::io::stderr(), "error: {error:#}");
        ExitCode::from(morello::cli::USAGE_OR_IO)
    })
}
