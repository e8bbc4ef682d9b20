//! `morello convert`: positions and games from one format into another.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::progress::{Mode, Progress};
use super::reading::Reading;
use super::{FAILED, INTERRUPTED, eprint_line, files, interrupt};
use crate::conversion::{Conversion, ConversionError, GameRow, PositionRow, Skipped, Target};
use crate::game::{AnyGame, LineFormat};
use crate::games;
use crate::input::{Form, Reader, tells_of_games, tells_scores};
use crate::output::Format;

/// Convert positions and games from one format into another
///
/// Bad lines are told on the standard error and left out. So is what a format has no place for, such as the names of players in a
/// transcript, with the number of games. A game becomes its positions in a format of positions.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// Files of positions or games, plain or compressed by gzip or zstd; `-`, or none, is the standard input
    files: Vec<PathBuf>,

    /// The format to write: one of the game's, csv, jsonl or parquet; an unknown name lists them
    #[arg(long, value_name = "NAME")]
    to: String,

    #[command(flatten)]
    reading: Reading,

    /// Write to this file; `-` is the standard output. Of wthor the names go to files beside it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Tell how many games there are, how many are unfinished, and of how many the result that is told is not that of the board
    #[arg(long)]
    statistics: bool,

    /// Stop at the first bad line
    #[arg(long)]
    strict: bool,

    /// Show progress on the standard error
    #[arg(long, value_enum, default_value_t = Mode::Auto, value_name = "WHEN")]
    progress: Mode,
}

const EXAMPLES: &str = "\
Examples:
  morello convert othello WTH_2001.wtb --to csv -o 2001.csv
  morello convert othello games.ggf.gz --to transcript
  morello convert othello games.ggf --empties 20..20 --to obf
  morello convert nine-mens-morris games.playok --to moves";

/// Runs the command.
pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.output = arguments.output.filter(|file| file.as_os_str() != "-");
    arguments.run(games::get(&arguments.game)?)
}

impl Arguments {
    fn run(&self, game: &'static dyn AnyGame) -> anyhow::Result<ExitCode> {
        let (form, selection) = (self.reading.form(game)?, self.reading.selection(game)?);
        let inputs = files::inputs(&self.files)?;
        files::check_distinct(&inputs, &self.output.as_deref().into_iter().collect::<Vec<_>>())?;
        let total_bytes = files::total_bytes(&inputs);
        let reader = Reader::open(game, inputs, &form)?;
        let mut conversion = Conversion::new(self.target(&reader)?, selection);
        let cancel = interrupt::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "convert", self.output.is_none() && io::stdout().is_terminal());
        let ended = conversion.run(reader, &mut |counts, bytes_read, skipped| {
            progress.set(bytes_read, total_bytes, || format!("{} records", counts.records));
            let goes_on = !(cancel.is_cancelled() || self.strict && skipped.is_some());
            if let Some(Skipped { file, line, column, problem }) = skipped {
                let problem = anyhow::Error::from_boxed(problem);
                progress.aside(|| eprint_line(format_args!("{file}, line {line}, column {column}: {problem:#}")));
            }
            goes_on
        });
        progress.finish();
        let failed = || files::cannot_write(self.output.as_deref());
        let ended = match ended {
            Err(ConversionError::Write(error)) => return Err(error).with_context(failed),
            ended => ended,
        };
        let (counts, told) = conversion.finish().with_context(failed)?;
        if counts.games > 0 && self.statistics {
            eprint_line(format_args!(
                "{} games, {} of them not played to their ends, {} told to have ended otherwise than on the board",
                counts.games, counts.unfinished, counts.contradictions
            ));
        }
        if !counts.lost.is_empty() {
            let lost = counts.lost.iter().map(|(told, count)| format!("{told} of {count}"));
            eprint_line(format_args!("not kept: {}", lost.collect::<Vec<_>>().join(", ")));
        }
        if !told.is_empty() {
            eprint_line(format_args!("not kept: {told}"));
        }
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        ended?;
        Ok(if counts.skipped > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }

    /// Refuses to choose positions of games for a format of whole games.
    fn check_whole_games(&self, reader: &Reader, format: &str) -> anyhow::Result<()> {
        if self.reading.selects() && reader.is_of_games() {
            let of_positions =
                |format: &&LineFormat| format.writing.game.is_none() && format.writing.position.is_some();
            let names: Vec<_> = reader.game().formats().iter().filter(of_positions).map(|format| format.name).collect();
            bail!(
                "--plies and --empties choose positions, and {format} holds whole games: leave them out, or write to one of {}, csv, jsonl, parquet",
                names.join(", ")
            );
        }
        Ok(())
    }

    /// Opens what is written to.
    fn target(&self, reader: &Reader) -> anyhow::Result<Target> {
        let game = reader.game();
        let output = self.output.as_deref();
        let beside = reader.columns().names();
        if let Some(format) = game.formats().iter().find(|format| format.is_named(&self.to)) {
            let lost = |name: &&String| !tells_of_games(game, name) && !tells_scores(name);
            let lost: Vec<_> = beside.iter().filter(lost).map(String::as_str).collect();
            if !lost.is_empty() {
                eprint_line(format_args!("not kept: the columns {}", lost.join(", ")));
            }
            if format.writing.game.is_some() {
                self.check_whole_games(reader, format.name)?;
            }
            return Ok(Target::Lines(format, files::output(output)?));
        }
        if let Some(format) = game.record_formats().iter().find(|format| format.name == self.to) {
            self.check_whole_games(reader, format.name)?;
            let path = output.with_context(|| format!("--to {} needs --output: it is no text", self.to))?;
            return Ok(Target::Records((format.create)(path).with_context(|| files::cannot_write(output))?));
        }
        let format = match <Format as ValueEnum>::from_str(&self.to, false) {
            Ok(format) if format != Format::Table => format,
            _ => bail!(
                "--to: {}; and parquet",
                Form::default().named(game, &self.to).err().map_or_else(String::new, |e| e.to_string())
            ),
        };
        Ok(if reader.is_of_games() && !self.reading.selects() {
            Target::Games(files::records(format, GameRow::fields(game, beside), output)?)
        } else {
            Target::Positions(files::records(format, PositionRow::fields(beside), output)?)
        })
    }
}
