//! `morello bench ffo` and `morello bench solve`: solve Othello positions exactly and report the
//! nodes and time of each.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use morello_analysis::Analysis;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{FAILED, INTERRUPTED, files, help, numbers, signals, values};
use morello_core::game::{
    AnnotatedPosition, Cancel, EngineOptions, Game, Limits, ParsedRecord, Score, Searcher, any_game,
};
use morello_core::othello::Position;
use morello_core::search::search_on_threads;
use morello_files::input::{InputFormat, Reader, Record};
use morello_files::output::{Field, Float, OutputFormat};

use super::ffo;

/// The programs with published node counts, in the order of [`Row::published`].
const PUBLISHED_ENGINES: [&str; 2] = ["Edax 4.5.5", "Egaroucid 7.8.0"];

const FFO_EXAMPLES: &str = "\
Examples:
  morello bench ffo
  morello bench ffo --from 50 --to 54 --hash 4096 --time 10m";

/// Solve positions of the FFO endgame suite for Othello
///
/// Each position is solved with empty tables, and its score is compared with the known score. The
/// exit code is 1 if a score differs. morello has confirmed the scores of #1 to #64 and #66.
/// Positions #40 to #49 take seconds, #50 to #59 take minutes, and many others take much longer;
/// limit them with --time. The columns edax_nodes and egaroucid_nodes are the published node counts
/// of Edax 4.5.5 on 16 threads and Egaroucid 7.8.0 on 26 threads.
#[derive(Debug, Args)]
#[command(before_long_help = FFO_EXAMPLES)]
pub(super) struct FfoArguments {
    /// Number of the first position
    #[arg(long, value_name = "N", default_value = "40", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=ffo::COUNT))]
    from: u32,

    /// Number of the last position
    #[arg(long, value_name = "N", default_value = "49", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=ffo::COUNT))]
    to: u32,

    #[command(flatten)]
    options: SolveArguments,
}

const FILE_EXAMPLES: &str = "\
Examples:
  morello bench solve data/positions/hard-20.obf
  morello bench solve mine.obf --threads 1 --format csv";

/// Solve Othello positions from files and compare the scores with the expected ones
///
/// The file formats are the same as for `morello analyze othello`. All lines are read first, and an
/// invalid line ends the command. Each position is solved with empty tables. The exit code is 1 if
/// a score differs from the expected one.
#[derive(Debug, Args)]
#[command(before_long_help = FILE_EXAMPLES)]
pub(super) struct FileArguments {
    /// Position files; `-` or no file means standard input
    files: Vec<PathBuf>,

    #[command(flatten)]
    options: SolveArguments,
}

#[derive(Debug, Args)]
struct SolveArguments {
    /// Time limit per position, such as 500ms, 10s or 2m
    #[arg(long, value_name = "TIME", help_heading = help::SEARCH, value_parser = values::parse_time)]
    time: Option<Duration>,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,

    /// Size in MiB of the transposition tables
    #[arg(long, value_name = "MIB", default_value = "256", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u32::MAX))]
    hash: u32,
}

/// A position to solve.
struct BenchPosition {
    /// Its number in the suite, or its file and line.
    name: String,
    entry: AnnotatedPosition,
    /// The published node counts of [`PUBLISHED_ENGINES`].
    published: [Option<u64>; PUBLISHED_ENGINES.len()],
}

/// Solves positions of the FFO suite.
pub(super) fn run_ffo(arguments: &FfoArguments) -> anyhow::Result<ExitCode> {
    let &FfoArguments { from, to, ref options } = arguments;
    if from > to {
        bail!("no positions from #{from} to #{to}: --to must not be below --from (default 40)");
    }
    let published = ffo::published_results();
    let problem = |ffo::TestPosition { number, entry }| {
        let nodes = |program| published.iter().find(|p| p.number == number && p.program == program).map(|p| p.nodes);
        BenchPosition { name: format!("#{number}"), entry: entry.any(), published: PUBLISHED_ENGINES.map(nodes) }
    };
    let problems =
        ffo::test_positions().into_iter().filter(|problem| (from..=to).contains(&problem.number)).map(problem);
    let others = vec![
        Field::<SolveRow>::integer("edax_nodes", |row| row.published[0].into()).width(11).rank(4),
        Field::<SolveRow>::integer("egaroucid_nodes", |row| row.published[1].into()).rank(4),
    ];
    options.run(problems.collect(), others)
}

