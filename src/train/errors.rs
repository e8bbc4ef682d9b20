//! `morello-train errors`: measures the errors of search scores.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use morello_command::progress::ProgressArguments;
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{INTERRUPTED, eprint_line, help, numbers};
use morello_core::sorting;
use morello_files::output::{Field, Float};

use super::measurement::{MeasurementArguments, measure};
use super::weight_files;
use crate::training::ErrorStatistics;
use crate::training::score_errors::{self, StatedError};

/// The numbers of empty squares that share a row of the table.
const EMPTIES_PER_ROW: u32 = 5;

const EXAMPLES: &str = "\
Examples:
  morello-train errors --data first.games
  morello-train errors --data other.games --all-games --max-positions 100 --depth 14 --format csv";

/// Measure the errors of search scores, and fit a model to them
///
/// Draws positions from games, by default from games held out by a fit, searches them to all depths
/// and solves them. For each number of empty squares, depth and confidence, the rows compare the
/// measured errors with the predictions of a model that was fitted to other positions. The model
/// itself is printed to standard error as source code; the field score_error of `morello analyze`
/// comes from it.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    positions: MeasurementArguments,

    /// Maximum search depth
    #[arg(long, value_name = "PLIES", default_value = "12", help_heading = help::SEARCH,
        value_parser = numbers::whole(6..=30_u32))]
    depth: u32,

    /// Evaluate with the weights in this file [default: built-in weights]
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION)]
    weights: Option<PathBuf>,

    #[command(flatten)]
    rows: RowArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let evaluation = weight_files::read_evaluation(arguments.weights.as_deref())?;
    let boards = arguments.positions.draw(score_errors::EMPTIES)?;
    arguments.threads.start_global()?;

    let measured = measure(arguments.progress, "errors", boards.len(), |cancel, on_position| {
        score_errors::measure(&evaluation, &boards, arguments.depth, cancel, on_position)
    })?;
    let Some(errors) = measured else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let fitted = score_errors::fit_model(&errors).zip(score_errors::stated_errors(&errors));
    let Some((model, stated)) = fitted else {
        bail!(
            "{} positions are too few or too similar to fit a model; use more --data or more --max-positions",
            boards.len()
        );
    };

    let mut output = arguments.rows.open(fields())?;
    rows(&stated).iter().try_for_each(|row| output.write(row)).and_then(|()| output.finish())?;
    eprint_line(format_args!("{model:.3?}"));
    eprint_line(format_args!("{:.1} % of {} errors are within the stated ones", within_percent(&stated), stated.len()));
    Ok(ExitCode::SUCCESS)
}

fn within_percent(stated: &[StatedError]) -> f64 {
    100.0 * stated.iter().filter(|stated| stated.is_within()).count() as f64 / stated.len() as f64
}

/// The errors for a range of empty squares, one depth and one confidence.
struct ErrorRow {
    /// The smallest of [`EMPTIES_PER_ROW`] numbers of empty squares.
    empties: u32,
    /// The depth; `None` for searches to the end of the game.
    depth: Option<u32>,
    confidence: u32,
    errors: Vec<StatedError>,
}

impl ErrorRow {
    fn statistics(&self) -> ErrorStatistics {
        let mut statistics = ErrorStatistics::default();
        self.errors.iter().for_each(|stated| statistics.add(stated.error.discs.into()));
        statistics
    }

    fn stated(&self) -> f64 {
        self.errors.iter().map(|stated| stated.bound).sum::<f64>() / self.errors.len() as f64
    }
}

/// Groups errors into rows.
fn rows(stated: &[StatedError]) -> Vec<ErrorRow> {
    let key = |stated: &StatedError| {
        let error = stated.error;
        let depth = (!error.is_to_the_end()).then_some(error.depth);
        let empties = error.empties / EMPTIES_PER_ROW * EMPTIES_PER_ROW;
        // Searches to the end come last.
        (empties, depth.is_none(), depth, error.confidence.percent())
    };
    let mut sorted = stated.to_vec();
    sorting::sort_by(&mut sorted, &|a, b| key(a).cmp(&key(b)));
    let rows = sorted.chunk_by(|a, b| key(a) == key(b)).map(|errors| {
        let (empties, _, depth, confidence) = key(&errors[0]);
        ErrorRow { empties, depth, confidence, errors: errors.to_vec() }
    });
    rows.collect()
}

fn fields() -> Vec<Field<ErrorRow>> {
    fn hundredths(discs: Option<f64>) -> Float {
        discs.map(|discs| (discs * 100.0).round() / 100.0).into()
    }
    vec![
        Field::integer("empties", |row: &ErrorRow| row.empties.into()),
        Field::integer("depth", |row: &ErrorRow| row.depth.into()),
        Field::integer("confidence", |row: &ErrorRow| row.confidence.into()),
        Field::integer("count", |row: &ErrorRow| (row.errors.len() as u64).into()).width(6),
        Field::float("bias", |row: &ErrorRow| hundredths(row.statistics().bias())).width(6),
        Field::float("mae", |row: &ErrorRow| hundredths(row.statistics().mean_absolute())).width(6),
        Field::float("rmse", |row: &ErrorRow| hundredths(row.statistics().root_mean_square())).width(6),
        Field::float("stated", |row: &ErrorRow| hundredths(Some(row.stated()))).width(6),
        Field::float("within_percent", |row: &ErrorRow| hundredths(Some(within_percent(&row.errors)))),
    ]
}
