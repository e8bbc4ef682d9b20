//! [`Draws`]: the options that draw a game in addition to its own rules.

use clap::Args;
use morello_command::help;
use morello_command::numbers::{self, NumberError};
use morello_core::game::DrawRules;
use thiserror::Error;

/// The options of commands that play games.
#[derive(Debug, Args)]
pub(super) struct DrawArguments {
    /// Draw when a position occurs this many times, or `none`
    ///
    /// The minimum is 2. The default is 3, or `none` in `referee` and in games whose positions
    /// cannot recur.
    #[arg(long, value_name = "N", help_heading = help::END_OF_GAME, hide_short_help = true,
        value_parser = parse_repetition)]
    repetition: Option<DrawLimit>,

    /// Draw after this many plies without progress, or `none` [default: none]
    ///
    /// Progress is an irreversible move; in the mill games, placing or capturing a man. Limits in
    /// the rules of the game always apply.
    #[arg(long, value_name = "PLIES", help_heading = help::END_OF_GAME, hide_short_help = true,
        value_parser = parse_limit)]
    no_progress: Option<DrawLimit>,

    /// Draw after this many plies, or `none`
    ///
    /// The count includes the plies of the opening. The default is 400, or `none` in `referee` and
    /// in games whose positions cannot recur.
    #[arg(long, value_name = "PLIES", help_heading = help::END_OF_GAME, hide_short_help = true,
        value_parser = parse_limit)]
    ply_cap: Option<DrawLimit>,
}

impl DrawArguments {
    /// Returns the limits given, and `default` for the others.
    pub fn settings(&self, default: DrawRules) -> DrawRules {
        let or = |limit: Option<DrawLimit>, default| limit.map_or(default, |limit| limit.0);
        DrawRules {
            repetition: or(self.repetition, default.repetition),
            no_progress: or(self.no_progress, default.no_progress),
            ply_cap: or(self.ply_cap, default.ply_cap),
        }
    }
}

/// A number or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DrawLimit(Option<u32>);

/// An invalid limit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum ParseDrawLimitError {
    #[error("expected a whole number, {0} or more, or `none`")]
    Syntax(u32),
    #[error("{0}, or `none`")]
    Number(NumberError),
}

fn parse(text: &str, least: u32) -> Result<DrawLimit, ParseDrawLimitError> {
    if text == "none" {
        return Ok(DrawLimit(None));
    }
    match numbers::whole(least..=u32::MAX)(text) {
        Ok(number) => Ok(DrawLimit(Some(number))),
        Err(NumberError::NotWhole(..)) => Err(ParseDrawLimitError::Syntax(least)),
        Err(error) => Err(ParseDrawLimitError::Number(error)),
    }
}

fn parse_repetition(text: &str) -> Result<DrawLimit, ParseDrawLimitError> {
    parse(text, 2)
}

fn parse_limit(text: &str) -> Result<DrawLimit, ParseDrawLimitError> {
    parse(text, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_numbers_and_none() {
        assert_eq!((parse_repetition("none"), parse_repetition("2")), (Ok(DrawLimit(None)), Ok(DrawLimit(Some(2)))));
        assert_eq!(
            (parse_repetition("1"), parse_limit("x")),
            (
                Err(ParseDrawLimitError::Number(NumberError::TooSmall("2".to_owned()))),
                Err(ParseDrawLimitError::Syntax(1))
            )
        );
    }
}
