//! `morello bench`: node counts and times of searches.

mod ffo;
mod signature;
mod solve;

use std::process::ExitCode;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  morello bench
  morello bench ffo
  morello bench solve data/positions/hard-20.obf --threads 2";

/// Count the nodes of a fixed suite of searches, or time the exact solver
///
/// Without a subcommand, morello searches fixed positions of every game to a fixed depth, on one
/// thread and with empty tables. In games with an exact solver, it also solves some positions. The
/// node counts are the same on every machine and change only if the search changes.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    suite: Option<Suite>,
}

#[derive(Debug, Subcommand)]
enum Suite {
    Ffo(solve::FfoArguments),
    Solve(solve::FileArguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.suite {
        None => signature::run(),
        Some(Suite::Ffo(arguments)) => solve::run_ffo(&arguments),
        Some(Suite::Solve(arguments)) => solve::run_files(&arguments),
    }
}
