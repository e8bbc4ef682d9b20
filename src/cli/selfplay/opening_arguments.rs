//! The options of the openings.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use morello_command::values::{self, RangeError};
use morello_command::{eprint_line, help, numbers};
use morello_core::causes::with_causes;
use morello_core::game::{AnyGame, OpeningPolicy, PlayerError};
use morello_play::players::Spec;
use morello_play::tournament::MatchError;
use morello_play::tournament::openings::{Balance, FindOpeningsError, OpeningSource};
use thiserror::Error;

/// The maximum length of an opening, in plies.
const MAX_PLIES: u32 = 100;

/// The openings of the games.
#[derive(Debug, Args)]
pub(in crate::cli) struct OpeningArguments {
    /// Use the openings in this file, in order
    ///
    /// A line is a move list, a position, a position with moves, or a game in any format that
    /// analyze reads. With --opening-plies, only that many plies of each are used, so the lines can
    /// be complete games. With --opening-score or --opening-depth, only balanced openings are used.
    #[arg(long, value_name = "FILE", help_heading = help::OPENINGS)]
    openings: Option<PathBuf>,

    /// Use balanced positions of the opening book, in random order
    ///
    /// --opening-plies and --opening-score select the positions. The scores come from the book.
    #[arg(long, help_heading = help::OPENINGS, hide_short_help = true, conflicts_with_all = ["openings",
        "all_openings", "opening_depth"])]
    book_openings: bool,

    /// Use the positions where the opening book ends, in random order
    ///
    /// --opening-plies and --opening-score select the positions, as with --book-openings.
    #[arg(long, help_heading = help::OPENINGS, hide_short_help = true, conflicts_with_all = ["openings",
        "all_openings", "opening_depth", "book_openings"])]
    book_exits: bool,

    /// Use all positions after --opening-plies, in random order
    ///
    /// Symmetric positions count once. The order depends on the seed.
    #[arg(long, help_heading = help::OPENINGS, hide_short_help = true, requires = "opening_plies",
        conflicts_with = "openings")]
    all_openings: bool,

    /// Length of random openings [default: 8..12, or 4..6 in mill games]
    ///
    /// Give a number or a range; 0 disables random openings. On smaller Othello boards, the default
    /// is 6..9 or 4..6.
    #[arg(long, value_name = "PLIES", help_heading = help::OPENINGS, value_parser = parse_plies)]
    opening_plies: Option<RangeInclusive<u32>>,

    /// Reject openings with a higher score for either side [default: 3, mills 0.1]
    #[arg(long, value_name = "POINTS", help_heading = help::OPENINGS, hide_short_help = true,
        value_parser = numbers::real(numbers::DIFFERENCES))]
    opening_score: Option<f64>,

    /// Search depth for opening scores; 0 accepts all [default: 8, mills 6]
    ///
    /// The search uses no endgame database.
    #[arg(long, value_name = "PLIES", help_heading = help::OPENINGS, hide_short_help = true,
        value_parser = numbers::whole(0..=60_u32))]
    opening_depth: Option<u32>,
}

impl OpeningArguments {
    /// Returns the file of openings, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// Returns whether the openings come from an opening book.
    pub fn are_of_book(&self) -> bool {
        self.book_openings || self.book_exits
    }

    /// Returns the source of the openings.
    pub fn source(&self, game: &dyn AnyGame, book: Option<&Path>) -> anyhow::Result<OpeningSource> {
        let default = game.opening_policy();
        let policy = || OpeningPolicy {
            plies: self.opening_plies.clone().unwrap_or(default.plies),
            depth: self.opening_depth.unwrap_or(default.depth),
            most_points: self.opening_score.unwrap_or(default.most_points),
        };
        if self.are_of_book() {
            let mut policy = policy();
            if self.book_exits && self.opening_plies.is_none() {
                policy.plies = 0..=MAX_PLIES;
            }
            return Ok(OpeningSource::Book { policy, exits: self.book_exits, file: book.map(Path::to_owned) });
        }
        match (&self.openings, &self.opening_plies) {
            (Some(file), plies) => {
                let is_checked = self.opening_score.is_some() || self.opening_depth.is_some();
                let balance = is_checked.then(|| Balance::from(&policy()));
                Ok(OpeningSource::File { file: file.clone(), plies: plies.clone(), balance })
            }
            (None, Some(plies)) if self.all_openings && plies.start() != plies.end() => {
                bail!("--all-openings requires --opening-plies as a single number")
            }
            (None, _) => {
                Ok(if self.all_openings { OpeningSource::All(policy()) } else { OpeningSource::Random(policy()) })
            }
        }
    }
}

