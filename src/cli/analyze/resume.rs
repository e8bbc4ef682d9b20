//! `--resume`: reads the checkpoint of a run and checks that the run is the same.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, ErrorKind};
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
use super::row_writer::{CheckpointWriter, file_of_rows};

/// Reads the checkpoint of the run, or starts one, and locks the output and the table of
/// `--game-rows` against other processes.
pub(super) fn open(
    arguments: &Arguments,
    game: &dyn AnyGame,
    inputs: &[Input],
    limits: &Limits,
) -> anyhow::Result<(CheckpointWriter, Vec<LockedFile>)> {
    let output = arguments.output.as_deref().context("--resume requires --output")?;
    let is_table = |format| matches!(format, RowFormat::Fields(OutputFormat::Table));
    if is_table(arguments.format()?) || arguments.games_format()?.is_some_and(|format| format == OutputFormat::Table) {
        bail!("--resume requires --output in csv, jsonl, parquet or obf, and --game-rows in one of the first three");
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
    let (mut locks, mut new) = (Vec::new(), Vec::new());
    let begin = || {
        for file in [Some(output), arguments.game_rows.as_deref()].into_iter().flatten() {
            let is_new = !file.exists();
            locks.push(lock(file)?);
            new.extend(is_new.then_some(file));
        }
        start(arguments, output, fingerprint)
    };
    let writer = begin();
    if writer.is_err() {
        // Only the locks created them; an empty file that cannot be removed does no harm.
        new.into_iter().for_each(|file| drop(fs::remove_file(file)));
    }
    Ok((writer?, locks))
}

fn lock(file: &Path) -> anyhow::Result<LockedFile> {
    let lock = LockedFile::open(file).map_err(OpenJournalError::Io);
    lock.and_then(|lock| lock.ok_or(OpenJournalError::InUse)).with_context(|| files::cannot_write(Some(file)))
}

/// Reads the checkpoint of the run, or starts one.
fn start(arguments: &Arguments, output: &Path, fingerprint: String) -> anyhow::Result<CheckpointWriter> {
    let path = checkpoint_path(output);
    let begun = match AnalysisCheckpoint::read(&path, &fingerprint) {
        Err(_) if files::replaces_files() => None,
        begun => begun.map_err(|error| {
            let path = path.display();
            anyhow!("cannot resume from `{path}`: {error}; use the same inputs and options, or --force to start again")
        })?,
    };
    let rows = rows_so_far(arguments)?;
    if begun.is_none() {
        // Rows without a checkpoint are left by a complete run that was killed at its end.
        remove_kept_rows(arguments)?;
        check_start(arguments, output, &path)?;
        rows.iter().flatten().try_for_each(|file| File::create(file).map(drop)).context("cannot write the rows")?;
    }
    Ok(CheckpointWriter::new(path, rows, begun.unwrap_or_else(|| AnalysisCheckpoint::new(fingerprint))))
}

/// Returns the files with the rows so far of the output and of `--game-rows`.
fn rows_so_far(arguments: &Arguments) -> anyhow::Result<[Option<PathBuf>; 2]> {
    let formats = [Some(arguments.format()?), arguments.games_format()?.map(RowFormat::Fields)];
    let mut files = [arguments.output.clone(), arguments.game_rows.clone()].into_iter().zip(formats);
    Ok(std::array::from_fn(|_| files.next().and_then(|(file, format)| Some(file_of_rows(file?, format)))))
}

/// Checks that a run without a checkpoint replaces no file.
fn check_start(arguments: &Arguments, output: &Path, checkpoint: &Path) -> anyhow::Result<()> {
    let parquet = RowFormat::Fields(OutputFormat::Parquet);
    let games = arguments.game_rows.as_deref().zip(arguments.games_format()?.map(RowFormat::Fields));
    let is_of_rows = |file: &&Path| *file == output || arguments.game_rows.as_deref() == Some(*file);
    for (file, format) in [(output, arguments.format()?)].into_iter().chain(games) {
        // A run that is killed before its first checkpoint leaves files without rows.
        if format == parquet {
            files::check_new(file)?;
        } else if has_rows(file) && !files::replaces_files() {
            let (path, file) = (checkpoint.display(), file.display());
            bail!(
                "`{file}` has rows but no checkpoint (`{path}`), as after a complete run; use another output, or \
                    --force to start again"
            );
        }
    }
    arguments.written_files().filter(|file| !is_of_rows(file)).try_for_each(files::check_new)
}

/// Removes the checkpoint of a run that is complete or starts again, and the rows for Parquet files.
pub(super) fn remove_checkpoint(arguments: &Arguments) -> anyhow::Result<()> {
    // A checkpoint without the rows, which a killed process could leave, could not be resumed.
    arguments.output.as_deref().map(checkpoint_path).map_or(Ok(()), |file| remove(&file))?;
    remove_kept_rows(arguments)
}

/// Removes the rows for Parquet files.
fn remove_kept_rows(arguments: &Arguments) -> anyhow::Result<()> {
    let outputs = [&arguments.output, &arguments.game_rows];
    let mut kept = rows_so_far(arguments)?.into_iter().flatten();
    kept.try_for_each(|file| if outputs.contains(&&Some(file.clone())) { Ok(()) } else { remove(&file) })
}

fn remove(file: &Path) -> anyhow::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", file.display()))
        }
        _ => Ok(()),
    }
}

/// Checks that a run that is not resumed replaces no interrupted one, or removes what is left of that.
pub(super) fn check_interrupted(arguments: &Arguments) -> anyhow::Result<()> {
    let checkpoint = arguments.output.as_deref().map(checkpoint_path).filter(|checkpoint| checkpoint.is_file());
    match (checkpoint, &arguments.output) {
        (Some(_), Some(output)) if !files::replaces_files() => {
            bail!("`{}` belongs to an interrupted run; --resume continues it, --force starts again", output.display())
        }
        (Some(_), _) => remove_checkpoint(arguments),
        (None, _) => Ok(()),
    }
}

/// Checks that the outputs of a complete run are unchanged.
pub(super) fn check_unchanged(arguments: &Arguments, complete: &AnalysisCheckpoint) -> anyhow::Result<()> {
    let outputs = [(&arguments.output, complete.rows_bytes), (&arguments.game_rows, complete.games_bytes)];
    for (file, bytes) in outputs.into_iter().filter_map(|(file, bytes)| Some((file.as_deref()?, bytes))) {
        let found = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
        if found != Some(bytes) {
            let checkpoint = arguments.output.as_deref().map(checkpoint_path).unwrap_or_default();
            bail!(
                "`{0}` has changed since the run was completed (it had {bytes} bytes); delete it and `{1}` to start \
                    again",
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
