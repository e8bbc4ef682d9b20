//! `morello analyze`: searches positions and games, writes a row for each position, and statistics
//! at the end.

mod resume;
mod row_format;
mod row_writer;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::book::open_book;
use super::search_arguments::{ResourceArguments, SearchArguments};
use morello_analysis as analysis;
use morello_analysis::checkpoint::AnalysisCheckpoint;
use morello_analysis::pipeline::RunStatus;
use morello_analysis::{
    AnalysisOptions, Cache, FingerprintSet, GameReview, PlayStatistics, RowInputs, Statistics, TaskError, Tasks,
};
use morello_command::csv_arguments::CsvArguments;
use morello_command::input_arguments::InputArguments;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::usage::PositionParser;
use morello_command::{FAILED, INTERRUPTED, files, help, numbers, signals, values};
use morello_core::game::{AnyGame, Limits};
use morello_core::games;
use morello_files::book::{BookAnswers, BookUse, with_book};
use morello_files::input::Input;
use morello_files::output::{Output, OutputFormat};
use row_format::RowFormat;
use row_writer::{RowWriter, open_output};

/// The window that proves who wins.
const WLD_WINDOW: (i32, i32) = (-1, 1);

/// The highest score of any game, in points.
const MAX_SCORE: i32 = 64;

/// What to do when the set of `--unique` is full. The memory is no part of the settings of a run.
const MORE_MEMORY: &str = ", or use a larger --memory; with --resume, the same command then continues";

/// The maximum width of the column of file names in a table, in characters.
const FILE_WIDTH: usize = 40;

