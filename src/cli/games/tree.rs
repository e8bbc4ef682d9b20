//! `morello games tree`: the moves played from a position, with results.

use std::process::ExitCode;

use clap::Args;
use morello_analysis::collection::{GamePath, MoveTree, PathFinder, TreeRow};
use morello_command::row_arguments::RowArguments;
use morello_command::{eprint_line, help, numbers};
use morello_core::game::AnyGame;
use morello_files::output::{Field, OutputFormat, Text};

use super::query::{QueryArguments, ReadingThreads};
use super::row_output::width;

const EXAMPLES: &str = "\
Examples:
  morello games tree othello WTH_*.wtb --max-plies 3 --min-games 100
  morello games tree othello WTH_*.wtb --position f5d6c3d3c4 --year 2000..
  morello games tree nine-mens-morris games.txt --player anna --max-plies 6 -o tree.csv";

/// Show the moves played from a position, with their results
///
/// Each row shows a move, the number of games with the move, their share of the games that reached
/// the position before it, the wins, draws and losses of the side that plays the move, its score in
/// percent (a draw is half a win), its mean result in points, and the year of the last game.
///
/// Symmetric positions and transpositions are merged: a row counts every game that reached the
/// position before the move, in whatever order, and continued with the move or a symmetric one.
/// Moves use the orientation of --position. Games without a result count only in `games`.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    query: QueryArguments,

    /// Show moves up to this ply after the position
    #[arg(long, value_name = "PLIES", default_value = "1", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=1000_u32))]
    max_plies: u32,

    /// Omit moves with fewer games
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::OUTPUT,
        value_parser = numbers::whole(0..=u64::MAX))]
    min_games: u64,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    threads: ReadingThreads,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let format = arguments.rows.format()?;
    let game = arguments.query.game()?;
    let root = arguments.query.position()?.unwrap_or_else(|| game.start());
    let depth = arguments.max_plies as usize;
    let (finder, mut tree) = (PathFinder::new(&root, depth), MoveTree::new(root));
    let query = arguments.query.open(&arguments.rows.output.path().into_iter().collect::<Vec<_>>())?;
    let output = arguments.rows.reserve()?;
    let counts =
        query.run(arguments.threads.count(), false, move |record| finder.find(&record.game), &mut |path: Option<
            GamePath,
        >| {
            path.iter().for_each(|path| tree.add(path));
            Ok(())
        })?;
    let rows = tree.rows(depth, arguments.min_games)?;
    output.write_records(format, fields(game, &rows, format), &rows)?;
    counts.print();
    let searched = counts.sampled.unwrap_or(counts.matching);
    if tree.games() < searched {
        eprint_line(format_args!("{} of them reach the position", tree.games()));
    }
    counts.exit_code(0)
}

/// Returns the fields of the rows.
fn fields(game: &dyn AnyGame, rows: &[TreeRow], format: OutputFormat) -> Vec<Field<TreeRow>> {
    type Named = Field<TreeRow>;
    let is_table = format == OutputFormat::Table;
    let name = move |row: &TreeRow| {
        let indent = if is_table { 2 * (row.moves.len() - 1) } else { 0 };
        " ".repeat(indent) + &row.moves.last().map_or_else(String::new, ToString::to_string)
    };
    let width = width(rows.iter().map(name));
    let mut fields = vec![
        Named::capturing("move", move |row| Text::from(name(row))).width(width).about("The move"),
        Named::text("side", |row| row.side.name().into()).about("The side that plays it: black or white"),
        Named::integer("ply", |row| (row.moves.len() as u64).into())
            .not_in_table()
            .about("The plies from the position asked for, from 1"),
        Named::integer("games", |row| row.results.games.into()).width(7).about("The games with the move"),
        Named::float("share", |row| row.share.into())
            .about("Their share among the games that reached the position before it, in percent"),
        Named::integer("wins", |row| row.results.known.wins.into())
            .width(6)
            .about("The games won by the side that plays it"),
        Named::integer("draws", |row| row.results.known.draws.into()).about("The games drawn"),
        Named::integer("losses", |row| row.results.known.losses.into()).about("The games lost by that side"),
        Named::float("score", |row| row.results.score().into())
            .about("The score of that side in percent, with a draw as half a win"),
        Named::float("points", |row| row.results.mean_points().into())
            .width(6)
            .about("The mean result of that side in points"),
        Named::integer("last_year", |row| row.last_year.into()).about("The year of the last game with the move"),
        Named::text("moves", |row| row.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ").into())
            .not_in_table()
            .about("The moves from the position asked for up to this one"),
        Named::text("position", |row| row.position.to_string().into())
            .not_in_table()
            .about("The position after the move, in the notation of the game"),
    ];
    if let Some(names) = game.opening_names() {
        let name = |row: &TreeRow| names.get(&row.position).map(|opening| opening.name);
        fields.push(
            Named::capturing("opening", move |row| Text::from(name(row)))
                .in_table_if(rows.iter().any(|row| name(row).is_some()))
                .about("The name of the opening that ends with the move, up to symmetry and transposition"),
        );
    }
    fields
}
