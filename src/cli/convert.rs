//! `morello convert`: converts positions and games between formats.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_analysis::{AnalysisRow, RowInputs};
use morello_command::csv_arguments::CsvArguments;
use morello_command::files::Target;
use morello_command::input_arguments::InputArguments;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::{FAILED, INTERRUPTED, eprint_line, files, help, signals, values};
use morello_core::game::{AnyGame, Limits, LineFormat};
use morello_core::games;
use morello_core::printable::printable;
use morello_files::conversion::{
    Conversion, ConversionCounts, ConversionError, ConversionFormat, ConversionTarget, RowReader, SkippedRecord,
};
use morello_files::input::{Input, Reader};
use morello_files::output::{OutputFormat, Value};

use super::conversion_format;

/// Convert positions and games between formats
///
/// Invalid lines are reported on standard error and skipped. Information that the output format
/// does not support, such as player names in a transcript, is dropped, and a message reports how
/// often. If the output format stores positions, every position of a game is written.
///
/// Rows from `morello analyze` can be converted between csv, jsonl and parquet with all their
/// fields.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Files of positions or games; `-` or no file means standard input
    ///
    /// Files may be compressed with gzip, zstd, bzip2 or xz. For a directory or zip archive, all
    /// its files are read.
    files: Vec<PathBuf>,

    #[command(flatten)]
    reading: InputArguments,

    /// Convert only the I-th of N equal parts of the input, 1/4 to 4/4
    ///
    /// Lines or games are assigned to the parts in turn. A Parquet file of positions is divided
    /// into ranges of rows.
    #[arg(long, value_name = "I/N", help_heading = help::PERFORMANCE, hide_short_help = true,
        value_parser = values::parse_shard)]
    shard: Option<(u64, u64)>,

    /// Stop at the first invalid line
    #[arg(long, help_heading = help::INPUT)]
    strict: bool,

    /// Output format [default: from the extension of --output]
    ///
    /// The format is csv, jsonl, parquet or a format of the game. An unknown name lists the formats
    /// of the game.
    #[arg(long, value_name = "FORMAT", help_heading = help::OUTPUT)]
    to: Option<String>,

    /// Write to this file; `-` is standard output
    ///
    /// For wthor, the names of players and tournaments are written to files next to it.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    output: Target,

    #[command(flatten)]
    csv: CsvArguments,

    /// Print statistics of the games to standard error
    ///
    /// The statistics are the numbers of games, of unfinished games, and of games whose recorded
    /// result contradicts the board.
    #[arg(long, help_heading = help::OUTPUT)]
    statistics: bool,

    #[command(flatten)]
    progress: ProgressArguments,
}

/// The columns by which the rows of an analysis are recognized.
const ANALYSIS_COLUMNS: [&str; 7] = ["file", "line", "position", "best_move", "score", "depth", "nodes"];

/// Returns whether a file has the rows of an analysis.
fn is_analysis(input: &Input) -> bool {
    let reader = input.path().filter(|path| path.is_file()).and_then(|_| RowReader::open(input).ok());
    reader.is_some_and(|rows| ANALYSIS_COLUMNS.iter().all(|name| rows.names().iter().any(|found| found == name)))
}

/// Returns what the first rows of an analysis tell about its inputs.
fn analyzed_inputs(files: &[Input]) -> io::Result<RowInputs<'static>> {
    let mut inputs = RowInputs::default();
    for file in files {
        let rows = RowReader::open(file)?;
        let names = rows.names().to_vec();
        for row in rows.take(SAMPLED_ROWS) {
            let row = row?;
            let has = |wanted: &[&str]| {
                names.iter().zip(&row).any(|(name, value)| wanted.contains(&&**name) && *value != Value::Null)
            };
            inputs.of_games |= has(&["game"]);
            inputs.of_tagged_games |= has(&["date", "event", "player", "opponent"]);
            inputs.has_scores |= has(&["expected_score"]);
        }
    }
    Ok(inputs)
}

/// The number of rows of each file that are looked at for their columns.
const SAMPLED_ROWS: usize = 256;

const EXAMPLES: &str = "\
Examples:
  morello convert othello WTH_2001.wtb --to csv -o 2001.csv
  morello convert othello games.ggf.gz --to transcript
  morello convert othello games.ggf --empties 20..20 --to obf
  morello convert othello rows.csv -o rows.parquet
  morello convert nine-mens-morris-flying games.playok --to moves";

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.run(games::get(&arguments.game)?)
}

