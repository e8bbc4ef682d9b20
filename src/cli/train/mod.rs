//! `morello train`: the evaluation of Othello, from nothing.

mod fit;
mod generate;
mod probcut;
mod report;
mod weights;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Train the evaluation of Othello on games that the engine plays against itself
#[derive(Debug, Args)]
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
