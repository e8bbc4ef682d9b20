//! `morello train generate`: games of the engine against itself, in a file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;

use crate::cli::progress::{Mode, Progress, in_words};
use crate::cli::{INTERRUPTED, eprint_line, interrupt, values};
use crate::game::{EngineOptions, Searcher};
use crate::journal::OpenError;
use crate::othello::Position;
use crate::othello::engine::{Evaluation, OthelloSearcher};
use crate::training::{self, GameFile, GameFileError, GameRecord, Recipe};

/// The memory of the tables of each thread: what a game fills, and no more than the processor's cache holds.
const HASH_BYTES: usize = 2 << 20;

/// Asks for no weights.
const NO_WEIGHTS: &str = "none";

const EXAMPLES: &str = "\
Examples:
  morello train generate --games 20000 --depth 2 --exact-from 12 --weights none --output first.games
  morello train generate --games 20000 --seed 2 --weights mine.weights --output second.games";

/// Play games of Othello against itself, from random openings, and keep them with their scores
///
/// A game is random for a number of discs, drawn anew for each. Then the engine plays: a shallow search, and perfect play at the end. A
/// game is decided by its index and the options but --games, --time and --threads. The same command again goes on where the file ends, also
/// where the earlier run was killed; with a larger --games it adds games.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// The games that the file is to have
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// The seed of the random openings
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// The file of the games
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The depth of the search in plies
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Play perfectly from this many empty squares on
    #[arg(long, value_name = "EMPTIES", default_value_t = 16, value_parser = clap::value_parser!(u8).range(0..=60))]
    exact_from: u8,

    /// The least and the most discs that are placed at random, each number as often; 59 at most
    #[arg(long, value_name = "LEAST..MOST", default_value = "8..45", value_parser = parse_range)]
    random_plies: (u8, u8),

    /// Let the engine, by a search of two plies, play those of the random discs that are neither of the first ten nor of a few last ones,
    /// from one to so many, each number as often: positions that are a few random moves away from sane play, as a search meets them
    #[arg(long, value_name = "DISCS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..60))]
    burst: u8,

    /// Play by the weights in this file, as `morello train fit` writes them; `none` plays by a hand-made evaluation, to begin from nothing
    /// [default: those in the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Stop after this long: a number with its unit, ms, s or m
    #[arg(long, value_parser = values::parse_time)]
    time: Option<Duration>,

    /// Threads, each at a game of its own [default: all cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Show progress on the standard error
    #[arg(long, value_enum, default_value_t = Mode::Auto, value_name = "WHEN")]
    progress: Mode,
}

/// Reads a range of numbers of discs.
fn parse_range(text: &str) -> Result<(u8, u8), String> {
    let numbers = text.split_once("..").map(|(least, most)| (least.parse(), most.parse()));
    match numbers {
        Some((Ok(least), Ok(most))) if least <= most && most < 60 => Ok((least, most)),
        Some((Ok(_), Ok(_))) => Err("expected a first number not above the second, and a second below 60".to_owned()),
        _ => Err("expected two numbers, as in 8..45".to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { games, seed, depth, exact_from, random_plies: random, burst, .. } = *arguments;
    let evaluation = match &arguments.weights {
        Some(name) if name.as_os_str() == NO_WEIGHTS => None,
        Some(file) => Some(Evaluation::read(file)?),
        None => Some(Evaluation::learnt()),
    };
    let weights = evaluation.as_ref().map_or(0, |evaluation| evaluation.fingerprint());
    let recipe = Recipe { seed, depth, exact_from, random, burst, weights };
    let mut file = GameFile::open(&arguments.output, &recipe).map_err(|error| cannot_use(&error, &arguments.output))?;
    let known = file.games();
    if known > 0 {
        eprint_line(format_args!("{known} games are in `{}`", arguments.output.display()));
    }
    let threads = arguments.threads.map_or_else(values::default_threads, |threads| threads as usize);
    let options = EngineOptions::new(HASH_BYTES);
    let searcher = |_| -> Box<dyn Searcher<Position>> {
        Box::new(match &evaluation {
            Some(evaluation) => OthelloSearcher::with_evaluation(&options, Arc::clone(evaluation)),
            None => OthelloSearcher::new(&options),
        })
    };
    let searchers = (0..threads).map(searcher).collect();

    let interrupted = interrupt::cancel_on_signal()?;
    let cancel = interrupted.child();
    let progress = Progress::new(arguments.progress, "generate", false);
    if let Some(time) = arguments.time {
        let cancel = cancel.clone();
        // It ends with the program.
        thread::spawn(move || {
            thread::sleep(time);
            cancel.cancel();
        });
    }
    let start = Instant::now();
    let mut positions = 0;
    let mut on_game = |done: u64, game: &GameRecord| {
        positions += game.squares.len() - usize::from(game.random);
        progress.set(done, Some(games), || {
            let rate = (done - known) as f64 / start.elapsed().as_secs_f64();
            let left = in_words(((games - done) as f64 / rate) as u64);
            format!("{done} of {games} games, {rate:.1}/s, {left} left")
        });
    };
    let generated = training::generate(&recipe, games, searchers, &mut file, &cancel, &mut on_game);
    progress.finish();
    let generated = generated.with_context(|| {
        format!("cannot write `{}`: make room and run the same command again", arguments.output.display())
    })?;
    let (seconds, new) = (start.elapsed().as_secs_f64(), generated.games - known);
    eprint_line(format_args!(
        "{} games, {new} of them new with {positions} positions, in {seconds:.1} s ({:.1} games/s)",
        generated.games,
        new as f64 / seconds
    ));
    Ok(if interrupted.is_cancelled() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Says what to do about a file that games cannot be added to.
fn cannot_use(error: &GameFileError, file: &Path) -> anyhow::Error {
    let remedy = match error {
        GameFileError::Io(_) | GameFileError::Open(OpenError::Io(_)) => "name a file that can be read and written",
        GameFileError::Open(OpenError::InUse) => "wait for it, or name another file",
        GameFileError::Foreign => "name another file",
        GameFileError::Version { .. } => "name another file, or use the program that began it",
        GameFileError::OtherRecipe { .. } => "give the options of the run that began it, or name another file",
        GameFileError::Damaged { .. } => "name another file; to keep the games before, cut it off at that byte",
    };
    anyhow::anyhow!("cannot add games to `{}`: {error}; {remedy}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_checked() {
        assert_eq!(parse_range("8..45"), Ok((8, 45)));
        assert_eq!(parse_range("0..0"), Ok((0, 0)));
        for text in ["", "8", "8..", "8-9", "9..8", "8..60", "-1..3", "8..=9"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }
}
