//! `morello-train probcut`: fits the model of selective search.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use morello_command::progress::ProgressArguments;
use morello_command::row_arguments::RowArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{INTERRUPTED, eprint_line, help, numbers};
use morello_core::game::Confidence;
use morello_core::sorting;
use morello_files::output::Field;

use super::measurement::{MeasurementArguments, measure};
use super::weight_files;
use crate::training::probcut::{self, Deviation, MeasurementDepths};

/// The numbers of empty squares that share a row of the table.
const EMPTIES_PER_ROW: u32 = 10;

const EXAMPLES: &str = "\
Examples:
  morello-train probcut --data first.games --weights mine.weights
  morello-train probcut --data other.games --all-games --max-positions 20 --format csv";

/// Fit the model of selective search (ProbCut) to score differences between depths
///
/// Draws positions from games, by default from games held out by a fit, and searches them to all
/// depths without pruning. For each number of empty squares and each pair of depths, the rows
/// compare the measured differences with the predictions of a model that was fitted to other
/// positions. The model itself is printed to standard error as source code, with the share of
/// differences within each confidence level.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    positions: MeasurementArguments,

    /// Maximum search depth
    #[arg(long, value_name = "PLIES", default_value = "9", help_heading = help::SEARCH,
        value_parser = numbers::whole(3..=30_u32))]
    depth: u32,

    /// Also solve positions with at most this many empty squares
    #[arg(long, value_name = "N", default_value = "20", help_heading = help::SEARCH,
        value_parser = numbers::whole(12..=30_u32))]
    exact_from: u32,

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
    let boards = arguments.positions.draw(probcut::EMPTIES)?;
    arguments.threads.start_global()?;

    let depths = MeasurementDepths { deepest: arguments.depth, exact_from: arguments.exact_from };
    let measured = measure(arguments.progress, "probcut", boards.len(), |cancel, on_position| {
        probcut::measure(&evaluation, &boards, depths, cancel, on_position)
    })?;
    let Some(differences) = measured else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let fitted = probcut::fit_model(&differences).zip(probcut::deviations(&differences));
    let Some((model, deviations)) = fitted else {
        bail!(
            "{} positions are too few or too similar to fit a model; use more --data, more --max-positions or a \
                larger --depth",
            boards.len()
        );
    };

    let mut output = arguments.rows.open(fields())?;
    rows(&deviations).iter().try_for_each(|row| output.write(row)).and_then(|()| output.finish())?;
    eprint_line(format_args!("Model {{ mean: {:.4?}, log_sigma: {:.4?} }}", model.mean, model.log_sigma));
    for level in Confidence::all().filter(|&level| level != Confidence::FULL) {
        let within = deviations.iter().filter(|deviation| deviation.sigmas().abs() <= level.deviations()).count();
        let percent = 100.0 * within as f64 / deviations.len() as f64;
        eprint_line(format_args!(
            "{percent:.1} % of {} differences are within the bounds for {level}",
            deviations.len()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The differences for a range of empty squares, one depth and one shallow depth.
struct DeviationRow {
    /// The number of empty squares; if the deep search did not reach the end, the smallest of
    /// [`EMPTIES_PER_ROW`] numbers.
    empties: u32,
    exact: bool,
    depth: u32,
    shallow: u32,
    deviations: Vec<Deviation>,
}

impl DeviationRow {
    fn mean_of(&self, value: impl Fn(&Deviation) -> f64) -> f64 {
        self.deviations.iter().map(value).sum::<f64>() / self.deviations.len() as f64
    }

    fn mean(&self) -> f64 {
        self.mean_of(|deviation| deviation.difference.discs.into())
    }

    fn sigma(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|deviation| (f64::from(deviation.difference.discs) - mean).powi(2)).sqrt()
    }
}

/// Groups deviations into rows.
fn rows(deviations: &[Deviation]) -> Vec<DeviationRow> {
    let key = |deviation: &Deviation| {
        let difference = deviation.difference;
        let exact = difference.depth == difference.empties;
        let band = if exact { difference.empties } else { difference.empties / EMPTIES_PER_ROW * EMPTIES_PER_ROW };
        (exact, band, difference.depth, difference.shallow)
    };
    let mut sorted = deviations.to_vec();
    sorting::sort_by(&mut sorted, &|a, b| key(a).cmp(&key(b)));
    let rows = sorted.chunk_by(|a, b| key(a) == key(b)).map(|deviations| {
        let (exact, empties, depth, shallow) = key(&deviations[0]);
        DeviationRow { empties, exact, depth, shallow, deviations: deviations.to_vec() }
    });
    rows.collect()
}

fn fields() -> Vec<Field<DeviationRow>> {
    vec![
        Field::integer("empties", |row: &DeviationRow| row.empties.into()),
        Field::integer("depth", |row: &DeviationRow| row.depth.into()),
        Field::boolean("exact", |row: &DeviationRow| row.exact.into()),
        Field::integer("shallow", |row: &DeviationRow| row.shallow.into()),
        Field::integer("count", |row: &DeviationRow| (row.deviations.len() as u64).into()).width(6),
        Field::float("mean", |row: &DeviationRow| hundredths(row.mean()).into()).width(6),
        Field::float("model_mean", |row: &DeviationRow| hundredths(row.mean_of(|deviation| deviation.mean)).into()),
        Field::float("sigma", |row: &DeviationRow| hundredths(row.sigma()).into()).width(6),
        Field::float("model_sigma", |row: &DeviationRow| hundredths(row.mean_of(|deviation| deviation.sigma)).into()),
    ]
}

fn hundredths(discs: f64) -> f64 {
    (discs * 100.0).round() / 100.0
}