/// Adds the options that help to an error.
pub(in crate::cli) fn with_advice(error: MatchError, source: &OpeningSource) -> anyhow::Error {
    let advice = match (&error, source) {
        (MatchError::OpeningEnds { .. }, _) => {
            " because of --ply-cap, --no-progress or --repetition; increase them, or use shorter openings with \
                --opening-plies"
        }
        (MatchError::Openings(FindOpeningsError::None), OpeningSource::Random(_)) => {
            "; increase --opening-plies or --opening-score, or use --opening-depth 0"
        }
        (MatchError::Openings(FindOpeningsError::None), OpeningSource::Book { .. }) => {
            "; reduce --opening-plies, or increase --opening-score"
        }
        (MatchError::Player { source, .. }, _) if has_timed_out(&**source) => {
            let cause = with_causes(&**source);
            return anyhow!("{error}: {cause}; is protocol= right, and start-timeout= long enough?");
        }
        (MatchError::Openings(FindOpeningsError::None), _) => "; increase --opening-score, or use --opening-depth 0",
        _ => return error.into(),
    };
    anyhow!("{error}{advice}")
}

/// Returns whether a player did not answer in time.
fn has_timed_out(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(PlayerError::Timeout { .. }))
}

/// Reports that a match of `rounds` rounds reuses its openings.
pub(in crate::cli) fn note_reuse(source: &OpeningSource, openings: usize, rounds: usize) {
    let noun = if openings == 1 { "opening was" } else { "openings were" };
    let note = match source {
        OpeningSource::File { .. } => "they are reused; add others to the file",
        OpeningSource::Book { .. } => "they are reused; use a range of --opening-plies, or a larger --opening-score",
        _ => "they are reused; increase --opening-plies for more",
    };
    eprint_line(format_args!("only {openings} {noun} found for {rounds} pairs of games; {note}"));
}

/// Checks that every engine's protocol can set up the positions from which the games start.
pub(in crate::cli) fn check_starts(
    source: &OpeningSource,
    game: &'static dyn AnyGame,
    engines: &[Spec],
) -> anyhow::Result<()> {
    let without_set_up = |spec: &Spec| spec.config.protocol.filter(|protocol| !protocol.supports_setup());
    let unable = engines.iter().find_map(|spec| Some((spec.name(), without_set_up(spec)?)));
    let (Some((name, protocol)), OpeningSource::File { file, .. }) = (unable, source) else { return Ok(()) };
    match source.first_set_up(game)? {
        None => Ok(()),
        Some((line, opening)) => bail!(
            "`{}`, line {line}: the opening starts from the position `{}`, but {protocol} cannot set up a position \
                for the engine `{name}`; write the opening as moves from the start of the game, or remove the line",
            file.display(),
            opening.start
        ),
    }
}

/// An invalid number of plies.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum ParsePliesError {
    /// The text is not a range of plies.
    #[error("expected a number of plies or a range, such as 8 or 8..12, up to {MAX_PLIES}")]
    Syntax,
    #[error(transparent)]
    Reversed(#[from] RangeError),
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, ParsePliesError> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse().map_err(|_| ParsePliesError::Syntax);
    let plies = values::in_order(number(least)?..=number(most.trim_start_matches('='))?)?;
    if *plies.end() > MAX_PLIES { Err(ParsePliesError::Syntax) } else { Ok(plies) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_plies() {
        assert_eq!(parse_plies("8"), Ok(8..=8));
        assert_eq!((parse_plies("8..12"), parse_plies("0..=3")), (Ok(8..=12), Ok(0..=3)));
        assert_eq!(parse_plies("9..8"), Err(ParsePliesError::Reversed(RangeError::Reversed(9, 8))));
        for text in ["", "..", "8..", "-1", "101"] {
            assert_eq!(parse_plies(text), Err(ParsePliesError::Syntax), "{text}");
        }
    }
}