/// Find the best move and score of each position, and the mistakes in games
///
/// Input files may be compressed with gzip, zstd, bzip2 or xz. For a directory or zip archive, all
/// its files are read. The format is detected automatically, line by line. Blank lines are ignored;
/// `%` and `#` start a comment. Rows are written in input order while the analysis runs. Invalid
/// input produces an error row, and processing continues.
///
/// Scores are in points for the side to move: discs in Othello; a win is 1 point in the mill games.
/// The table omits the position, shortens the variation and fits the width of the terminal; csv,
/// jsonl and parquet have all fields. If --time or --nodes stops an exact search, `lower` and
/// `upper` are the bounds proved so far. For games, each row also has the move played, the points
/// that it lost, the players, the date and the result.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Files of positions or games; `-` or no file means standard input
    files: Vec<PathBuf>,

    /// Position in any format, moves that lead to it, or an opening
    ///
    /// The command analyzes this position instead of files.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true,
        value_parser = PositionParser, help_heading = help::INPUT, conflicts_with_all = ["files", "input_format",
        "column", "plies", "empties", "shard", "resume", "game_rows", "unique"])]
    position: Option<String>,

    #[command(flatten)]
    input_arguments: InputArguments,

    /// Analyze equal and symmetric positions only once
    ///
    /// Only the first occurrence is analyzed. Losses of the moves played are not reported, because
    /// they require the position after each move.
    #[arg(long, help_heading = help::INPUT, hide_short_help = true)]
    unique: bool,

    /// Analyze only the I-th of N equal parts of the input, 1/4 to 4/4
    ///
    /// Lines or games are assigned to the parts in turn. A Parquet file of positions is divided
    /// into ranges of rows.
    #[arg(long, value_name = "I/N", help_heading = help::PERFORMANCE, hide_short_help = true,
        value_parser = values::parse_shard)]
    shard: Option<(u64, u64)>,

    /// Stop at the first invalid line
    #[arg(long, help_heading = help::INPUT, hide_short_help = true)]
    strict: bool,

    #[command(flatten)]
    search: SearchArguments,

    /// Also use book scores from searches that are at least as deep
    ///
    /// By default, the book is used only if it proves the result, and not with --depth, --nodes or
    /// --time. With this option, a position is searched only if its book score is neither exact nor
    /// from a search with at least the same depth and confidence; time and node limits are not
    /// compared. The field `source` shows whether a row comes from the book.
    #[arg(long, help_heading = help::BOOK, hide_short_help = true)]
    use_book: bool,

    /// Opening book; implies --use-book [default: the built-in book]
    #[arg(long, value_name = "FILE", help_heading = help::BOOK, hide_short_help = true)]
    book: Option<PathBuf>,

    /// Search every position, even if the opening book proves its result
    #[arg(long, conflicts_with_all = ["use_book", "book"], help_heading = help::BOOK, hide_short_help = true)]
    no_book: bool,

    /// Prove only who wins; same as --alpha -1 --beta 1
    #[arg(long, conflicts_with_all = ["alpha", "beta", "level"], help_heading = help::SEARCH, hide_short_help = true)]
    wld: bool,

    /// Number of best moves to score
    ///
    /// Each move is scored by a separate search.
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::SEARCH,
        value_parser = numbers::whole(1..=u32::MAX))]
    lines: u32,

    /// Score all moves
    #[arg(long, conflicts_with = "lines", help_heading = help::SEARCH)]
    all_moves: bool,

    /// Lower bound of the exact search; a lower score is reported as a bound
    ///
    /// If the score is not above the bound, the search proves only this. The option implies --exact
    /// and makes it faster.
    #[arg(long, value_name = "POINTS", conflicts_with = "level",
        help_heading = help::SEARCH, hide_short_help = true, value_parser = score_parser())]
    alpha: Option<i32>,

    /// Upper bound of the exact search; a higher score is reported as a bound
    ///
    /// If the score is not below the bound, the search proves only this. The option implies --exact
    /// and makes it faster.
    #[arg(long, value_name = "POINTS", conflicts_with = "level",
        help_heading = help::SEARCH, hide_short_help = true, value_parser = score_parser())]
    beta: Option<i32>,

    /// Write the rows to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,

    /// Row format [default: from the extension of --output]
    ///
    /// The extensions are .csv, .jsonl, .obf and .parquet. Without --output, or with the extension
    /// .txt or none, the format is table.
    #[arg(long, value_enum, help_heading = help::OUTPUT)]
    format: Option<RowFormat>,

    /// Write a row per game to this file: losses and turning point
    ///
    /// The extension .csv, .jsonl or .parquet selects the format; .txt or none selects a table.
    #[arg(long, value_name = "FILE", conflicts_with = "unique", help_heading = help::OUTPUT, hide_short_help = true)]
    game_rows: Option<PathBuf>,

    /// Write an HTML report with statistics and plots to this file
    ///
    /// For up to ten games, the report has a section per game with a score graph, diagrams of the
    /// mistakes and all moves. If --resume continues an interrupted run, the report contains only
    /// the statistics.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    report: Option<PathBuf>,

    /// Write the statistics to this file [default: standard error]
    ///
    /// The extension .json selects JSON; .txt or none selects text. `-` is standard output.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT, hide_short_help = true)]
    summary: Option<PathBuf>,

    /// Resume an interrupted run from its checkpoint
    ///
    /// To resume, run the same command again with the same inputs. Until the run is complete, a
    /// checkpoint, FILE.checkpoint, is kept next to the output. For parquet, the finished rows are
    /// kept in FILE.rows, and the output is written at the end. A killed run loses about a second
    /// of work. Only one process at a time may write the output. This option requires --output and
    /// a format other than table.
    #[arg(long, requires = "output", help_heading = help::OUTPUT, hide_short_help = true)]
    resume: bool,

    #[command(flatten)]
    csv: CsvArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    resources: ResourceArguments,

    /// Memory limit in MiB of --unique
    ///
    /// A position takes at most 60 bytes. The run stops when the positions do not fit; with
    /// --resume, you can continue it with a larger limit.
    #[arg(long, value_name = "MIB", default_value_t = (FingerprintSet::DEFAULT_BYTES >> 20) as u32,
        requires = "unique", help_heading = help::PERFORMANCE, hide_short_help = true,
        value_parser = numbers::whole(1..=u32::MAX))]
    memory: u32,
}

