//! `morello practice`: asks for moves in the terminal.

mod endgames;
mod exercises;
mod openings;
mod prompt;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use morello_command::help;

use super::board_style::{ColorMode, board_style};

const EXAMPLES: &str = "\
Examples:
  morello review othello games.pgn --exercises mistakes.jsonl
  morello practice mistakes.jsonl
  morello practice endgames othello --empties 8
  morello practice openings othello --position Tiger";

/// Find the best moves of endgames and of your own mistakes, or learn openings
///
/// `morello review --exercises` and `morello practice endgames -o` write files of exercises. Each
/// board is shown with the side to move: type a move. `solution` shows the answer before the next
/// exercise, `next` skips it; both count as not solved. `quit` ends.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<PracticeCommand>,

    /// File of exercises
    #[arg(required = true)]
    file: Option<PathBuf>,

    #[command(flatten)]
    color: ColorArguments,
}

#[derive(Debug, Subcommand)]
enum PracticeCommand {
    Endgames(Box<endgames::Arguments>),
    Openings(Box<openings::Arguments>),
}

/// The colors of the board.
#[derive(Debug, Args)]
struct ColorArguments {
    /// Whether to use colors
    ///
    /// With auto, colors are used on a terminal unless NO_COLOR is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = help::OUTPUT)]
    color: ColorMode,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match (&arguments.command, &arguments.file) {
        (Some(PracticeCommand::Endgames(arguments)), _) => endgames::run(arguments),
        (Some(PracticeCommand::Openings(arguments)), _) => openings::run(arguments),
        (None, Some(file)) => exercises::run(file, board_style(arguments.color.color)),
        (None, None) => unreachable!("the file is required without a subcommand"),
    }
}
