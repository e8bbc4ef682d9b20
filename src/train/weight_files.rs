//! Reads and writes games, labels and weights files.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use morello_command::{INTERRUPTED, eprint_line, with_remedy};
use morello_core::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use morello_core::game::WeightsError;
use morello_core::journal::{self, OpenJournalError};
use morello_core::othello::engine::TrainedEvaluation;
use morello_core::othello::engine::patterns::{SampleCounts, ShapeSet, Weights};

use crate::training::{Corpus, TrainedWeights, TrainingCheckpointError, TrainingData, TrainingFileError};

/// A set of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shapes {
    /// All patterns, for the evaluation
    Full,
    /// A quarter of them, for move ordering near the end
    Order,
}

/// Reads games and labels files.
pub(super) fn read_corpus(files: &[PathBuf]) -> anyhow::Result<Corpus> {
    let read = |file: &PathBuf| TrainingData::read(file).map_err(|error| read_error(&error, file));
    let data = files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    for (index, (file, later)) in files.iter().zip(&data).enumerate() {
        if let Some(earlier) = data[..index].iter().position(|earlier| earlier.options_hash() == later.options_hash()) {
            let earlier = files[earlier].display();
            bail!("`{earlier}` and `{}` contain the same games; generate one with another --seed", file.display());
        }
    }
    files.iter().zip(&data).for_each(|(file, data)| warn_of_cut_game(file, data.tail_bytes, data.len()));
    Ok(Corpus(data))
}

/// Warns about a file that ends within a game, after `games` complete games.
pub(super) fn warn_of_cut_game(file: &Path, tail_bytes: usize, games: usize) {
    if tail_bytes > 0 {
        let file = file.display();
        eprint_line(format_args!(
            "warning: `{file}` ends within a game; only the {games} complete games before it are used"
        ));
    }
}

/// Adds a remedy to an error from reading a games or labels file.
pub(super) fn read_error(error: &TrainingFileError, file: &Path) -> anyhow::Error {
    let remedy = match error {
        TrainingFileError::OtherContent { .. } => "use a file written by `morello-train generate`",
        TrainingFileError::Version { .. } => "use the morello that wrote it, or generate it again",
        TrainingFileError::OptionsMismatch { .. }
        | TrainingFileError::Damaged { .. }
        | TrainingFileError::Impossible { .. } => "generate it again, or truncate it at that byte",
        _ => "use a file that can be read",
    };
    anyhow!("cannot read `{}`: {error}; {remedy}", file.display())
}

/// Adds a remedy to an error from opening a games or labels file for appending.
pub(super) fn append_error(error: &TrainingFileError, file: &Path) -> anyhow::Error {
    let remedy = match error {
        TrainingFileError::Open(OpenJournalError::InUse) => "wait for it or use another file",
        TrainingFileError::OtherContent { .. } => "use another file",
        TrainingFileError::Version { .. } => "use another file, or the morello that created it",
        TrainingFileError::OptionsMismatch { .. } => "use the options of the run that created it, or another file",
        TrainingFileError::Damaged { .. } | TrainingFileError::Impossible { .. } => {
            "use another file; to keep what comes before, truncate it at that byte"
        }
        _ => "use a file that can be read and written",
    };
    anyhow!("cannot add to `{}`: {error}; {remedy}", file.display())
}

/// Returns an error message with a remedy for a failed write to such a file.
pub(super) fn write_error(error: impl Into<anyhow::Error>, file: &Path) -> anyhow::Error {
    let failed = format!("cannot write `{}`", file.display());
    with_remedy(failed, error, "free some space and run the same command again to resume")
}

/// Adds a remedy to an error from a training checkpoint.
pub(super) fn resume_error(error: &TrainingCheckpointError, file: &Path) -> anyhow::Error {
    let remedy = match error {
        TrainingCheckpointError::Open(OpenJournalError::Io(_)) => "use an output in a writable directory",
        TrainingCheckpointError::Open(OpenJournalError::InUse) => "wait for it or use another output",
        _ => "delete it to start again, or use the data and options of the run that created it",
    };
    anyhow!("cannot resume from `{}`: {error}; {remedy}", file.display())
}

/// Prints how to resume interrupted training. Returns the exit code.
pub(super) fn interrupted(unfinished: &Path) -> ExitCode {
    eprint_line(format_args!("interrupted; run the same command again to resume from `{}`", unfinished.display()));
    ExitCode::from(INTERRUPTED)
}

/// Reads an evaluation from a file, or returns the built-in one.
pub(super) fn read_evaluation(file: Option<&Path>) -> Result<Arc<TrainedEvaluation>, WeightsError> {
    file.map_or_else(|| Ok(TrainedEvaluation::built_in()), TrainedEvaluation::read)
}

/// Reads weights.
pub(super) fn read_weights<const LANES: usize>(file: &Path, set: &'static ShapeSet<LANES>) -> anyhow::Result<Weights> {
    let bytes = read_file(file, MAX_WEIGHTS_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
    Weights::decode(set, &bytes).with_context(|| format!("cannot load weights from `{}`", file.display()))
}

/// Reads weights and their sample counts.
pub(super) fn read_trained<const LANES: usize>(
    file: &Path,
    set: &'static ShapeSet<LANES>,
) -> anyhow::Result<TrainedWeights> {
    let weights = read_weights(file, set)?;
    let counts_file = counts_path(file);
    let bytes = read_file(&counts_file, MAX_WEIGHTS_BYTES).map_err(|error| {
        let failed = format!(
            "cannot read `{}`, the sample counts of the weights in `{}`",
            counts_file.display(),
            file.display()
        );
        with_remedy(failed, error, "keep both files together")
    })?;
    let counts = SampleCounts::decode(set, &bytes)
        .with_context(|| format!("cannot use the counts in `{}`", counts_file.display()))?;
    Ok(TrainedWeights { weights, counts })
}

/// Writes weights and their sample counts. Each file is replaced atomically.
pub(super) fn write_trained<const LANES: usize>(
    file: &Path,
    set: &'static ShapeSet<LANES>,
    trained: &TrainedWeights,
) -> anyhow::Result<()> {
    for (path, bytes) in
        [(counts_path(file), trained.counts.encode(set)), (file.to_owned(), trained.weights.encode(set))]
    {
        write(&path, &bytes)?;
    }
    Ok(())
}

/// Replaces a file atomically.
pub(super) fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    journal::replace(file, |to| to.write_all(bytes)).with_context(|| format!("cannot write `{}`", file.display()))
}

/// Returns the path of the counts file that belongs to a weights file. The extension `.weights` is
/// replaced with `.counts`; after any other extension, `.counts` is appended.
pub(super) fn counts_path(file: &Path) -> PathBuf {
    if file.extension().is_some_and(|extension| extension == "weights") {
        file.with_extension("counts")
    } else {
        file.with_added_extension("counts")
    }
}