impl Arguments {
    fn run(&self, game: &'static dyn AnyGame) -> anyhow::Result<ExitCode> {
        let (form, selection) = (self.reading.input_format(game)?, self.reading.selection(game)?);
        let inputs = files::inputs(&self.files)?;
        files::check_distinct(&inputs, &self.output.path().into_iter().collect::<Vec<_>>())?;
        if let (ConversionFormat::Rows(format), true) =
            (self.format(game)?, self.reading.is_default() && self.shard.is_none())
            && inputs.iter().all(is_analysis)
        {
            return self.copy_rows(game, &inputs, format);
        }
        let total_bytes = files::total_bytes(&inputs);
        let (part, parts) = self.shard.unwrap_or((0, 1));
        let reader = files::reader(game, inputs, &form)?.sharded(part, parts);
        let has_rows_of_positions = matches!(self.format(game)?, ConversionFormat::Rows(_)) && !reader.is_of_games();
        let mut conversion = Conversion::new(self.target(&reader)?, selection);
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "convert", self.output.is_terminal());
        let ended = conversion.run(reader, &cancel, &mut |counts, bytes_read, skipped| {
            progress.set(bytes_read, total_bytes, &|| counted(counts.records, "record"));
            let continues = !(self.strict && skipped.is_some());
            if let Some(SkippedRecord { file, line, column, problem, .. }) = skipped {
                let problem = format!("{:#}", anyhow::Error::from_boxed(problem));
                let problem = printable(&problem);
                progress.suspend(|| eprint_line(format_args!("{file}, line {line}, column {column}: {problem}")));
            }
            continues
        });
        progress.finish();
        let failed = || files::cannot_write(&self.output);
        let ended = match ended {
            Err(ConversionError::Write(error)) => return Err(error).with_context(failed),
            ended => ended,
        };
        let (counts, lost_details) = conversion.finish().with_context(failed)?;
        self.report(&counts, &lost_details, has_rows_of_positions);
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        ended?;
        Ok(if counts.skipped > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }

    /// Prints what was converted otherwise than asked, and statistics.
    fn report(&self, counts: &ConversionCounts, lost_details: &str, has_rows_of_positions: bool) {
        if counts.games > 0 && self.statistics {
            eprint_line(format_args!(
                "{}: {} unfinished, {} with a recorded result that contradicts the board",
                counted(counts.games, "game"),
                counts.unfinished,
                counts.contradictions
            ));
        }
        if has_rows_of_positions && counts.games > 0 {
            let games = counted(counts.games, "game");
            eprint_line(format_args!("{games} written as positions, because the input begins with positions"));
        }
        if counts.other_keys > 0 {
            eprint_line(format_args!("dropped: the keys of {} that are not in the first objects", counts.other_keys));
        }
        if !counts.lost.is_empty() {
            let lost = counts.lost.iter().map(|(kind, count)| format!("{kind} of {count}"));
            eprint_line(format_args!("dropped: {}", lost.collect::<Vec<_>>().join(", ")));
        }
        if !lost_details.is_empty() {
            eprint_line(format_args!("dropped: {lost_details}"));
        }
    }

    /// Copies the rows of an analysis.
    fn copy_rows(&self, game: &dyn AnyGame, inputs: &[Input], format: OutputFormat) -> anyhow::Result<ExitCode> {
        let open = |input: &Input| RowReader::open(input).with_context(|| format!("cannot read `{}`", input.name()));
        let readers = inputs.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let names = readers.first().map(|reader| reader.names().to_vec()).unwrap_or_default();
        if let Some((_, other)) = readers.iter().zip(inputs).find(|(reader, _)| *reader.names() != *names) {
            bail!("`{}` and `{}` have different columns; convert each file separately", other.name(), inputs[0].name());
        }
        let known = AnalysisRow::fields(game, &Limits::exact(), &analyzed_inputs(inputs)?);
        let fields = readers.first().map(|reader| reader.fields(&known)).unwrap_or_default();
        let mut output = files::records(format, fields, &self.output)?;
        for (reader, input) in readers.into_iter().zip(inputs) {
            for row in reader {
                let row = row.with_context(|| format!("cannot read `{}`", input.name()))?;
                output.write(&row).with_context(|| files::cannot_write(&self.output))?;
            }
        }
        output.finish().with_context(|| files::cannot_write(&self.output))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Returns the output format.
    fn format(&self, game: &'static dyn AnyGame) -> anyhow::Result<ConversionFormat> {
        conversion_format::of(game, self.to.as_deref(), &self.output, self.csv, "--to")
    }

    /// Opens the output.
    fn target(&self, reader: &Reader) -> anyhow::Result<ConversionTarget> {
        let format = self.format(reader.game())?;
        let selects = self.reading.selects();
        if format.is_of_whole_games() && selects && reader.is_of_games() {
            let of_positions = |format: &&LineFormat| format.writer.game.is_none() && format.writer.position.is_some();
            let names: Vec<_> = reader.game().formats().iter().filter(of_positions).map(|format| format.name).collect();
            bail!(
                "--plies and --empties select positions, but {} contains whole games; remove them, or use --to {}, \
                    csv, jsonl or parquet",
                format.name(),
                names.join(", ")
            );
        }
        conversion_format::open(format, reader, &self.output, reader.is_of_games() && !selects)
    }
}