const EXAMPLES: &str = "\
Examples:
  morello analyze othello positions.obf --exact
  morello analyze othello --position f5d6c3 --level 20 --lines 3
  morello analyze othello WTH_2001.wtb --empties 20 --exact -o 2001.csv --report 2001.html
  morello analyze othello positions.csv.gz --column board --level 12 -o rows.jsonl --resume
  morello analyze nine-mens-morris-flying games.txt --time 200ms --all-moves --format jsonl";

/// Runs the command.
pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.output = arguments.output.filter(|file| file.as_os_str() != "-");
    arguments.run(games::get(&arguments.game)?)
}

impl Arguments {
    fn run(&self, game: &'static dyn AnyGame) -> anyhow::Result<ExitCode> {
        let mut options = self.options(game)?;
        let (form, mut selection) = (self.input_arguments.input_format(game)?, self.input_arguments.selection(game)?);
        let inputs = match &self.position {
            Some(text) => vec![Input::Text(values::position(game, "--position", text)?.to_string())],
            None => files::inputs(&self.files)?,
        };
        // All checks come before the run, and before a file is overwritten.
        self.check(game, &inputs, &options.limits)?;
        let resumed = self.resume.then(|| resume::open(self, game, &inputs, &options.limits));
        let (checkpoint, _locks) = resumed.transpose()?.unzip();
        let begun = checkpoint.as_ref().map_or_else(AnalysisCheckpoint::default, |writer| writer.initial.clone());
        let elapsed = Duration::from_millis(begun.elapsed_ms);
        self.search.record(game, &self.resources, &options.limits)?;
        if begun.complete {
            resume::check_unchanged(self, &begun)?;
            morello_command::eprint_line(format_args!("the run is already complete"));
            let code = self.write_reports(game, &begun.statistics, &begun.play, &[], elapsed)?;
            return resume::remove_checkpoint(self).map(|()| code);
        }
        selection.done = begun.records;
        let total_bytes = files::total_bytes(&inputs);
        let file_width = inputs.iter().map(|input| input.name().chars().count()).max().unwrap_or(0).min(FILE_WIDTH);
        let has_several_files = inputs.len() > 1;
        let (part, parts) = self.shard.unwrap_or((0, 1));
        let reader = files::reader(game, inputs, &form)?.sharded(part, parts);
        let columns = reader.columns().as_slice().to_vec();
        let inputs = RowInputs {
            file_width,
            has_several_files,
            columns: &columns,
            of_games: reader.is_of_games(),
            of_tagged_games: reader.is_of_tagged_games(),
            has_scores: reader.has_scores(),
            has_score_errors: self.search.has_built_in_weights(),
            has_book: self.uses_deep_book(),
        };
        let (format, fields) = self.format()?.fields(game, &options.limits, &inputs)?;
        let begun_run = checkpoint.is_some().then_some(&begun);
        let kept = begun_run.map(|begun| begun.rows_bytes);
        let rows = open_output(format, fields, self.output.as_deref(), kept)?;
        let games = match (self.games_format()?, self.game_rows.as_deref()) {
            (Some(format), Some(file)) => {
                let kept = begun_run.map(|begun| begun.games_bytes);
                Some(open_output(format, GameReview::fields(), Some(file), kept)?)
            }
            _ => None,
        };
        let memory = values::memory_bytes(self.memory.into())?;
        [&self.summary, &self.report].into_iter().flatten().try_for_each(files::check_writable)?;
        options.cache = self.search.open_cache(game, &self.resources, &options.limits, &self.book_settings())?;
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "analyze", self.output.is_none() && io::stdout().is_terminal());
        let mut rows = RowWriter::new(self, (rows, games), begun, checkpoint, total_bytes, &progress);
        rows.table = (format == OutputFormat::Table).then_some(inputs);
        let seen = self.unique.then(|| FingerprintSet::new(memory as usize));
        let start = Instant::now();
        let ended = rows.run(Tasks::new(reader, selection, seen), &options, &cancel);
        self.finish(game, rows, ended, elapsed + start.elapsed(), options.cache.as_ref())
    }

    /// Checks the formats and files of the outputs.
    fn check(&self, game: &dyn AnyGame, inputs: &[Input], limits: &Limits) -> anyhow::Result<()> {
        self.format()?.fields(game, limits, &RowInputs::default())?;
        self.games_format()?;
        let outputs = [&self.output, &self.summary, &self.game_rows, &self.report, &self.resources.cache];
        let checkpoint = self.output.as_deref().filter(|_| self.resume).map(resume::checkpoint_path);
        let outputs: Vec<&Path> = outputs.into_iter().chain([&checkpoint]).flatten().map(PathBuf::as_path).collect();
        files::check_distinct(inputs, &outputs)?;
        if !self.resume {
            self.written_files().try_for_each(files::check_new)?;
            resume::check_interrupted(self)?;
        }
        for (file, option, known) in
            [(&self.report, "--report", ["html", "htm"]), (&self.summary, "--summary", ["json", "txt"])]
        {
            file.as_deref().map(|file| files::check_extension(file, &known)).transpose().context(option)?;
        }
        Ok(())
    }

    /// Returns the files that the run writes.
    fn written_files(&self) -> impl Iterator<Item = &Path> {
        [&self.output, &self.game_rows, &self.summary, &self.report].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Finishes the outputs and writes the reports.
    fn finish(
        &self,
        game: &dyn AnyGame,
        mut rows: RowWriter<'_>,
        ended: io::Result<RunStatus>,
        elapsed: Duration,
        cache: Option<&Cache>,
    ) -> anyhow::Result<ExitCode> {
        rows.review_last_game();
        let RowWriter { rows, games, statistics, play, reviews, failed, .. } = rows;
        let is_complete = failed.is_none() && matches!(ended, Ok(RunStatus::Complete));
        // The rows of a Parquet file are kept for the resumed run.
        let is_kept = self.resume && !is_complete;
        let finished = games.map_or(Ok(()), |games| finish_output(games, is_kept));
        let sums_up = self.summary.is_some() || self.report.is_some() || self.game_rows.is_some();
        let (end, unread) = match ended.and_then(|end| finish_output(rows, is_kept).map(|()| end)) {
            // The reader of the rows has closed them; the statistics still go to their files.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && sums_up => (RunStatus::Stopped, true),
            end => (end.with_context(|| files::cannot_write(self.output.as_deref()))?, false),
        };
        finished.with_context(|| files::cannot_write(self.game_rows.as_deref()))?;
        let code = self.write_reports(game, &statistics, &play, &reviews.unwrap_or_default(), elapsed)?;
        if self.resume && is_complete {
            resume::remove_checkpoint(self)?;
        }
        if let Some(used) = self.resources.finish_cache(cache) {
            morello_command::eprint_line(format_args!("cache      {used}"));
        }
        match (failed, end) {
            (Some(TaskError::Seen(error)), _) => Err(anyhow!("--unique: {error}{MORE_MEMORY}")),
            (Some(error), _) => Err(error.into()),
            (None, RunStatus::Cancelled) => Ok(ExitCode::from(INTERRUPTED)),
            (None, RunStatus::Stopped) if unread => Ok(ExitCode::SUCCESS),
            (None, RunStatus::Complete | RunStatus::Stopped) => Ok(code),
        }
    }

    /// Returns the format of the table of games, if there is one.
    fn games_format(&self) -> anyhow::Result<Option<OutputFormat>> {
        let format = self.game_rows.as_deref().map(OutputFormat::of_file).transpose().context("--game-rows")?;
        Ok(format.map(|format| self.csv.format(format)))
    }

    /// Returns the format of the rows.
    fn format(&self) -> anyhow::Result<RowFormat> {
        let format = match (self.format, self.output.as_deref()) {
            (Some(format), _) => format,
            (None, Some(file)) => RowFormat::of_file(file)
                .map_err(|error| anyhow!("{error}, or .obf (positions with their scores)"))
                .context("--output, without --format")?,
            (None, None) => RowFormat::Fields(OutputFormat::Table),
        };
        Ok(match format {
            RowFormat::Fields(format) => RowFormat::Fields(self.csv.format(format)),
            RowFormat::Obf => RowFormat::Obf,
        })
    }

    /// Returns everything but the limits that the rows depend on, for the fingerprint of the run.
    fn row_settings(&self) -> impl std::fmt::Debug + '_ {
        let which = (&self.input_arguments, self.shard, self.unique, self.book_settings());
        (
            which,
            self.resources.hash,
            self.resources.deterministic,
            self.strict,
            self.format().ok(),
            &self.game_rows,
            self.csv,
        )
    }

    /// Returns whether the book answers where its searches are as deep.
    fn uses_deep_book(&self) -> bool {
        self.use_book || self.book.is_some()
    }

    /// Returns whether the book answers where it proves the result.
    fn uses_known_values(&self) -> bool {
        !self.no_book && !self.search.says_how()
    }

    /// Returns the use of the book, for the fingerprint of the run and the settings of the cache.
    fn book_settings(&self) -> impl std::fmt::Debug + '_ {
        (self.uses_deep_book().then_some(&self.book), self.uses_known_values())
    }

    /// Writes the statistics and the report; returns the exit code of a finished run.
    fn write_reports(
        &self,
        game: &dyn AnyGame,
        statistics: &Statistics,
        play: &PlayStatistics,
        reviews: &[GameReview],
        elapsed: Duration,
    ) -> anyhow::Result<ExitCode> {
        let summary = statistics.summary(game.name(), (!self.resources.deterministic).then_some(elapsed), play);
        match &self.summary {
            Some(path) if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) => {
                files::write(path, &(serde_json::to_string_pretty(&summary)? + "\n"))?;
            }
            Some(path) => {
                let made_by = summary.provenance.entries().into_iter();
                let name = |name: &str| name.trim_start_matches("settings.").replace('_', " ");
                let made_by: String = made_by.map(|(key, value)| format!("{:<10} {value}\n", name(&key))).collect();
                files::write(path, &format!("{summary}{made_by}"))?;
            }
            // An error here does not affect the rows.
            None => drop(write!(io::stderr(), "{summary}")),
        }
        if let Some(path) = &self.report {
            let title = format!("{}: {}", game.described(), files::names(&self.files));
            files::write(path, &analysis::html_report(&summary, reviews, &title)?)?;
        }
        Ok(if statistics.failures() > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }

    fn options(&self, game: &'static dyn AnyGame) -> anyhow::Result<AnalysisOptions> {
        let mut engine = self.search.engine_options(game, &self.resources)?;
        if self.uses_deep_book() {
            let book = Arc::new(open_book(game, self.book.as_deref()).context("--use-book")?);
            let usage = BookUse { variety: None, answers: BookAnswers::AsDeep, seed: 0 };
            engine.wrapper = Some(with_book(book, usage));
        } else if self.no_book {
            engine.wrapper = None;
        }
        Ok(AnalysisOptions {
            limits: self.limits(game)?,
            engine,
            threads: self.resources.threads(),
            deterministic: self.resources.deterministic,
            cache: None,
        })
    }

    fn limits(&self, game: &dyn AnyGame) -> anyhow::Result<Limits> {
        let lines = if self.all_moves { usize::MAX } else { self.lines as usize };
        self.search.limits(game, self.window()?, lines)
    }

    /// Returns the window of the search.
    fn window(&self) -> anyhow::Result<Option<(i32, i32)>> {
        if self.wld {
            return Ok(Some(WLD_WINDOW));
        }
        if self.alpha.is_none() && self.beta.is_none() {
            return Ok(None);
        }
        let (alpha, beta) = (self.alpha.unwrap_or(-MAX_SCORE), self.beta.unwrap_or(MAX_SCORE));
        if alpha >= beta {
            bail!("--alpha {alpha} is not less than --beta {beta}; swap them or widen the window");
        }
        Ok(Some((alpha, beta)))
    }
}

/// Finishes an output, or flushes it if a later run resumes it.
fn finish_output<R>(mut output: Output<'static, R>, is_kept: bool) -> io::Result<()> {
    if is_kept { output.flush() } else { output.finish() }
}

/// Reads a score.
fn score_parser() -> impl clap::builder::TypedValueParser<Value = i32> {
    numbers::whole(-MAX_SCORE..=MAX_SCORE)
}
