//! The options that say from where games begin.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use thiserror::Error;

use crate::cli::eprint_line;
use crate::cli::progress::Progress;
use crate::fnv::Fnv1a;
use crate::game::{AnyGame, Cancel, OpeningPolicy};
use crate::input::Input;
use crate::players::Spec;
use crate::tournament::openings::{self, Balance, Opening, OpeningFile, ReadOpeningsError};
use crate::tournament::{OpeningSummary, Record};

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

/// Openings, and what they are.
pub(super) struct Found {
    pub openings: Vec<Opening>,
    pub summary: OpeningSummary,
}

impl OpeningArguments {
    /// Returns the file that they are read from, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// Returns what the openings follow from, beside the seed.
    pub fn identity(&self, game: &dyn AnyGame) -> anyhow::Result<String> {
        Ok(match &self.openings {
            Some(file) => {
                let content = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
                format!("{:?} {:x}", self.opening_plies, Fnv1a::new().add_bytes(&content).finish())
            }
            None => format!("{:?} {}", self.policy(game), self.all_openings),
        })
    }

    fn policy(&self, game: &dyn AnyGame) -> OpeningPolicy {
        let default = game.opening_policy();
        OpeningPolicy {
            plies: self.opening_plies.clone().unwrap_or(default.plies),
            depth: self.opening_depth.unwrap_or(default.depth),
            most_points: self.opening_score.unwrap_or(default.most_points),
        }
    }

    /// Sees that every engine can be told of where the games of a file start. Openings that are not out of a file are moves from the start.
    pub fn check_starts(&self, game: &'static dyn AnyGame, engines: &[Spec]) -> anyhow::Result<()> {
        let without_set_up = |spec: &Spec| spec.protocol().filter(|protocol| !protocol.has_set_up());
        let unable = engines.iter().find_map(|spec| Some((spec.name(), without_set_up(spec)?)));
        let (Some((name, protocol)), Some(file)) = (unable, &self.openings) else { return Ok(()) };
        let OpeningFile { openings, lines, .. } = self.read(game, file)?;
        match openings.iter().zip(lines).find(|(opening, _)| !opening.start.is_start()) {
            None => Ok(()),
            Some((opening, line)) => bail!(
                "`{}`, line {line}: this opening starts from the position `{}`, and the engine `{name}` cannot be told of that over {protocol}: \
                 write it as moves from the start of the game, or take the line out",
                file.display(),
                opening.start
            ),
        }
    }

    /// Finds openings for so many rounds; `None` if cancelled.
    pub fn find(
        &self,
        game: &'static dyn AnyGame,
        rounds: usize,
        seed: u64,
        threads: usize,
        cancel: &Cancel,
        progress: &Progress,
    ) -> anyhow::Result<Option<Found>> {
        if let Some(file) = &self.openings {
            return self.of_file(game, file).map(Some);
        }
        if self.all_openings {
            return self.all(game, rounds, seed, threads, cancel, progress);
        }
        let policy = self.policy(game);
        let Some(openings) = openings::generate(game, &policy, rounds, seed, threads, cancel, &mut |found| {
            progress.set(0, None, || format!("{found} of {rounds} openings"));
        }) else {
            return Ok(None);
        };
        if openings.is_empty() {
            progress.finish();
            bail!("no opening was found: allow more with --opening-plies, --opening-score or --opening-depth 0");
        }
        if openings.len() < rounds {
            let found = openings.len();
            let noun = if found == 1 { "opening was" } else { "openings were" };
            let note = "they are played again; more --opening-plies have more of them";
            progress
                .aside(|| eprint_line(format_args!("only {found} {noun} found for {rounds} pairs of games: {note}")));
        }
        let (least, most) = (policy.plies.start(), policy.plies.end());
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let summary = OpeningSummary {
            count: openings.len(),
            source: format!("of {range} random plies{}", searched(&policy)),
            min_plies: *least,
            max_plies: *most,
            depth: policy.depth,
            most_points: (policy.depth > 0).then_some(policy.most_points),
        };
        Ok(Some(Found { openings, summary }))
    }

