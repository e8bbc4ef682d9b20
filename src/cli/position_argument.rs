//! [`PositionArgument`]: the position that a command is about.

use clap::Args;
use morello_command::usage::PositionParser;
use morello_command::{help, values};
use morello_core::game::{AnyGame, Game};

/// A position.
#[derive(Debug, Args)]
pub(super) struct PositionArgument {
    /// Position, moves or name of an opening [default: the start]
    ///
    /// Give a position in any format of the game, the moves that lead to it, or the name of an
    /// opening such as Tiger. In Othello, r20:7 is a random position with 20 discs and seed 7, and
    /// xot:7 is the seventh XOT start, a balanced position after eight moves.
    #[arg(value_name = "POSITION", allow_hyphen_values = true, value_parser = PositionParser)]
    of: Option<String>,

    /// Position, moves or name of an opening; same as POSITION
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, value_parser = PositionParser,
        help_heading = help::INPUT, conflicts_with = "of")]
    position: Option<String>,
}

impl PositionArgument {
    /// Reads the game that leads to the position; without a text, the start of the game.
    pub fn read(&self, game: &'static dyn AnyGame) -> anyhow::Result<Game> {
        let text = self.of.as_deref().or(self.position.as_deref());
        text.map_or_else(|| Ok(Game::new(game.start())), |text| values::game(game, "POSITION", text))
    }
}
