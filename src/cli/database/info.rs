//! `morello database info`: lists tables and their sizes.

use std::process::ExitCode;

use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{FAILED, eprint_line, help};
use morello_core::morris::engine::database::{Database, Metric, SectorTable, with_men_up_to};
use morello_files::output::{Field, OutputFormat};

use super::folder_arguments::FolderArguments;
use super::{RowOutput, all_rules, counted_to, format_bytes, hex, require_mill_game, rounded, stored_values};

const EXAMPLES: &str = "\
Examples:
  morello database info
  morello database info nine-mens-morris-flying --database db --format csv";

/// List the tables of a game with their sizes, or the games with tables
///
/// `counted_to` is the event to which a table counts plies: the end of the game, or the next
/// capture if a rule draws games without captures. `positions` counts table entries, as in `build`.
/// `values` shows whether the table stores results with plies or only results (wdl). `max_men` is
/// the largest N for which all sectors of `build --max-men N` exist. Unusable files are reported,
/// and the exit code is then 1.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game [default: list all games]
    #[arg(value_parser = super::game_parser())]
    game: Option<String>,

    #[command(flatten)]
    root: FolderArguments,

    /// Add the SHA-256 checksum of each file
    ///
    /// This reads all files. `sha256sum` computes the same checksums.
    #[arg(long, requires = "game", help_heading = help::OUTPUT)]
    sha256: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let all_used = match &self.game {
            Some(game) => self.tables(game)?,
            None => self.games()?,
        };
        Ok(if all_used { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    /// Lists the tables of a game; returns whether all files are usable.
    fn tables(&self, game: &str) -> anyhow::Result<bool> {
        let database = self.root.open(require_mill_game(game)?.1)?;
        let name = database.rules().name;
        let mut output = RowOutput::new(&self.rows, table_fields(name, self.sha256))?;
        let mut total = Size::default();
        for table in database.tables() {
            let size = Size { tables: 1, positions: table.slots(), bytes: table.size() };
            total.add(size);
            let sha256 = if self.sha256 { Some(hex(table.sha256()?)) } else { None };
            output.write(&TableInfoRow { game: name, table, size, sha256 })?;
            output.flush()?;
        }
        output.finish()?;
        self.print_totals(total)?;
        Ok(FolderArguments::report_unusable_files(&database))
    }

    /// Lists the games with tables; returns whether all files are usable.
    fn games(&self) -> anyhow::Result<bool> {
        self.root.check()?;
        let root = self.root.path()?;
        let mut output = RowOutput::new(&self.rows, game_fields())?;
        let mut all_used = true;
        let mut total = Size::default();
        for rules in all_rules().filter(|rules| root.join(rules.name).is_dir()) {
            let database = self.root.open(rules)?;
            let mut size = Size::default();
            for table in database.tables() {
                size.add(Size { tables: 1, positions: table.slots(), bytes: table.size() });
            }
            total.add(size);
            output.write(&GameInfoRow { game: rules.name, size, max_men: max_men(&database) })?;
            output.flush()?;
            all_used &= FolderArguments::report_unusable_files(&database);
        }
        output.finish()?;
        self.print_totals(total)?;
        Ok(all_used)
    }

    /// Prints the totals below a table.
    fn print_totals(&self, total: Size) -> anyhow::Result<()> {
        if self.rows.format()? == OutputFormat::Table {
            let place = match &self.game {
                Some(game) => self.root.folder(game)?,
                None => self.root.path()?,
            };
            let Size { tables, positions, bytes } = total;
            let s = if tables == 1 { "" } else { "s" };
            let size = format_bytes(bytes);
            eprint_line(format_args!("{tables} table{s} in `{}`: {positions} positions, {size}", place.display()));
        }
        Ok(())
    }
}

/// Returns the largest number of men up to which a database has all sectors without men in hand;
/// `None` if it lacks the smallest.
fn max_men(database: &Database) -> Option<u32> {
    let rules = database.rules();
    let has_all =
        |&men: &u32| with_men_up_to(men, rules).into_iter().all(|sector| database.table(sector, Metric::End).is_some());
    (6..=2 * u32::from(rules.rules.men)).take_while(has_all).last()
}

#[derive(Debug, Clone, Copy, Default)]
struct Size {
    tables: u64,
    positions: u64,
    bytes: u64,
}

impl Size {
    fn add(&mut self, other: Self) {
        self.tables += other.tables;
        self.positions += other.positions;
        self.bytes += other.bytes;
    }

    /// `None` if it has no position.
    fn bits_per_position(self) -> Option<f64> {
        (self.positions > 0).then(|| rounded(8.0 * self.bytes as f64 / self.positions as f64, 3))
    }
}

struct TableInfoRow<'a> {
    game: &'static str,
    table: &'a SectorTable,
    size: Size,
    sha256: Option<String>,
}

fn table_fields<'a>(game: &str, with_sha256: bool) -> Vec<Field<TableInfoRow<'a>>> {
    type One<'a> = Field<TableInfoRow<'a>>;
    let mut fields = vec![
        One::text("game", |row| row.game.into()).width(game.len()).rank(9),
        One::text("sector", |row| row.table.sector().to_string().into()).width(8),
        One::text("counted_to", |row| counted_to(row.table.metric()).into()),
        One::integer("positions", |row| row.size.positions.into()).width(11),
        One::integer("bytes", |row| row.size.bytes.into()).width(11),
        One::float("bits_per_position", |row| row.size.bits_per_position().into()).rank(4),
        One::text("values", |row| stored_values(row.table.stored()).into()).width("distances".len()),
    ];
    if with_sha256 {
        fields.push(One::text("sha256", |row| row.sha256.clone().into()));
    }
    fields
}

struct GameInfoRow {
    game: &'static str,
    size: Size,
    max_men: Option<u32>,
}

fn game_fields() -> Vec<Field<GameInfoRow>> {
    type One = Field<GameInfoRow>;
    let width = all_rules().map(|rules| rules.name.len()).max().unwrap_or(0);
    vec![
        One::text("game", |row| row.game.into()).width(width),
        One::integer("tables", |row| row.size.tables.into()),
        One::integer("max_men", |row| row.max_men.into()),
        One::integer("positions", |row| row.size.positions.into()).width(11),
        One::integer("bytes", |row| row.size.bytes.into()).width(11),
        One::float("bits_per_position", |row| row.size.bits_per_position().into()).rank(4),
    ]
}
