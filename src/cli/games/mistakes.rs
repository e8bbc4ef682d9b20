//! `morello games mistakes`: the worst moves of players, and their accuracy.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Arg, Args};
use morello_analysis as analysis;
use morello_analysis::collection::{AccuracyRow, Mistake, MistakeStatistics};
use morello_analysis::pipeline::Sink;
use morello_analysis::{AnalysisOptions, AnalysisRow, TaskError, Tasks};
use morello_command::files::ReservedOutput;
use morello_command::input_arguments::PositionArguments;
use morello_command::progress::{Progress, counted};
use morello_command::row_arguments::RowArguments;
use morello_command::{INTERRUPTED, eprint_line, help, numbers};
use morello_core::game::AnyGame;
use morello_core::sorting;
use morello_files::output::{Field, OutputFormat, Text};

use super::query::QueryArguments;
use super::row_output::{file_name, width};
use crate::cli::search_arguments::{ResourceArguments, SearchArguments};

/// The players shown in the summary; the file of `--summary` has all.
const MAX_PLAYERS: usize = 10;

/// The width of names in a table, in characters.
const NAME_WIDTH: usize = 20;

/// The width to which a narrow terminal may shorten a name, in characters.
const SHORT_WIDTH: usize = 8;

/// The width of a date in a table, in characters: the year, the month and the day.
const DATE_WIDTH: usize = 10;

const EXAMPLES: &str = "\
Examples:
  morello games mistakes othello WTH_2005.wtb --player tamenori --level 12
  morello games mistakes othello games.ggf --player anna --summary years.csv --cache anna.cache
  morello games mistakes othello games.txt --empties 20 --exact --limit 100 -o mistakes.csv";

/// Find the worst moves of players, and their accuracy by year and phase
///
/// Searches each position in which a player of --player was to move, or every position without
/// --player, as `morello analyze` does. The rows are the moves that lost most of the expected
/// result, with the score of the position in points for the player.
///
/// The accuracy by year, phase and player is printed to standard error. It is 100 % for a move
/// without a loss, and less than 40 % for a move that loses a fifth of a win. `best moves` (the
/// field `agreement`) is the percentage of moves that lost nothing. In games that fill the board,
/// the phases are thirds of the board: in Othello, the opening has more than 40 empty squares, and
/// the endgame at most 20.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES, mut_args(hide_in_summary))]
pub(super) struct Arguments {
    #[command(flatten)]
    query: QueryArguments,

    #[command(flatten)]
    positions: PositionArguments,

    #[command(flatten)]
    search: SearchArguments,

    /// Show at most N moves: the worst
    #[arg(long, value_name = "N", default_value = "20", help_heading = help::OUTPUT,
        value_parser = numbers::whole(0..=usize::MAX))]
    limit: usize,

    #[command(flatten)]
    rows: RowArguments,

    /// Write the accuracy to this file [default: standard error]
    ///
    /// The extension .csv, .jsonl or .parquet selects the format; .txt or none selects a table.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    summary: Option<PathBuf>,

    #[command(flatten)]
    resources: ResourceArguments,
}

/// The options that `-h` omits because it must fit a screen: the rarer filters and limits.
const OMITTED: [&str; 11] =
    ["input_format", "plies", "black", "white", "event", "result", "rating", "length", "opening", "nodes", "summary"];

