//! `morello database verify`: verifies every value of tables against the rules of the game.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{FAILED, INTERRUPTED, eprint_line, help, numbers, signals};
use morello_core::game::Cancel;
use morello_core::morris::engine::database::{
    Database, Metric, Mismatch, PositionValue, Sector, SectorTable, UnusableTable, VerifyError, WorkUnit,
    verification_memory, verify, verify_in_memory,
};
use morello_core::threads;
use morello_files::output::Field;

use super::build::available_memory;
use super::folder_arguments::FolderArguments;
use super::verified_tables::{VerifiedTable, VerifiedTables};
use super::{RowOutput, counted_to, format_bytes, hex, require_mill_game, rounded, run_with_events};

const EXAMPLES: &str = "\
Examples:
  morello database verify nine-mens-morris-flying --verified verified.csv
  morello database verify nine-mens-morris-flying --sectors 4-4 --one-by-one --every 10";

/// Verify each table value against the values after each move
///
/// The verifier generates forward moves, which the solver does not use. It loads the tables of a
/// sector and of the sectors that its moves lead to into memory, one byte per position. It also
/// checks the numbers of wins, draws and losses, and verifies every 256th position with the game's
/// move generator.
///
/// `result` is ok, damaged (the bytes have changed, or the file is not a table), wrong (a value
/// contradicts the values after its moves, or the counts are wrong; the first wrong value is shown)
/// or missing (a move leads to a sector without a table). The exit code is 1 if any result is not
/// ok.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Sectors to verify, such as 5-4,3-3+1-0 [default: all tables]
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = help::INPUT)]
    sectors: Vec<Sector>,

    /// Verify one position at a time, with the game's move generator
    ///
    /// This needs little memory, but takes many times as long.
    #[arg(long, help_heading = help::INPUT)]
    one_by_one: bool,

    /// Verify only every N-th block of positions, one position at a time
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=u32::MAX))]
    every: u32,

    /// Add each verified table to this CSV file, and skip tables in the file
    ///
    /// To resume an interrupted or killed verification, run the same command again. The tables in
    /// the file must have the same SHA-256 checksums as before.
    #[arg(long, value_name = "FILE", conflicts_with = "every", help_heading = help::OUTPUT)]
    verified: Option<PathBuf>,

    #[command(flatten)]
    root: FolderArguments,

    #[command(flatten)]
    rows: RowArguments,

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
        let mut tables = self.tables(&database)?;
        let mut verified =
            self.verified.as_deref().map(|file| VerifiedTables::open(file, game.info().name)).transpose()?;
        if let Some(verified) = &verified {
            tables = verified.remaining(tables)?;
        }
        let units = self.units(&database, tables)?;
        let pool = self.threads.pool()?;
        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "verify", io::stdout().is_terminal());
        let mut output = RowOutput::new(&self.rows, fields(game.info().name))?;

        let (start, done) = (Instant::now(), AtomicU64::new(0));
        let total = units.iter().flatten().map(|table| table.slots() / u64::from(self.every)).sum();
        let mut all_right = true;
        for refused in database.unusable_tables().iter().filter(|refused| self.selects(refused.sector)) {
            all_right = false;
            progress.suspend(|| {
                output.write(&VerifyRow::refused(game.info().name, refused)).and_then(|()| output.flush())
            })?;
        }
        for unit in &units {
            let start_of_unit = Instant::now();
            let show = |_: Option<()>| {
                let done = done.load(Ordering::Relaxed);
                progress.set(done, Some(total), &|| {
                    let rate = done as f64 / start.elapsed().as_secs_f64();
                    format!("{}, {rate:.0} positions/s", unit[0].sector())
                });
            };
            let results =
                run_with_events(|_| threads::run_on(&pool, || self.check(&database, unit, &done, &cancel)), show);
            if results.iter().any(|result| matches!(result, Err(VerifyError::Cancelled))) {
                progress.finish();
                output.finish()?;
                let resume = if self.verified.is_some() { "; run the same command again to resume" } else { "" };
                eprint_line(format_args!("interrupted while verifying {}{resume}", unit[0].sector()));
                return Ok(ExitCode::from(INTERRUPTED));
            }
            let slots: u64 = unit.iter().map(|table| table.slots()).sum();
            for (&table, result) in unit.iter().zip(results) {
                let sha256 = table.sha256().ok().map(hex);
                let time = start_of_unit.elapsed().mul_f64(table.slots() as f64 / slots as f64);
                let row = VerifyRow { sha256, ..VerifyRow::new(game.info().name, table, result, time) };
                all_right &= row.result == "ok";
                if let (Some(verified), "ok", Some(sha256)) = (&mut verified, row.result, &row.sha256) {
                    verified.add(&VerifiedTable::new(table, sha256.clone()), time)?;
                }
                progress.suspend(|| output.write(&row).and_then(|()| output.flush()))?;
            }
        }
        progress.finish();
        output.finish()?;
        Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    /// Checks the bytes and the values of the tables of a unit.
    fn check(
        &self,
        database: &Database,
        tables: &[&SectorTable],
        done: &AtomicU64,
        cancel: &Cancel,
    ) -> Vec<Result<(), VerifyError>> {
        if !self.is_one_by_one() {
            return verify_in_memory(database, tables, done, cancel);
        }
        let check = |table: &&SectorTable| {
            table.check_all()?;
            verify(database, table, self.every as usize, done, cancel)
        };
        tables.iter().map(check).collect()
    }

    fn is_one_by_one(&self) -> bool {
        self.one_by_one || self.every > 1
    }

    /// Groups tables by unit and metric; checks that each group fits in memory.
    fn units<'a>(
        &self,
        database: &Database,
        tables: Vec<&'a SectorTable>,
    ) -> anyhow::Result<Vec<Vec<&'a SectorTable>>> {
        let unit_of = |table: &SectorTable| WorkUnit::of(table.sector(), database.rules());
        let mut units: Vec<Vec<&SectorTable>> = Vec::new();
        for table in tables {
            let same = |unit: &&mut Vec<&SectorTable>| {
                unit_of(unit[0]) == unit_of(table) && unit[0].metric() == table.metric() && !self.is_one_by_one()
            };
            match units.iter_mut().find(same) {
                Some(unit) => unit.push(table),
                None => units.push(vec![table]),
            }
        }
        let needs = units.iter().map(|unit| (verification_memory(database, unit_of(unit[0])), unit_of(unit[0])));
        if let Some((bytes, unit)) = needs.max_by_key(|&(bytes, _)| bytes)
            && !self.is_one_by_one()
            && let Ok(available) = available_memory()
            && bytes > available
        {
            bail!(
                "not enough memory: {} required for {unit} (a byte per position), {} available; close other programs, \
                    or use --one-by-one, which takes many times as long",
                format_bytes(bytes),
                format_bytes(available)
            );
        }
        Ok(units)
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
        // An error may come from another table that moves lead to. Damage of this one comes first.
        let own_damage = match &verified {
            Err(VerifyError::Missing(_) | VerifyError::NoDistances(_) | VerifyError::Table(_)) => {
                table.check_all().err()
            }
            _ => None,
        };
        let leads_to_damage = own_damage.is_none() && matches!(verified, Err(VerifyError::Table(_)));
        let verified = own_damage.map_or(verified, |error| Err(VerifyError::Table(error)));
        let note = verified.as_ref().err().map(|error| match leads_to_damage {
            true => format!("moves lead to a damaged table: {error}"),
            false => error.to_string(),
        });
        let (result, mismatch) = match verified {
            Ok(()) => ("ok", None),
            Err(VerifyError::Mismatch(mismatch)) => ("wrong", Some(mismatch)),
            Err(VerifyError::Counts { .. }) => ("wrong", None),
            Err(VerifyError::Missing(_) | VerifyError::NoDistances(_)) => ("missing", None),
            Err(VerifyError::Table(_)) if leads_to_damage => ("missing", None),
            Err(_) => ("damaged", None),
        };
        let (sector, metric, positions) = (table.sector(), table.metric(), Some(table.slots()));
        Self { game, sector, metric, positions, result, mismatch, note, sha256: None, time }
    }

    fn refused(game: &'static str, refused: &UnusableTable) -> Self {
        let &UnusableTable { sector, metric, ref error, .. } = refused;
        let (note, time) = (Some(error.to_string()), Duration::ZERO);
        Self { game, sector, metric, positions: None, result: "damaged", mismatch: None, note, sha256: None, time }
    }
}

fn fields(game: &str) -> Vec<Field<VerifyRow>> {
    type One = Field<VerifyRow>;
    vec![
        One::text("game", |row| row.game.into()).width(game.len()).rank(9),
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
