//! `morello book lines`: the principal lines of a book.

use std::process::ExitCode;

use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{FAILED, eprint_line, files, help, numbers};
use morello_core::game::AnyGame;
use morello_files::book::{self, BookLine};
use morello_files::output::{Field, Text};

use super::book_arguments::ReadArguments;
use crate::cli::position_argument::PositionArgument;

const EXAMPLES: &str = "\
Examples:
  morello book lines othello --limit 5
  morello book lines othello f5d6c3d3c4 --max-loss 1 --max-plies 12
  morello book lines othello f5f6 --umigame --max-loss 1";

/// Show the principal lines of a book
///
/// A line follows the best moves, or moves within --max-loss points of them, until the book ends.
/// Its score is the score of its last book position, for Black. --umigame counts the lines of best
/// moves that each side must remember, with one reply to each best move of the opponent.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    #[command(flatten)]
    position: PositionArgument,

    /// Follow a line up to this ply
    #[arg(long, value_name = "PLIES", default_value = "60", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=400_u32))]
    max_plies: u32,

    /// Follow moves within this many points of the best move
    #[arg(long, value_name = "POINTS", default_value = "0",
        value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    max_loss: f64,

    /// Maximum total loss along a line, in points [default: no limit]
    #[arg(long, value_name = "POINTS", value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    budget: Option<f64>,

    /// Show at most N lines
    #[arg(long, value_name = "N", default_value = "20", help_heading = help::OUTPUT,
        value_parser = numbers::whole(0..=usize::MAX))]
    limit: usize,

    /// Count the lines that each side must remember
    #[arg(long, conflicts_with_all = ["budget", "limit", "format"], help_heading = help::BOOK)]
    umigame: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.read.game;
        let book = self.read.open()?;
        let line = self.position.read(game)?;
        if book.get(line.position())?.is_none() {
            eprint_line(format_args!("the position is not in the book"));
            return Ok(ExitCode::from(FAILED));
        }
        if self.umigame {
            let found = book::memorized_lines(&book, line.position(), self.max_plies, self.max_loss)?;
            let text = format!("black  {}\nwhite  {}\n", found.black, found.white);
            self.rows.check()?;
            files::write(&self.rows.output, &text)?;
            return Ok(ExitCode::SUCCESS);
        }
        let budget = self.budget.unwrap_or(f64::INFINITY);
        let found = book::lines(&book, &line, self.max_plies as usize, self.max_loss, budget, self.limit)?;
        let mut output = self.rows.open(fields(game))?;
        found.iter().try_for_each(|line| output.write(line))?;
        output.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the fields of the rows.
fn fields(game: &'static dyn AnyGame) -> Vec<Field<BookLine>> {
    type Named = Field<BookLine>;
    let mut fields = vec![
        Named::float("score", |line| line.black_points.into())
            .width(7)
            .about("The score at the end of the line, for Black"),
        Named::float("loss", |line| line.loss.into()).width(5).about("The points that both sides lost on the line"),
        Named::integer("plies", |line| ((line.game.moves().len() - line.start) as u64).into())
            .about("The plies of the line"),
    ];
    if let Some(names) = game.opening_names() {
        fields.push(
            Named::capturing("opening", move |line| {
                Text::from(names.at_ply(&line.game, usize::MAX).map(|named| named.name))
            })
            .width(20)
            .about("The last named opening of the line"),
        );
    }
    fields.push(
        Named::text("moves", |line| {
            line.game.moves()[line.start..].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ").into()
        })
        .about("The moves"),
    );
    fields
}