    fn read(&self, game: &'static dyn AnyGame, file: &Path) -> Result<OpeningFile, ReadOpeningsError> {
        let plies = self.opening_plies.as_ref().map(|plies| *plies.end() as usize);
        openings::read(game, Input::File(file.to_owned()), plies)
    }

    /// Sums up what games of an earlier run started from, where the openings of this one were not found in time; there are none in it.
    pub fn interrupted<'a>(&self, game: &dyn AnyGame, games: impl Iterator<Item = &'a Record>) -> Found {
        let openings: BTreeMap<_, _> =
            games.map(|game| (game.opening, game.opening_moves.split_whitespace().count() as u32)).collect();
        let policy = self.policy(game);
        let depth = if self.openings.is_some() { 0 } else { policy.depth };
        let summary = OpeningSummary {
            count: openings.len(),
            source: "of the games so far, interrupted before there were more".to_owned(),
            min_plies: openings.values().copied().min().unwrap_or(0),
            max_plies: openings.values().copied().max().unwrap_or(0),
            depth,
            most_points: (depth > 0).then_some(policy.most_points),
        };
        Found { openings: Vec::new(), summary }
    }

    /// Reads the openings of a file, and sums them up.
    fn of_file(&self, game: &'static dyn AnyGame, file: &Path) -> anyhow::Result<Found> {
        let OpeningFile { openings, duplicates, left_out, .. } = self.read(game, file)?;
        let plies = || openings.iter().map(|opening| opening.moves.len() as u32);
        let again = match duplicates {
            0 => String::new(),
            _ => format!(", {duplicates} of which lead to a position that another leads to"),
        };
        let short = match left_out {
            0 => String::new(),
            _ => format!(", {left_out} left out whose games end within these plies"),
        };
        let summary = OpeningSummary {
            count: openings.len(),
            source: format!("of `{}`{again}{short}", file.display()),
            min_plies: plies().min().unwrap_or(0),
            max_plies: plies().max().unwrap_or(0),
            depth: 0,
            most_points: None,
        };
        Ok(Found { openings, summary })
    }

    /// Lists all openings of so many plies, and takes what is needed of them.
    fn all(
        &self,
        game: &'static dyn AnyGame,
        rounds: usize,
        seed: u64,
        threads: usize,
        cancel: &Cancel,
        progress: &Progress,
    ) -> anyhow::Result<Option<Found>> {
        let policy = self.policy(game);
        let plies = *policy.plies.start();
        if policy.plies.end() != &plies {
            bail!("--all-openings: give --opening-plies as one number");
        }
        let all =
            openings::all(game, plies, Balance::from(&policy), seed, threads, cancel, &mut |judged, positions| {
                progress
                    .set(judged as u64, Some(positions as u64), || format!("{judged} of {positions} positions judged"));
            });
        let Some(mut openings) = all.inspect_err(|_| progress.finish())? else { return Ok(None) };
        if openings.is_empty() {
            progress.finish();
            bail!("no opening was found: allow more with --opening-score or --opening-depth 0");
        }
        let count = openings.len();
        openings.truncate(rounds);
        let summary = OpeningSummary {
            count: openings.len(),
            source: format!("of all {count} after {plies} plies{}", searched(&policy)),
            min_plies: plies,
            max_plies: plies,
            depth: policy.depth,
            most_points: (policy.depth > 0).then_some(policy.most_points),
        };
        Ok(Some(Found { openings, summary }))
    }
}

/// Says how openings were searched.
fn searched(policy: &OpeningPolicy) -> String {
    match policy.depth {
        0 => String::new(),
        depth => format!(", none above {} points for a side at depth {depth}", policy.most_points),
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
