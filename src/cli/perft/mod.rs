//! `morello perft`: counts the leaf positions at a depth.

mod check;
mod compare;
mod count;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use count::Counting;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::usage::PositionParser;
use morello_command::{FAILED, INTERRUPTED, eprint_line, help, numbers, signals, values};
use morello_core::game::{AnyGame, AnyPosition, Position as _};
use morello_core::games;
use morello_core::perft;
use morello_core::perft::{Convention, MAX_DEPTH, Reference};
use morello_files::output::Field;

const EXAMPLES: &str = "\
Examples:
  morello perft othello 11 --verify
  morello perft nine-mens-morris-flying 4 --divide --position 'd2 f4 d6 f2'
  morello perft othello --input counts.epd
  morello perft othello 5 --position f5d6 --compare divide.txt
  morello perft othello 15 --hash 8192 --checkpoint perft15.checkpoint";

/// Count the leaf positions at a depth (perft), which tests the move generator
///
/// --convention selects whether a forced pass is a ply, and whether games that ended earlier are
/// counted.
///
/// --input checks files of known counts. A line has a position in any format, or moves, before the
/// counts, such as `f5d6c3 ;D1 4 ;D2 24`; the tables in src/core/data/perft are accepted too.
/// --compare reads the counts below each move that another program printed, in lines such as `f5:
/// 349`, and reports the first difference.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Depth in plies; with --input, the maximum depth to check
    ///
    /// With --verify and without a depth, all known counts of the game are checked.
    #[arg(required_unless_present_any = ["input", "verify"], value_parser = parse_depth)]
    depth: Option<u32>,

    /// Start position in any format, moves that lead to it, or an opening
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true,
        value_parser = PositionParser, help_heading = help::INPUT)]
    position: Option<String>,

    /// Count each depth from 1 to DEPTH
    #[arg(long, requires = "depth", help_heading = help::INPUT)]
    all_depths: bool,

    /// Check the counts in these files of positions; `-` is standard input
    ///
    /// The exit code is 1 if a count differs or a line cannot be read.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = help::INPUT,
        conflicts_with_all = ["position", "all_depths", "verify", "divide", "checkpoint", "compare",
        "compare_command"])]
    input: Vec<PathBuf>,

    /// Compare with the moves and counts that another program printed
    ///
    /// The exit code is 1 if a move or a count differs. If the file continues with the counts after
    /// the first move that differs, these are also compared, and so on. `-` is standard input.
    #[arg(long, value_name = "FILE", requires = "depth", help_heading = help::INPUT,
        conflicts_with_all = ["all_depths", "verify", "divide", "checkpoint"])]
    compare: Option<PathBuf>,

    /// Run this command to get the moves and counts to compare with
    ///
    /// `{position}`, `{moves}` and `{depth}` in the command are replaced. While a count differs,
    /// the command runs again for the position after the first such move, down to the position in
    /// which the legal moves differ.
    #[arg(long, value_name = "COMMAND", requires = "depth", help_heading = help::INPUT, hide_short_help = true,
        conflicts_with_all = ["all_depths", "verify", "divide", "checkpoint", "compare"])]
    compare_command: Option<String>,

    /// Skip the counts above N in files [default with --verify: 1000000000]
    #[arg(long, value_name = "N", help_heading = help::INPUT, value_parser = numbers::whole(0..=u64::MAX))]
    max_leaves: Option<u64>,

    /// Counting rule for passes and finished games
    #[arg(long, value_name = "NAME", default_value_t, help_heading = help::INPUT, value_parser = convention_parser())]
    convention: Convention,

    /// Compare with the known counts; the exit code is 1 if one differs
    #[arg(long, help_heading = help::OUTPUT)]
    verify: bool,

    /// Also print the count below each move
    #[arg(long, requires = "depth", help_heading = help::OUTPUT)]
    divide: bool,

    /// Save finished parts of the count to this file and resume from them
    ///
    /// The game, position, depth and convention must be the same as in the earlier run. The file is
    /// kept after the count.
    #[arg(long, value_name = "FILE", requires = "depth", conflicts_with_all = ["all_depths", "divide"],
        help_heading = help::OUTPUT)]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,

    /// Size in MiB of the tables that merge equal positions; 0 for none
    ///
    /// Symmetric positions count as equal. Equal positions of an intermediate ply are merged and
    /// counted once. In games where it helps, the rest of the memory is used for tables of the
    /// subtrees below them.
    #[arg(long, value_name = "MIB", default_value = "1024", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(0..=u32::MAX))]
    hash: u32,
}

fn convention_parser() -> impl TypedValueParser<Value = Convention> {
    let values = Convention::ALL.map(|convention| PossibleValue::new(convention.name()).help(convention.about()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Convention>())
}

fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("expected a depth from 0 to {MAX_DEPTH}; to check a file of counts, use --input FILE"))
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = games::get(&arguments.game)?;
    let is_table = arguments.verify && arguments.depth.is_none();
    if arguments.max_leaves.is_some() && !is_table && arguments.input.is_empty() {
        bail!("--max-leaves requires --input, or --verify without a depth");
    }
    if is_table && arguments.position.is_some() {
        bail!("--verify with --position requires a depth");
    }
    let cancel = signals::cancel_on_signal()?;
    let progress = Progress::new(arguments.progress, "perft", std::io::stdout().is_terminal());
    let counting = Counting {
        bytes: values::hash_bytes(arguments.hash, 1)?,
        pool: arguments.threads.pool()?,
        cancel: &cancel,
        progress: &progress,
        of_files: is_table || !arguments.input.is_empty(),
        checkpoint: arguments.checkpoint.clone(),
    };
    let result = match arguments.depth {
        _ if !arguments.input.is_empty() => arguments.check_files(game, &counting),
        None => arguments.check_table(game, &counting),
        Some(depth) if arguments.compare.is_some() || arguments.compare_command.is_some() => {
            arguments.compare(game, depth, &counting)
        }
        Some(depth) => arguments.count_depths(game, depth, &counting),
    };
    progress.finish();
    result
}

