//! `morello-train network`: trains a network on the scores of positions.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{eprint_line, files, help, numbers, signals};
use morello_core::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use morello_files::input::Input;
use morello_files::output::Field;

use super::error_rows::ErrorRows;
use super::{RATES, rounded, weight_files};
use crate::training::network::{self, Epoch, NetworkCheckpoint, NetworkOptions, Start};

const EXAMPLES: &str = "\
Examples:
  morello-train network --data first.labels --init mine.weights --output mine.network
  morello-train network --data first.labels second.labels --epochs 3 -o mine.network";

/// Train a network on the scores of positions
///
/// A network combines patterns in a way that sums of weights cannot express. It is more accurate,
/// but requires millions of positions with good scores, such as the labels of `morello-train
/// label`. Every other command with --weights and every engine with weights=FILE accepts a network
/// file.
///
/// One game in fifty is held out; judge a network by the errors on these games: mean absolute error
/// (mae), root mean square error (rmse) and bias, in discs. To resume an interrupted run, run the
/// same command again.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Label or game files
    #[arg(long, value_name = "FILE", required = true, num_args = 1.., help_heading = help::INPUT)]
    data: Vec<PathBuf>,

    /// Start from these pattern weights or this network
    ///
    /// Without this option, training takes longer. To train a network further with new data, use a
    /// lower --rate.
    #[arg(long, value_name = "FILE", help_heading = help::INPUT)]
    init: Option<PathBuf>,

    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = NetworkOptions::default().epochs, help_heading = help::TRAINING,
        value_parser = numbers::whole(1..=1000_u32))]
    epochs: u32,

    /// Learning rate of the patterns; the rate of the neurons is proportional
    #[arg(long, value_name = "NUMBER", default_value_t = NetworkOptions::default().rate, help_heading = help::TRAINING,
        value_parser = numbers::real(RATES))]
    rate: f32,

    /// Seed of the position order and of the initial weights
    #[arg(long, value_name = "N", default_value_t = NetworkOptions::default().seed,
        help_heading = help::REPRODUCIBILITY, value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,

    /// Write the network to this file
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: PathBuf,

    /// Write the errors of each pass to this file, as CSV
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    csv: Option<PathBuf>,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let inputs: Vec<_> = arguments.data.iter().chain(&arguments.init).cloned().map(Input::File).collect();
    let outputs: Vec<_> = [Some(&*arguments.output), arguments.csv.as_deref()].into_iter().flatten().collect();
    files::check_distinct(&inputs, &outputs)?;
    files::check_new(&arguments.output)?;
    let start = arguments.init.as_deref().map(read_start).transpose()?.unwrap_or_default();
    let corpus = weight_files::read_corpus(&arguments.data)?;
    if corpus.0.iter().all(|data| data.is_empty()) {
        bail!("the data has no positions; use a file with games or labels");
    }
    let options = NetworkOptions { epochs: arguments.epochs, rate: arguments.rate, seed: arguments.seed };
    let unfinished = arguments.output.with_added_extension("unfinished");
    let checkpoint = NetworkCheckpoint::open(&unfinished, &corpus, &start, &options)
        .map_err(|error| weight_files::resume_error(&error, &unfinished))?;
    let mut rows = ErrorRows::open(arguments.csv.as_deref(), fields)?;
    arguments.threads.start_global()?;

    let cancel = signals::cancel_on_signal()?;
    let progress = Progress::new(arguments.progress, "network", std::io::stdout().is_terminal());
    if checkpoint.batches() > 0 {
        eprint_line(format_args!("resuming from `{}`", unfinished.display()));
    }
    let mut on_batch = |done: u64, total: u64, rmse: f64| {
        progress.set(done, Some(total), &|| format!("{done} of {total} positions, rmse {rmse:.3}"));
    };
    let mut on_epoch = |epoch: &Epoch| rows.write(epoch, &progress);
    let trained = network::train(&corpus, &start, &options, &checkpoint, &cancel, &mut on_batch, &mut on_epoch);
    progress.finish();
    let Some(network) = trained.map_err(|error| weight_files::write_error(error, &unfinished))? else {
        return Ok(weight_files::interrupted(&unfinished));
    };
    weight_files::write(&arguments.output, &network.encode())?;
    checkpoint.remove().with_context(|| format!("cannot remove `{}`", unfinished.display()))?;
    rows.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the weights or the network that training starts from.
fn read_start(file: &Path) -> anyhow::Result<Start> {
    let bytes = read_file(file, MAX_WEIGHTS_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
    Start::decode(&bytes).with_context(|| format!("cannot load weights from `{}`", file.display()))
}

/// Returns the fields of a row, which is for one pass.
fn fields() -> Vec<Field<Epoch>> {
    vec![
        Field::integer("epoch", |epoch: &Epoch| u64::from(epoch.number).into()),
        Field::integer("samples", |epoch: &Epoch| epoch.samples.into()).width(9),
        Field::float("train_rmse", |epoch: &Epoch| rounded(epoch.training_rmse).into()),
        Field::integer("held_out", |epoch: &Epoch| epoch.held_out.count.into()),
        Field::float("mae", |epoch: &Epoch| rounded(epoch.held_out.mean_absolute()).into()).width(7),
        Field::float("rmse", |epoch: &Epoch| rounded(epoch.held_out.root_mean_square()).into()).width(7),
        Field::float("bias", |epoch: &Epoch| rounded(epoch.held_out.bias()).into()).width(7),
        Field::float("seconds", |epoch: &Epoch| rounded(Some(epoch.time.as_secs_f64())).into()).width(7),
    ]
}
