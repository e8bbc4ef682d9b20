//! `--resume`: reads the checkpoint of a run and checks that the run is the same.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use morello_analysis::checkpoint::{self, AnalysisCheckpoint};
use morello_command::files;
use morello_core::game::{AnyGame, Limits};
use morello_core::journal::OpenJournalError;
use morello_core::lock::LockedFile;
use morello_files::input::Input;
use morello_files::output::OutputFormat;

use super::Arguments;
use super::row_format::RowFormat;
use super::row_writer::CheckpointWriter;

/// Reads the checkpoint of the run, or starts one, and locks the output against other processes.
pub(super) fn open(
    arguments: &Arguments,
    game: &dyn AnyGame,
    inputs: &[Input],
    limits: &Limits,
) -> anyhow::Result<(CheckpointWriter, LockedFile)> {
    let output = arguments.output.as_deref().context("--resume requires --output")?;
    let of_games = arguments.games.as_deref().map(OutputFormat::of_file).transpose()?.map(RowFormat::Fields);
    let goes_on = |format| {
        matches!(
            format,
            RowFormat::Obf | RowFormat::Fields(OutputFormat::Csv | OutputFormat::SafeCsv | OutputFormat::Jsonl)
        )
    };
    if !goes_on(arguments.format()?) || of_games.is_some_and(|format| !goes_on(format)) {
        bail!(
            "--resume requires --output in csv, jsonl or obf, and --games in csv or jsonl: use one of these extensions"
        );
    }
    let options = format!(
        "{:?}",
        (
            env!("CARGO_PKG_VERSION"),
            game.name(),
            limits,
            arguments.search.evaluation_identity(game)?,
            arguments.row_settings()
        )
    );
    let fingerprint = checkpoint::fingerprint(inputs, &options).context("cannot read the inputs")?;
    let Some(fingerprint) = fingerprint else {
        bail!("--resume requires input files: pipes and standard input cannot be read again");
    };
    let is_new = !output.exists();
    let lock = LockedFile::open(output).map_err(OpenJournalError::Io);
    let lock =
        lock.and_then(|lock| lock.ok_or(OpenJournalError::InUse)).with_context(|| files::cannot_write(Some(output)))?;
    let path = checkpoint_path(output);
    let begun = AnalysisCheckpoint::read(&path, &fingerprint).map_err(|error| {
        if is_new {
            // Only the lock created it; an empty file that cannot be removed does no harm.
            let _ = fs::remove_file(output);
        }
        let (path, output) = (path.display(), output.display());
        anyhow!(
            "cannot resume from `{path}`: {error}: use the same inputs and options, or delete it and `{output}` \
                to start again"
        )
    })?;
    if begun.is_none() && has_rows(output) {
        let (path, output) = (path.display(), output.display());
        bail!("`{output}` has rows but no checkpoint (`{path}`): delete it to start again, or use another output");
    }
    let begun = begun.unwrap_or_else(|| AnalysisCheckpoint::new(fingerprint));
    Ok((CheckpointWriter::new(path, arguments, begun), lock))
}

/// Checks that the outputs of a complete run are unchanged.
pub(super) fn check_unchanged(arguments: &Arguments, complete: &AnalysisCheckpoint) -> anyhow::Result<()> {
    let outputs = [(&arguments.output, complete.rows_bytes), (&arguments.games, complete.games_bytes)];
    for (file, bytes) in outputs.into_iter().filter_map(|(file, bytes)| Some((file.as_deref()?, bytes))) {
        let found = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
        if found != Some(bytes) {
            let checkpoint = arguments.output.as_deref().map(checkpoint_path).unwrap_or_default();
            bail!(
                "`{0}` has changed since the run was completed (it had {bytes} bytes): delete it and `{1}` to \
                    start again",
                file.display(),
                checkpoint.display()
            );
        }
    }
    Ok(())
}

/// Returns whether a file has more than a line, which may be the header of a run that was killed at
/// once.
fn has_rows(output: &Path) -> bool {
    let Ok(file) = File::open(output) else { return false };
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    is_file && BufReader::new(file).split(b'\n').take(2).filter(Result::is_ok).count() == 2
}

/// Returns the path of the checkpoint of an output.
pub(super) fn checkpoint_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}
