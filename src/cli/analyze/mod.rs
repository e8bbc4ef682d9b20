//! `morello analyze`: positions in, one a line; their best moves and scores out, and statistics at the end.

mod resume;
mod rows;

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use twox_hash::XxHash3_128;

use super::endgames::Endgames;
use super::progress::{Mode, Progress};
use super::reading::Reading;
use super::{FAILED, INTERRUPTED, files, interrupt, values};
use crate::analysis::checkpoint::Checkpoint;
use crate::analysis::pipeline::End;
use crate::analysis::{self, Cache, Options, Play, PlayedGame, Row, Seen, Statistics, Tasks};
use crate::game::{AnyGame, Confidence, EngineOptions, EvaluationKind, LEVELS, Limits};
use crate::games;
use crate::input::Reader;
use crate::output::{Field, Format};
use rows::{CountedOutput, Rows};

/// The depth of a search that nothing else bounds, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// The window that asks who wins.
const WHO_WINS: (i32, i32) = (-1, 1);

/// No score of any game is beyond this, in points.
const MOST_POINTS: i32 = 64;

/// The widest column of a table for the names of files, in characters.
const FILE_WIDTH: usize = 40;

/// Analyze positions and games: best move, score and variation of each position, what each move of a game loses, then statistics over all
///
/// Files may be plain or compressed by gzip or zstd, and of any format that `--from` names. Of lines, blank ones are skipped; `%` and `#` start
/// a comment. The rows come in the order of the input, while it is worked on. A bad line becomes a row with an error. Scores are in
/// points for the side to move (discs in Othello). The table leaves out the position and shortens the variation; csv, jsonl and parquet have all
/// fields. Where a solver was cut short by --time or --nodes, `lower` and `upper` are the bounds of the score that it had proved.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// Files of positions or games; `-`, or none, is the standard input
    files: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// Search to this depth in plies [default: 8, unlimited with --nodes, --time or --exact]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Search at most this many nodes a position
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search at most this long a position: a number with its unit, ms, s or m
    #[arg(long, value_parser = values::parse_time)]
    time: Option<Duration>,

    /// Search at this level of play, 1 to 60: in Othello so many plies, solved from twice as many empty squares (20 at level 10, 25 at 20, 28
    /// at 30) and leaving out more or less (--confidence 73 to level 30, then 87, 95 from 41, and 98 from 51); in other games so many plies
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["depth", "exact", "confidence", "alpha", "beta", "wld"],
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LEVELS)))]
    level: Option<u32>,

    /// Search until the score is proved
    #[arg(long)]
    exact: bool,

    /// How sure a selective search must be, in percent, of what it leaves out: 73, 87, 95, 98, 99 or 100. Heeded by the games that search
    /// selectively; in the mill games 100 leaves out nothing, and all others are the same [default: 73; in Othello until a search comes to
    /// the end of the game, and from then on more each time]
    #[arg(long, value_name = "PERCENT")]
    confidence: Option<Confidence>,

    /// Tell the score only if it is more than this, else that it is at most so much; takes less time than --exact, which it implies
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points())]
    alpha: Option<i32>,

    /// Tell the score only if it is less than this, else that it is at least so much; takes less time than --exact, which it implies
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points())]
    beta: Option<i32>,

    /// Prove who wins, and no more: as --alpha -1 --beta 1
    #[arg(long, conflicts_with_all = ["alpha", "beta"])]
    wld: bool,

    /// The number of best moves to score, each with its own search
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    lines: u32,

    /// Score all moves
    #[arg(long, conflicts_with = "lines")]
    all_moves: bool,

    /// Judge positions by the weights in this file, as `morello train fit` writes them [default: the game's own]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// The memory of the search tables
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// Threads: each analyzes a position of its own, or helps to solve another's when none is left (not if --deterministic or --nodes is
    /// given) [default: all cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    #[command(flatten)]
    endgames: Endgames,

    /// The format of the rows [default: that of the ending of --output, .csv, .jsonl, .obf or .parquet, else table]
    #[arg(long, value_enum)]
    format: Option<RowFormat>,

    /// Write the rows to this file; `-` is the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the statistics to this file, as JSON if its name ends in .json; `-` is the standard output [default: as text to the
    /// standard error]
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,

    /// Write a row for each game to this file: what both sides lost, and the turning point; as CSV, JSON lines or Parquet if its name ends
    /// in .csv, .jsonl or .parquet, else as a table
    #[arg(long, value_name = "FILE", conflicts_with = "unique")]
    games: Option<PathBuf>,

    /// Write a page for the browser with the statistics and plots to this file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Analyze each position only once, where it is met first: positions that differ by a symmetry of the board alone are the same.
    /// What moves lose is not told then: it takes the position after each
    #[arg(long)]
    unique: bool,

    /// The memory for --unique, in which a position takes 22 bytes; beyond it they go to the disk, to the folder of temporary files
    #[arg(long, value_name = "MIB", default_value_t = 256, requires = "unique", value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,

    /// Keep what is found in this file, and do not search again what an earlier run has found with the same settings, in the same position or a
    /// mirrored or turned one (with --deterministic: in the same one)
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Do only the I-th of N equal parts of the lines or games, which are dealt in turn: `1/4` to `4/4`
    #[arg(long, value_name = "I/N", value_parser = values::parse_shard)]
    shard: Option<(u64, u64)>,

    /// Keep a checkpoint beside the output, FILE.checkpoint, and go on from there if there is one: a run that was ended loses about a second.
    /// The inputs and options must be the same, and no other process may be at it. Needs --output, and csv, jsonl or obf
    #[arg(long, requires = "output")]
    resume: bool,

    /// Stop at the first bad line
    #[arg(long)]
    strict: bool,

    /// Show progress on the standard error
    #[arg(long, value_enum, default_value_t = Mode::Auto, value_name = "WHEN")]
    progress: Mode,

    /// Make the output repeat to the byte: each position is searched with empty tables and no time is told. Each thread then has
    /// tables of its own, of the whole size given by --hash
    #[arg(long, conflicts_with = "time")]
    deterministic: bool,
}

