//! `morello-train generate`: writes self-play games to a file.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::{INTERRUPTED, eprint_line, help, numbers, signals, values};
use morello_core::game::{EngineOptions, Searcher};
use morello_core::othello::Position;
use morello_core::othello::engine::{OthelloSearcher, TrainedEvaluation};

use super::weight_files;
use crate::training::{self, GenerationOptions, TrainingFile, TrainingGame};

/// The size of each thread's tables, in bytes: enough for a game, and small enough for the
/// processor's cache.
const HASH_BYTES: usize = 2 << 20;

/// The value of `--weights` for the hand-made evaluation.
const NO_WEIGHTS: &str = "none";

const EXAMPLES: &str = "\
Examples:
  morello-train generate --games 20000 --depth 2 --exact-from 12 --weights none -o first.games
  morello-train generate --games 20000 --seed 2 --weights mine.weights --output second.games";

/// Generate self-play games of Othello, with scores, from random openings
///
/// The first discs of each game are random. Then the engine plays: a shallow search, and perfect
/// play near the end. A game depends only on its index and on the options other than --games,
/// --time-limit and --threads. To resume an interrupted run, run the same command again. A larger
/// --games adds games.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Number of games in total
    #[arg(long, value_name = "N", help_heading = help::GAMES, value_parser = numbers::whole(1..=u64::MAX))]
    games: u64,

    /// Range of the number of random discs
    ///
    /// The number is drawn for each game, and is at most 59.
    #[arg(long, value_name = "RANGE", default_value = "8..45", help_heading = help::OPENINGS,
        value_parser = parse_range)]
    random_plies: (u8, u8),

    /// Maximum number of random discs after engine moves
    ///
    /// With N above 0, only the first ten and the last 1 to N of these discs are random; the engine
    /// plays the others with a search of two plies. The resulting positions are a few random moves
    /// away from normal play, like positions inside a search.
    #[arg(long, value_name = "N", default_value = "0", help_heading = help::OPENINGS,
        value_parser = numbers::whole(0..=59_u8))]
    burst: u8,

    /// Search depth
    #[arg(long, value_name = "PLIES", default_value = "4", help_heading = help::SEARCH,
        value_parser = numbers::whole(1..=60_u32))]
    depth: u32,

    /// Solve positions with at most this many empty squares
    #[arg(long, value_name = "N", default_value = "16", help_heading = help::SEARCH,
        value_parser = numbers::whole(0..=60_u8))]
    exact_from: u8,

    /// Time limit of the whole run, such as 10m
    #[arg(long, value_name = "TIME", help_heading = help::SEARCH, value_parser = values::parse_time)]
    time_limit: Option<Duration>,

    /// Evaluate with the weights in this file [default: built-in weights]
    ///
    /// `morello-train network` and `morello-train fit` write such files. `none` selects a hand-made
    /// evaluation, which starts training from scratch.
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION)]
    weights: Option<PathBuf>,

    /// Write the games to this file, or add games to it
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: PathBuf,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads and simultaneous games [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,

    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::REPRODUCIBILITY,
        value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,
}

/// Parses a range of numbers of discs.
fn parse_range(text: &str) -> Result<(u8, u8), String> {
    let numbers = text.split_once("..").map(|(least, most)| (least.parse(), most.parse()));
    match numbers {
        Some((Ok(least), Ok(most))) if least <= most && most < 60 => Ok((least, most)),
        Some((Ok(_), Ok(_))) => Err("expected a range such as 8..45, from 0 to 59".to_owned()),
        _ => Err("expected two numbers from 0 to 59, such as 8..45".to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { games, seed, depth, exact_from, random_plies: random, burst, .. } = *arguments;
    let evaluation = match &arguments.weights {
        Some(name) if name.as_os_str() == NO_WEIGHTS => None,
        Some(file) => Some(TrainedEvaluation::read(file)?),
        None => Some(TrainedEvaluation::built_in()),
    };
    let weights = evaluation.as_ref().map_or(0, |evaluation| evaluation.fingerprint());
    let recipe = GenerationOptions { seed, depth, exact_from, random, burst, weights };
    let mut file = TrainingFile::open_games(&arguments.output, &recipe)
        .map_err(|error| weight_files::append_error(&error, &arguments.output))?;
    let known = file.games();
    if known > 0 {
        eprint_line(format_args!("resuming: {known} games are already in `{}`", arguments.output.display()));
    }
    let threads = values::thread_count(arguments.threads);
    let options = EngineOptions::new(HASH_BYTES);
    let searcher = |_| -> Box<dyn Searcher<Position>> {
        Box::new(match &evaluation {
            Some(evaluation) => OthelloSearcher::with_evaluation(&options, Arc::clone(evaluation)),
            None => OthelloSearcher::new(&options),
        })
    };
    let searchers = (0..threads).map(searcher).collect();

    let interrupted = signals::cancel_on_signal()?;
    let cancel = interrupted.child();
    let progress = Progress::new(arguments.progress, "generate", false);
    if let Some(time) = arguments.time_limit {
        signals::cancel_after(time, &cancel);
    }
    let start = Instant::now();
    let mut positions = 0;
    let mut on_game = |done: u64, game: &TrainingGame| {
        positions += game.squares.len() - usize::from(game.random);
        progress.set(done, Some(games), &|| {
            let rate = (done - known) as f64 / start.elapsed().as_secs_f64();
            format!("{done} of {games} games, {rate:.1}/s")
        });
    };
    let generated = training::generate(&recipe, games, searchers, &mut file, &cancel, &mut on_game);
    progress.finish();
    generated.map_err(|error| weight_files::write_error(error, &arguments.output))?;
    let (seconds, new) = (start.elapsed().as_secs_f64(), file.games() - known);
    eprint_line(format_args!(
        "{} games, {new} of them new with {positions} positions, in {seconds:.1} s ({:.1} games/s)",
        file.games(),
        new as f64 / seconds
    ));
    Ok(if interrupted.is_cancelled() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_range_of_discs() {
        assert_eq!(parse_range("8..45"), Ok((8, 45)));
        assert_eq!(parse_range("0..0"), Ok((0, 0)));
        for text in ["", "8", "8..", "8-9", "9..8", "8..60", "-1..3", "8..=9"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }
}
