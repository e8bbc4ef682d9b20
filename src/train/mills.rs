//! `morello-train mills`: fits the evaluation of a mill game.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::{FAILED, INTERRUPTED, eprint_line, files, help, numbers, signals};
use morello_core::game::ParsedRecord;
use morello_core::games;
use morello_core::morris::engine::database::Database;
use morello_files::output::Field;

use super::error_rows::ErrorRows;
use super::{RATES, rounded, weight_files};
use crate::training::mills::{MillEpoch, MillFitOptions, mill_samples};

const EXAMPLES: &str = "\
Examples:
  morello selfplay six-mens-morris --engine nodes=400 --engine nodes=500 --games 1000 --log a.jsonl
  morello-train mills six-mens-morris a.jsonl --output mine.weights
  morello selfplay six-mens-morris --engine nodes=400,weights=mine.weights --engine nodes=400";

/// Fit the evaluation of a mill game to games with results and scores
///
/// Fits weights for the numbers of men and mills, mobility, and pattern configurations, by stage of
/// the game. The estimates then predict the winner and the score of the move that was played
/// (logistic regression). If only some moves of a game have scores, the moves without a score count
/// as a random opening, and the positions before them are skipped unless --database has them. One
/// game in fifty is held out. The losses are mean cross-entropies in nats.
///
/// A fit of five million positions takes less than a minute; looking up their results in large
/// tables takes five minutes more. Invalid games are reported on standard error and skipped.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct Arguments {
    /// Mill game
    #[arg(value_parser = mills())]
    game: String,

    /// Game files; `-` or no file means standard input
    ///
    /// For example, use logs of `morello selfplay`. Files may be compressed; directories are also
    /// accepted.
    files: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,

    /// Directory of the endgame databases
    ///
    /// For positions in the tables of DIR/GAME, the exact result replaces the result of the game.
    #[arg(long, value_name = "DIR", help_heading = help::DATABASE)]
    database: Option<PathBuf>,

    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = MillFitOptions::default().epochs, help_heading = help::TRAINING,
        value_parser = numbers::whole(1..=1000_u32))]
    epochs: u32,

    /// Share of game results in the targets, from 0 to 1; the rest is scores
    ///
    /// The targets combine the result of the game and the score of the move that was played.
    #[arg(long, value_name = "SHARE", default_value_t = MillFitOptions::default().results,
        help_heading = help::TRAINING, value_parser = numbers::real(0.0..=1.0_f32))]
    results: f32,

    /// Learning rate
    ///
    /// The last two passes use a half and a fifth of this rate.
    #[arg(long, value_name = "NUMBER", default_value_t = MillFitOptions::default().rate, help_heading = help::TRAINING,
        value_parser = numbers::real(RATES))]
    rate: f32,

    /// Seed of the order of the positions
    #[arg(long, value_name = "N", default_value_t = MillFitOptions::default().seed,
        help_heading = help::REPRODUCIBILITY, value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,

    /// Write the weights to this file
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: PathBuf,

    /// Write the losses of each pass to this file, as CSV
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    csv: Option<PathBuf>,

    #[command(flatten)]
    progress: ProgressArguments,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = games::get(&arguments.game)?;
    let format = arguments.format.input_format(game)?;
    let inputs = files::inputs(&arguments.files)?;
    let outputs: Vec<_> = [Some(&*arguments.output), arguments.csv.as_deref()].into_iter().flatten().collect();
    files::check_distinct(&inputs, &outputs)?;
    files::check_new(&arguments.output)?;
    let total_bytes = files::total_bytes(&inputs);
    let reader = files::reader(game, inputs, &format)?;
    let database = arguments.database.as_deref().map(|dir| open(dir, &arguments.game)).transpose()?;
    let mut rows = ErrorRows::open(arguments.csv.as_deref(), fields)?;
    let cancel = signals::cancel_on_signal()?;
    let progress = Progress::new(arguments.progress, "mills", std::io::stdout().is_terminal());

    let mut samples = mill_samples(&arguments.game).expect("the game is a mill game");
    let (mut games, mut unknown, mut invalid) = (0u64, 0u64, 0u64);
    for record in reader.read_ahead(&cancel) {
        let record = record?;
        match record.content {
            Ok(ParsedRecord::Games(found)) => {
                for game in found {
                    games += 1;
                    unknown += u64::from(samples.add(&game, database.as_ref())? == 0);
                }
            }
            Ok(ParsedRecord::Position(_)) => {}
            Err(error) => {
                invalid += 1;
                progress.suspend(|| files::report_invalid(&record.file, &error));
            }
        }
        progress.set(record.bytes_read, total_bytes, &|| counted(games, "game"));
    }
    if cancel.is_cancelled() {
        return Ok(interrupted(&progress));
    }
    if samples.is_empty() {
        bail!("the files have no games with results; use logs of `morello selfplay`");
    }
    if unknown > 0 {
        progress.suspend(|| eprint_line(format_args!("skipped {} without a result", counted(unknown, "game"))));
    }
    let Arguments { epochs, rate, results, seed, .. } = *arguments;
    let options = MillFitOptions { epochs, rate, results, seed };
    let total = samples.len() as u64 * u64::from(epochs);
    let mut on_progress = |done| progress.set(done, Some(total), &|| format!("{done} of {total} positions"));
    let mut on_epoch = |epoch: &MillEpoch| rows.write(epoch, &progress);
    let Some(weights) = samples.fit(&options, &cancel, &mut on_progress, &mut on_epoch) else {
        return Ok(interrupted(&progress));
    };
    progress.finish();
    weight_files::write(&arguments.output, &weights)?;
    rows.finish()?;
    Ok(if invalid > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// Opens the tables of a game.
fn open(dir: &Path, game: &str) -> anyhow::Result<Database> {
    let database = Database::open(&files::tables_folder(dir, game)?, games::mill(game)?.ruleset()?)?;
    match database.unusable_tables().first() {
        Some(unusable) => bail!("--database: {}", unusable.error),
        None => Ok(database),
    }
}

fn interrupted(progress: &Progress) -> ExitCode {
    progress.finish();
    eprint_line(format_args!("interrupted: no weights were written"));
    ExitCode::from(INTERRUPTED)
}

/// Returns the fields of a row, which is for one pass.
fn fields() -> Vec<Field<MillEpoch>> {
    vec![
        Field::integer("epoch", |epoch: &MillEpoch| u64::from(epoch.number).into()),
        Field::integer("samples", |epoch: &MillEpoch| epoch.samples.into()).width(9),
        Field::float("train_loss", |epoch: &MillEpoch| rounded(Some(epoch.training_loss)).into()),
        Field::integer("held_out", |epoch: &MillEpoch| epoch.held_out.into()),
        Field::float("loss", |epoch: &MillEpoch| rounded(epoch.loss).into()).width(7),
        Field::float("seconds", |epoch: &MillEpoch| rounded(Some(epoch.time.as_secs_f64())).into()).width(7),
    ]
}

/// Returns the names of the mill games.
fn mills() -> Vec<&'static str> {
    games::all().iter().map(|game| game.name()).filter(|name| games::mill(name).is_ok()).collect()
}
