//! `morello database stats`: counts wins, draws and losses of sectors.

use std::process::ExitCode;

use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{FAILED, help};
use morello_core::morris::engine::database::{Database, Metric, OutcomeCounts, RuleDraws, Sector, SectorTable};
use morello_files::output::Field;

use super::folder_arguments::FolderArguments;
use super::{RowOutput, require_mill_game};

const EXAMPLES: &str = "\
Examples:
  morello database stats nine-mens-morris-flying --sectors 3-3,4-4 --example
  morello database stats morabaraba --database db --format csv";

/// Count the wins, draws and losses in sectors, with the longest win and loss
///
/// Results are for the side to move, and plies are to the end of the game. Symmetric positions
/// count once. In Morabaraba, `wins_drawn` and `losses_drawn` are the numbers of wins and losses
/// that the ten-move rule turns into draws, in sectors where a side has three cows and no cow is in
/// hand. Unusable files are reported, and the exit code is then 1.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Sectors in this order, such as 5-4,3-3+1-0 [default: all tables]
    ///
    /// Small sectors need not be built.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = help::INPUT)]
    sectors: Vec<Sector>,

    #[command(flatten)]
    root: FolderArguments,

    /// Add a position with the longest win
    ///
    /// White is to move. If there are no wins, it is a position with the longest loss.
    #[arg(long, help_heading = help::OUTPUT)]
    example: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.rows.check()?;
        let (_, rules) = require_mill_game(&self.game)?;
        let mut database = self.root.open(rules)?;
        if self.sectors.iter().any(|&sector| database.table(sector, Metric::End).is_none()) {
            database.solve_small_sectors()?;
        }
        let tables = self.tables(&database)?;
        let has_rule = rules.rules.three_men_limit.is_some();
        let mut output = RowOutput::new(&self.rows, fields(has_rule, self.example))?;
        for table in tables {
            let example = if self.example { database.longest(table)? } else { None };
            let example = example.map(|position| position.to_string());
            let drawn = database.rule_draws(table.sector())?;
            output.write(&StatsRow { sector: table.sector(), counts: table.counts(), drawn, example })?;
            output.flush()?;
        }
        output.finish()?;
        // With --sectors, an unusable table is an error before this.
        let all_told = !self.sectors.is_empty() || FolderArguments::report_unusable_files(&database);
        Ok(if all_told { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    /// Returns the tables of the selected sectors.
    fn tables<'a>(&self, database: &'a Database) -> anyhow::Result<Vec<&'a SectorTable>> {
        if self.sectors.is_empty() {
            let tables: Vec<_> = database.tables().into_iter().filter(|table| table.metric() == Metric::End).collect();
            let is_empty = tables.is_empty() && database.unusable_tables().is_empty();
            return if is_empty { Err(self.root.no_tables(database.rules().name)) } else { Ok(tables) };
        }
        self.sectors.iter().map(|&sector| self.root.table(database, sector)).collect()
    }
}

/// A sector and the results of its positions.
struct StatsRow {
    sector: Sector,
    counts: OutcomeCounts,
    drawn: Option<RuleDraws>,
    example: Option<String>,
}

fn fields(has_rule: bool, with_example: bool) -> Vec<Field<StatsRow>> {
    type One = Field<StatsRow>;
    let mut fields = vec![
        One::integer("own", |row| u32::from(row.sector.own).into()),
        One::integer("other", |row| u32::from(row.sector.other).into()),
        One::integer("own_hand", |row| u32::from(row.sector.own_hand).into()),
        One::integer("other_hand", |row| u32::from(row.sector.other_hand).into()),
        One::integer("wins", |row| row.counts.wins.into()).width(11),
        One::integer("draws", |row| row.counts.draws.into()).width(11),
        One::integer("losses", |row| row.counts.losses.into()).width(11),
        One::integer("longest_win", |row| row.counts.longest_win.into()),
        One::integer("longest_loss", |row| row.counts.longest_loss.into()).rank(2),
    ];
    if has_rule {
        fields.extend([
            One::integer("wins_drawn", |row| row.drawn.map(|drawn| drawn.wins).into()).width(11),
            One::integer("losses_drawn", |row| row.drawn.map(|drawn| drawn.losses).into()).width(11),
        ]);
    }
    if with_example {
        fields.push(One::text("example", |row| row.example.clone().into()).rank(1));
    }
    fields
}
