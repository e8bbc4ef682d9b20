//! The program `morello`: everything it does is in [`morello::cli`].

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    morello::cli::run().unwrap_or_else(|error| {
        // Nobody may be listening on the other end of stderr; the exit code tells all the same.
        let _ = writeln!(std::io::stderr(), "error: {error:#}");
        ExitCode::from(morello::cli::USAGE_OR_IO)
    })
}
