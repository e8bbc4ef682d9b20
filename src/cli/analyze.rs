//! `morello analyze`: positions in, one a line; their best moves and scores out, and statistics at the end.

use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::endgames::Endgames;
use super::progress::{Mode, Progress};
use super::{FAILED, INTERRUPTED, files, interrupt, values};
use crate::analysis::pipeline::{End, Sink};
use crate::analysis::{self, Options, Play, Row, Selection, Solving, Statistics, Tasks};
use crate::game::{Cancel, Command, Confidence, EngineOptions, LEVELS, Limits, Playable};
use crate::games;
use crate::input::{Form, ReadError, Reader};
use crate::output::{Format, Output};

/// The depth of a search that nothing else bounds, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// The window that asks who wins.
const WHO_WINS: (i32, i32) = (-1, 1);

/// No score of any game is beyond this, in points.
const MOST_POINTS: i32 = 64;

/// Work on one position that takes longer than this is told of before it is done.
const LONG: Duration = Duration::from_secs(1);

/// The widest column of a table for the names of files, in characters.
const FILE_WIDTH: usize = 40;

/// Analyze positions, one a line: best move, score and variation of each, then statistics over all
///
/// Blank lines are skipped; `%` and `#` start a comment. The rows come in the order of the lines, while they are worked on. A bad line
/// becomes a row with an error. Scores are in points for the side to move (discs in Othello). The table leaves out the position and
/// shortens the variation; the other formats have all fields. Where a solver was cut short by --time or --nodes, `lower` and `upper` are
/// the bounds of the score that it had proved.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// Files of positions; `-`, or none, is the standard input
    files: Vec<PathBuf>,

    /// The format of the files, or of their lines, instead of detecting it; an unknown name lists those of the game
    #[arg(long, value_name = "NAME")]
    from: Option<String>,

    /// The column of CSV or key of JSON lines that holds the positions or games [default: the first named position, transcript, moves, obf,
    /// fen or board]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,

    /// Of games, analyze the positions from this ply on, or from one ply to another: `20`, `20..40`
    #[arg(long, value_name = "RANGE", value_parser = values::parse_from)]
    plies: Option<RangeInclusive<u32>>,

    /// Analyze the positions with at most so many empty squares, or from so many to so many: `24`, `20..24`
    #[arg(long, value_name = "RANGE", value_parser = values::parse_up_to)]
    empties: Option<RangeInclusive<u32>>,

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

    /// The format of the rows
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Write the rows to this file; `-` is the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the statistics to this file, as JSON if its name ends in .json; `-` is the standard output [default: as text to the
    /// standard error]
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,

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

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.clone();
    games::run(&game, arguments)?
}

impl Command for Arguments {
    type Output = anyhow::Result<ExitCode>;

    fn run<P: Playable>(mut self) -> anyhow::Result<ExitCode> {
        self.output = self.output.filter(|file| file.as_os_str() != "-");
        let options = self.options::<P>()?;
        let (form, selection) = (self.form::<P>()?, self.selection::<P>()?);
        // Everything that can be wrong is looked at before the run, and before a file is overwritten.
        let inputs = files::inputs(&self.files)?;
        let outputs: Vec<&Path> = [&self.output, &self.summary].into_iter().flatten().map(PathBuf::as_path).collect();
        files::check_distinct(&inputs, &outputs)?;
        let total_bytes = files::total_bytes(&inputs);
        let file_width = inputs.iter().map(|input| input.name().chars().count()).max().unwrap_or(0).min(FILE_WIDTH);
        let reader = Reader::open(inputs, &form)?;
        let sink = files::output(self.output.as_deref())?;
        let mut summary = self.summary.as_deref().map(|file| files::output(Some(file))).transpose()?;

        let cancel = interrupt::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "analyze", self.output.is_none() && io::stdout().is_terminal());
        let fields = Row::fields::<P>(&options.limits, file_width, reader.is_of_games());
        let mut rows = Rows {
            output: Output::new(self.format, fields, sink).with_context(|| self.cannot_write())?,
            statistics: Statistics::default(),
            play: Play::default(),
            progress: &progress,
            total_bytes,
            strict: self.strict,
            failed: None,
        };
        let start = Instant::now();
        let (end, unread) = match rows.run(Tasks::new(reader, selection), &options, &cancel) {
            // Whoever read the rows has seen enough; the statistics of those that were read are still wanted in a file.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && summary.is_some() => (End::Stopped, true),
            end => (end.with_context(|| files::cannot_write(self.output.as_deref()))?, false),
        };
        let elapsed = (!self.deterministic).then(|| start.elapsed());

