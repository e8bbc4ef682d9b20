//! `morello-train fit`: fits pattern weights to the scores of games.

use std::fs;
use std::io::IsTerminal;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{eprint_line, files, help, numbers, signals};
use morello_core::othello::engine::patterns::{FULL, ORDER, PLIES, ShapeSet, UNIT};
use morello_files::input::Input;
use morello_files::output::Field;

use super::error_rows::ErrorRows;
use super::weight_files::{self, Shapes};
use super::{parse_empties, rounded};
use crate::training::{self, FitCheckpoint, FitOptions, Fitted, Sweep, WEIGHT_STEP};

const EXAMPLES: &str = "\
Examples:
  morello-train fit --data first.games --output mine.weights
  morello-train fit --data first.games second.games --init mine.weights -o better.weights";

/// Fit pattern weights to the scores of games
///
/// Minimizes the squared errors ply by ply, in one sweep from the end of the game to its start and
/// one sweep back. Weights with few samples stay close to the weights of the neighboring plies. One
/// game in fifty is held out; judge a fit by the errors on these games: mean absolute error (mae),
/// root mean square error (rmse) and bias, in discs.
///
/// The output contains the weights. A file next to it, with the extension .counts, contains the
/// number of samples of each weight. With both as --init, a fit to new games improves the weights
/// without the earlier games. To resume an interrupted fit, run the same command again.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Game files from `morello-train generate`
    #[arg(long, value_name = "FILE", required = true, num_args = 1.., help_heading = help::INPUT)]
    data: Vec<PathBuf>,

    /// Start from these weights; may be the same file as the output
    #[arg(long, value_name = "FILE", help_heading = help::INPUT)]
    init: Option<PathBuf>,

    /// Set of patterns
    #[arg(long, value_enum, default_value = "full", value_name = "SET", help_heading = help::EVALUATION)]
    shapes: Shapes,

    /// Maximum number of passes over the positions of each ply in a sweep
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().epochs, help_heading = help::TRAINING,
        value_parser = numbers::whole(1..=u32::MAX))]
    epochs: u32,

    /// Expected squared change of a weight from ply to ply
    ///
    /// The unit is squared discs.
    #[arg(long, value_name = "NUMBER", default_value_t = FitOptions::default().change, help_heading = help::TRAINING,
        value_parser = numbers::real(POSITIVE))]
    change: f32,

    /// Weight of a sample behind --init, relative to a new sample
    #[arg(long, value_name = "NUMBER", default_value_t = FitOptions::default().prior, help_heading = help::TRAINING,
        value_parser = numbers::real(POSITIVE))]
    prior: f32,

    /// Keep only the weights for these numbers of empty squares
    ///
    /// The weights for other numbers become equal to the weights for the nearest number, which
    /// makes the file smaller. Move ordering needs 6..20.
    #[arg(long, value_name = "RANGE", help_heading = help::OUTPUT, value_parser = parse_empties)]
    keep: Option<RangeInclusive<u8>>,

    /// Round the weights to multiples of this many discs
    ///
    /// Must be a multiple of 0.03125 (1/32 disc), the resolution of the weights. Rounding makes the
    /// file smaller; multiples of 0.5 order moves equally well.
    #[arg(long, value_name = "DISCS", help_heading = help::OUTPUT, value_parser = parse_step)]
    round: Option<i16>,

    /// Write the weights to this file
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: PathBuf,

    /// Write the errors of each ply to this file, as CSV
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    csv: Option<PathBuf>,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

/// Numbers above 0, in a range in which sums of samples are exact.
const POSITIVE: RangeInclusive<f32> = 1e-6..=1e6;

/// Parses a rounding step in discs. Returns it in weight units.
fn parse_step(text: &str) -> Result<i16, String> {
    const LEAST: f32 = WEIGHT_STEP as f32 / UNIT as f32;
    let steps = numbers::real(LEAST..=64.0)(text).map_err(|error| error.to_string())? / LEAST;
    if steps.fract() != 0.0 {
        return Err(format!("expected a multiple of {LEAST}, such as 0.25"));
    }
    Ok(steps as i16 * WEIGHT_STEP as i16)
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match arguments.shapes {
        Shapes::Full => arguments.fit(&FULL),
        Shapes::Order => arguments.fit(&ORDER),
    }
}

