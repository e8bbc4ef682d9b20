//! `morello train`: trains the evaluations.

mod balance;
mod error_rows;
mod errors;
mod fit;
mod generate;
mod label;
mod measurement;
mod mills;
mod network;
mod probcut;
mod report;
mod weight_files;

use std::ops::RangeInclusive;
use std::process::ExitCode;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  morello train generate --games 20000 --depth 2 --exact-from 12 --weights none -o first.games
  morello train fit --data first.games --output mine.weights
  morello selfplay othello --engine depth=4,weights=mine.weights --engine depth=4,eval=simple";

/// Train the evaluations of 8x8 Othello and of the mill games on self-play games
///
/// Generate games, fit weights to them, and compare the result with other engines with
/// `morello selfplay`.
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
    Network(network::Arguments),
    Mills(mills::Arguments),
    Balance(balance::Arguments),
    Probcut(probcut::Arguments),
    Errors(errors::Arguments),
    Report(report::Arguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        TrainCommand::Generate(arguments) => generate::run(&arguments),
        TrainCommand::Label(arguments) => label::run(&arguments),
        TrainCommand::Fit(arguments) => fit::run(&arguments),
        TrainCommand::Network(arguments) => network::run(&arguments),
        TrainCommand::Mills(arguments) => mills::run(&arguments),
        TrainCommand::Balance(arguments) => balance::run(&arguments),
        TrainCommand::Probcut(arguments) => probcut::run(&arguments),
        TrainCommand::Errors(arguments) => errors::run(&arguments),
        TrainCommand::Report(arguments) => report::run(&arguments),
    }
}

/// Parses a range of numbers of empty squares.
fn parse_empties(text: &str) -> Result<RangeInclusive<u8>, String> {
    let numbers = text.split_once("..").map(|(least, most)| (least.parse(), most.parse()));
    match numbers {
        Some((Ok(least), Ok(most))) if 1 <= least && least <= most && most <= 60 => Ok(least..=most),
        Some((Ok::<u8, _>(_), Ok::<u8, _>(_))) => {
            Err("expected MIN..MAX with MIN not above MAX, both from 1 to 60".to_owned())
        }
        _ => Err("expected two numbers, such as 20..36".to_owned()),
    }
}

/// Parses a number in a range.
fn parse_number(text: &str, range: RangeInclusive<f32>) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
}

/// Parses a learning rate.
fn parse_rate(text: &str) -> Result<f32, String> {
    parse_number(text, 1e-6..=10.0)
}

/// Rounds a number to thousandths.
fn rounded(number: Option<f64>) -> Option<f64> {
    number.map(|number| (number * 1000.0).round() / 1000.0)
}
