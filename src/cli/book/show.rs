//! `morello book show`: the moves of a position.

use std::process::ExitCode;

use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{FAILED, eprint_line};
use morello_core::game::Position as _;
use morello_files::book::{GameCounts, KnownMove, certainty_name};
use morello_files::output::{Field, Text};

use super::book_arguments::ReadArguments;
use crate::cli::position_argument::PositionArgument;

const EXAMPLES: &str = "\
Examples:
  morello book show othello
  morello book show othello f5d6c3 --format jsonl
  morello book show othello Tiger --book mine.book";

/// Show what a book knows about a position
///
/// Each row is a move with its score in points for the side to move, the bounds of the score, how
/// it was found, and the games that went on with it. The last row, `others`, is the limit of all
/// other moves: none has a better score. Of moves that a symmetry of the position maps to each
/// other, one is shown. The score of the position, its opening and its games go to standard error.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    #[command(flatten)]
    position: PositionArgument,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.read.game;
        let book = self.read.open()?;
        let line = self.position.read(game)?;
        let position = line.position();
        let Some(entry) = book.get(position)? else {
            eprint_line(format_args!("the position is not in the book"));
            return Ok(ExitCode::from(FAILED));
        };
        let rows = book.known_moves(position, &entry)?;
        let mut output = self.rows.open_fitted(fields(&rows))?;
        rows.iter().try_for_each(|row| output.write(row))?;
        output.finish()?;
        if let Some(score) = entry.score(line.position()) {
            let side = position.side_to_move();
            eprint_line(format_args!("score      {} for {side}", score.score));
        }
        if let Some(named) = game.opening_names().and_then(|names| names.at_ply(&line, usize::MAX)) {
            eprint_line(format_args!("opening    {}", named.name));
        }
        let GameCounts { wins, draws, losses, unknown, .. } = entry.games;
        if entry.games.total() > 0 {
            eprint_line(format_args!(
                "games      {}: {wins} won, {draws} drawn, {losses} lost, {unknown} without a result",
                entry.games.total()
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the fields of the rows.
fn fields(rows: &[KnownMove]) -> Vec<Field<KnownMove>> {
    type Named = Field<KnownMove>;
    let name = |row: &KnownMove| row.m.map_or_else(|| "others".to_owned(), |m| m.to_string());
    let has_games = rows.iter().any(|row| row.games.total() > 0);
    let has_plies = rows.iter().any(|row| row.score.score.plies.is_some());
    let has_openings = rows.iter().any(|row| row.opening.is_some());
    let width = rows.iter().map(|row| name(row).len()).max().unwrap_or(0);
    vec![
        Named::capturing("move", move |row| Text::from(name(row))).width(width).about("The move, or `others`"),
        Named::float("score", |row| row.score.score.points().into())
            .width(7)
            .about("The score in points for the side to move"),
        Named::text("certainty", |row| certainty_name(row.score.score.certainty).into())
            .width("estimate".len())
            .about("exact, at-least, at-most or estimate"),
        Named::integer("plies", |row| row.score.score.plies.into())
            .in_table_if(has_plies)
            .about("The plies to the end of the game, if a win or loss is proved"),
        Named::float("lower", |row| row.bounds.0.into())
            .about("The result is at least this: proved, or in 95 % of such scores"),
        Named::float("upper", |row| row.bounds.1.into()).about("The result is at most this, likewise"),
        Named::integer("depth", |row| u32::from(row.score.provenance.depth).into())
            .about("The depth of the search in plies, from this position"),
        Named::integer("confidence", |row| row.score.provenance.confidence.percent().into())
            .about("The confidence of the search, in percent"),
        Named::text("source", |row| row.score.provenance.source.name().into())
            .width("egaroucid".len())
            .about("Where the score comes from"),
        Named::boolean("in_book", |row| row.is_linked.into()).about("Whether the next position is in the book"),
        Named::integer("games", |row| row.games.total().into())
            .in_table_if(has_games)
            .about("The games of the book that went on with the move"),
        Named::integer("wins", |row| row.games.wins.into())
            .in_table_if(has_games)
            .about("Those that the side to move won"),
        Named::integer("draws", |row| row.games.draws.into()).in_table_if(has_games).about("Those that were drawn"),
        Named::integer("losses", |row| row.games.losses.into())
            .in_table_if(has_games)
            .about("Those that the side to move lost"),
        Named::text("opening", |row| row.opening.into())
            .in_table_if(has_openings)
            .about("The name of the opening that ends with the move"),
    ]
}
