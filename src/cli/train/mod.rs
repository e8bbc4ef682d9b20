//! `morello train`: trains the Othello evaluation.

mod balance;
mod fit;
mod generate;
mod label;
mod probcut;
mod report;
mod weight_files;

use std::process::ExitCode;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  morello train generate --games 20000 --depth 2 --exact-from 12 --weights none -o first.games
  morello train fit --data first.games --output mine.weights
  morello selfplay othello --engine depth=4,weights=mine.weights --engine depth=4,eval=simple";

/// Train the 8x8 Othello evaluation on self-play games
///
/// Generate games, fit weights to them, and compare the result with other engines with `morello selfplay`.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(Debug, Subcommand)]
enum TrainCommand {
    Generate(generate::Arguments),
    Label(label::Arguments),
    Fit(fit::Arguments),
    Balance(balance::Arguments),
    Probcut(probcut::Arguments),
    Report(report::Arguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        TrainCommand::Generate(arguments) => generate::run(&arguments),
        TrainCommand::Label(arguments) => label::run(&arguments),
        TrainCommand::Fit(arguments) => fit::run(&arguments),
        TrainCommand::Balance(arguments) => balance::run(&arguments),
        TrainCommand::Probcut(arguments) => probcut::run(&arguments),
        TrainCommand::Report(arguments) => report::run(&arguments),
    }
}
