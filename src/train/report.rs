//! `morello-train report`: reports the errors of an evaluation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use morello_command::row_arguments::RowArguments;
use morello_command::{eprint_line, help};
use morello_core::bounded_file::{MAX_DATA_BYTES, read_text_file};
use morello_core::othello::Board;
use morello_core::othello::engine::TrainedEvaluation;
use morello_core::othello::engine::patterns::{ORDER, PatternEvaluation};
use morello_core::othello::formats::obf;
use morello_files::output::Field;

use super::rounded;
use super::weight_files::{self, Shapes};
use crate::training::{DataSplit, ErrorStatistics, EvaluationReport};

const EXAMPLES: &str = "\
Examples:
  morello-train report --weights mine.weights --data first.games
  morello-train report --weights mine.weights --positions data/positions/hard-20.obf";

/// Report the errors of weights by empty squares, without a search
///
/// Errors are in discs: mean absolute error (mae), root mean square error (rmse), and bias, which
/// is positive if estimates are too high.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Game files; only games held out by a fit are used
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "positions", help_heading = help::INPUT)]
    data: Vec<PathBuf>,

    /// Use all games, for data that was not used to fit the weights
    #[arg(long, requires = "data", help_heading = help::INPUT)]
    all_games: bool,

    /// OBF files of positions with exact scores
    ///
    /// Positions without a score or a legal move are ignored.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "data", help_heading = help::INPUT)]
    positions: Vec<PathBuf>,

    /// Weights or network file
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION)]
    weights: PathBuf,

    /// Set of patterns
    #[arg(long, value_enum, default_value = "full", value_name = "SET", help_heading = help::EVALUATION)]
    shapes: Shapes,

    #[command(flatten)]
    rows: RowArguments,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match arguments.shapes {
        Shapes::Full => {
            let evaluation = TrainedEvaluation::read(&arguments.weights)?;
            arguments.report(&|board| evaluation.full.evaluate(board))
        }
        Shapes::Order => {
            let evaluation = PatternEvaluation::new(&ORDER, weight_files::read_weights(&arguments.weights, &ORDER)?);
            arguments.report(&|board| evaluation.evaluate(board))
        }
    }
}

impl Arguments {
    fn report(&self, evaluate: &dyn Fn(Board) -> i32) -> anyhow::Result<ExitCode> {
        let report = if self.data.is_empty() {
            let mut report = EvaluationReport::default();
            for file in &self.positions {
                add_positions(file, evaluate, &mut report)?;
            }
            report
        } else {
            let part = if self.all_games { DataSplit::All } else { DataSplit::HeldOut };
            EvaluationReport::of_games(evaluate, &weight_files::read_corpus(&self.data)?, part)
        };
        let mut output = self.rows.open(fields())?;
        report.by_empties().try_for_each(|row| output.write(&row)).and_then(|()| output.finish())?;
        let all = report.all();
        match (all.mean_absolute(), all.root_mean_square(), all.bias()) {
            (Some(mae), Some(rmse), Some(bias)) => {
                let count = all.count;
                eprint_line(format_args!("{count} positions: mae {mae:.3}, rmse {rmse:.3}, bias {bias:.3}"));
            }
            _ => eprint_line(format_args!("no positions")),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Adds the positions of an OBF file.
fn add_positions(file: &Path, evaluate: &dyn Fn(Board) -> i32, report: &mut EvaluationReport) -> anyhow::Result<()> {
    let text = read_text_file(file, MAX_DATA_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split(['%', '#']).next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let entry = match obf::parse::<8>(line) {
            Ok(entry) => entry,
            Err(error) => bail!("`{}`, line {number}, column {}: {}", file.display(), error.column, error.kind),
        };
        let board = entry.position.board();
        if let Some(score) = entry.best_score().filter(|_| !board.moves().is_empty()) {
            report.add(evaluate, board, score);
        }
    }
    Ok(())
}

/// Returns the fields of a row, which is for one number of empty squares.
fn fields() -> Vec<Field<(u32, ErrorStatistics)>> {
    type Row = (u32, ErrorStatistics);
    vec![
        Field::integer("empties", |row: &Row| row.0.into()),
        Field::integer("positions", |row: &Row| row.1.count.into()),
        Field::float("mae", |row: &Row| rounded(row.1.mean_absolute()).into()).width(7),
        Field::float("rmse", |row: &Row| rounded(row.1.root_mean_square()).into()).width(7),
        Field::float("bias", |row: &Row| rounded(row.1.bias()).into()).width(7),
    ]
}
