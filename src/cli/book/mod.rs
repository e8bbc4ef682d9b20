//! `morello book`: builds, changes and queries opening books.

mod book_arguments;
mod build;
mod edit;
mod exchange;
mod game_files;
mod learn;
mod lines;
mod openings;
mod show;
mod stats;

use std::process::ExitCode;

use clap::{Args, Subcommand};

pub(super) use self::book_arguments::{game_parser, open as open_book};

const EXAMPLES: &str = "\
Examples:
  morello book show othello f5d6c3
  morello book lines othello f5f6 --umigame
  morello book build othello mine.book --level 18 --max-plies 8 --time-limit 2h
  morello book learn othello mine.book WTH_*.wtb --max-plies 20
  morello book import othello mine.book book.dat";

/// Build and query opening books
///
/// A book contains positions with their scored moves, the depth and confidence of each search, and
/// game counts. Symmetric positions are stored once. Scores are negamax scores: a move that leads
/// to another book position has the score of that position. A book is a single file. While one
/// process changes it, other processes can read it. To continue an interrupted command, run it
/// again.
///
/// `show`, `stats`, `lines` and `export` read the built-in book unless you give --book.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Show(show::Arguments),
    Lines(lines::Arguments),
    Stats(stats::Arguments),
    Openings(openings::Arguments),
    Build(build::BuildArguments),
    Deviate(build::DeviateArguments),
    Enhance(build::EnhanceArguments),
    Learn(learn::Arguments),
    Fix(edit::FixArguments),
    Merge(edit::MergeArguments),
    Prune(edit::PruneArguments),
    Import(exchange::ImportArguments),
    Export(exchange::ExportArguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        BookCommand::Show(arguments) => arguments.run(),
        BookCommand::Lines(arguments) => arguments.run(),
        BookCommand::Stats(arguments) => arguments.run(),
        BookCommand::Openings(arguments) => arguments.run(),
        BookCommand::Build(arguments) => arguments.run(),
        BookCommand::Deviate(arguments) => arguments.run(),
        BookCommand::Enhance(arguments) => arguments.run(),
        BookCommand::Learn(arguments) => arguments.run(),
        BookCommand::Fix(arguments) => arguments.run(),
        BookCommand::Merge(arguments) => arguments.run(),
        BookCommand::Prune(arguments) => arguments.run(),
        BookCommand::Import(arguments) => arguments.run(),
        BookCommand::Export(arguments) => arguments.run(),
    }
}
