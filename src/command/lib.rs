//! What the command lines of the programs share: options, layout of the help, progress, signals
//! and exit codes.
//!
//! Results go to standard output, everything else to standard error. Exit codes:
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | success; also if the reader of the output closed it early, as `head` does |
//! | 1 | finished, but there were bad or disagreeing rows, or a check failed |
//! | 2 | wrong usage, or an error while reading or writing |
//! | 130 | interrupted; finished results are written |

pub mod csv_arguments;
pub mod files;
pub mod help;
#[doc(hidden)]
pub mod help_checks;
pub mod input_arguments;
pub mod numbers;
pub mod progress;
pub mod row_arguments;
pub mod signals;
pub mod terminal_width;
pub mod thread_arguments;
pub mod usage;
pub mod values;

use std::env;
use std::fmt::{Arguments, Display};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use morello_core::instructions::InstructionSet;
use morello_core::printable::printable_lines;
use morello_core::threads;

/// The exit code after bad or disagreeing rows, or a failed check.
pub const FAILED: u8 = 1;
/// The exit code after wrong usage, or an error while reading or writing.
pub const USAGE_OR_IO: u8 = 2;
/// The exit code after an interruption.
pub const INTERRUPTED: u8 = 130;

/// The end of the help of a program: the exit codes.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    finished, but there were bad or disagreeing rows, or a check failed
  2    wrong usage, or an error while reading or writing
  130  interrupted; finished results are written";

/// The version, the instruction set in use, and the system.
pub static VERSION: LazyLock<String> = LazyLock::new(|| version(None));

/// Returns the version, the revision of the source, the instruction set in use, and the system.
pub fn version(revision: Option<&str>) -> String {
    let (version, instructions) = (env!("CARGO_PKG_VERSION"), InstructionSet::used().name());
    let revision = revision.map_or_else(String::new, |revision| format!("{revision}; "));
    format!("{version} ({revision}{instructions}; {}-{})", env::consts::ARCH, env::consts::OS)
}

/// Runs a program and returns its exit code. Writes its error to standard error.
pub fn finish(run: impl FnOnce() -> anyhow::Result<ExitCode>) -> ExitCode {
    threads::if_none_starts(|error| {
        let error = with_remedy(
            "cannot start a thread",
            error,
            "try a smaller --threads, or raise the limits of processes and memory (ulimit)",
        );
        eprint_line(format_args!("error: {error}"));
        signals::exit_with(USAGE_OR_IO)
    });
    match run() {
        Ok(code) => code,
        // The reader of the output has closed it (`| head`).
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Stderr may be closed; the exit code still reports the failure.
            eprint_line(format_args!("error: {error:#}"));
            ExitCode::from(USAGE_OR_IO)
        }
    }
}

/// Returns an error with its remedy: `what: cause; remedy`.
pub fn with_remedy(what: impl Display, cause: impl Into<anyhow::Error>, remedy: &str) -> anyhow::Error {
    anyhow::anyhow!("{what}: {:#}; {remedy}", cause.into())
}

/// Returns whether the reader of an output has closed it.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes a line, or several, to standard error and ignores errors. Escape sequences and the like,
/// which may come from a file, are shown as text.
pub fn eprint_line(line: Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", printable_lines(&line.to_string()));
}
