//! `morello book openings`: the named openings of a game.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_core::game::{AnyGame, NamedOpening};
use morello_files::output::{Field, Text};

use super::book_arguments::game_parser;

const EXAMPLES: &str = "\
Examples:
  morello book openings othello
  morello book openings othello --format csv > openings.csv";

/// List the named openings of a game
///
/// morello identifies openings by position, so symmetric lines and transpositions have the same
/// name. The column `moves` shows one of the move orders that lead to the position.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = game_parser())]
    game: &'static dyn AnyGame,

    #[command(flatten)]
    rows: RowArguments,
}

impl Arguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.game;
        let Some(names) = game.opening_names() else { bail!("the openings of {} have no names", game.name()) };
        type Named = Field<NamedOpening>;
        let moves = |opening: &NamedOpening| opening.moves.iter().map(ToString::to_string).collect::<String>();
        let width = |text: fn(&NamedOpening) -> usize| names.all().iter().map(text).max().unwrap_or(0);
        let fields = vec![
            Named::text("opening", |opening| opening.name.into())
                .width(width(|opening| opening.name.len()))
                .about("The most common name"),
            Named::text("other_names", |opening| opening.other_names.replace(';', ", ").into())
                .width(width(|opening| opening.other_names.len()))
                .rank(1)
                .about("Other names"),
            Named::text("source", |opening| opening.source.into())
                .width(width(|opening| opening.source.len()))
                .rank(2)
                .about("Where the name comes from"),
            Named::integer("plies", |opening| (opening.moves.len() as u64).into()).about("The number of moves"),
            Named::capturing("moves", move |opening| Text::from(moves(opening))).about("The moves"),
        ];
        let mut output = self.rows.open(fields)?;
        names.all().iter().try_for_each(|opening| output.write(opening))?;
        output.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}
