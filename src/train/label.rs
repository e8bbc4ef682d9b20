//! `morello-train label`: labels positions from games with search scores.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::{INTERRUPTED, eprint_line, help, numbers, signals, values};
use morello_core::game::{Confidence, EngineOptions, Searcher};
use morello_core::othello::Position;
use morello_core::othello::engine::OthelloSearcher;
use morello_files::input::Input;

use super::weight_files;
use crate::training::{self, LabelOptions, Sample, TrainingData, TrainingFile};

/// The size of each thread's tables, in bytes: enough for the search of a label, and quick to
/// clear.
const HASH_BYTES: usize = 2 << 20;

const EXAMPLES: &str = "\
Examples:
  morello-train label --data first.games --depth 8 --exact-from 16 --output first.labels
  morello-train fit --data first.labels --init mine.weights --output better.weights";

/// Label training positions with search scores
///
/// Search scores are more accurate than the final score of a quick game. The labels of a game
/// depend only on the game and on the options other than --time-limit and --threads. To resume an
/// interrupted run, run the same command again.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Game file from `morello-train generate`
    #[arg(long, value_name = "FILE", help_heading = help::INPUT)]
    data: PathBuf,

    /// Label only positions with this many empty squares
    #[arg(long, value_name = "RANGE", default_value = "1..60", help_heading = help::INPUT,
        value_parser = super::parse_empties)]
    empties: RangeInclusive<u8>,

    /// Maximum number of positions per game, after the random moves [default: all]
    #[arg(long, value_name = "N", help_heading = help::INPUT, value_parser = numbers::whole(1..=60_u8))]
    max_positions: Option<u8>,

    /// Follow the best moves of the search instead of the moves of the game
    ///
    /// This applies from the first position after the random moves. The search for each label then
    /// also chooses the next position, so the games can be quick.
    #[arg(long, help_heading = help::INPUT)]
    follow: bool,

    /// Share of the next label of the line in each label
    ///
    /// Later searches then count too, up to the exact score at the end; the farther away, the less
    /// they count.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "follow", help_heading = help::SEARCH,
        value_parser = numbers::real(0.0..=1.0_f32))]
    lambda: f32,

    /// Search depth
    #[arg(long, value_name = "PLIES", default_value = "8", help_heading = help::SEARCH,
        value_parser = numbers::whole(1..=60_u32))]
    depth: u32,

    /// Confidence of selective search: 73, 87, 95, 98, 99 or 100 percent
    #[arg(long, value_name = "PERCENT", default_value_t = Confidence::LOWEST, help_heading = help::SEARCH)]
    confidence: Confidence,

    /// Solve positions with at most this many empty squares
    #[arg(long, value_name = "N", default_value = "16", help_heading = help::SEARCH,
        value_parser = numbers::whole(0..=60_u8))]
    exact_from: u8,

    /// Time limit of the whole run, such as 10m
    #[arg(long, value_name = "TIME", help_heading = help::SEARCH, value_parser = values::parse_time)]
    time_limit: Option<Duration>,

    /// Evaluate with the weights in this file [default: built-in weights]
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION)]
    weights: Option<PathBuf>,

    /// Write the labels to this file, or add labels to it
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: PathBuf,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads and simultaneous searches [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { data, output, depth, confidence, exact_from, .. } = arguments;
    morello_command::files::check_distinct(&[Input::File(data.clone())], &[output])?;
    let games = TrainingData::read_games(data).map_err(|error| weight_files::read_error(&error, data))?;
    weight_files::warn_of_cut_game(data, games.tail_bytes, games.len());
    let evaluation = weight_files::read_evaluation(arguments.weights.as_deref())?;
    let options = LabelOptions {
        seed: games.seed(),
        games: games.options_hash(),
        depth: *depth,
        confidence: *confidence,
        exact_from: *exact_from,
        empties: (*arguments.empties.start(), *arguments.empties.end()),
        positions: arguments.max_positions.unwrap_or(0),
        follow: arguments.follow,
        lambda: arguments.lambda,
        weights: evaluation.fingerprint(),
    };
    let mut file =
        TrainingFile::open_labels(output, &options).map_err(|error| weight_files::append_error(&error, output))?;
    let (known, total) = (file.games(), games.len() as u64);
    if known > 0 {
        eprint_line(format_args!("resuming: labels of {known} games are already in `{}`", output.display()));
    }
    let searcher = |_| -> Box<dyn Searcher<Position>> {
        Box::new(OthelloSearcher::with_evaluation(&EngineOptions::new(HASH_BYTES), Arc::clone(&evaluation)))
    };
    let searchers = (0..values::thread_count(arguments.threads)).map(searcher).collect();

    let interrupted = signals::cancel_on_signal()?;
    let cancel = interrupted.child();
    let progress = Progress::new(arguments.progress, "label", false);
    if let Some(time) = arguments.time_limit {
        signals::cancel_after(time, &cancel);
    }
    let start = Instant::now();
    let mut labels = 0;
    let mut on_game = |done: u64, new: &Vec<Sample>| {
        labels += new.len();
        progress.set(done, Some(total), &|| {
            format!("{done} of {total} games, {:.0} labels/s", labels as f64 / start.elapsed().as_secs_f64())
        });
    };
    let labeled = training::label(&options, &games, searchers, &mut file, &cancel, &mut on_game);
    progress.finish();
    labeled.map_err(|error| weight_files::write_error(error, output))?;
    let (known, seconds) = (file.games(), start.elapsed().as_secs_f64());
    eprint_line(format_args!("labels of {known} of {total} games: {labels} new ones in {seconds:.1} s"));
    Ok(if interrupted.is_cancelled() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}
