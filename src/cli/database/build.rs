//! `morello database build`: solves sectors and writes their tables.

use std::io::{self, IsTerminal};
use std::path::{self, Path};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use morello_command::is_broken_pipe;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{INTERRUPTED, eprint_line, help, numbers, signals, values};
use morello_core::game::Cancel;
use morello_core::morris::engine::database::{
    Build, BuildError, BuildEstimate, BuildProgress, BuiltUnit, Ruleset, Sector, SolveError, SolverMemory,
    StoredValues, WorkUnit, whole_game, with_men_up_to,
};
use morello_core::threads;
use morello_files::output::Field;
use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System};

use super::folder_arguments::FolderArguments;
use super::{RowOutput, all_rules, format_bytes, require_mill_game, rounded, run_with_events};

const EXAMPLES: &str = "\
Examples:
  morello database build nine-mens-morris-flying --max-men 8
  morello database build morabaraba --sectors 4-3,3-3+1-0 --database db
  morello database build six-mens-morris --all-sectors --memory 2048";

/// Build tables for sectors and for all sectors that they lead to
///
/// Existing tables are not rebuilt. Sectors that lead to each other, such as 5-4 and 4-5, are
/// solved together, after the sectors that they lead to. To resume an interrupted or killed build,
/// run the same command again; only the sectors in progress are lost. Before the build starts, it
/// reports the memory that the largest step requires. Tables do not depend on the number of
/// threads.
///
/// morabaraba and morabaraba-full-draw share all tables except the tables with 24 men. A build for
/// one game links the existing tables of the other.
///
/// In Morabaraba, values ignore the ten-move draw. Sectors in which a side has three cows get a
/// second table with the number of plies to the next capture, which determines the draw. The column
/// `positions` counts table entries; a position with symmetrically placed men may have several
/// entries.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    #[command(flatten)]
    selection: SectorSelection,

    /// What the tables store
    ///
    /// Tables without plies (wdl) are a fifth to a third of the size. With them, the engine still
    /// keeps every win, but it must search for the quickest win.
    #[arg(long, value_enum, default_value = "distances", help_heading = help::OUTPUT)]
    values: ValuesArgument,

    #[command(flatten)]
    root: FolderArguments,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,

    /// Memory limit in MiB [default: the available memory]
    ///
    /// A build that requires more is rejected before it starts.
    #[arg(long, value_name = "MIB", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u64::MAX >> 20))]
    memory: Option<u64>,
}

/// What tables store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ValuesArgument {
    /// Wins, draws and losses, and the plies to the end of the game
    Distances,
    /// Wins, draws and losses only
    Wdl,
}

impl From<ValuesArgument> for StoredValues {
    fn from(values: ValuesArgument) -> Self {
        match values {
            ValuesArgument::Distances => Self::Distances,
            ValuesArgument::Wdl => Self::Results,
        }
    }
}

impl ValuesArgument {
    /// Returns a rough estimate of the size of a table.
    pub(super) fn bytes_per_position(self) -> f64 {
        match self {
            Self::Distances => 0.4,
            Self::Wdl => 0.1,
        }
    }
}

/// The sectors to build.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct SectorSelection {
    /// Build all sectors with at most this many men in total and none in hand
    #[arg(long, value_name = "N", help_heading = help::INPUT, value_parser = numbers::whole(0..=u32::MAX))]
    max_men: Option<u32>,

    /// Build these sectors, such as 5-4,3-3+1-0
    ///
    /// The men of the side to move come first. Men in hand follow the plus sign.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = help::INPUT)]
    sectors: Vec<Sector>,

    /// Build all sectors of the game
    #[arg(long, help_heading = help::INPUT)]
    all_sectors: bool,
}

impl SectorSelection {
    fn sectors(&self, rules: &Ruleset) -> anyhow::Result<Vec<Sector>> {
        let all_men = 2 * u32::from(rules.rules.men);
        if let Some(men) = self.max_men {
            let sectors = with_men_up_to(men, rules);
            if sectors.is_empty() {
                bail!("--max-men {men}: must be at least 6, the men of the smallest sector 3-3");
            }
            if men > all_men {
                bail!("--max-men {men}: must be at most {all_men}, the men of both sides in {}", rules.name);
            }
            return Ok(sectors);
        }
        if self.all_sectors {
            return Ok(whole_game(rules));
        }
        for sector in &self.sectors {
            sector.check(rules).with_context(|| format!("--sectors, in {}", rules.name))?;
        }
        Ok(self.sectors.clone())
    }
}

