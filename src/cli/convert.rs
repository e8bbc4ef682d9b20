//! `morello convert`: converts positions and games between formats.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::input_arguments::InputArguments;
use super::progress::{Progress, ProgressArguments, counted};
use super::{FAILED, INTERRUPTED, eprint_line, files, help, signals};
use crate::conversion::{Conversion, ConversionError, ConversionTarget, GameRow, PositionRow, SkippedRecord};
use crate::game::{AnyGame, LineFormat};
use crate::games;
use crate::input::{InputFormat, Reader, is_game_column, is_score_column};
use crate::output::OutputFormat;

/// Convert positions and games between formats
///
/// Invalid lines are reported on standard error and skipped. Information that the output format cannot hold, such as the names of players
/// in a transcript, is dropped, and a message says how often. When the output format holds positions, each position of a game is
/// written.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Files of positions or games; `-` or no file means standard input
    ///
    /// Files may be compressed with gzip or zstd.
    files: Vec<PathBuf>,

    #[command(flatten)]
    reading: InputArguments,

    /// Stop at the first invalid line
    #[arg(long, help_heading = help::INPUT)]
    strict: bool,

    /// Output format [default: from the extension of --output]
    ///
    /// It is a format of the game, csv, jsonl or parquet. An unknown name lists the formats of the game.
    #[arg(long, value_name = "FORMAT", help_heading = help::OUTPUT)]
    to: Option<String>,

    /// Write to this file; `-` is standard output
    ///
    /// For wthor, the names of players and tournaments go to files beside it.
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,

    /// Print statistics of the games to standard error
    ///
    /// These are the number of games, of unfinished games, and of games whose recorded result contradicts the board.
    #[arg(long, help_heading = help::OUTPUT)]
    statistics: bool,

    #[command(flatten)]
    progress: ProgressArguments,
}

const EXAMPLES: &str = "\
Examples:
  morello convert othello WTH_2001.wtb --to csv -o 2001.csv
  morello convert othello games.ggf.gz --to transcript
  morello convert othello games.ggf --empties 20..20 --to obf
  morello convert nine-mens-morris-flying games.playok --to moves";

/// Runs the command.
pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.output = arguments.output.filter(|file| file.as_os_str() != "-");
    arguments.run(games::get(&arguments.game)?)
}

impl Arguments {
    fn run(&self, game: &'static dyn AnyGame) -> anyhow::Result<ExitCode> {
        let (form, selection) = (self.reading.input_format(game)?, self.reading.selection(game)?);
        let inputs = files::inputs(&self.files)?;
        files::check_distinct(&inputs, &self.output.as_deref().into_iter().collect::<Vec<_>>())?;
        let total_bytes = files::total_bytes(&inputs);
        let reader = Reader::open(game, inputs, &form)?;
        let mut conversion = Conversion::new(self.target(&reader)?, selection);
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "convert", self.output.is_none() && io::stdout().is_terminal());
        let ended = conversion.run(reader, &mut |counts, bytes_read, skipped| {
            progress.set(bytes_read, total_bytes, || counted(counts.records, "record"));
            let continues = !(cancel.is_cancelled() || self.strict && skipped.is_some());
            if let Some(SkippedRecord { file, line, column, problem }) = skipped {
                let problem = anyhow::Error::from_boxed(problem);
                progress.suspend(|| eprint_line(format_args!("{file}, line {line}, column {column}: {problem:#}")));
            }
            continues
        });
        progress.finish();
        let failed = || files::cannot_write(self.output.as_deref());
        let ended = match ended {
            Err(ConversionError::Write(error)) => return Err(error).with_context(failed),
            ended => ended,
        };
        let (counts, lost_details) = conversion.finish().with_context(failed)?;
        if counts.games > 0 && self.statistics {
            eprint_line(format_args!(
                "{}: {} unfinished, {} with a recorded result that contradicts the board",
                counted(counts.games, "game"),
                counts.unfinished,
                counts.contradictions
            ));
        }
        if counts.other_keys > 0 {
            eprint_line(format_args!("dropped: the keys of {} that the first object lacks", counts.other_keys));
        }
        if !counts.lost.is_empty() {
            let lost = counts.lost.iter().map(|(kind, count)| format!("{kind} of {count}"));
            eprint_line(format_args!("dropped: {}", lost.collect::<Vec<_>>().join(", ")));
        }
        if !lost_details.is_empty() {
            eprint_line(format_args!("dropped: {lost_details}"));
        }
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        ended?;
        Ok(if counts.skipped > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }

