//! The options of the openings.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use thiserror::Error;

use crate::cli::progress::Progress;
use crate::cli::values::{self, RangeError};
use crate::cli::{eprint_line, help};
use crate::game::{AnyGame, Cancel, DrawRules, OpeningPolicy};
use crate::players::Spec;
use crate::tournament::OpeningSummary;
use crate::tournament::openings::{FindOpeningsError, OpeningSet, OpeningSource};

/// The maximum length of an opening, in plies.
const MAX_PLIES: u32 = 100;

/// The openings of the games.
#[derive(Debug, Args)]
pub(super) struct OpeningArguments {
    /// Use the openings in this file, in order
    ///
    /// A line is a move list, a position, a position with moves, or a game in any format that analyze reads. With --opening-plies, only that
    /// many plies of each are used, so complete games can be used.
    #[arg(long, value_name = "FILE", help_heading = help::OPENINGS, conflicts_with_all = ["opening_score", "opening_depth"])]
    openings: Option<PathBuf>,

    /// Use balanced positions of the opening book, in random order
    ///
    /// With --opening-plies and --opening-score. The scores are those of the book.
    #[arg(long, help_heading = help::OPENINGS, hide_short_help = true, conflicts_with_all = ["openings", "all_openings", "opening_depth"])]
    book_openings: bool,

    /// Use all positions after --opening-plies, in random order
    ///
    /// Symmetric positions count once. The order depends on the seed.
    #[arg(long, help_heading = help::OPENINGS, hide_short_help = true, requires = "opening_plies", conflicts_with = "openings")]
    all_openings: bool,

    /// Length of random openings, such as 8 or 8..12; 0 for none
    ///
    /// The default depends on the game.
    #[arg(long, value_name = "PLIES", help_heading = help::OPENINGS, value_parser = parse_plies)]
    opening_plies: Option<RangeInclusive<u32>>,

    /// Reject openings with a higher score for either side
    ///
    /// The default depends on the game.
    #[arg(long, value_name = "POINTS", help_heading = help::OPENINGS, hide_short_help = true, value_parser = parse_points)]
    opening_score: Option<f64>,

    /// Search depth for the score of openings; 0 accepts all
    ///
    /// The search uses no endgame database. The default depends on the game.
    #[arg(long, value_name = "PLIES", help_heading = help::OPENINGS, hide_short_help = true, value_parser = clap::value_parser!(u32).range(0..=60))]
    opening_depth: Option<u32>,
}

impl OpeningArguments {
    /// Returns the file of openings, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// Returns whether the openings come from an opening book.
    pub fn are_of_book(&self) -> bool {
        self.book_openings
    }

    /// Returns the source of the openings.
    pub fn source(&self, game: &dyn AnyGame, book: Option<&Path>) -> anyhow::Result<OpeningSource> {
        let default = game.opening_policy();
        let policy = || OpeningPolicy {
            plies: self.opening_plies.clone().unwrap_or(default.plies),
            depth: self.opening_depth.unwrap_or(default.depth),
            most_points: self.opening_score.unwrap_or(default.most_points),
        };
        if self.book_openings {
            return Ok(OpeningSource::Book { policy: policy(), file: book.map(Path::to_owned) });
        }
        match (&self.openings, &self.opening_plies) {
            (Some(file), plies) => Ok(OpeningSource::File { file: file.clone(), plies: plies.clone() }),
            (None, Some(plies)) if self.all_openings && plies.start() != plies.end() => {
                bail!("--all-openings requires --opening-plies as a single number")
            }
            (None, _) => {
                Ok(if self.all_openings { OpeningSource::All(policy()) } else { OpeningSource::Random(policy()) })
            }
        }
    }
}