/// The width to which a narrow terminal may shorten a file name or a position, in characters.
const SHORT_WIDTH: usize = 8;

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
        let move_width = position.legal_moves().map(|m| m.to_string().len()).max().unwrap_or(0);
        let mut fields = vec![
            Named::text("game", |row| row.game.into()).width(position.game().name().len()).rank(4),
            Named::text("position", |row| row.position.as_str().into())
                .width(position.to_string().chars().count())
                .shortens_to(SHORT_WIDTH)
                .rank(2),
            Named::integer("depth", |row| row.depth.into()),
        ];
        if divide {
            fields.push(Named::text("move", |row| row.m.clone().into()).width(move_width));
        }
        fields.extend([
            Named::integer("nodes", |row| row.nodes.into()).width(15),
            Named::float("time_ms", |row| row.time.map(milliseconds).into()).width(12).rank(3),
            Named::text("convention", |row| row.convention.name().into()).width("passes-count".len()).rank(3),
        ]);
        fields
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

impl Arguments {
    /// Returns the position to count from.
    fn position(&self, game: &'static dyn AnyGame) -> anyhow::Result<AnyPosition> {
        self.position.as_deref().map_or_else(|| Ok(game.start()), |text| values::position(game, "--position", text))
    }

    /// Counts one depth, or with --all-depths each depth up to it.
    fn count_depths(&self, game: &'static dyn AnyGame, last: u32, counting: &Counting<'_>) -> anyhow::Result<ExitCode> {
        let position = self.position(game)?;
        let depths = if self.all_depths { last.min(1) } else { last }..=last;
        let known = if self.verify { self.known_counts(&position, &depths)? } else { Vec::new() };
        let mut output = self.rows.open(PerftRow::fields(&position, self.divide))?;
        let mut differences = Vec::new();
        for depth in depths {
            let start = Instant::now();
            let counted = if self.divide {
                let divisions = counting.divide(&position, depth, self.convention)?;
                divisions.map(|divisions| (count::total(&divisions, depth, self.convention), divisions))
            } else {
                counting.count(&position, depth, self.convention)?.map(|nodes| (nodes, Vec::new()))
            };
            let Some((nodes, divisions)) = counted else {
                counting.progress.finish();
                output.finish().with_context(|| self.rows.cannot_write())?;
                eprint_line(format_args!("interrupted while counting depth {depth}"));
                if let Some(file) = &self.checkpoint {
                    eprint_line(format_args!("run the same command again to resume from `{}`", file.display()));
                }
                return Ok(ExitCode::from(INTERRUPTED));
            };
            check_size(depth, nodes)?;
            let row = |m: Option<String>, nodes, time| PerftRow {
                game: game.name(),
                position: position.to_string(),
                depth,
                m,
                nodes,
                time,
                convention: self.convention,
            };
            let mut rows: Vec<_> =
                divisions.iter().map(|division| row(Some(division.root.to_string()), division.nodes, None)).collect();
            rows.push(row(None, nodes, Some(start.elapsed())));
            let write = || rows.iter().try_for_each(|row| output.write(row)).and_then(|()| output.flush());
            counting.progress.suspend(write).with_context(|| self.rows.cannot_write())?;
            differences.extend(mismatches(&known, depth, nodes).map(|known| (known.clone(), nodes)));
        }
        counting.progress.finish();
        output.finish().with_context(|| self.rows.cannot_write())?;
        for (known, found) in &differences {
            let Reference { depth, nodes, source, .. } = known;
            eprint_line(format_args!("depth {depth}: expected {nodes} ({source}), found {found}"));
        }
        if self.verify && differences.is_empty() {
            eprint_line(format_args!("verified: {} confirmed", counted(known.len() as u64, "known count")));
        }
        Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    /// Returns the known counts to compare with.
    fn known_counts(
        &self,
        position: &AnyPosition,
        depths: &std::ops::RangeInclusive<u32>,
    ) -> anyhow::Result<Vec<Reference>> {
        let table = Reference::known(position.game());
        let asked = |known: &Reference| {
            known.position == *position && known.convention == self.convention && depths.contains(&known.depth)
        };
        if !table.iter().any(asked) {
            bail!("--verify: no known count for this position and depth; known for {}:{}", self.game, summary(&table));
        }
        Ok(table.into_iter().filter(asked).collect())
    }

    /// Returns the command line of a count of this position, for messages.
    fn command(&self, position: &AnyPosition, depth: u32, convention: Convention) -> String {
        let mut command = format!("morello perft {} {depth}", self.game);
        if !position.is_start() {
            command += &format!(" --position '{position}'");
        }
        if convention != Convention::default() {
            command += &format!(" --convention {convention}");
        }
        command
    }
}

/// Rejects a count that does not fit into 64 bits.
fn check_size(depth: u32, nodes: u64) -> anyhow::Result<()> {
    if nodes == perft::OVERFLOWED {
        bail!("depth {depth} has more than 2^64 - 2 positions, the largest supported count; use a smaller depth");
    }
    Ok(())
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
