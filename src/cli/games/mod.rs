//! `morello games`: questions about collections of games.

mod filter_arguments;
mod list;
mod mistakes;
mod openings;
mod players;
pub(super) mod query;
mod row_output;
mod tree;

use std::process::ExitCode;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  morello games list othello WTH_*.wtb --player tamenori --year 1995..2000
  morello games tree othello WTH_*.wtb --position f5d6 --max-plies 3 --min-games 50
  morello games players othello games.ggf --min-games 20
  morello games mistakes othello games.ggf --player anna --level 12";

/// Search collections of games by players, dates, results and positions
///
/// The files may be in any format of the game; the format is detected automatically. All
/// subcommands have the same filters.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: GamesCommand,
}

#[derive(Debug, Subcommand)]
enum GamesCommand {
    List(list::Arguments),
    Tree(tree::Arguments),
    Openings(openings::Arguments),
    Players(players::Arguments),
    Mistakes(mistakes::Arguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        GamesCommand::List(arguments) => list::run(arguments),
        GamesCommand::Tree(arguments) => tree::run(&arguments),
        GamesCommand::Openings(arguments) => openings::run(&arguments),
        GamesCommand::Players(arguments) => players::run(&arguments),
        GamesCommand::Mistakes(arguments) => mistakes::run(&arguments),
    }
}
