//! `morello referee`: checks the moves of a game.

use std::io::{self, BufRead, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use morello_command::files::Target;
use morello_command::usage::PositionParser;
use morello_command::{FAILED, files, help, values};
use morello_core::game::DrawRules;
use morello_core::games;
use morello_files::input::Input;
use morello_play::text::referee::{Referee, RulingFormat, adjudicate};

use super::board_style::{ColorMode, board_style};
use super::draw_arguments::DrawArguments;

const EXAMPLES: &str = "\
Examples:
  morello referee nine-mens-morris-flying game.txt
  morello referee nine-mens-morris-flying --moves 'd2 f4 d6 d2'
  printf 'f5\\nd6\\nc3\\n' | morello referee othello --format jsonl
  morello referee morabaraba --position '0,0 a7,d7,g4 a1,b2,c3,e3 W' --moves g4-g7xe3";

/// Check the moves of a game and report the position after each
///
/// For each move, the referee reports the new position, or rejects the move and reports the reason;
/// a rejected move changes nothing. It also reports the end of the game with its reason. A game is
/// drawn by repetition or length only with the options below. Draws in the rules of the game, such
/// as the ten-move draw of Morabaraba, always apply.
///
/// Move numbers, results, names, tags, commas and comments are ignored. If the input begins with a
/// position, alone or followed by `;`, the game starts there. The exit code is 0 if all moves were
/// legal, 1 if one was rejected, and 2 after wrong usage.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// File of moves; `-` or no file means standard input
    #[arg(conflicts_with = "moves")]
    file: Option<PathBuf>,

    /// The moves, instead of a file
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, help_heading = help::INPUT)]
    moves: Option<String>,

    /// Start position in any format, moves that lead to it, or an opening
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true,
        value_parser = PositionParser, help_heading = help::INPUT)]
    position: Option<String>,

    /// Stop at the first rejected move
    #[arg(long, help_heading = help::INPUT)]
    strict: bool,

    /// Output format
    #[arg(long, value_enum, default_value = "text", help_heading = help::OUTPUT)]
    format: RulingFormat,

    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    output: Target,

    /// Draw the board after every move
    ///
    /// On a terminal the board is drawn anyway, unless the format is jsonl.
    #[arg(long, help_heading = help::OUTPUT)]
    board: bool,

    #[command(flatten)]
    draws: DrawArguments,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let game = games::get(&arguments.game)?;
    let start = match &arguments.position {
        None => game.start(),
        Some(text) => values::position(game, "--position", text)?,
    };
    let mut referee = Referee::new(start, arguments.draws.settings(DrawRules::default()));
    if arguments.board || arguments.output.is_terminal() {
        referee = referee.with_boards(board_style(ColorMode::Auto));
    }
    let file = arguments.file.as_deref().map_or(Ok(Input::Stdin), files::input)?;
    files::check_distinct(std::slice::from_ref(&file), &arguments.output.path().into_iter().collect::<Vec<_>>())?;
    let mut output = match &arguments.output {
        Target::Stdout => Box::new(io::stdout()),
        file => files::output(file)?,
    };
    let input: Box<dyn BufRead> = match (&arguments.moves, file) {
        (Some(moves), _) => Box::new(io::Cursor::new(moves.clone())),
        (None, Input::Stdin) => Box::new(io::stdin().lock()),
        (None, file) => file.reader()?,
    };
    let summary = adjudicate(referee, input, &mut output, arguments.format, arguments.strict)
        .context("cannot read the moves or write the answers")?;
    output.flush().with_context(|| files::cannot_write(&arguments.output))?;
    Ok(if summary.rejected > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}
