//! The program `morello-train`: trains the evaluations of Othello and of the mill games.

mod balance;
mod error_rows;
mod errors;
mod fit;
#[cfg(test)]
#[path = "../../tests/fuzz/target.rs"]
mod fuzz;
#[cfg(test)]
#[path = "../../tests/fuzz/target_files.rs"]
mod fuzz_files;
mod generate;
mod label;
mod measurement;
mod mills;
mod network;
mod probcut;
mod report;
mod training;
mod weight_files;

use std::ops::RangeInclusive;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use morello_command::{EXIT_CODES, VERSION, files, finish, help, usage};
use morello_core::instructions::InstructionSet;

const EXAMPLES: &str = "\
Examples:
  morello-train generate --games 20000 --depth 2 --exact-from 12 --weights none -o first.games
  morello-train fit --data first.games --output mine.weights
  morello selfplay othello --engine depth=4,weights=mine.weights --engine depth=4,eval=simple";

/// Train the evaluations of 8x8 Othello and of the mill games on self-play games
///
/// Generate games, fit weights to them, and compare the result with other engines with
/// `morello selfplay`.
#[derive(Debug, Parser)]
#[command(name = "morello-train", version = VERSION.as_str(), max_term_width = 100)]
#[command(before_long_help = EXAMPLES, after_long_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Replace existing output files
    #[arg(long, global = true, help_heading = help::OUTPUT)]
    force: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
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

/// Returns the whole command line.
fn command() -> clap::Command {
    help::with_layout(Cli::command())
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> anyhow::Result<ExitCode> {
    InstructionSet::selected()?;
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(mut error) => {
            help::remove_value_tip(&mut error);
            return usage::show(&usage::in_plain_words(error));
        }
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return usage::show(&error.format(&mut command())),
    };
    files::replace_files(cli.force);
    match cli.command {
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Label(arguments) => label::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Network(arguments) => network::run(&arguments),
        Command::Mills(arguments) => mills::run(&arguments),
        Command::Balance(arguments) => balance::run(&arguments),
        Command::Probcut(arguments) => probcut::run(&arguments),
        Command::Errors(arguments) => errors::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
    }
}

/// Parses a range of numbers of empty squares.
fn parse_empties(text: &str) -> Result<RangeInclusive<u8>, String> {
    let numbers = text.split_once("..").map(|(least, most)| (least.parse(), most.parse()));
    match numbers {
        Some((Ok(least), Ok(most))) if 1 <= least && least <= most && most <= 60 => Ok(least..=most),
        Some((Ok::<u8, _>(_), Ok::<u8, _>(_))) => Err("expected a range such as 20..36, from 1 to 60".to_owned()),
        _ => Err("expected two numbers from 1 to 60, such as 20..36".to_owned()),
    }
}

/// The learning rates.
const RATES: RangeInclusive<f32> = 1e-6..=10.0;

/// Rounds a number to thousandths.
fn rounded(number: Option<f64>) -> Option<f64> {
    number.map(|number| (number * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use morello_command::help_checks;

    use super::*;

    #[test]
    fn the_help_is_complete() {
        help_checks::check(&command());
    }
}
