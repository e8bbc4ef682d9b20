//! `morello database starts`: lists the values of starts with other numbers of men.

use std::process::ExitCode;

use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{eprint_line, help};
use morello_core::game::result_name;
use morello_core::morris::engine::database::{BuildEstimate, PositionValue, Sector, starts};
use morello_files::output::{Field, OutputFormat};

use super::build::ValuesArgument;
use super::folder_arguments::{FolderArguments, check_sector};
use super::{RowOutput, format_bytes, require_mill_game};

const EXAMPLES: &str = "\
Examples:
  morello database starts six-mens-morris
  morello database starts nine-mens-morris --plan --format csv";

/// List the results of shortened games, with three or more men per side
///
/// `first` and `second` are the numbers of men, all in hand, of the first and second player; the
/// last row is the complete game. `outcome` is the result for the first player, and `plies` is the
/// number of plies to the end of the game; both are empty if the table is missing. To build the
/// table, give its `sector` to `build --sectors`. A side that has placed all its men moves them,
/// even while the opponent is still placing men. In Morabaraba, values ignore the ten-move draw.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Add the tables that are still to be built for each row
    ///
    /// `steps` is the number of build steps, `positions` is the number of table entries,
    /// `disk_bytes` is the estimated size of the tables, and `memory_bytes` is the memory that the
    /// largest step requires. Rows share many tables.
    #[arg(long, help_heading = help::OUTPUT)]
    plan: bool,

    #[command(flatten)]
    root: FolderArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.rows.check()?;
        let (game, rules) = require_mill_game(&self.game)?;
        let mut database = self.root.open(rules)?;
        let starts = starts(&rules);
        starts.iter().try_for_each(|&start| check_sector(&database, start))?;
        // The plan is that of `build`, which also stores sectors that can be solved in memory.
        let missing = database.missing_units(&starts);
        let plan = |sector: &Sector| self.plan.then(|| database.estimate(&database.missing_units(&[*sector])));
        let (plans, all): (Vec<_>, _) = (starts.iter().map(plan).collect(), database.estimate(&missing));
        database.solve_small_sectors()?;
        let mut output = RowOutput::new(&self.rows, fields(game.info().name, self.plan))?;
        let mut known = 0;
        for (&sector, plan) in starts.iter().zip(plans) {
            let value = database.value_of_start(sector)?;
            known += usize::from(value.is_some());
            output.write(&StartRow { game: game.info().name, sector, value, plan })?;
            output.flush()?;
        }
        output.finish()?;
        if self.rows.format()? == OutputFormat::Table {
            let rest = match all.units {
                0 => String::new(),
                _ => format!("; the tables for all of them need {}", in_words(all)),
            };
            eprint_line(format_args!("{known} of {} starts are known{rest}", starts.len()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn in_words(need: BuildEstimate) -> String {
    let memory = need.largest.map_or(0, |(_, memory)| memory.total());
    let (steps, positions) = (need.units, need.slots);
    let [disk, memory] = [disk_bytes(need), memory].map(format_bytes);
    format!("{steps} steps with {positions} positions, about {disk} of disk and {memory} of memory")
}

fn disk_bytes(need: BuildEstimate) -> u64 {
    (need.table_slots as f64 * ValuesArgument::Distances.bytes_per_position()) as u64
}

struct StartRow {
    game: &'static str,
    sector: Sector,
    value: Option<PositionValue>,
    /// What must be built for it.
    plan: Option<BuildEstimate>,
}

fn fields(game: &str, with_plan: bool) -> Vec<Field<StartRow>> {
    type One = Field<StartRow>;
    let mut fields = vec![
        One::text("game", |row| row.game.into()).width(game.len()).rank(9),
        One::integer("first", |row| u32::from(row.sector.own_hand).into()),
        One::integer("second", |row| u32::from(row.sector.other_hand).into()),
        One::text("sector", |row| row.sector.to_string().into()).width("0-0+12-12".len()),
        One::text("outcome", |row| row.value.map(|value| result_name(value.outcome())).into()).width("outcome".len()),
        One::integer("plies", |row| row.value.and_then(PositionValue::plies).into()),
    ];
    if with_plan {
        fields.extend([
            One::integer("steps", |row| row.plan.map(|need| need.units as u64).into()),
            One::integer("positions", |row| row.plan.map(|need| need.slots).into()).width(12),
            One::integer("disk_bytes", |row| row.plan.map(disk_bytes).into()).width(12),
            One::integer("memory_bytes", |row| {
                row.plan.map(|need| need.largest.map_or(0, |(_, memory)| memory.total())).into()
            })
            .width(12),
        ]);
    }
    fields
}
