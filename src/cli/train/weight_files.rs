//! Reading and writing files of games and weights.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;

use crate::journal;
use crate::othello::engine::patterns::{SampleCounts, ShapeSet, Weights};
use crate::training::{Corpus, GameFileError, TrainedWeights, TrainingGames};

/// A set of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shapes {
    /// All patterns, for the evaluation
    Full,
    /// A quarter of them, for move ordering near the end
    Order,
}

/// Reads files of games.
pub(super) fn read_games(files: &[PathBuf]) -> anyhow::Result<Corpus> {
    let read = |file: &PathBuf| {
        TrainingGames::read(file).map_err(|error| {
            let remedy = match error {
                GameFileError::Io(_) | GameFileError::Open(_) => "use a file that can be read",
                GameFileError::NotAGameFile => "use a file written by `morello train generate`",
                GameFileError::Version { .. } => "use the version of morello that wrote it, or generate it again",
                GameFileError::OptionsMismatch { .. } | GameFileError::Damaged { .. } => {
                    "generate it again, or truncate it at that byte"
                }
            };
            anyhow!("cannot read games from `{}`: {error}; {remedy}", file.display())
        })
    };
    let games = files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    for (index, (file, later)) in files.iter().zip(&games).enumerate() {
        if let Some(earlier) =
            games[..index].iter().position(|earlier| earlier.generation_options() == later.generation_options())
        {
            let earlier = files[earlier].display();
            bail!("`{earlier}` and `{}` contain the same games: generate one with another --seed", file.display());
        }
    }
    Ok(Corpus::new(games))
}

/// Reads weights.
pub(super) fn read_weights<const LANES: usize>(file: &Path, set: &'static ShapeSet<LANES>) -> anyhow::Result<Weights> {
    let bytes = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    Weights::decode(set, &bytes).with_context(|| format!("cannot use the weights in `{}`", file.display()))
}

/// Reads weights and their counts.
pub(super) fn read_trained<const LANES: usize>(
    file: &Path,
    set: &'static ShapeSet<LANES>,
) -> anyhow::Result<TrainedWeights> {
    let weights = read_weights(file, set)?;
    let counts_file = counts_path(file);
    let bytes = fs::read(&counts_file).with_context(|| {
        let (counts_file, file) = (counts_file.display(), file.display());
        format!("cannot read `{counts_file}`, the sample counts of the weights in `{file}`: keep both files together")
    })?;
    let counts = SampleCounts::decode(set, &bytes)
        .with_context(|| format!("cannot use the counts in `{}`", counts_file.display()))?;
    Ok(TrainedWeights { weights, counts })
}

/// Writes weights and their counts. Each file is replaced atomically.
pub(super) fn write_trained<const LANES: usize>(
    file: &Path,
    set: &'static ShapeSet<LANES>,
    trained: &TrainedWeights,
) -> anyhow::Result<()> {
    for (path, bytes) in
        [(counts_path(file), trained.counts.encode(set)), (file.to_owned(), trained.weights.encode(set))]
    {
        journal::replace(&path, |to| to.write_all(&bytes))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(())
}

/// Returns the path of the counts of a file of weights: the extension `.weights` is replaced by `.counts`, and others are kept.
pub(super) fn counts_path(file: &Path) -> PathBuf {
    if file.extension().is_some_and(|extension| extension == "weights") {
        file.with_extension("counts")
    } else {
        file.with_added_extension("counts")
    }
}
