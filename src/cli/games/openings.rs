//! `morello games openings`: the results of named openings.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use morello_analysis::collection::{OpenedGame, OpeningResults, OpeningResultsRow};
use morello_command::row_arguments::RowArguments;
use morello_command::{help, numbers};
use morello_files::output::{Field, Text};

use super::query::{QueryArguments, ReadingThreads};
use super::row_output::width;

const EXAMPLES: &str = "\
Examples:
  morello games openings othello WTH_*.wtb --min-games 100
  morello games openings othello games.ggf --player anna --year 2004.. -o openings.csv";

/// Show the results of named openings
///
/// A game counts for the last named opening that it reached, up to symmetry and transposition. The
/// results are for Black, or with --player for that player; the column `of` shows for whom. The
/// score is in percent, and a draw counts as half a win. Games without a result count only in
/// `games`. A game between two players of --player counts for both. `morello book openings` lists
/// the names.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    query: QueryArguments,

    /// Omit openings with fewer games
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
    let game = arguments.query.game()?;
    if game.opening_names().is_none() {
        bail!("the openings of {} have no names; use othello, or `morello games tree`", game.name());
    }
    let format = arguments.rows.format()?;
    let query = arguments.query.open(&arguments.rows.output.path().into_iter().collect::<Vec<_>>())?;
    let output = arguments.rows.reserve()?;
    let mut table = OpeningResults::default();
    let (filter, of_player) = (query.filter.clone(), arguments.query.has_player());
    let opened = move |record: morello_files::input::GameRecord| {
        OpenedGame::new(&record.game, if of_player { filter.sides(&record.game.tags) } else { [true, false] })
    };
    let counts = query.run(arguments.threads.count(), false, opened, &mut |game| {
        table.add(game);
        Ok(())
    })?;
    let rows = table.rows(arguments.min_games);
    output.write_records(format, fields(&rows, if of_player { "player" } else { "black" }), &rows)?;
    counts.print();
    counts.exit_code(0)
}

/// Returns the fields of the rows.
fn fields(rows: &[OpeningResultsRow], side: &'static str) -> Vec<Field<OpeningResultsRow>> {
    type Named = Field<OpeningResultsRow>;
    let name = |row: &OpeningResultsRow| row.opening.map(|opening| opening.name);
    let moves = |row: &OpeningResultsRow| {
        row.opening.map(|opening| opening.moves.iter().map(ToString::to_string).collect::<String>())
    };
    vec![
        Named::capturing("opening", move |row| Text::from(name(row)))
            .width(width(rows.iter().filter_map(|row| name(row).map(str::to_owned))))
            .about("The name of the opening; empty for games without a named one"),
        Named::integer("games", |row| row.results.games.into()).width(7).about("The number of games"),
        Named::float("share", |row| row.share.into()).about("Their share among all games, in percent"),
        Named::capturing("of", move |_| Text::from(side))
            .width("player".len())
            .about("Whose results: black, or player with --player"),
        Named::integer("wins", |row| row.results.known.wins.into()).width(6).about("The games that this side won"),
        Named::integer("draws", |row| row.results.known.draws.into()).about("The games drawn"),
        Named::integer("losses", |row| row.results.known.losses.into()).about("The games that this side lost"),
        Named::float("score", |row| row.results.score().into())
            .about("Its score in percent, with a draw as half a win"),
        Named::float("points", |row| row.results.mean_points().into()).width(6).about("Its mean result in points"),
        Named::integer("scored_games", |row| row.results.scored.into())
            .not_in_table()
            .about("The games of this mean: those with a score"),
        Named::integer("first_year", |row| row.years.map(|(first, _)| first).into())
            .not_in_table()
            .about("The year of the first game"),
        Named::integer("last_year", |row| row.years.map(|(_, last)| last).into()).about("The year of the last game"),
        Named::capturing("moves", move |row| Text::from(moves(row)))
            .width(width(rows.iter().filter_map(moves)))
            .rank(1)
            .about("One of the move orders that lead to the opening"),
    ]
}
