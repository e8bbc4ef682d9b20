//! `morello perft`: counts the leaf positions at a depth.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::progress::{Progress, ProgressArguments};
use super::{FAILED, INTERRUPTED, eprint_line, files, help, signals, values};
use crate::game::{AnyMove, AnyPosition, Cancel, Position as _};
use crate::games;
use crate::journal::OpenJournalError;
use crate::output::{Field, OutputFormat};
use crate::perft::{self, Convention, PerftCheckpoint, PerftCheckpointError, Reference};

const EXAMPLES: &str = "\
Examples:
  morello perft othello 11 --verify
  morello perft nine-mens-morris-flying 4 --divide --position '0,0 a7,d7,g4 a1,b2,c3 W'
  morello perft othello 15 --hash 8192 --checkpoint perft15.checkpoint";

/// Count the leaf positions at a depth (perft), which tests the move generator
///
/// The --convention says whether a forced pass is a ply, and whether games that ended earlier are counted.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=255))]
    depth: u32,

    /// Start position in any format, or the moves that lead to it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = help::INPUT)]
    position: Option<String>,

    /// Count each depth from 1 to DEPTH
    #[arg(long, help_heading = help::INPUT)]
    all: bool,

    /// Counting rule for passes and finished games
    #[arg(long, value_name = "NAME", default_value_t, help_heading = help::INPUT, value_parser = convention_parser())]
    convention: Convention,

    /// Compare with the known counts; the exit code is 1 if one differs
    #[arg(long, help_heading = help::OUTPUT)]
    verify: bool,

    /// Also print the count below each move
    #[arg(long, help_heading = help::OUTPUT)]
    divide: bool,

    /// Save finished parts of the count to this file and resume from them
    ///
    /// The game, position, depth, convention and --hash must be the same as in the earlier run. The file is kept after the count.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "divide"], help_heading = help::OUTPUT)]
    checkpoint: Option<PathBuf>,

    /// Row format
    #[arg(long, value_enum, default_value_t = OutputFormat::Table, help_heading = help::OUTPUT)]
    format: OutputFormat,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Memory for merging equal positions, in MiB; 0 for none
    ///
    /// Symmetric positions count as equal. The positions of an intermediate ply are merged and counted once each; the rest of the memory is
    /// used for tables of the subtrees below them, in games where that helps.
    #[arg(long, value_name = "MIB", default_value_t = 1024, help_heading = help::PERFORMANCE)]
    hash: u32,
}