    /// Rejects a selection of positions for a format of whole games.
    fn check_whole_games(&self, reader: &Reader, format: &str) -> anyhow::Result<()> {
        if self.reading.selects() && reader.is_of_games() {
            let of_positions = |format: &&LineFormat| format.writer.game.is_none() && format.writer.position.is_some();
            let names: Vec<_> = reader.game().formats().iter().filter(of_positions).map(|format| format.name).collect();
            bail!(
                "--plies and --empties select positions, but {format} holds whole games: remove them, or use --to {}, csv, jsonl or parquet",
                names.join(", ")
            );
        }
        Ok(())
    }

    /// Returns the name of the output format.
    fn format_name(&self, game: &dyn AnyGame) -> anyhow::Result<String> {
        if let Some(name) = &self.to {
            return Ok(name.clone());
        }
        let extension = self
            .output
            .as_deref()
            .and_then(Path::extension)
            .map(|extension| extension.to_string_lossy().to_lowercase());
        let is_known = |name: &str| {
            game.formats().iter().any(|format| format.is_named(name))
                || game.record_formats().iter().any(|format| format.name == name)
                || ["csv", "jsonl", "parquet"].contains(&name)
        };
        match extension.as_deref() {
            Some("wtb") if is_known("wthor") => Ok("wthor".to_owned()),
            Some(name) if is_known(name) => Ok(name.to_owned()),
            _ => {
                bail!("--to is required unless the extension of --output names a format, such as .csv or .jsonl")
            }
        }
    }

    /// Opens the output.
    fn target(&self, reader: &Reader) -> anyhow::Result<ConversionTarget> {
        let game = reader.game();
        let to = self.format_name(game)?;
        let output = self.output.as_deref();
        let other_columns = reader.columns().names();
        if let Some(format) = game.formats().iter().find(|format| format.is_named(&to)) {
            // Whether the records have other keys shows only when they are read.
            let remainder = reader.remainder_column();
            let lost = |(at, name): &(usize, &String)| {
                Some(*at) != remainder && !is_game_column(game, name) && !is_score_column(name)
            };
            let lost: Vec<_> = other_columns.iter().enumerate().filter(lost).map(|(_, name)| name.as_str()).collect();
            if !lost.is_empty() {
                eprint_line(format_args!("dropped: the columns {}", lost.join(", ")));
            }
            if format.writer.game.is_some() {
                self.check_whole_games(reader, format.name)?;
            }
            return Ok(ConversionTarget::Lines(format, files::output(output)?));
        }
        if let Some(format) = game.record_formats().iter().find(|format| format.name == to) {
            self.check_whole_games(reader, format.name)?;
            let path = output.with_context(|| format!("--to {to} requires --output: it is a binary format"))?;
            return Ok(ConversionTarget::Records((format.create)(path).with_context(|| files::cannot_write(output))?));
        }
        let format = match <OutputFormat as ValueEnum>::from_str(&to, false) {
            Ok(format) if format != OutputFormat::Table => format,
            _ => bail!(
                "--to: {}\n  parquet: typed columns, written only",
                InputFormat::default().named(game, &to).err().map_or_else(String::new, |e| e.to_string())
            ),
        };
        Ok(if reader.is_of_games() && !self.reading.selects() {
            ConversionTarget::Games(files::records(format, GameRow::fields(game, other_columns), output)?)
        } else {
            ConversionTarget::Positions(files::records(format, PositionRow::fields(other_columns), output)?)
        })
    }
}
