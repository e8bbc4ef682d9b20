//! The program `morello`, a wrapper around [`morello::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    morello::cli::run(std::env::args_os())
}