fn convention_parser() -> impl TypedValueParser<Value = Convention> {
    let values = Convention::ALL.map(|convention| PossibleValue::new(convention.name()).help(convention.about()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Convention>())
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    arguments.run()
}

/// A count of all leaves, or of those below one move.
struct PerftRow {
    game: &'static str,
    position: String,
    depth: u32,
    m: Option<String>,
    nodes: u64,
    /// `None` for a single move: moves are counted in parallel.
    time: Option<Duration>,
    convention: Convention,
}

impl PerftRow {
    /// Returns the fields of the rows.
    fn fields(position: &AnyPosition, divide: bool) -> Vec<Field<Self>> {
        type Named = Field<PerftRow>;
        let mut fields = vec![
            Named::text("game", |row| row.game.into()).width(position.game().name().len()),
            Named::text("position", |row| row.position.as_str().into()).width(position.to_string().chars().count()),
            Named::integer("depth", |row| row.depth.into()),
        ];
        if divide {
            fields.push(Named::text("move", |row| row.m.clone().into()));
        }
        fields.extend([
            Named::integer("nodes", |row| row.nodes.into()).width(15),
            Named::float("time_ms", |row| row.time.map(|time| time.as_micros() as f64 / 1000.0).into()).width(12),
            Named::text("convention", |row| row.convention.name().into()),
        ]);
        fields
    }
}

impl Arguments {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let position = self.position()?;
        let known = if self.verify { self.expect_typed(&position)? } else { Vec::new() };
        let bytes = values::hash_bytes(self.hash, 1)?;
        let pool = values::thread_pool(self.threads)?;
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "perft", std::io::stdout().is_terminal());
        let cannot_write = "cannot write to standard output";
        let mut output = files::records(self.format, PerftRow::fields(&position, self.divide), None)?;

        let mut differences = Vec::new();
        for depth in self.depths() {
            let start = Instant::now();
            let counted = pool.install(|| {
                if self.divide {
                    self.count_moves(&position, depth, bytes, &cancel, &progress)
                } else {
                    let nodes = self.count(&position, depth, bytes, &cancel, &progress);
                    nodes.map(|nodes| nodes.map(|nodes| (Vec::new(), nodes)))
                }
            });
            let Some((mut rows, nodes)) = counted.inspect_err(|_| progress.finish())? else {
                progress.finish();
                output.finish().context(cannot_write)?;
                eprint_line(format_args!("interrupted while counting depth {depth}"));
                if let Some(file) = &self.checkpoint {
                    eprint_line(format_args!("run the same command again to resume from `{}`", file.display()));
                }
                return Ok(ExitCode::from(INTERRUPTED));
            };
            if nodes == perft::OVERFLOWED {
                progress.finish();
                bail!(
                    "depth {depth} has more than 2^64 - 2 positions, the largest supported count: use a smaller depth"
                );
            }
            rows.push(PerftRow { time: Some(start.elapsed()), ..self.row(&position, depth, None, nodes) });
            progress
                .suspend(|| rows.iter().try_for_each(|row| output.write(row)).and_then(|()| output.flush()))
                .context(cannot_write)?;
            differences.extend(mismatches(&known, depth, nodes).map(|known| (known.clone(), nodes)));
        }
        progress.finish();
        output.finish().context(cannot_write)?;
        for (known, found) in &differences {
            let Reference { depth, nodes, source, .. } = known;
            eprint_line(format_args!("depth {depth}: expected {nodes} ({source}), found {found}"));
        }
        if self.verify && differences.is_empty() {
            let counts = if known.len() == 1 { "count" } else { "counts" };
            eprint_line(format_args!("verified: {} known {counts} confirmed", known.len()));
        }
        Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    fn position(&self) -> anyhow::Result<AnyPosition> {
        let game = games::get(&self.game)?;
        self.position.as_deref().map_or_else(|| Ok(game.start()), |text| values::position(game, "--position", text))
    }

    fn depths(&self) -> std::ops::RangeInclusive<u32> {
        let first = if self.all { self.depth.min(1) } else { self.depth };
        first..=self.depth
    }

    /// Returns the known counts to compare with.
    fn expect_typed(&self, position: &AnyPosition) -> anyhow::Result<Vec<Reference>> {
        let table = games::known_perft(position.game());
        let asked = |known: &Reference| {
            known.position == *position && known.convention == self.convention && self.depths().contains(&known.depth)
        };
        if !table.iter().any(asked) {
            bail!("--verify: no known count for this position and depth; known for {}:{}", self.game, summary(&table));
        }
        Ok(table.into_iter().filter(asked).collect())
    }

    fn row(&self, position: &AnyPosition, depth: u32, m: Option<String>, nodes: u64) -> PerftRow {
        PerftRow {
            game: position.game().name(),
            position: position.to_string(),
            depth,
            m,
            nodes,
            time: None,
            convention: self.convention,
        }
    }

    /// Counts one depth; `None` if cancelled.
    fn count(
        &self,
        position: &AnyPosition,
        depth: u32,
        bytes: usize,
        cancel: &Cancel,
        progress: &Progress,
    ) -> anyhow::Result<Option<u64>> {
        let on_ply = |ply: u32, positions: usize| {
            progress.set(0, None, || format!("depth {depth}, {positions} distinct positions at ply {ply}"));
        };
        let perft = games::perft(&self.game)?;
        let Some(frontier) = perft.frontier(position, depth, self.convention, bytes, cancel, &on_ply) else {
            return Ok(None);
        };
        let checkpoint = match &self.checkpoint {
            Some(file) => {
                let opened = PerftCheckpoint::open(file, position, &*frontier);
                Some(opened.map_err(|error| resume_error(error, file))?)
            }
            None => None,
        };
        let known = checkpoint.as_ref().map_or_else(Vec::new, |checkpoint| checkpoint.known().to_vec());
        let counting = CountProgress::new(checkpoint, &known, frontier.info().chunks());
        if let Some(file) = self.checkpoint.as_ref().filter(|_| counting.done > 0) {
            let (done, chunks, file) = (counting.done, counting.chunks, file.display());
            progress.suspend(|| eprint_line(format_args!("resuming: {done} of {chunks} parts are in `{file}`")));
        }
        counting.show(depth, progress);
        let counting = Mutex::new(counting);
        let nodes = frontier.count(&known, cancel, &|chunk, nodes| {
            let mut counting = counting.lock().expect("no thread panics while it keeps a count");
            if !counting.record_chunk(chunk, nodes) {
                cancel.cancel();
            }
            counting.show(depth, progress);
        });
        let counting = counting.into_inner().expect("no thread panics while it keeps a count");
        match (counting.failed, &self.checkpoint) {
            (Some(error), Some(file)) => {
                let failed =
                    format!("cannot write `{}`: free some space and run the same command again", file.display());
                Err(anyhow::Error::new(error).context(failed))
            }
            _ => Ok(nodes),
        }
    }

    /// Counts one depth with a row for each move; `None` if cancelled.
    fn count_moves(
        &self,
        position: &AnyPosition,
        depth: u32,
        bytes: usize,
        cancel: &Cancel,
        progress: &Progress,
    ) -> anyhow::Result<Option<(Vec<PerftRow>, u64)>> {
        if depth == 0 || position.is_over() {
            return Ok(Some((Vec::new(), perft::ended(depth, self.convention))));
        }
        let on_move = |done: usize, total: usize| {
            progress.set(done as u64, Some(total as u64), || format!("depth {depth}, {done} of {total} moves"));
        };
        on_move(0, position.count_moves());
        let divisions = games::perft(&self.game)?.divide(position, depth, self.convention, bytes, cancel, &on_move);
        let Some(divisions) = divisions else { return Ok(None) };
        let nodes = perft::total(&divisions);
        let row = |division: perft::Division<AnyMove>| {
            self.row(position, depth, Some(division.root.to_string()), division.nodes)
        };
        Ok(Some((divisions.into_iter().map(row).collect(), nodes)))
    }
}