fn hide_in_summary(argument: Arg) -> Arg {
    let is_omitted = OMITTED.contains(&argument.get_id().as_str());
    if is_omitted { argument.hide_short_help(true) } else { argument }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let format = arguments.rows.format()?;
    let game = arguments.query.game()?;
    let selection = arguments.positions.selection(game)?;
    let accuracy_file = arguments.summary.as_deref();
    let accuracy_format = accuracy_file.map(OutputFormat::of_file).transpose().context("--summary")?;
    let accuracy_format = accuracy_format.map(|format| arguments.rows.csv.format(format));
    let limits = arguments.search.limits(game, None, 1)?;
    let outputs = [arguments.rows.output.path(), accuracy_file, arguments.resources.cache.as_deref()];
    let query = arguments.query.open(&outputs.into_iter().flatten().collect::<Vec<_>>())?;
    let output = arguments.rows.reserve()?;
    let accuracy_output = accuracy_file.map(|file| ReservedOutput::open(&file.into())).transpose()?;
    arguments.search.record(game, &arguments.resources, &limits)?;
    let options = AnalysisOptions {
        engine: arguments.search.engine_options(game, &arguments.resources)?,
        threads: arguments.resources.threads(),
        deterministic: arguments.resources.deterministic,
        cache: arguments.search.open_cache(
            game,
            &arguments.resources,
            &limits,
            &(None::<()>, !arguments.search.says_how()),
        )?,
        limits,
    };
    let (filter, cancel) = (query.filter.clone(), query.cancel.clone());
    let mut games = Vec::new();
    let counts =
        query.run(options.threads, false, move |record| (filter.sides(&record.game.tags), record), &mut |game| {
            games.push(game);
            Ok(())
        })?;
    let mut sink = MistakeSink {
        statistics: MistakeStatistics::new(arguments.limit),
        progress: arguments.query.progress("mistakes", false),
        games: games.len() as u64,
        positions: 0,
    };
    let tasks = Tasks::of_games(game, games.into_iter().map(|(sides, record)| (record, sides)), selection);
    let ended = analysis::run(tasks, &options, &|_| (), &cancel, &mut sink);
    sink.progress.finish();
    ended.context("the analysis failed")?;
    let MistakeSink { statistics, .. } = sink;
    let worst = statistics.worst();
    output.write_records(format, fields(worst, format, game, arguments.query.inputs()), worst)?;
    let accuracy = statistics.accuracy();
    match accuracy_output.zip(accuracy_format) {
        Some((output, format)) => output.write_records(format, accuracy_fields(&accuracy), &accuracy)?,
        _ => eprint_line(format_args!("{}", summary(&accuracy).trim_end())),
    }
    if let Some(used) = arguments.resources.finish_cache(options.cache.as_ref()) {
        eprint_line(format_args!("cache      {used}"));
    }
    counts.print();
    if cancel.is_cancelled() { Ok(ExitCode::from(INTERRUPTED)) } else { counts.exit_code(0) }
}

/// Collects the statistics of the rows.
struct MistakeSink {
    statistics: MistakeStatistics,
    progress: Progress,
    /// The number of games.
    games: u64,
    /// The positions searched.
    positions: u64,
}

impl Sink<Result<AnalysisRow, TaskError>> for MistakeSink {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        let row = row.map_err(io::Error::other)?;
        self.statistics.add(&row);
        self.positions += 1;
        self.progress.set(row.origin.record, Some(self.games), &|| {
            format!("{} of {}, {}", row.origin.record, counted(self.games, "game"), counted(self.positions, "move"))
        });
        Ok(true)
    }
}

/// Returns the fields of the moves in some inputs. They do not depend on the moves found, except
/// for their widths.
fn fields(moves: &[Mistake], format: OutputFormat, game: &dyn AnyGame, inputs: usize) -> Vec<Field<Mistake>> {
    let mut fields = game_fields(moves, format, inputs);
    fields.extend(move_fields(moves, game));
    fields
}

/// Returns the fields of the game of a move.
fn game_fields(moves: &[Mistake], format: OutputFormat, inputs: usize) -> Vec<Field<Mistake>> {
    type Named = Field<Mistake>;
    let file = match format {
        OutputFormat::Table => |m: &Mistake| file_name(&m.origin.file),
        _ => |m: &Mistake| m.origin.file.to_string(),
    };
    let text_width = |text: fn(&Mistake) -> Option<&str>| {
        width(moves.iter().map(|m| text(m).unwrap_or_default().to_owned())).min(NAME_WIDTH)
    };
    vec![
        Named::capturing("file", move |m| Text::from(file(m)))
            .width(width(moves.iter().map(file)))
            .in_table_if(inputs > 1)
            .shortens_to(SHORT_WIDTH)
            .rank(6)
            .about("The input"),
        Named::integer("line", |m| m.origin.line.into()).about("The number of the line or record, from 1"),
        Named::integer("game", |m| m.game.number.into())
            .not_in_table()
            .about("The number of the game in its input, from 1"),
        Named::text("date", |m| m.game.tags.date.as_deref().into())
            .excerpt(DATE_WIDTH)
            .rank(2)
            .about("The date of the game, as far as it is known"),
        Named::text("event", |m| m.game.tags.tournament.as_deref().into())
            .not_in_table()
            .about("The tournament, match or place"),
        Named::text("player", |m| m.name(false).into())
            .excerpt(text_width(|m| m.name(false)))
            .shortens_to(SHORT_WIDTH)
            .rank(4)
            .about("The player of the move"),
        Named::text("opponent", |m| m.name(true).into())
            .excerpt(text_width(|m| m.name(true)))
            .shortens_to(SHORT_WIDTH)
            .rank(5)
            .about("The opponent"),
    ]
}

