//! The options that say from where games begin.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use thiserror::Error;

use crate::cli::eprint_line;
use crate::cli::progress::Progress;
use crate::game::{AnyGame, Cancel, OpeningPolicy};
use crate::players::Spec;
use crate::tournament::openings::{FindOpeningsError, Found, Source};

/// The most plies of an opening.
const MOST_PLIES: u32 = 100;

/// From where games begin.
#[derive(Debug, Args)]
pub(super) struct OpeningArguments {
    /// Begin from the openings in this file, in their order: moves, positions, positions with moves, games in any format that analyze reads;
    /// with --opening-plies no more than the first plies of each, so that whole games serve
    #[arg(long, value_name = "FILE", conflicts_with_all = ["opening_score", "opening_depth"])]
    openings: Option<PathBuf>,

    /// Begin from all positions, up to symmetry, that there are after --opening-plies, in an order that follows from the seed
    #[arg(long, requires = "opening_plies", conflicts_with = "openings")]
    all_openings: bool,

    /// The plies of random play that an opening is made of, as 8 or 8..12; 0 is the start of the game [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = parse_plies)]
    opening_plies: Option<RangeInclusive<u32>>,

    /// The highest score of an opening for either side, in points [default: the game's own]
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    opening_score: Option<f64>,

    /// The depth to which openings are searched for their score, without a database; 0 takes them as they come [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    opening_depth: Option<u32>,
}

impl OpeningArguments {
    /// Returns the file that they are read from, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// Returns where the openings come from.
    pub fn source(&self, game: &dyn AnyGame) -> anyhow::Result<Source> {
        let default = game.opening_policy();
        let policy = || OpeningPolicy {
            plies: self.opening_plies.clone().unwrap_or(default.plies),
            depth: self.opening_depth.unwrap_or(default.depth),
            most_points: self.opening_score.unwrap_or(default.most_points),
        };
        match (&self.openings, &self.opening_plies) {
            (Some(file), plies) => Ok(Source::File { file: file.clone(), plies: plies.clone() }),
            (None, Some(plies)) if self.all_openings && plies.start() != plies.end() => {
                bail!("--all-openings: give --opening-plies as one number")
            }
            (None, _) => Ok(if self.all_openings { Source::All(policy()) } else { Source::Random(policy()) }),
        }
    }
}

/// Finds openings for so many rounds; `None` if cancelled.
pub(super) fn find(
    source: &Source,
    game: &'static dyn AnyGame,
    rounds: usize,
    (seed, threads): (u64, usize),
    cancel: &Cancel,
    progress: &Progress,
) -> anyhow::Result<Option<Found>> {
    let is_random = matches!(source, Source::Random(_));
    let found = source.find(game, rounds, seed, threads, cancel, &mut |done, all| {
        if is_random {
            progress.set(0, None, || format!("{done} of {all} openings"));
        } else {
            progress.set(done as u64, Some(all as u64), || format!("{done} of {all} positions judged"));
        }
    });
    let found = found.map_err(|error| {
        progress.finish();
        match error {
            FindOpeningsError::None if is_random => {
                anyhow!("{error}: allow more with --opening-plies, --opening-score or --opening-depth 0")
            }
            FindOpeningsError::None => anyhow!("{error}: allow more with --opening-score or --opening-depth 0"),
            error => error.into(),
        }
    })?;
    if let Some(count) = found.as_ref().map(|found| found.openings.len())
        && is_random
        && count < rounds
    {
        let noun = if count == 1 { "opening was" } else { "openings were" };
        let note = "they are played again; more --opening-plies have more of them";
        progress.aside(|| eprint_line(format_args!("only {count} {noun} found for {rounds} pairs of games: {note}")));
    }
    Ok(found)
}

/// Checks that every engine's protocol can set up the positions from which the games start.
pub(super) fn check_starts(source: &Source, game: &'static dyn AnyGame, engines: &[Spec]) -> anyhow::Result<()> {
    let without_set_up = |spec: &Spec| spec.protocol().filter(|protocol| !protocol.has_set_up());
    let unable = engines.iter().find_map(|spec| Some((spec.name(), without_set_up(spec)?)));
    let (Some((name, protocol)), Source::File { file, .. }) = (unable, source) else { return Ok(()) };
    match source.first_set_up(game)? {
        None => Ok(()),
        Some((line, opening)) => bail!(
            "`{}`, line {line}: this opening starts from the position `{}`, and the engine `{name}` cannot be told of that over {protocol}: \
             write it as moves from the start of the game, or take the line out",
            file.display(),
            opening.start
        ),
    }
}

/// A text that is no number of plies of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a number of plies or a range, as 8 or 8..12, up to {MOST_PLIES}")]
struct ParsePliesError;

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, ParsePliesError> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse().map_err(|_| ParsePliesError);
    let plies = number(least)?..=number(most.trim_start_matches('='))?;
    if plies.is_empty() || *plies.end() > MOST_PLIES { Err(ParsePliesError) } else { Ok(plies) }
}

/// A text that is no score of openings.
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
    fn plies_are_a_number_or_a_range() {
        assert_eq!(parse_plies("8"), Ok(8..=8));
        assert_eq!((parse_plies("8..12"), parse_plies("0..=3")), (Ok(8..=12), Ok(0..=3)));
        for text in ["", "..", "8..", "9..8", "-1", "101"] {
            assert_eq!(parse_plies(text), Err(ParsePliesError), "{text}");
        }
        assert_eq!(
            (parse_points("2.5"), parse_points("-1"), parse_points("inf")),
            (Ok(2.5), Err(ParsePointsError), Err(ParsePointsError))
        );
    }
}
