//! `morello train`: the evaluation of Othello, from nothing.

mod fit;
mod generate;
mod probcut;
mod report;
mod weights;

use std::process::ExitCode;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  morello train generate --games 20000 --depth 2 --exact-from 12 --weights none --output first.games
  morello train fit --data first.games --output mine.weights
  morello selfplay othello --engine depth=4,weights=mine.weights --engine depth=4,eval=simple";

/// Train the evaluation of Othello on games that the engine plays against itself
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Generate(generate::Arguments),
    Fit(fit::Arguments),
    Probcut(probcut::Arguments),
    Report(report::Arguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.step {
        Step::Generate(arguments) => generate::run(&arguments),
        Step::Fit(arguments) => fit::run(&arguments),
        Step::Probcut(arguments) => probcut::run(&arguments),
        Step::Report(arguments) => report::run(&arguments),
    }
}