/// Solves the positions of files.
pub(super) fn run_files(arguments: &FileArguments) -> anyhow::Result<ExitCode> {
    let mut problems = Vec::new();
    for record in Reader::open(any_game::<Position>(), files::inputs(&arguments.files)?, &InputFormat::default())? {
        let Record { file, line, content: held, .. } = record?;
        let entry = match held {
            Ok(ParsedRecord::Position(entry)) => entry,
            Ok(ParsedRecord::Games(_)) => bail!("`{file}`, line {line}: expected a position, found a game"),
            Err(error) => bail!("`{file}`, line {}, column {}: {}", error.line, error.column, error.problem),
        };
        problems.push(BenchPosition { name: format!("{file}:{line}"), entry, published: Default::default() });
    }
    arguments.options.run(problems, Vec::new())
}

impl SolveArguments {
    /// Solves the problems in order and writes a row for each: the common fields, then `others`.
    fn run(&self, problems: Vec<BenchPosition>, others: Vec<Field<SolveRow>>) -> anyhow::Result<ExitCode> {
        let cannot_write = self.rows.cannot_write();
        let mut searcher = any_game::<Position>().searcher(&EngineOptions::new(values::hash_bytes(self.hash, 1)?))?;
        let cancel = signals::cancel_on_signal()?;
        let name_width = problems.iter().map(|problem| problem.name.chars().count()).max().unwrap_or(0);
        let mut fields = SolveRow::fields(name_width);
        fields.extend(others);
        let mut output = self.rows.open(fields)?;
        output.flush().with_context(|| cannot_write.clone())?;
        let progress = Progress::new(self.progress, "bench", io::stdout().is_terminal());
        let mut totals = Totals::default();
        let count = problems.len();
        for (done, problem) in problems.into_iter().enumerate() {
            progress.set(done as u64, Some(count as u64), &|| format!("{}, {done} of {count} solved", problem.name));
            let Some(found) = self.solve(&problem.entry, &mut *searcher, &cancel) else { break };
            let row = SolveRow::new(&found, problem);
            progress
                .suspend(|| output.write(&row).and_then(|()| output.flush()))
                .with_context(|| cannot_write.clone())?;
            totals.add(row);
        }
        progress.finish();
        if self.rows.format()? == OutputFormat::Table {
            output.write(&totals.row).with_context(|| cannot_write.clone())?;
        }
        output.finish().with_context(|| cannot_write.clone())?;
        totals.report_failures();
        Ok(match totals {
            _ if cancel.is_cancelled() => ExitCode::from(INTERRUPTED),
            Totals { disagreeing, .. } if disagreeing.is_empty() => ExitCode::SUCCESS,
            _ => ExitCode::from(FAILED),
        })
    }

    /// Solves one position with empty tables; `None` if cancelled.
    fn solve(&self, entry: &AnnotatedPosition, searcher: &mut dyn Searcher, cancel: &Cancel) -> Option<Analysis> {
        let threads = self.threads.count();
        let limits = Limits { time: self.time, ..Limits::exact() };
        searcher.clear();
        let report = search_on_threads(searcher, threads, &Game::new(entry.position), &limits, cancel, &mut |_| ());
        (!cancel.is_cancelled()).then(|| Analysis::new(report, entry, true))
    }
}

