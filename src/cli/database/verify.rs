//! `morello database verify`: verifies every value of tables against the rules of the game.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use super::folder_arguments::FolderArguments;
use super::{RowOutput, counted_to, hex, require_mill_game, rounded, run_with_events};
use crate::cli::progress::{Progress, ProgressArguments};
use crate::cli::thread_arguments::ThreadArguments;
use crate::cli::{FAILED, INTERRUPTED, eprint_line, help, signals};
use crate::game::Cancel;
use crate::morris::engine::database::{
    Database, Metric, MillGame, Mismatch, PositionValue, Sector, SectorTable, UnusableTable, VerifyError,
};
use crate::output::{Field, OutputFormat};

const EXAMPLES: &str = "\
Examples:
  morello database verify nine-mens-morris-flying
  morello database verify nine-mens-morris-flying --sectors 4-4 --every 10";

/// Verify each value of tables against the values after each move
///
/// The moves come from the move generator of the game, which the solver does not use. `result` is ok; damaged (changed bytes, or not a table);
/// wrong (a value contradicts the values after its moves, and the first such value is shown); or missing (a move leads to a sector without a
/// table). The exit code is 1 if any result is not ok.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Sectors to verify, such as 5-4,3-3+1-0 [default: all tables]
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = help::INPUT)]
    sectors: Vec<Sector>,

    /// Verify only every N-th block of positions
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::INPUT, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    #[command(flatten)]
    root: FolderArguments,

    /// Row format
    #[arg(long, value_enum, default_value_t = OutputFormat::Table, help_heading = help::OUTPUT)]
    format: OutputFormat,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let (game, rules) = require_mill_game(&self.game)?;
        let database = self.root.open(rules)?;
        let tables = self.tables(&database)?;
        let pool = self.threads.pool()?;
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "verify", io::stdout().is_terminal());
        let mut output = RowOutput::new(self.format, fields(game.name()))?;

        let (start, done) = (Instant::now(), AtomicU64::new(0));
        let total = tables.iter().map(|table| table.slots() / u64::from(self.every)).sum();
        let mut all_right = true;
        for refused in database.unusable_tables().iter().filter(|refused| self.selects(refused.sector)) {
            all_right = false;
            progress
                .suspend(|| output.write(&VerifyRow::refused(game.name(), refused)).and_then(|()| output.flush()))?;
        }
        for &table in &tables {
            let start_of_table = Instant::now();
            let show = |_: Option<()>| {
                let done = done.load(Ordering::Relaxed);
                progress.set(done, Some(total), || {
                    let rate = done as f64 / start.elapsed().as_secs_f64();
                    format!("{}, {rate:.0} positions/s", table.sector())
                });
            };
            let verified =
                run_with_events(|_| pool.install(|| self.check(game, &database, table, &done, &cancel)), show);
            if matches!(verified, Err(VerifyError::Cancelled)) {
                progress.finish();
                output.finish()?;
                eprint_line(format_args!("interrupted while verifying {}", table.sector()));
                return Ok(ExitCode::from(INTERRUPTED));
            }
            all_right &= verified.is_ok();
            let sha256 = table.sha256().ok().map(hex);
            let row = VerifyRow { sha256, ..VerifyRow::new(game.name(), table, verified, start_of_table.elapsed()) };
            progress.suspend(|| output.write(&row).and_then(|()| output.flush()))?;
        }
        progress.finish();
        output.finish()?;
        Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    /// Checks the bytes of a table, then its values.
    fn check(
        &self,
        game: &dyn MillGame,
        database: &Database,
        table: &SectorTable,
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Result<(), VerifyError> {
        table.check_all()?;
        game.verify(database, table, self.every as usize, done, cancel)
    }

    /// Returns the tables to verify.
    fn tables<'a>(&self, database: &'a Database) -> anyhow::Result<Vec<&'a SectorTable>> {
        let mut tables = database.tables();
        let mut named: Vec<_> = tables.iter().map(|table| table.sector()).collect();
        named.extend(database.unusable_tables().iter().map(|refused| refused.sector));
        if let Some(&sector) = self.sectors.iter().find(|sector| !named.contains(sector)) {
            return Err(self.root.no_table(database, sector));
        }
        if named.is_empty() {
            return Err(self.root.no_tables(database.rules().name));
        }
        tables.retain(|table| self.selects(table.sector()));
        Ok(tables)
    }

    fn selects(&self, sector: Sector) -> bool {
        self.sectors.is_empty() || self.sectors.contains(&sector)
    }
}

/// The result of a table.
struct VerifyRow {
    game: &'static str,
    sector: Sector,
    metric: Metric,
    /// `None` if unknown.
    positions: Option<u64>,
    result: &'static str,
    /// A position with a wrong value.
    mismatch: Option<Mismatch>,
    note: Option<String>,
    sha256: Option<String>,
    time: Duration,
}

impl VerifyRow {
    fn new(game: &'static str, table: &SectorTable, verified: Result<(), VerifyError>, time: Duration) -> Self {
        let note = verified.as_ref().err().map(VerifyError::to_string);
        let (result, mismatch) = match verified {
            Ok(()) => ("ok", None),
            Err(VerifyError::Mismatch(mismatch)) => ("wrong", Some(mismatch)),
            Err(VerifyError::Missing(_) | VerifyError::NoDistances(_)) => ("missing", None),
            Err(VerifyError::Table(_) | VerifyError::Cancelled) => ("damaged", None),
        };
        let (sector, metric, positions) = (table.sector(), table.metric(), Some(table.slots()));
        Self { game, sector, metric, positions, result, mismatch, note, sha256: None, time }
    }

    fn refused(game: &'static str, refused: &UnusableTable) -> Self {
        let &UnusableTable { sector, metric, ref error } = refused;
        let (note, time) = (Some(error.to_string()), Duration::ZERO);
        Self { game, sector, metric, positions: None, result: "damaged", mismatch: None, note, sha256: None, time }
    }
}

fn fields(game: &str) -> Vec<Field<VerifyRow>> {
    type One = Field<VerifyRow>;
    vec![
        One::text("game", |row| row.game.into()).width(game.len()),
        One::text("sector", |row| row.sector.to_string().into()).width(8),
        One::text("counted_to", |row| counted_to(row.metric).into()),
        One::integer("positions", |row| row.positions.into()).width(11),
        One::text("result", |row| row.result.into()).width("missing".len()),
        One::float("time_s", |row| rounded(row.time.as_secs_f64(), 3).into()).width(9),
        One::text("position", |row| row.mismatch.as_ref().map(|wrong| wrong.position.as_str()).into()).not_in_table(),
        One::text("found", |row| value(row, |wrong| wrong.found).into()).not_in_table(),
        One::text("expected", |row| value(row, |wrong| wrong.expected).into()).not_in_table(),
        One::text("sha256", |row| row.sha256.clone().into()).not_in_table(),
        One::text("note", |row| row.note.clone().into()),
    ]
}

fn value(row: &VerifyRow, of: fn(&Mismatch) -> PositionValue) -> Option<String> {
    row.mismatch.as_ref().map(|wrong| of(wrong).to_string())
}
