//! `morello database stats`: how many positions of a sector are won, drawn and lost, and how long it takes at most.

use std::process::ExitCode;

use clap::Args;

use super::folder::{Root, check_sector};
use super::{Rows, mill};
use crate::cli::FAILED;
use crate::morris::engine::database::{Counts, Database, Metric, Sector, Table};
use crate::output::{Field, Format};

const EXAMPLES: &str = "\
Examples:
  morello database stats nine-mens-morris --sectors 3-3,4-4 --example
  morello database stats morabaraba --dir db --format csv";

/// Count the wins, draws and losses of sectors, with the longest win and loss
///
/// All of the side to move; plies are to the end of the game. Positions that are the same but for a symmetry count once. Files that cannot be
/// used are told of, and make the exit code 1.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = super::game_parser())]
    game: String,

    /// Only these sectors, as in 5-4,3-3+1-0, in this order; those of a few men need not be built
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    sectors: Vec<Sector>,

    /// Also show a position, White to move, with the longest win or, where nothing is won, the longest loss
    #[arg(long)]
    example: bool,

    #[command(flatten)]
    root: Root,

    /// The format of the rows
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let (game, rules) = mill(&self.game)?;
        let mut database = self.root.open(rules)?;
        if self.sectors.iter().any(|&sector| database.table(sector, Metric::End).is_none()) {
            database.make_small()?;
        }
        let tables = self.tables(&database)?;
        let mut output = Rows::new(self.format, fields(self.example))?;
        for table in tables {
            let example = if self.example { game.longest(&database, table)? } else { None };
            let example = example.map(|position| position.to_string());
            output.write(&Row { sector: table.sector(), counts: table.counts(), example })?;
            output.flush()?;
        }
        output.finish()?;
        // Who names sectors has got them all.
        let all_told = !self.sectors.is_empty() || Root::tell_refused(&database);
        Ok(if all_told { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }

    /// Returns the tables of the sectors that are asked for.
    fn tables<'a>(&self, database: &'a Database) -> anyhow::Result<Vec<&'a Table>> {
        if self.sectors.is_empty() {
            let tables: Vec<_> = database.tables().into_iter().filter(|table| table.metric() == Metric::End).collect();
            let is_empty = tables.is_empty() && database.refused().is_empty();
            return if is_empty { Err(self.root.no_tables(database.rules().name)) } else { Ok(tables) };
        }
        let table = |&sector| {
            check_sector(database, sector)?;
            database.table(sector, Metric::End).ok_or_else(|| self.root.no_table(database, sector))
        };
        self.sectors.iter().map(table).collect()
    }
}

/// A sector and what its positions are worth.
struct Row {
    sector: Sector,
    counts: Counts,
    example: Option<String>,
}

fn fields(with_example: bool) -> Vec<Field<Row>> {
    type One = Field<Row>;
    let mut fields = vec![
        One::integer("own", |row| u32::from(row.sector.own).into()),
        One::integer("other", |row| u32::from(row.sector.other).into()),
        One::integer("own_hand", |row| u32::from(row.sector.own_hand).into()),
        One::integer("other_hand", |row| u32::from(row.sector.other_hand).into()),
        One::integer("wins", |row| row.counts.wins.into()).width(11),
        One::integer("draws", |row| row.counts.draws.into()).width(11),
        One::integer("losses", |row| row.counts.losses.into()).width(11),
        One::integer("longest_win", |row| row.counts.longest_win.into()),
        One::integer("longest_loss", |row| row.counts.longest_loss.into()),
    ];
    if with_example {
        fields.push(One::text("example", |row| row.example.clone().into()));
    }
    fields
}