impl Arguments {
    fn fit<const LANES: usize>(&self, set: &'static ShapeSet<LANES>) -> anyhow::Result<ExitCode> {
        let counts = weight_files::counts_path(&self.output);
        // --init may be the output: it is read here and replaced at the end.
        let inputs: Vec<_> = self.data.iter().cloned().map(Input::File).collect();
        let outputs: Vec<&Path> =
            [Some(&*self.output), Some(&*counts), self.csv.as_deref()].into_iter().flatten().collect();
        files::check_distinct(&inputs, &outputs)?;
        files::check_new(&self.output)?;
        let init = self.init.as_deref().map(|file| weight_files::read_trained(file, set)).transpose()?;
        let corpus = weight_files::read_corpus(&self.data)?;
        let options = FitOptions { epochs: self.epochs, change: self.change, prior: self.prior };
        let unfinished = self.output.with_added_extension("unfinished");
        let mut checkpoint = FitCheckpoint::open(&unfinished, set, &corpus, init.as_ref(), &options)
            .map_err(|error| weight_files::resume_error(&error, &unfinished))?;
        let known = checkpoint.finished_steps();
        let mut rows = ErrorRows::open(self.csv.as_deref(), fields)?;
        self.threads.start_global()?;

        let cancel = signals::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "fit", std::io::stdout().is_terminal());
        let steps = training::steps().len();
        let mut done = 0;
        let mut on_step = |fitted: &Fitted| {
            done += 1;
            progress.set(done as u64, Some(steps as u64), &|| {
                let error =
                    fitted.held_out.mean_absolute().map_or_else(String::new, |error| format!(", error {error:.3}"));
                format!("ply {}{error}", fitted.ply)
            });
            if fitted.sweep == Sweep::Forward {
                rows.write(fitted, &progress);
            }
        };
        if known > 0 {
            eprint_line(format_args!("resuming: {known} of {steps} steps are in `{}`", unfinished.display()));
        }
        let trained =
            training::fit(set, &corpus, init.as_ref(), &options, Some(&mut checkpoint), &cancel, &mut on_step);
        progress.finish();
        let Some(mut trained) = trained.map_err(|error| weight_files::write_error(error, &unfinished))? else {
            return Ok(weight_files::interrupted(&unfinished));
        };
        if let Some(keep) = &self.keep {
            trained.keep(keep.clone());
        }
        if let Some(step) = self.round {
            trained.round(step);
        }
        weight_files::write_trained(&self.output, set, &trained)?;
        drop(checkpoint);
        fs::remove_file(&unfinished).with_context(|| format!("cannot remove `{}`", unfinished.display()))?;
        rows.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the fields of a row, which is for one ply.
fn fields() -> Vec<Field<Fitted>> {
    vec![
        Field::integer("ply", |fitted: &Fitted| (fitted.ply as u64).into()),
        Field::integer("empties", |fitted: &Fitted| ((PLIES - 1 - fitted.ply) as u64).into()),
        Field::integer("samples", |fitted: &Fitted| fitted.training.count.into()).width(9),
        Field::float("train_mae", |fitted: &Fitted| rounded(fitted.training.mean_absolute()).into()),
        Field::integer("held_out", |fitted: &Fitted| fitted.held_out.count.into()),
        Field::float("mae", |fitted: &Fitted| rounded(fitted.held_out.mean_absolute()).into()).width(7),
        Field::float("rmse", |fitted: &Fitted| rounded(fitted.held_out.root_mean_square()).into()).width(7),
        Field::float("bias", |fitted: &Fitted| rounded(fitted.held_out.bias()).into()).width(7),
        Field::float("seconds", |fitted: &Fitted| rounded(Some(fitted.time.as_secs_f64())).into()).width(7),
    ]
}
