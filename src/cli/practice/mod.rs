//! `morello practice`: asks for moves in the terminal.

mod endgames;
mod exercises;
mod openings;
mod prompt;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use morello_analysis::{Difficulty, ExerciseOptions, Theme};
use morello_command::help;

use super::board_style::{ColorMode, board_style};
use super::exercise_filters::{difficulty_parser, theme_parser};

const EXAMPLES: &str = "\
Examples:
  morello review othello games.pgn --exercises mistakes.jsonl
  morello practice mistakes.jsonl
  morello practice endgames othello --empties 8
  morello practice openings othello --position Tiger";

/// Practice endgames, openings and the positions of your own mistakes
///
/// `morello review --exercises` and `morello practice endgames -o` write exercise files. Each
/// exercise shows the board and the side to move; type a move. `solution` shows the answer, and
/// `next` skips the exercise; in both cases it counts as not solved. `quit` exits.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<PracticeCommand>,

    /// Exercise files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    filters: FilterArguments,

    #[command(flatten)]
    color: ColorArguments,
}

#[derive(Debug, Subcommand)]
enum PracticeCommand {
    Endgames(Box<endgames::Arguments>),
    Openings(Box<openings::Arguments>),
}

/// The exercises that are asked.
#[derive(Debug, Args)]
struct FilterArguments {
    /// Only exercises of this difficulty [default: all]
    #[arg(long, value_name = "DIFFICULTY", help_heading = help::FILTERS, value_parser = difficulty_parser())]
    difficulty: Option<Difficulty>,

    /// Only exercises whose best move has this theme [default: all]
    #[arg(long, value_name = "THEME", help_heading = help::FILTERS, value_parser = theme_parser())]
    theme: Option<Theme>,
}

impl FilterArguments {
    /// Returns the exercises that are wanted.
    fn options(&self) -> ExerciseOptions {
        ExerciseOptions { difficulty: self.difficulty, theme: self.theme, ..ExerciseOptions::default() }
    }
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
    match &arguments.command {
        Some(PracticeCommand::Endgames(arguments)) => endgames::run(arguments),
        Some(PracticeCommand::Openings(arguments)) => openings::run(arguments),
        None => exercises::run(&arguments.files, &arguments.filters, board_style(arguments.color.color)),
    }
}