/// The result of one position, or the total.
#[derive(Default)]
struct SolveRow {
    position: String,
    empties: Option<u32>,
    score: Option<Score>,
    best_move: Option<String>,
    expected_score: Option<i32>,
    /// Whether neither the score nor the move differs from an expected one.
    agrees: Option<bool>,
    /// Whether the proved score or bound contradicts the expected score.
    disagrees: bool,
    nodes: u64,
    time_ms: f64,
    published: [Option<u64>; PUBLISHED_ENGINES.len()],
}

impl SolveRow {
    fn new(found: &Analysis, problem: BenchPosition) -> Self {
        Self {
            position: problem.name,
            empties: problem.entry.position.empty_count(),
            score: Some(found.score()),
            best_move: found.report.best_move().map(|m| m.to_string()),
            expected_score: problem.entry.best_score(),
            agrees: found.expectation.map(|e| !e.contradicted && e.move_agrees != Some(false)),
            disagrees: found.is_refuted(),
            nodes: found.report.nodes,
            time_ms: found.time_ms.unwrap_or(0.0),
            published: problem.published,
        }
    }

    fn fields(name_width: usize) -> Vec<Field<Self>> {
        type Named = Field<SolveRow>;
        vec![
            Named::text("position", |row| row.position.as_str().into()).width(name_width),
            Named::integer("empties", |row| row.empties.into()),
            Named::float("score", |row| row.score.map(score_value).into()).width(6),
            Named::boolean("exact", |row| row.score.map(Score::is_exact).into()),
            Named::text("best_move", |row| row.best_move.clone().into()),
            Named::integer("expected_score", |row| row.expected_score.into()).rank(2),
            Named::boolean("agrees", |row| row.agrees.into()),
            Named::integer("nodes", |row| row.nodes.into()).width(12),
            Named::float("time_ms", |row| row.time_ms.into()).width(10),
            Named::integer("nodes_per_s", |row| row.nodes_per_second().into()).rank(3),
        ]
    }

    /// Returns the nodes per second; `None` without a time.
    fn nodes_per_second(&self) -> Option<u64> {
        (self.time_ms > 0.0).then(|| (self.nodes as f64 * 1000.0 / self.time_ms) as u64)
    }
}

fn score_value(score: Score) -> Float {
    if score.is_exact() { (score.thousandths / Score::POINT).into() } else { score.points().into() }
}

/// The totals and the failures of all positions.
struct Totals {
    row: SolveRow,
    /// The positions not solved within the time limit.
    unproved: Vec<String>,
    /// The positions whose proved score or best move differs from the expected one.
    disagreeing: Vec<String>,
}

impl Default for Totals {
    fn default() -> Self {
        let row = SolveRow {
            position: "total".to_owned(),
            published: PUBLISHED_ENGINES.map(|_| Some(0)),
            ..SolveRow::default()
        };
        Self { row, unproved: Vec::new(), disagreeing: Vec::new() }
    }
}

impl Totals {
    fn add(&mut self, row: SolveRow) {
        let total = &mut self.row;
        total.nodes += row.nodes;
        // Times have microseconds, and so has their sum.
        total.time_ms = ((total.time_ms + row.time_ms) * 1000.0).round() / 1000.0;
        for (sum, nodes) in total.published.iter_mut().zip(row.published) {
            // A sum over only some positions would not be comparable.
            *sum = sum.zip(nodes).map(|(sum, nodes)| sum + nodes);
        }
        if row.disagrees {
            self.disagreeing.push(row.position);
        } else if !row.score.is_some_and(Score::is_exact) {
            self.unproved.push(row.position);
        }
    }

    /// Reports the unsolved and the disagreeing positions on standard error.
    fn report_failures(&self) {
        for (names, what) in
            [(&self.unproved, "not solved within --time"), (&self.disagreeing, "different from the expected score")]
        {
            if !names.is_empty() {
                // An error is ignored: the rows contain the same.
                let _ = writeln!(io::stderr(), "{what}: {}", names.join(", "));
            }
        }
    }
}
