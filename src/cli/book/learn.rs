//! `morello book learn`: adds the positions of games.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::{ProgressArguments, counted};
use morello_command::{FAILED, INTERRUPTED, eprint_line, help, numbers, signals};
use morello_core::game::Color;
use morello_files::book::{BookGraph, learn};

use super::book_arguments::WriteArguments;
use super::game_files::read_games;

const EXAMPLES: &str = "\
Examples:
  morello book learn othello mine.book WTH_*.wtb --max-plies 20
  morello convert othello games.ggf --to transcript | morello book learn othello mine.book -
  morello book enhance othello mine.book --level 16     # scores the new positions";

/// Add the positions and results of games
///
/// Counts the wins, draws and losses of the games that reached each position. New positions have no
/// scores yet; `morello book enhance` and `build` search those that book moves lead to. A game that
/// is learned twice counts twice. Invalid games are reported on standard error and skipped.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    book: WriteArguments,

    /// Game files; `-` or no file means standard input
    ///
    /// Files may be compressed with gzip, zstd, bzip2 or xz. For a directory or zip archive, all
    /// its files are read.
    files: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,

    /// Learn moves up to this ply
    #[arg(long, value_name = "PLIES", default_value = "20", help_heading = help::INPUT,
        value_parser = numbers::whole(0..=u32::MAX))]
    max_plies: u32,

    #[command(flatten)]
    progress: ProgressArguments,
}

impl Arguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let mut writer = self.book.open(true)?;
        let mut graph = BookGraph::load(&writer)?;
        let (cancel, plies) = (signals::cancel_on_signal()?, self.max_plies as usize);
        let mut added = 0;
        let read = read_games(
            &self.files,
            &self.format,
            self.book.game,
            &[&self.book.file],
            self.progress,
            &cancel,
            &mut |annotated| {
                let points = annotated.tags.points_or(annotated.game.points(Color::Black));
                added += learn(&mut graph, &annotated.game, plies, points);
            },
        )?;
        // An interruption stores nothing: a part of the games could not be told from the rest.
        if cancel.is_cancelled() {
            eprint_line(format_args!("interrupted: the book is unchanged"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        graph.negamax();
        graph.store(&mut writer)?;
        eprint_line(format_args!(
            "{} learned: {} added",
            counted(read.games, "game"),
            counted(added as u64, "position")
        ));
        Ok(if read.invalid > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }
}
