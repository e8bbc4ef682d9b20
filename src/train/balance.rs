//! `morello-train balance`: makes the mean error of scores 0 at each number of empty squares.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_command::progress::ProgressArguments;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{INTERRUPTED, files, help, numbers};
use morello_core::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use morello_core::game::Cancel;
use morello_core::othello::Board;
use morello_core::othello::engine::network::{Network, NetworkParameters};
use morello_core::othello::engine::patterns::FULL;
use morello_files::input::Input;
use morello_files::output::{Field, OutputFormat};

use super::measurement::measure;
use super::{rounded, weight_files};
use crate::training::{DataSplit, ErrorStatistics, TrainedWeights, balance, probcut};

const EXAMPLES: &str = "\
Examples:
  morello-train balance --data first.games --weights mine.weights --output balanced.weights
  morello-train balance --data first.games --weights mine.weights --output mine.weights --force";

/// Remove the mean score error of weights for each number of empty squares
///
/// Evaluations rate the side that will have the last move too low or too high, so searches of even
/// and odd depth disagree. The command compares searches of 4 plies with exact scores, or with
/// searches of up to 12 plies if 19 or more squares are empty. It reports the mean error in discs
/// for each number of empty squares at the leaves, and writes weights without this error. The
/// positions of the first plies are evaluated without a search. The data should contain positions
/// like those in real games.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Game files from `morello-train generate`
    #[arg(long, value_name = "FILE", required = true, num_args = 1.., help_heading = help::INPUT)]
    data: Vec<PathBuf>,

    /// Maximum number of positions for each number of empty squares
    #[arg(long, value_name = "N", default_value = "500", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=u32::MAX))]
    max_positions: u32,

    /// Weights file, with its sample counts next to it, or network file
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION)]
    weights: PathBuf,

    /// Write the weights to this file; may be the same file
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: PathBuf,

    /// Row format
    #[arg(long, value_enum, default_value = "table", help_heading = help::OUTPUT)]
    format: OutputFormat,

    #[command(flatten)]
    progress: ProgressArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let inputs: Vec<_> = arguments.data.iter().cloned().map(Input::File).collect();
    files::check_distinct(&inputs, &[&arguments.output, &weight_files::counts_path(&arguments.output)])?;
    files::check_new(&arguments.output)?;
    let mut weights = BalancedWeights::read(&arguments.weights)?;
    let corpus = weight_files::read_corpus(&arguments.data)?;
    let boards = probcut::draw_positions(&corpus, DataSplit::All, balance::EMPTIES, arguments.max_positions as usize);
    if boards.is_empty() {
        bail!("the games have no positions to measure; use more --data");
    }
    arguments.threads.start_global()?;

    let measured = measure(arguments.progress, "balance", boards.len(), |cancel, on_position| {
        weights.balance(&boards, cancel, on_position)
    })?;
    let Some(errors) = measured else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let mut output = files::records(arguments.format, fields(), files::Target::Stdout)?;
    errors.iter().try_for_each(|row| output.write(row)).and_then(|()| output.finish())?;
    match weights {
        BalancedWeights::Patterns(trained) => weight_files::write_trained(&arguments.output, &FULL, &trained)?,
        BalancedWeights::Network(network) => weight_files::write(&arguments.output, &network.encode())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The evaluation to balance.
enum BalancedWeights {
    Patterns(TrainedWeights),
    Network(NetworkParameters),
}

impl BalancedWeights {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let bytes = read_file(file, MAX_WEIGHTS_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
        if !Network::is_file(&bytes) {
            return weight_files::read_trained(file, &FULL).map(Self::Patterns);
        }
        let network = NetworkParameters::decode(&bytes);
        network.map(Self::Network).with_context(|| format!("cannot load weights from `{}`", file.display()))
    }

    fn balance(
        &mut self,
        boards: &[Board],
        cancel: &Cancel,
        on_position: &(dyn Fn(usize) + Sync),
    ) -> Option<Vec<(u32, ErrorStatistics)>> {
        let deep = balance::deep_confidence();
        match self {
            Self::Patterns(trained) => balance::balance(&mut trained.weights, boards, deep, cancel, on_position),
            Self::Network(network) => balance::balance(network, boards, deep, cancel, on_position),
        }
    }
}

/// Returns the fields of a row, which is for one number of empty squares.
fn fields() -> Vec<Field<(u32, ErrorStatistics)>> {
    type Row = (u32, ErrorStatistics);
    vec![
        Field::integer("empties", |row: &Row| row.0.into()),
        Field::integer("positions", |row: &Row| row.1.count.into()),
        Field::float("bias", |row: &Row| rounded(row.1.bias()).into()).width(7),
        Field::float("rmse", |row: &Row| rounded(row.1.root_mean_square()).into()).width(7),
    ]
}