/// Returns the memory available to this process, which may be limited to a share of the machine.
pub(super) fn available_memory() -> anyhow::Result<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let unknown = "the available memory is unknown; set a limit with --memory";
    let mut system = System::new_with_specifics(memory).context(unknown)?;
    let share = sysinfo::get_current_pid().ok().and_then(|own| {
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, ProcessRefreshKind::nothing());
        let limits = system.process(own)?.cgroup_limits()?;
        // The memory of its processes, without cached files.
        Some(limits.total_memory.saturating_sub(limits.rss))
    });
    Ok(system.available_memory().min(share.unwrap_or(u64::MAX)))
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.rows.check()?;
        let (game, rules) = require_mill_game(&self.game)?;
        let sectors = self.selection.sectors(&rules)?;
        let folder = self.root.folder(game.info().name)?;
        let mut build = Build::open(&folder, rules, &sectors, self.values.into()).map_err(build_error)?;
        let cancel = signals::cancel_on_signal()?;
        if !self.link_equal_tables(&mut build, &cancel)? {
            eprint_line(format_args!("interrupted; run the same command again to resume"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let need = build.estimate();
        let Some(largest) = need.largest else {
            eprint_line(format_args!("all these tables are already in `{}`", folder.display()));
            RowOutput::new(&self.rows, fields(game.info().name))?.finish()?;
            return Ok(ExitCode::SUCCESS);
        };
        self.report_requirements(&build, &need, largest, &folder)?;
        self.build(build, &need, game.info().name, &cancel)
    }

    /// Links the tables of other games that have the same content; `false` if cancelled.
    fn link_equal_tables(&self, build: &mut Build, cancel: &Cancel) -> anyhow::Result<bool> {
        for other in all_rules().map(|rules| rules.name).filter(|other| *other != self.game) {
            match build.link(&self.root.folder(other)?, cancel) {
                Ok(0) => {}
                Ok(linked) => eprint_line(format_args!("reused {} of {other}", counted(linked as u64, "equal table"))),
                Err(BuildError::Cancelled) => return Ok(false),
                Err(error) => return Err(build_error(error)),
            }
        }
        Ok(true)
    }

    /// Solves the sectors and writes a row for each step.
    fn build(
        &self,
        build: Build,
        need: &BuildEstimate,
        game: &'static str,
        cancel: &Cancel,
    ) -> anyhow::Result<ExitCode> {
        let pool = self.threads.pool()?;
        let progress = Progress::new(self.progress, "build", io::stdout().is_terminal());
        let mut output = RowOutput::new(&self.rows, fields(game))?;
        output.flush()?;

        let (start, monitor) = (Instant::now(), BuildProgress::default());
        let (mut tally, mut shown, mut failed) = (BuildTotals::default(), BuildDisplay::new(need.slots), None);
        let built = run_with_events(
            |events| {
                threads::run_on(&pool, || {
                    build.run(&monitor, cancel, |built| {
                        // The receiver is gone only if this thread has to end.
                        let _ = events.send(built.clone());
                    })
                })
            },
            |event| {
                if let Some(built) = event {
                    tally.add(&built);
                    let row = BuildRow::new(game, &built);
                    let written = progress.suspend(|| output.write(&row).and_then(|()| output.flush()));
                    match written {
                        // The tables are the result; the build continues without a reader of the
                        // rows.
                        Err(error) if is_broken_pipe(&error) => {}
                        Err(error) => {
                            failed.get_or_insert(error);
                            cancel.cancel();
                        }
                        Ok(()) => {}
                    }
                }
                shown.show(&monitor, &progress);
            },
        );
        progress.finish();
        let finished = output.finish().or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) });
        if let Some(error) = failed.or(finished.err()) {
            return Err(error);
        }
        let done = tally.in_words(need.units, start.elapsed());
        match built {
            Ok(()) => eprint_line(format_args!("{done}")),
            Err(BuildError::Cancelled) => {
                eprint_line(format_args!("interrupted; {done}; run the same command again to resume"));
                return Ok(ExitCode::from(INTERRUPTED));
            }
            Err(error) => return Err(build_error(error)),
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Reports the memory and disk space that a build requires; rejects a build that does not fit
    /// the memory.
    fn report_requirements(
        &self,
        build: &Build,
        need: &BuildEstimate,
        largest: (WorkUnit, SolverMemory),
        folder: &Path,
    ) -> anyhow::Result<()> {
        let (unit, memory) = largest;
        let (bytes, slots) = (memory.total(), build.slots(unit));
        let BuildEstimate { units, slots: all_slots, table_slots, .. } = need;
        let s = if *units == 1 { "" } else { "s" };
        eprint_line(format_args!(
            "{}: {units} step{s} with {all_slots} positions to solve; tables go to `{}`",
            self.game,
            folder.display()
        ));
        let open = if memory.sectors > 2 * slots { ", up to 2 more for moves that can repeat positions" } else { "" };
        let lower = match memory.lower_sectors {
            0 => String::new(),
            lower => format!(", and 1 for each of {lower} positions after captures and placements"),
        };
        let largest = format_bytes(bytes);
        let largest = format!("{largest} for {unit}: 2 bytes per position for {slots} positions{open}{lower}");
        let (limit, whose) = match self.memory {
            Some(mebibytes) => (values::memory_bytes(mebibytes)?, "allowed by --memory"),
            None => (available_memory()?, "available"),
        };
        if bytes > limit {
            let less = match build.max_men_within(limit) {
                Some(men) if men >= 6 => format!(" (--max-men {men} at most)"),
                _ => String::new(),
            };
            let remedy = match self.memory {
                Some(_) => format!("increase --memory, or build less{less}"),
                None => format!("close other programs, build less{less}, or use a machine with more memory"),
            };
            bail!("not enough memory: {largest} required, {} {whose}; {remedy}", format_bytes(limit));
        }
        eprint_line(format_args!("memory: at most {largest}; {} {whose}", format_bytes(limit)));
        let per_position = self.values.bytes_per_position();
        let disk = (*table_slots as f64 * per_position) as u64;
        let seconds = if table_slots > all_slots { ", second tables included" } else { "" };
        let free = free_disk(folder);
        let rest = free.map_or_else(String::new, |free| format!("; {} free", format_bytes(free)));
        eprint_line(format_args!(
            "disk: about {}, {per_position} bytes per position{seconds}{rest}",
            format_bytes(disk)
        ));
        if free.is_some_and(|free| disk > free) {
            eprint_line(format_args!("warning: the tables may not fit on the disk; finished tables are kept"));
        }
        Ok(())
    }
}

