//! The options that say what ends a game, beside its own rules.

use std::time::Duration;

use clap::Args;
use thiserror::Error;

use crate::cli::values;
use crate::game::{Playable, Settings};
use crate::tournament::{Adjudication, Agreement};

/// What ends a game.
#[derive(Debug, Args)]
pub(super) struct RuleArguments {
    /// Draw a game when a position stands for this many times, 2 or more, or `none` [default: 3 in games whose positions recur]
    #[arg(long, value_name = "COUNT", value_parser = parse_repetition)]
    repetition: Option<Limit>,

    /// Draw a game after this many plies without a move that cannot be undone (in the mill games a placing or a capture), or `none`
    /// [default: none; what the rules of the game itself say holds anyway]
    #[arg(long, value_name = "PLIES", value_parser = parse_limit)]
    no_progress: Option<Limit>,

    /// Draw a game after this many plies, the opening included, or `none` [default: 400 in games whose positions recur]
    #[arg(long, value_name = "PLIES", value_parser = parse_limit)]
    ply_cap: Option<Limit>,

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
    /// Returns what draws a game.
    pub fn settings<P: Playable>(&self) -> Settings {
        let default = Settings::customary::<P>();
        let or = |limit: Option<Limit>, default| limit.map_or(default, |limit| limit.0);
        Settings {
            repetition: or(self.repetition, default.repetition),
            no_progress: or(self.no_progress, default.no_progress),
            ply_cap: or(self.ply_cap, default.ply_cap),
        }
    }

    /// Returns what else ends it.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { database: self.adjudicate_database, win: self.adjudicate_win, draw: self.adjudicate_draw }
    }
}

/// A number that may be none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit(Option<u32>);

/// A text that is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a whole number of {least} or more, or `none`")]
struct ParseLimitError {
    least: u32,
}

fn parse(text: &str, least: u32) -> Result<Limit, ParseLimitError> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let number = text.parse().ok().filter(|&number| number >= least);
    number.map(|number| Limit(Some(number))).ok_or(ParseLimitError { least })
}

fn parse_repetition(text: &str) -> Result<Limit, ParseLimitError> {
    parse(text, 2)
}

fn parse_limit(text: &str) -> Result<Limit, ParseLimitError> {
    parse(text, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_none() {
        assert_eq!((parse_repetition("none"), parse_repetition("2")), (Ok(Limit(None)), Ok(Limit(Some(2)))));
        assert_eq!(
            (parse_repetition("1"), parse_limit("x")),
            (Err(ParseLimitError { least: 2 }), Err(ParseLimitError { least: 1 }))
        );
    }
}
