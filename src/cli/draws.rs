//! [`Draws`]: the options that say what draws a game, beside its own rules.

use clap::Args;
use thiserror::Error;

use crate::game::Settings;

/// What draws a game.
#[derive(Debug, Args)]
pub(super) struct Draws {
    /// Draw a game when a position stands for this many times, 2 or more, or `none` [default: 3 in games whose positions
    /// recur, none in `referee`]
    #[arg(long, value_name = "COUNT", value_parser = parse_repetition)]
    repetition: Option<Limit>,

    /// Draw a game after this many plies without a move that cannot be undone (in the mill games a placing or a capture), or `none`
    /// [default: none; what the rules of the game itself say holds anyway]
    #[arg(long, value_name = "PLIES", value_parser = parse_limit)]
    no_progress: Option<Limit>,

    /// Draw a game after this many plies, the opening included, or `none` [default: 400 in games whose positions recur,
    /// none in `referee`]
    #[arg(long, value_name = "PLIES", value_parser = parse_limit)]
    ply_cap: Option<Limit>,
}

impl Draws {
    /// Returns what draws a game: what is given, and the default where nothing is.
    pub fn settings(&self, default: Settings) -> Settings {
        let or = |limit: Option<Limit>, default| limit.map_or(default, |limit| limit.0);
        Settings {
            repetition: or(self.repetition, default.repetition),
            no_progress: or(self.no_progress, default.no_progress),
            ply_cap: or(self.ply_cap, default.ply_cap),
        }
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
