//! `morello bench`: how many nodes the searches take, and how long.

mod signature;
mod solve;

use std::process::ExitCode;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  morello bench
  morello bench ffo
  morello bench solve data/positions/hard-20.obf --threads 2";

/// Search a fixed suite and print the number of nodes; or solve positions exactly and compare
///
/// Without a subcommand, every game is searched to a fixed depth from the same positions, on one thread and with empty tables; games with
/// an exact solver also solve some. The nodes of each game and of all together repeat on every machine: a change that is not meant to
/// change how the engines search leaves them as they are.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
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
