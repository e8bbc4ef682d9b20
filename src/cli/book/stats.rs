//! `morello book stats`: the content of a book.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_core::game::{AnyPosition, Color, Position as _};
use morello_files::book::{BookGraph, Breadth};
use morello_files::output::{Field, Float};

use super::book_arguments::ReadArguments;

const EXAMPLES: &str = "\
Examples:
  morello book stats othello
  morello book stats othello --book mine.book --format csv";

/// Show the positions, moves and games of a book by ply
///
/// Each row shows the positions at a ply, their scored moves, how many of these moves lead to other
/// book positions and how many are exact, the minimum, mean and maximum search depth, and the games
/// that reached the positions. The row `all` shows the totals, including positions that no book
/// move leads to.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    #[command(flatten)]
    rows: RowArguments,
}

/// The positions after a number of plies.
#[derive(Debug, Clone, Copy, Default)]
struct StatisticsRow {
    /// `None` is all plies.
    ply: Option<u32>,
    positions: u64,
    moves: u64,
    linked: u64,
    exact: u64,
    /// The least and greatest depth, and the sum of all, of moves that are not exact and not
    /// linked.
    depths: Option<(u8, u8, u64, u64)>,
    games: u64,
}

impl StatisticsRow {
    fn add(&mut self, entry: &morello_files::book::BookEntry) {
        self.positions += 1;
        self.games += entry.games.total();
        for known in &entry.moves {
            self.moves += 1;
            self.linked += u64::from(known.is_linked);
            self.exact += u64::from(known.score.score.is_exact());
            if !known.is_linked && !known.score.score.is_exact() {
                let depth = known.score.provenance.depth;
                let (least, most, sum, count) = self.depths.unwrap_or((depth, depth, 0, 0));
                self.depths = Some((least.min(depth), most.max(depth), sum + u64::from(depth), count + 1));
            }
        }
    }
}

impl Arguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.read.game;
        let book = self.read.open()?.file();
        let squares = game.start().empty_count();
        // Where empty squares do not tell the ply, the moves of the book do.
        let mut graph = BookGraph::default();
        let mut reached = HashMap::new();
        if squares.is_none() {
            book.for_each(&mut |position, entry| graph.set(position, entry))?;
            let start = [(game.start().canonical(), 0)];
            graph.visit(&start, &Breadth::ALL, &mut |visit, _| {
                reached.insert(visit.position, visit.ply);
            });
        }
        let ply = |position: &AnyPosition| match squares.zip(position.empty_count()) {
            Some((all, left)) => Some(all - left),
            None => reached.get(position).copied(),
        };
        let mut all = StatisticsRow::default();
        // By ply.
        let mut rows: Vec<StatisticsRow> = Vec::new();
        let mut sides = [0u64; 2];
        book.for_each(&mut |position, entry| {
            all.add(&entry);
            sides[position.side_to_move().index()] += 1;
            if let Some(ply) = ply(&position) {
                let len = rows.len().max(ply as usize + 1);
                rows.resize_with(len, StatisticsRow::default);
                rows[ply as usize].ply = Some(ply);
                rows[ply as usize].add(&entry);
            }
        })?;
        let mut output = self.rows.open(fields())?;
        for row in rows.iter().filter(|row| row.ply.is_some()).chain([&all]) {
            output.write(row)?;
        }
        output.finish()?;
        if let Some(path) = &self.read.book {
            let bytes = path.metadata().map_or(0, |metadata| metadata.len());
            let each = if all.positions > 0 { bytes as f64 / all.positions as f64 } else { 0.0 };
            morello_command::eprint_line(format_args!(
                "{bytes} bytes, {each:.1} per position; {} positions with Black to move, {} with White",
                sides[Color::Black.index()],
                sides[Color::White.index()]
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the fields of the rows.
fn fields() -> Vec<Field<StatisticsRow>> {
    type Named = Field<StatisticsRow>;
    let mean =
        |row: &StatisticsRow| row.depths.map(|(_, _, sum, count)| (sum as f64 / count as f64 * 10.0).round() / 10.0);
    vec![
        Named::text("ply", |row| row.ply.map_or_else(|| "all".to_owned(), |ply| ply.to_string()).into())
            .width(3)
            .about("The plies from the start, or `all`"),
        Named::integer("positions", |row| row.positions.into()).width(9).about("The positions"),
        Named::integer("moves", |row| row.moves.into()).width(9).about("Their scored moves"),
        Named::integer("linked", |row| row.linked.into()).width(9).about("The moves to other positions of the book"),
        Named::integer("exact", |row| row.exact.into()).width(7).about("The moves with an exact score"),
        Named::integer("min_depth", |row| row.depths.map(|depths| u32::from(depths.0)).into())
            .about("The least depth of the searches of other moves"),
        Named::capturing("mean_depth", move |row| Float::from(mean(row))).about("The mean depth of these searches"),
        Named::integer("max_depth", |row| row.depths.map(|depths| u32::from(depths.1)).into())
            .about("The greatest depth of these searches"),
        Named::integer("games", |row| row.games.into()).width(8).about("The games that came through"),
    ]
}