const EXAMPLES: &str = "\
Examples:
  morello analyze othello positions.obf --exact
  morello analyze othello WTH_2001.wtb --empties 20 --exact -o 2001.csv --games games.csv --report 2001.html
  morello analyze othello positions.csv.gz --column board --level 12 -o rows.jsonl --resume
  morello analyze nine-mens-morris games.txt --time 200ms --all-moves --format jsonl";

/// Runs the command.
pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.output = arguments.output.filter(|file| file.as_os_str() != "-");
    arguments.run(games::get(&arguments.game)?)
}

impl Arguments {
    fn run(&self, game: &'static dyn AnyGame) -> anyhow::Result<ExitCode> {
        let mut options = self.options(game)?;
        let (form, mut selection) = (self.reading.form(game)?, self.reading.selection(game)?);
        selection.shard = self.shard.unwrap_or(selection.shard);
        let obf = game.formats().iter().find(|format| format.name == "obf");
        if self.format() == RowFormat::Obf && obf.is_none() {
            bail!("{} has no OBF, which is a format of Othello: ask for csv or jsonl", game.name());
        }
        // Everything that can be wrong is looked at before the run, and before a file is overwritten.
        let inputs = files::inputs(&self.files)?;
        let outputs = [&self.output, &self.summary, &self.games, &self.report, &self.cache];
        let checkpoint = self.output.as_deref().filter(|_| self.resume).map(resume::beside);
        let outputs: Vec<&Path> = outputs.into_iter().chain([&checkpoint]).flatten().map(PathBuf::as_path).collect();
        files::check_distinct(&inputs, &outputs)?;
        let resumed = self.resume.then(|| resume::begin(self, game, &inputs, &options.limits));
        let (noting, _lock) = resumed.transpose()?.unzip();
        let begun = noting.as_ref().map(|noting| noting.begun.clone());
        if let Some(begun) = begun.as_ref().filter(|begun| begun.complete) {
            self.check_outputs(begun)?;
            super::eprint_line(format_args!("the run is complete; nothing was done again"));
            return self.sum_up(game, &begun.statistics, &begun.play, Duration::from_millis(begun.elapsed_ms));
        }
        selection.done = begun.as_ref().map_or(0, |begun| begun.records);
        let total_bytes = files::total_bytes(&inputs);
        let file_width = inputs.iter().map(|input| input.name().chars().count()).max().unwrap_or(0).min(FILE_WIDTH);
        let reader = Reader::open(game, inputs, &form)?;
        let (format, fields) = match (self.format(), obf) {
            (RowFormat::Obf, Some(obf)) => {
                (Format::Lines, vec![Field::text("obf", |row: &Row| row.line_of(obf).into())])
            }
            (RowFormat::Obf, None) => bail!("{} has no OBF", game.name()),
            (RowFormat::Fields(format), _) => {
                let (beside, of_games) = (reader.columns().names(), reader.is_of_games());
                (format, Row::fields(game, &options.limits, file_width, beside, of_games))
            }
        };
        let written = |bytes: fn(&Checkpoint) -> u64| begun.as_ref().filter(|begun| begun.records > 0).map(bytes);
        let rows = CountedOutput::open(format, fields, self.output.as_deref(), written(|begun| begun.rows_bytes))?;
        let games = match &self.games {
            Some(file) => {
                let bytes = written(|begun| begun.games_bytes);
                Some(CountedOutput::open(Format::of_file(file), PlayedGame::fields(), Some(file), bytes)?)
            }
            None => None,
        };
        for file in [&self.summary, &self.report].into_iter().flatten() {
            files::check_writable(file)?;
        }
        let seen = match self.unique {
            true => Some(Seen::new((self.memory as usize) << 20, &env::temp_dir()).context("--unique")?),
            false => None,
        };

        options.cache = self.cache.as_deref().map(|file| self.open_cache(game, file, &options.limits)).transpose()?;

        let cancel = interrupt::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "analyze", self.output.is_none() && io::stdout().is_terminal());
        let mut rows = Rows {
            rows,
            games,
            statistics: begun.as_ref().map(|begun| begun.statistics.clone()).unwrap_or_default(),
            play: begun.as_ref().map(|begun| begun.play.clone()).unwrap_or_default(),
            progress: &progress,
            total_bytes,
            strict: self.strict,
            noting,
            record: selection.done,
            failed: None,
        };
        let start = Instant::now();
        let ended = rows.run(Tasks::new(reader, selection, seen), &options, &cancel);
        let Rows { rows, games, statistics, mut play, failed, .. } = rows;
        play.finish();
        let finished = games.map_or(Ok(()), |games| games.output.finish());
        let sums_up = self.summary.is_some() || self.report.is_some() || self.games.is_some();
        let (end, unread) = match ended.and_then(|end| rows.output.finish().map(|()| end)) {
            // Whoever read the rows has seen enough; the statistics of those that were read are still wanted in a file.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && sums_up => (End::Stopped, true),
            end => (end.with_context(|| files::cannot_write(self.output.as_deref()))?, false),
        };
        finished.with_context(|| files::cannot_write(self.games.as_deref()))?;
        let before = begun.map_or(Duration::ZERO, |begun| Duration::from_millis(begun.elapsed_ms));
        let code = self.sum_up(game, &statistics, &play, before + start.elapsed())?;
        if let (Some(cache), Some(file)) = (&options.cache, &self.cache) {
            cache.finish().with_context(|| files::cannot_write(Some(file)))?;
            let (found, added) = cache.counts();
            super::eprint_line(format_args!(
                "cache      {found} positions found in `{}`, {added} added",
                file.display()
            ));
        }
        if let Some(error) = failed {
            return Err(error.into());
        }
        Ok(match end {
            End::Cancelled => ExitCode::from(INTERRUPTED),
            End::Stopped if unread => ExitCode::SUCCESS,
            End::Complete | End::Stopped => code,
        })
    }

    /// Returns the format of the rows.
    fn format(&self) -> RowFormat {
        self.format
            .unwrap_or_else(|| self.output.as_deref().map_or(RowFormat::Fields(Format::Table), RowFormat::of_file))
    }

    /// Sees that the outputs of a run that is complete are as it left them.
    fn check_outputs(&self, begun: &Checkpoint) -> anyhow::Result<()> {
        for (file, bytes) in [(&self.output, begun.rows_bytes), (&self.games, begun.games_bytes)] {
            let Some(file) = file else { continue };
            let found = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
            if found != Some(bytes) {
                let checkpoint = self.output.as_deref().map(resume::beside).unwrap_or_default();
                bail!(
                    "`{}` is not as the run has left it, which is complete: it had {bytes} bytes. Remove `{}` to begin anew",
                    file.display(),
                    checkpoint.display()
                );
            }
        }
        Ok(())
    }

    /// Returns what tells the weights and the endgame database that a search uses from others.
    fn knowledge(&self, game: &dyn AnyGame) -> anyhow::Result<impl std::fmt::Debug + use<>> {
        let weights = self.weights.as_deref().map(fs::read).transpose().context("--weights")?;
        Ok((weights.map(|weights| XxHash3_128::oneshot(&weights)), self.endgames.identity(game)?))
    }

    /// Opens the cache of results.
    fn open_cache(&self, game: &dyn AnyGame, file: &Path, limits: &Limits) -> anyhow::Result<Cache> {
        let cannot_use = || format!("--cache `{}`", file.display());
        // What a search finds depends on the size of its tables, too; that matters where it is to repeat to the byte.
        let hash = self.deterministic.then_some(self.hash);
        let settings = (env!("CARGO_PKG_VERSION"), game.name(), limits, self.knowledge(game)?, hash);
        Cache::open(file, &format!("{settings:?}"), !self.deterministic).with_context(cannot_use)
    }

    /// Returns everything but the limits that the rows depend on, to be told apart by its text.
    fn of_the_rows(&self) -> impl std::fmt::Debug + '_ {
        let which = (&self.reading, self.shard, self.unique);
        (which, self.hash, self.deterministic, self.strict, self.format(), &self.games)
    }

    /// Writes the statistics and the report; returns the exit code of a run that came to its end.
    fn sum_up(
        &self,
        game: &dyn AnyGame,
        statistics: &Statistics,
        play: &Play,
        elapsed: Duration,
    ) -> anyhow::Result<ExitCode> {
        let summary = statistics.summary(game.name(), (!self.deterministic).then_some(elapsed), play);
        match &self.summary {
            Some(path) => {
                let text = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
                    serde_json::to_string_pretty(&summary)? + "\n"
                } else {
                    summary.to_string()
                };
                files::write(path, &text)?;
            }
            // The rows are written; that nobody reads the standard error takes nothing from them.
            None => drop(write!(io::stderr(), "{summary}")),
        }
        if let Some(path) = &self.report {
            let names: Vec<_> = self.files.iter().map(|file| file.display().to_string()).collect();
            let names = match names.as_slice() {
                [] => "standard input".to_owned(),
                [only] => only.clone(),
                [first, ..] => format!("{first} and {} more", names.len() - 1),
            };
            files::write(path, &analysis::html(&summary, &format!("{}: {names}", game.name()))?)?;
        }
        Ok(if statistics.failures() > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }

    fn options(&self, game: &dyn AnyGame) -> anyhow::Result<Options> {
        let threads = self.threads.map_or_else(values::default_threads, |threads| threads as usize);
        let level = self.level.map(|level| game.level(level));
        let bounded = level.is_some() || self.depth.is_some() || self.nodes.is_some() || self.time.is_some();
        let window = self.window()?;
        if window.is_some() && !game.has_exact_solver() {
            bail!(
                "{} has no exact solver, and --alpha, --beta and --wld need one: use --exact with --depth, --nodes or --time",
                game.name()
            );
        }
        let exact = self.exact || window.is_some();
        if exact && !game.has_exact_solver() && !bounded {
            bail!("{} has no exact solver: give --exact a bound by --depth, --nodes or --time", game.name());
        }
        let depth = self.depth.or((!bounded && !exact).then_some(DEFAULT_DEPTH));
        let tables = if self.deterministic { threads } else { 1 };
        Ok(Options {
            limits: Limits {
                depth: depth.or(level.and_then(|level| level.depth)),
                nodes: self.nodes,
                time: self.time,
                exact,
                confidence: self.confidence.or(level.and_then(|level| level.confidence)),
                exact_from: level.and_then(|level| level.exact_from),
                window,
                lines: if self.all_moves { usize::MAX } else { self.lines as usize },
            },
            engine: EngineOptions {
                hash_bytes: values::hash_bytes(self.hash, tables)?,
                weights: self.weights.as_deref().map(|file| game.read_weights(file)).transpose()?,
                database: self.endgames.open(game)?,
                evaluation: EvaluationKind::default(),
            },
            threads,
            deterministic: self.deterministic,
            cache: None,
        })
    }

    /// Returns the window asked for.
    fn window(&self) -> anyhow::Result<Option<(i32, i32)>> {
        if self.wld {
            return Ok(Some(WHO_WINS));
        }
        if self.alpha.is_none() && self.beta.is_none() {
            return Ok(None);
        }
        let (alpha, beta) = (self.alpha.unwrap_or(-MOST_POINTS), self.beta.unwrap_or(MOST_POINTS));
        if alpha >= beta {
            bail!("--alpha {alpha} is not less than --beta {beta}: the score is sought between them");
        }
        Ok(Some((alpha, beta)))
    }
}

/// A format of rows: one of fields, or OBF.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowFormat {
    Fields(Format),
    Obf,
}

impl std::fmt::Debug for RowFormat {
    /// Writes what the fingerprints of checkpoints have always had: the name alone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fields(format) => format.fmt(f),
            Self::Obf => f.write_str("Obf"),
        }
    }
}

impl RowFormat {
    /// Returns the format that the ending of a file's name stands for.
    fn of_file(path: &Path) -> Self {
        let is_obf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obf"));
        if is_obf { Self::Obf } else { Self::Fields(Format::of_file(path)) }
    }
}

impl ValueEnum for RowFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<RowFormat>> = LazyLock::new(|| {
            let fields = Format::value_variants().iter().map(|&format| RowFormat::Fields(format));
            fields.chain([RowFormat::Obf]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Fields(format) => format.to_possible_value(),
            Self::Obf => Some(PossibleValue::new("obf").help("Positions of Othello with their moves and scores")),
        }
    }
}

/// Reads a score.
fn points() -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(-i64::from(MOST_POINTS)..=i64::from(MOST_POINTS))
}