/// Returns the fields of a move.
fn move_fields(moves: &[Mistake], game: &dyn AnyGame) -> Vec<Field<Mistake>> {
    type Named = Field<Mistake>;
    let played = |m: &Mistake| m.m.played.map(|m| m.to_string());
    let best = |m: &Mistake| m.m.pv.first().map(ToString::to_string);
    vec![
        Named::text("side", |m| m.m.mover.name().into())
            .width("black".len())
            .about("The side of the player: black or white"),
        Named::integer("ply", |m| m.m.ply.into()).about("The plies played before the move"),
        Named::integer("empties", |m| m.m.position.empty_count().into())
            .in_table_if(game.start().empty_count().is_some())
            .rank(7)
            .about("The number of empty squares, in games that fill the board"),
        Named::capturing("played", move |m| Text::from(played(m)))
            .width(width(moves.iter().filter_map(played)))
            .about("The move"),
        Named::capturing("best_move", move |m| Text::from(best(m)))
            .width(width(moves.iter().filter_map(best)))
            .about("The best move found"),
        Named::float("score", |m| m.m.score.points().into())
            .width(7)
            .about("The score of the best move in points for the player"),
        Named::float("loss", |m| m.m.loss.map(|loss| loss.points).into())
            .width(7)
            .about("The loss of the move, in points"),
        Named::text("position", |m| m.m.position.to_string().into())
            .not_in_table()
            .about("The position before the move, in the notation of the game"),
    ]
}

/// Returns the fields of the accuracy.
fn accuracy_fields(rows: &[AccuracyRow]) -> Vec<Field<AccuracyRow>> {
    type Named = Field<AccuracyRow>;
    vec![
        Named::text("group", |row| row.group.into()).width(6).about("all, year, phase or player"),
        Named::text("value", |row| row.value.clone().into())
            .width(width(rows.iter().filter_map(|row| row.value.clone())))
            .about("The year, phase or player"),
        Named::integer("moves", |row| row.moves.moves.into()).width(7).about("The number of moves whose loss is known"),
        Named::float("mean_loss", |row| row.moves.mean_loss.into()).about("The mean loss per move, in points"),
        Named::float("accuracy", |row| row.moves.accuracy.into()).about("The accuracy of these moves, in percent"),
        Named::float("agreement", |row| row.moves.agreement.into())
            .about("The share of the moves that lost nothing, in percent"),
    ]
}

/// Returns the accuracy as text, with the players who made the most moves.
fn summary(rows: &[AccuracyRow]) -> String {
    let mut text = String::new();
    for (group, label) in [("all", "moves"), ("year", "years"), ("phase", "phases"), ("player", "players")] {
        let mut rows: Vec<_> = rows.iter().filter(|row| row.group == group).collect();
        // A single year or player has the numbers of all moves.
        if group != "all" && group != "phase" && rows.len() < 2 {
            continue;
        }
        let more = if group == "player" { rows.len().saturating_sub(MAX_PLAYERS) } else { 0 };
        if group == "player" {
            sorting::sort_by(&mut rows, &|a, b| b.moves.moves.cmp(&a.moves.moves));
            rows.truncate(MAX_PLAYERS);
        }
        for (number, row) in rows.iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            let value = match (&row.value, group) {
                (Some(value), _) => format!("  {value}"),
                (None, "year") => "  unknown".to_owned(),
                (None, _) => String::new(),
            };
            writeln!(text, "{label:<10} {}{value}", row.moves).expect("writing to a string cannot fail");
        }
        if more > 0 {
            writeln!(text, "           and {more} more").expect("writing to a string cannot fail");
        }
    }
    text
}