        let statistics = rows.statistics;
        rows.play.finish();
        let report = statistics.summary(P::NAME, elapsed, &rows.play);
        match (&mut summary, &self.summary) {
            (Some(file), Some(path)) => {
                let text = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
                    serde_json::to_string_pretty(&report)? + "\n"
                } else {
                    report.to_string()
                };
                file.write_all(text.as_bytes())
                    .and_then(|()| file.flush())
                    .with_context(|| format!("cannot write `{}`", path.display()))?;
            }
            // The rows are written; that nobody reads the standard error takes nothing from them.
            _ => drop(write!(io::stderr(), "{report}")),
        }
        if let Some(error) = failed {
            return Err(error.into());
        }
        Ok(match end {
            End::Cancelled => ExitCode::from(INTERRUPTED),
            End::Stopped if unread => ExitCode::SUCCESS,
            End::Complete | End::Stopped if statistics.failures() > 0 => ExitCode::from(FAILED),
            End::Complete | End::Stopped => ExitCode::SUCCESS,
        })
    }
}

impl Arguments {
    /// Returns what the user says of the inputs.
    fn form<P: Playable>(&self) -> anyhow::Result<Form<P>> {
        let mut form = Form::default();
        if let Some(name) = &self.from {
            form = form.named(name).context("--from")?;
        }
        if let Some(name) = &self.column {
            form = form.column(name.clone());
        }
        Ok(form)
    }

    /// Returns which positions are asked for.
    fn selection<P: Playable>(&self) -> anyhow::Result<Selection> {
        if self.empties.is_some() && P::default().empties().is_none() {
            bail!("--empties: a game of {} does not fill its board: use --plies", P::NAME);
        }
        let all = Selection::default();
        Ok(Selection {
            plies: self.plies.clone().unwrap_or(all.plies),
            empties: self.empties.clone().unwrap_or(all.empties),
        })
    }

    fn options<P: Playable>(&self) -> anyhow::Result<Options> {
        let threads = self.threads.map_or_else(values::default_threads, |threads| threads as usize);
        let level = self.level.map(P::level);
        let bounded = level.is_some() || self.depth.is_some() || self.nodes.is_some() || self.time.is_some();
        let window = self.window()?;
        if window.is_some() && !P::EXACT_SOLVER {
            bail!(
                "{} has no exact solver, and --alpha, --beta and --wld need one: use --exact with --depth, --nodes or --time",
                P::NAME
            );
        }
        let exact = self.exact || window.is_some();
        if exact && !P::EXACT_SOLVER && !bounded {
            bail!("{} has no exact solver: give --exact a bound by --depth, --nodes or --time", P::NAME);
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
                weights: self.weights.as_deref().map(P::read_weights).transpose()?,
                database: self.endgames.open::<P>()?,
                simple: false,
            },
            threads,
            deterministic: self.deterministic,
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

/// Reads a score.
fn points() -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(-i64::from(MOST_POINTS)..=i64::from(MOST_POINTS))
}

/// Writes the rows, and keeps the statistics of what is written.
struct Rows<'a> {
    output: Output<'static, Row>,
    statistics: Statistics,
    play: Play,
    progress: &'a Progress,
    total_bytes: Option<u64>,
    strict: bool,
    /// Why an input could not be read on.
    failed: Option<ReadError>,
}

impl Rows<'_> {
    fn run<P: Playable>(&mut self, tasks: Tasks<P>, options: &Options, cancel: &Cancel) -> io::Result<End> {
        let progress = self.progress;
        let on_solving = |solving: &Solving| {
            if solving.time >= LONG {
                progress.note(|| solving.to_string());
            }
        };
        let end = analysis::run(tasks, options, &on_solving, cancel, self);
        self.progress.finish();
        end
    }
}

impl Sink<Result<Row, ReadError>> for Rows<'_> {
    fn accept(&mut self, row: Result<Row, ReadError>) -> io::Result<bool> {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                self.failed = Some(error);
                return Ok(false);
            }
        };
        self.progress.aside(|| self.output.write(&row))?;
        self.statistics.add(&row);
        self.play.add(&row);
        self.progress.set(row.bytes_read, self.total_bytes, || format!("{} positions", self.statistics.rows()));
        Ok(!(self.strict && row.result.is_err()))
    }

    fn idle(&mut self) -> io::Result<()> {
        self.progress.aside(|| self.output.flush())
    }
}