/// Finds the openings of a match under these draw rules; `None` if cancelled.
pub(super) fn find(
    source: &OpeningSource,
    game: &'static dyn AnyGame,
    rules: DrawRules,
    (seed, threads): (u64, usize),
    cancel: &Cancel,
    progress: &Progress,
) -> anyhow::Result<Option<OpeningSet>> {
    let ends = |number: usize, plies: usize| {
        progress.finish();
        anyhow!(
            "opening {number} ends the game after {plies} plies because of --ply-cap, --no-progress or --repetition: increase them, \
             or use shorter openings with --opening-plies"
        )
    };
    if let OpeningSource::Random(policy) = source
        && rules.ply_cap.is_some_and(|cap| cap <= *policy.plies.end())
    {
        return Err(ends(1, *policy.plies.end() as usize));
    }
    let found = source.find(game, rules, seed, threads, cancel, &mut |done, all| {
        progress.set(done as u64, Some(all as u64), || format!("{done} of {all} positions searched"));
    });
    let found = found.map_err(|error| {
        progress.finish();
        match error {
            FindOpeningsError::None if matches!(source, OpeningSource::Random(_)) => {
                anyhow!("{error}: increase --opening-plies or --opening-score, or use --opening-depth 0")
            }
            FindOpeningsError::None if matches!(source, OpeningSource::Book { .. }) => {
                anyhow!("{error}: reduce --opening-plies, or increase --opening-score")
            }
            FindOpeningsError::None => anyhow!("{error}: increase --opening-score, or use --opening-depth 0"),
            error => error.into(),
        }
    })?;
    match found.as_ref().and_then(|found| found.first_ending(rules)) {
        Some((number, opening)) => Err(ends(number + 1, opening.moves.len())),
        None => Ok(found),
    }
}

/// Draws the openings of the first `rounds` rounds, which an earlier run played; `None` if cancelled.
pub(super) fn redraw(
    found: OpeningSet,
    rounds: usize,
    threads: usize,
    cancel: &Cancel,
    progress: &Progress,
) -> Option<OpeningSet> {
    found.draw(rounds, threads, cancel, &mut |done| {
        progress.set(done as u64, Some(rounds as u64), || format!("{done} of {rounds} openings drawn"));
    });
    Some(found).filter(|_| !cancel.is_cancelled())
}

/// Summarizes the openings of the first `rounds` rounds, and tells if they had to be reused. The parts of a shard are not all drawn.
pub(super) fn summary(found: &OpeningSet, source: &OpeningSource, rounds: usize, is_shard: bool) -> OpeningSummary {
    let summary = found.summary(rounds);
    if summary.count < rounds && !is_shard {
        let noun = if summary.count == 1 { "opening was" } else { "openings were" };
        let note = match source {
            OpeningSource::File { .. } => "they are reused; add others to the file",
            OpeningSource::Book { .. } => {
                "they are reused; use a range of --opening-plies, or a larger --opening-score"
            }
            OpeningSource::Random(_) | OpeningSource::All(_) => "they are reused; increase --opening-plies for more",
        };
        eprint_line(format_args!("only {} {noun} found for {rounds} pairs of games: {note}", summary.count));
    }
    summary
}

/// Checks that every engine's protocol can set up the positions from which the games start.
pub(super) fn check_starts(source: &OpeningSource, game: &'static dyn AnyGame, engines: &[Spec]) -> anyhow::Result<()> {
    let without_set_up = |spec: &Spec| spec.protocol().filter(|protocol| !protocol.supports_setup());
    let unable = engines.iter().find_map(|spec| Some((spec.name(), without_set_up(spec)?)));
    let (Some((name, protocol)), OpeningSource::File { file, .. }) = (unable, source) else { return Ok(()) };
    match source.first_set_up(game)? {
        None => Ok(()),
        Some((line, opening)) => bail!(
            "`{}`, line {line}: the opening starts from the position `{}`, but {protocol} cannot set up a position for the engine `{name}`: \
             write the opening as moves from the start of the game, or remove the line",
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

/// An invalid score.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a number of points, 0 or more")]
struct ParsePointsError;

fn parse_points(text: &str) -> Result<f64, ParsePointsError> {
    text.parse().ok().filter(|points| (0.0..f64::INFINITY).contains(points)).ok_or(ParsePointsError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_plies_and_points() {
        assert_eq!(parse_plies("8"), Ok(8..=8));
        assert_eq!((parse_plies("8..12"), parse_plies("0..=3")), (Ok(8..=12), Ok(0..=3)));
        assert_eq!(parse_plies("9..8"), Err(ParsePliesError::Reversed(RangeError::Reversed(9, 8))));
        for text in ["", "..", "8..", "-1", "101"] {
            assert_eq!(parse_plies(text), Err(ParsePliesError::Syntax), "{text}");
        }
        assert_eq!(
            (parse_points("2.5"), parse_points("-1"), parse_points("inf")),
            (Ok(2.5), Err(ParsePointsError), Err(ParsePointsError))
        );
    }
}
