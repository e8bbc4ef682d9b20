//! `morello games players`: the results of players.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use morello_analysis::collection::{PlayedGame, PlayerRow, PlayerTable, Results};
use morello_command::progress::counted;
use morello_command::row_arguments::RowArguments;
use morello_command::{eprint_line, help, numbers};
use morello_core::sorting;
use morello_files::output::Field;

use super::query::{QueryArguments, ReadingThreads};
use super::row_output::width;

const EXAMPLES: &str = "\
Examples:
  morello games players othello WTH_*.wtb --min-games 100 --sort score
  morello games players othello WTH_*.wtb --player tamenori --player tastet
  morello games players othello games.ggf --year 2004 --limit 20 -o players.csv";

/// Show the results of players
///
/// With --player, the rows show only these players; otherwise all players of the matching games.
/// The score is in percent, and a draw counts as half a win. Games without a result count only in
/// `games`. `points` is the mean over the games with a score; a game won on time or by adjudication
/// has a winner but no score.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    query: QueryArguments,

    /// Order of the rows
    #[arg(long, value_enum, default_value = "games", value_name = "ORDER", help_heading = help::OUTPUT)]
    sort: PlayerOrder,

    /// Omit players with fewer games
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::OUTPUT,
        value_parser = numbers::whole(0..=u64::MAX))]
    min_games: u64,

    /// Show at most N players
    #[arg(long, value_name = "N", help_heading = help::OUTPUT, value_parser = numbers::whole(0..=usize::MAX))]
    limit: Option<usize>,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    threads: ReadingThreads,
}

/// The order of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlayerOrder {
    /// Most games first
    Games,
    /// By name
    Name,
    /// Highest score first
    Score,
    /// Most points per game first
    Points,
    /// Most recent last game first
    LastYear,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let format = arguments.rows.format()?;
    let query = arguments.query.open(&arguments.rows.output.path().into_iter().collect::<Vec<_>>())?;
    let output = arguments.rows.reserve()?;
    let filter = query.filter.clone();
    let only_asked = arguments.query.has_player();
    let mut table = PlayerTable::default();
    let counts = query.run(
        arguments.threads.count(),
        false,
        move |record| {
            let sides = if only_asked { filter.sides(&record.game.tags) } else { [true; 2] };
            PlayedGame::new(record.game, sides)
        },
        &mut |game| {
            table.add(game);
            Ok(())
        },
    )?;
    let unnamed = table.unnamed();
    let mut rows = table.rows(arguments.min_games);
    sort(&mut rows, arguments.sort);
    rows.truncate(arguments.limit.unwrap_or(usize::MAX));
    output.write_records(format, fields(&rows), &rows)?;
    counts.print();
    if unnamed > 0 && !only_asked {
        eprint_line(format_args!("{} without player names", counted(unnamed, "game")));
    }
    counts.exit_code(0)
}

/// Sorts players, which are in the order of their names.
fn sort(rows: &mut [PlayerRow], order: PlayerOrder) {
    // Unknown values come last.
    let descending = |value: fn(&Results) -> Option<f64>| {
        move |a: &PlayerRow, b: &PlayerRow| {
            let value = |row: &PlayerRow| value(&row.results()).unwrap_or(f64::NEG_INFINITY);
            value(b).total_cmp(&value(a))
        }
    };
    let last_year = |row: &PlayerRow| row.years.map(|(_, last)| last);
    match order {
        PlayerOrder::Games => sorting::sort_by(rows, &|a, b| b.results().games.cmp(&a.results().games)),
        PlayerOrder::Name => {}
        PlayerOrder::Score => sorting::sort_by(rows, &descending(Results::score)),
        PlayerOrder::Points => sorting::sort_by(rows, &descending(Results::mean_points)),
        PlayerOrder::LastYear => sorting::sort_by(rows, &|a, b| last_year(b).cmp(&last_year(a))),
    }
}

/// Returns the fields of the rows.
fn fields(rows: &[PlayerRow]) -> Vec<Field<PlayerRow>> {
    type Named = Field<PlayerRow>;
    vec![
        Named::text("player", |row| row.name.as_str().into())
            .width(width(rows.iter().map(|row| row.name.clone())))
            .shortens_to(12)
            .about("The name"),
        Named::integer("games", |row| row.results().games.into()).about("The games"),
        Named::integer("wins", |row| row.results().known.wins.into()).about("The games won"),
        Named::integer("draws", |row| row.results().known.draws.into()).about("The games drawn"),
        Named::integer("losses", |row| row.results().known.losses.into()).width(6).about("The games lost"),
        Named::float("score", |row| row.results().score().into())
            .about("The score in percent, with a draw as half a win"),
        Named::float("points", |row| row.results().mean_points().into())
            .width(6)
            .rank(2)
            .about("The mean result in points"),
        Named::integer("scored_games", |row| row.results().scored.into())
            .rank(3)
            .about("The games of this mean: those with a score"),
        Named::integer("black_games", |row| row.sides[0].games.into()).rank(3).about("The games as Black"),
        Named::float("black_score", |row| row.sides[0].score().into()).rank(3).about("The score as Black in percent"),
        Named::integer("white_games", |row| row.sides[1].games.into()).rank(3).about("The games as White"),
        Named::float("white_score", |row| row.sides[1].score().into()).rank(3).about("The score as White in percent"),
        Named::integer("first_year", |row| row.years.map(|(first, _)| first).into())
            .rank(4)
            .about("The year of the first game with a date"),
        Named::integer("last_year", |row| row.years.map(|(_, last)| last).into())
            .rank(4)
            .about("The year of the last game with a date"),
    ]
}