/// Adds a remedy to an error from a checkpoint.
fn resume_error(error: PerftCheckpointError, file: &Path) -> anyhow::Error {
    let remedy = match &error {
        PerftCheckpointError::Open(OpenJournalError::Io(_)) => "use a file that can be read and written",
        PerftCheckpointError::Open(OpenJournalError::InUse) => "wait for it, or use another file",
        PerftCheckpointError::NotACheckpoint { .. } => "use another file",
        PerftCheckpointError::DifferentCount { field: "ply" | "positions" | "chunk", .. } => {
            "use the --hash of the run that created it, or use another file"
        }
        PerftCheckpointError::DifferentCount { .. } => "use another file, or the options of the run that created it",
        PerftCheckpointError::Damaged { .. } => "delete that line to count its part again, or use another file",
    };
    anyhow::anyhow!("cannot resume from the checkpoint `{}`: {error}; {remedy}", file.display())
}

/// The state of a count.
struct CountProgress {
    checkpoint: Option<PerftCheckpoint>,
    /// The error of writing the checkpoint.
    failed: Option<std::io::Error>,
    chunks: usize,
    done: usize,
    nodes: u64,
}

impl CountProgress {
    fn new(checkpoint: Option<PerftCheckpoint>, known: &[Option<u64>], chunks: usize) -> Self {
        let nodes = known.iter().flatten().fold(0, |sum: u64, &nodes| sum.saturating_add(nodes));
        Self { checkpoint, failed: None, chunks, done: known.iter().flatten().count(), nodes }
    }

    /// Saves a finished chunk; returns whether that succeeded.
    fn record_chunk(&mut self, chunk: usize, nodes: u64) -> bool {
        self.done += 1;
        self.nodes = self.nodes.saturating_add(nodes);
        match self.checkpoint.as_mut().map(|checkpoint| checkpoint.add(chunk, nodes)) {
            Some(Err(error)) => {
                self.failed.get_or_insert(error);
                false
            }
            _ => true,
        }
    }

    fn show(&self, depth: u32, progress: &Progress) {
        progress.set(self.done as u64, Some(self.chunks as u64), || {
            format!("depth {depth}, {:.3e} leaves", self.nodes as f64)
        });
    }
}

/// Returns the known counts of this depth that differ from the one found.
fn mismatches(known: &[Reference], depth: u32, nodes: u64) -> impl Iterator<Item = &Reference> {
    known.iter().filter(move |known| known.depth == depth && known.nodes != nodes)
}

/// Lists the known depths, a line for each position and convention.
fn summary(table: &[Reference]) -> String {
    let same = |a: &Reference, b: &Reference| a.position == b.position && a.convention == b.convention;
    let line = |run: &[Reference]| {
        let depths = run.iter().map(|known| known.depth);
        let (min, max) = (depths.clone().min().unwrap_or(0), depths.max().unwrap_or(0));
        format!("\n  depths {min} to {max} of `{}` with --convention {}", run[0].position, run[0].convention)
    };
    table.chunk_by(same).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_wrong_count() {
        let table = "source a book\nperft 1 4\nperft 2 12\nperft 3 57\n";
        let known = Reference::parse_table(games::get("othello").unwrap(), table).unwrap();
        let wrong: Vec<_> =
            [(1, 4), (2, 12), (3, 56)].into_iter().flat_map(|(d, n)| mismatches(&known, d, n)).collect();
        assert_eq!(wrong.len(), 1);
        assert_eq!((wrong[0].depth, wrong[0].nodes, wrong[0].source.as_str()), (3, 57, "a book"));
        assert!(summary(&known).contains("depths 1 to 3 of `"));
    }
}
