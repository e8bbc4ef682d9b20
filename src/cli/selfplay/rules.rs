//! The options that say what ends a game, beside its own rules.

use std::time::Duration;

use clap::Args;

use crate::cli::draws::Draws;
use crate::cli::values;
use crate::tournament::{Adjudication, Agreement};

/// What ends a game.
#[derive(Debug, Args)]
pub(super) struct RuleArguments {
    #[command(flatten)]
    pub draws: Draws,

    /// End a game as soon as the endgame database has the result
    #[arg(long, conflicts_with = "no_database")]
    adjudicate_database: bool,

    /// End a game as won when both engines have seen the same side ahead by so much for so many moves each, as 40:3
    #[arg(long, value_name = "POINTS:MOVES")]
    adjudicate_win: Option<Agreement>,

    /// End a game as drawn when both engines have seen nobody ahead by more than so much for so many moves each, as 0:10
    #[arg(long, value_name = "POINTS:MOVES")]
    adjudicate_draw: Option<Agreement>,

    /// A choice of a move that takes longer forfeits the game, whoever is to make it: a number with its unit, ms, s or m
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = values::parse_time)]
    pub move_limit: Duration,
}

impl RuleArguments {
    /// Returns what else ends a game.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { database: self.adjudicate_database, win: self.adjudicate_win, draw: self.adjudicate_draw }
    }
}