/// Returns the free bytes on the disk of a directory, which need not exist yet; `None` if unknown.
fn free_disk(folder: &Path) -> Option<u64> {
    let folder = path::absolute(folder).ok()?;
    let there = folder.ancestors().find(|folder| folder.exists())?;
    fs4::available_space(there).ok()
}

/// Adds a remedy to an error from a build.
pub(super) fn build_error(error: BuildError) -> anyhow::Error {
    let remedy = match &error {
        BuildError::Io(_, error) if error.kind() == io::ErrorKind::StorageFull => {
            "free some space and run the same command again to resume"
        }
        BuildError::Io(..) => "choose a writable directory with --database",
        BuildError::InUse(_) => "wait for it or choose another directory with --database",
        BuildError::Solve { source: SolveError::Memory(_), .. } => {
            "close other programs and run the same command again to resume"
        }
        _ => return error.into(),
    };
    anyhow::anyhow!("{:#}; {remedy}", anyhow::Error::new(error))
}

/// The totals of a build.
#[derive(Default)]
struct BuildTotals {
    units: usize,
    slots: u64,
    bytes: u64,
}

impl BuildTotals {
    fn add(&mut self, built: &BuiltUnit) {
        self.units += 1;
        self.slots += built.slots;
        self.bytes += built.bytes;
    }

    fn in_words(&self, of: usize, time: Duration) -> String {
        let Self { units, slots, bytes } = self;
        let (bytes, seconds) = (format_bytes(*bytes), time.as_secs_f64());
        format!("{units} of {of} steps done in {seconds:.1} s: {slots} positions, {bytes}")
    }
}

/// The progress of a build.
struct BuildDisplay {
    start: Instant,
    total: u64,
    /// The maximum so far: sectors with a second table are traversed twice.
    done: u64,
}

impl BuildDisplay {
    fn new(total: u64) -> Self {
        Self { start: Instant::now(), total, done: 0 }
    }

    fn show(&mut self, monitor: &BuildProgress, progress: &Progress) {
        self.done = self.done.max(monitor.slots());
        let (done, total) = (self.done, self.total);
        progress.set(done, Some(total), &|| {
            let unit = monitor.unit().map_or_else(String::new, |unit| unit.to_string());
            let rate = done as f64 / self.start.elapsed().as_secs_f64();
            format!("{unit}, level {}, {rate:.0} positions/s", monitor.level())
        });
    }
}

/// The row of one step.
struct BuildRow {
    game: &'static str,
    sectors: String,
    positions: u64,
    bytes: u64,
    memory: u64,
    seconds: f64,
}

impl BuildRow {
    fn new(game: &'static str, built: &BuiltUnit) -> Self {
        let sectors: Vec<_> = built.unit.sectors().map(|sector| sector.to_string()).collect();
        Self {
            game,
            sectors: sectors.join(","),
            positions: built.slots,
            bytes: built.bytes,
            memory: built.memory,
            seconds: built.time.as_secs_f64(),
        }
    }
}

fn fields(game: &str) -> Vec<Field<BuildRow>> {
    type One = Field<BuildRow>;
    vec![
        One::text("game", |row| row.game.into()).width(game.len()).rank(9),
        One::text("sectors", |row| row.sectors.as_str().into()).width(15),
        One::integer("positions", |row| row.positions.into()).width(11),
        One::integer("bytes", |row| row.bytes.into()).width(11).rank(3),
        One::float("bits_per_position", |row| rounded(8.0 * row.bytes as f64 / row.positions as f64, 3).into()).rank(4),
        One::integer("memory_bytes", |row| row.memory.into()).rank(5),
        One::float("time_s", |row| rounded(row.seconds, 3).into()).width(9),
        One::integer("positions_per_s", |row| ((row.positions as f64 / row.seconds) as u64).into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_memory_is_available() {
        assert!(available_memory().unwrap() > 1 << 20);
    }
}
