//! `morello book show`: the moves of a position.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use morello_analysis::collection::{MoveTree, PathFinder, Results};
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::ProgressArguments;
use morello_command::row_arguments::RowArguments;
use morello_command::{FAILED, eprint_line, help};
use morello_core::game::{AnnotatedGame, AnyPosition, Cancel, Position as _, Wdl};
use morello_files::book::{GameCounts, KnownMove, certainty_name};
use morello_files::output::{Field, Text};

use super::book_arguments::ReadArguments;
use super::game_files::read_games;
use crate::cli::position_argument::PositionArgument;

const EXAMPLES: &str = "\
Examples:
  morello book show othello
  morello book show othello f5d6c3 --format jsonl
  morello book show othello Tiger --book mine.book";

/// Show the book moves in a position
///
/// Each row shows a move, its score in points for the side to move, the bounds of the score, how
/// the score was found, and the games that continued with the move (games in the book, or in
/// --played-in). Symmetric moves share a row. The last row, `others`, is an upper bound for all
/// other moves. The score, opening and games of the position are printed to standard error.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    #[command(flatten)]
    position: PositionArgument,

    /// Count the games in this file or directory that reached the position
    ///
    /// Repeat the option for several files.
    #[arg(long, value_name = "FILE", help_heading = help::INPUT)]
    played_in: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    progress: ProgressArguments,

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
        let mut rows = book.known_moves(position, &entry)?;
        let mut games = entry.games;
        if !self.played_in.is_empty() {
            games = self.count_games(position, &mut rows)?;
        }
        let mut output = self.rows.open(fields(*position, &rows))?;
        rows.iter().try_for_each(|row| output.write(row))?;
        output.finish()?;
        if let Some(score) = entry.score(line.position()) {
            let side = position.side_to_move();
            eprint_line(format_args!("score      {} for {side}", score.score));
        }
        if let Some(named) = game.opening_names().and_then(|names| names.at_ply(&line, usize::MAX)) {
            eprint_line(format_args!("opening    {}", named.name));
        }
        let GameCounts { wins, draws, losses, unknown, .. } = games;
        if games.total() > 0 {
            eprint_line(format_args!(
                "games      {}: {wins} won, {draws} drawn, {losses} lost, {unknown} without a result",
                games.total()
            ));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Sets the games of the moves to those of --played-in. Returns all games that reached the position.
    fn count_games(&self, position: &AnyPosition, moves: &mut [KnownMove]) -> anyhow::Result<GameCounts> {
        let (finder, mut tree) = (PathFinder::new(position, 1), MoveTree::new(*position));
        let mut add = |annotated: &AnnotatedGame| finder.find(annotated).iter().for_each(|path| tree.add(path));
        let (game, cancel) = (self.read.game, Cancel::new());
        read_games(&self.played_in, &self.format, game, &[], self.progress, &cancel, &mut add)?;
        let mut all = GameCounts::default();
        for known in &mut *moves {
            known.games = GameCounts::default();
        }
        for row in tree.rows(1, 1)? {
            let games = counts(&row.results);
            all.merge(&games);
            let is_same = |known: &&mut KnownMove| {
                known.m.is_none_or(|m| position.after(m).canonical() == row.position.canonical())
            };
            if let Some(known) = moves.iter_mut().find(is_same) {
                known.games.merge(&games);
            }
        }
        Ok(all)
    }
}

/// Returns results as counts of games.
fn counts(&Results { games, known: Wdl { wins, draws, losses }, .. }: &Results) -> GameCounts {
    let count = |games: u64| u32::try_from(games).unwrap_or(u32::MAX);
    let [wins, draws, losses, games] = [wins, draws, losses, games].map(count);
    GameCounts { wins, draws, losses, unknown: games - wins - draws - losses }
}

/// Returns the fields of the rows.
fn fields(position: AnyPosition, rows: &[KnownMove]) -> Vec<Field<KnownMove>> {
    type Named = Field<KnownMove>;
    let name = |row: &KnownMove| row.m.map_or_else(|| "others".to_owned(), |m| m.to_string());
    let others =
        move |row: &KnownMove| row.symmetric(&position).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let has_images = rows.iter().any(|row| !others(row).is_empty());
    let has_games = rows.iter().any(|row| row.games.total() > 0);
    let has_plies = rows.iter().any(|row| row.score.score.plies.is_some());
    let has_openings = rows.iter().any(|row| row.opening.is_some());
    let width = rows.iter().map(|row| name(row).len()).max().unwrap_or(0);
    vec![
        Named::capturing("move", move |row| Text::from(name(row))).width(width).about("The move, or `others`"),
        Named::capturing("symmetric", move |row| Text::from(Some(others(row)).filter(|moves| !moves.is_empty())))
            .in_table_if(has_images)
            .about("Other moves that lead to the same position, up to symmetry"),
        Named::float("score", |row| row.score.score.points().into())
            .width(7)
            .about("The score in points for the side to move"),
        Named::text("certainty", |row| certainty_name(row.score.score.certainty).into())
            .width("estimate".len())
            .rank(2)
            .about("exact, at-least, at-most or estimate"),
        Named::integer("plies", |row| row.score.score.plies.into())
            .in_table_if(has_plies)
            .about("The plies to the end of the game, if a win or loss is proved"),
        Named::float("lower", |row| row.bounds.0.into())
            .rank(1)
            .about("The result is at least this: proved, or in 95 % of such scores"),
        Named::float("upper", |row| row.bounds.1.into()).rank(1).about("The result is at most this, likewise"),
        Named::integer("depth", |row| u32::from(row.score.provenance.depth).into())
            .rank(3)
            .about("The depth of the search in plies, from this position"),
        Named::integer("confidence", |row| row.score.provenance.confidence.percent().into())
            .rank(4)
            .about("The confidence of the search, in percent"),
        Named::text("source", |row| row.score.provenance.source.name().into())
            .width("egaroucid".len())
            .rank(5)
            .about("Where the score comes from"),
        Named::boolean("in_book", |row| row.is_linked.into()).rank(6).about("Whether the next position is in the book"),
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
