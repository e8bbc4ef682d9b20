//! [`Draws`]: the options that draw a game in addition to its own rules.

use clap::Args;
use thiserror::Error;

use super::help;
use crate::game::Settings;

/// The options of commands that play games.
#[derive(Debug, Args)]
pub(super) struct Draws {
    /// Draw when a position occurs this many times, or `none`
    ///
    /// At least 2. The default is 3, but none in `referee` and in games whose positions cannot recur.
    #[arg(long, value_name = "N", help_heading = help::END_OF_GAME, hide_short_help = true, value_parser = parse_repetition)]
    repetition: Option<Limit>,

    /// Draw after this many plies without progress, or `none` [default: none]
    ///
    /// Progress is a move that cannot be undone; in the mill games, placing a man or a capture. Limits in the rules of the game always apply.
    #[arg(long, value_name = "PLIES", help_heading = help::END_OF_GAME, hide_short_help = true, value_parser = parse_limit)]
    no_progress: Option<Limit>,

    /// Draw after this many plies, or `none`
    ///
    /// The plies of the opening count. The default is 400, but none in `referee` and in games whose positions cannot recur.
    #[arg(long, value_name = "PLIES", help_heading = help::END_OF_GAME, hide_short_help = true, value_parser = parse_limit)]
    ply_cap: Option<Limit>,
}

impl Draws {
    /// Returns the limits given, and `default` for the others.
    pub fn settings(&self, default: Settings) -> Settings {
        let or = |limit: Option<Limit>, default| limit.map_or(default, |limit| limit.0);
        Settings {
            repetition: or(self.repetition, default.repetition),
            no_progress: or(self.no_progress, default.no_progress),
            ply_cap: or(self.ply_cap, default.ply_cap),
        }
    }
}

/// A number or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit(Option<u32>);

/// An invalid limit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a whole number, {least} or more, or `none`")]
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
    fn parses_numbers_and_none() {
        assert_eq!((parse_repetition("none"), parse_repetition("2")), (Ok(Limit(None)), Ok(Limit(Some(2)))));
        assert_eq!(
            (parse_repetition("1"), parse_limit("x")),
            (Err(ParseLimitError { least: 2 }), Err(ParseLimitError { least: 1 }))
        );
    }
}
