//! The log of a match in a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use morello_command::files;
use morello_core::game::AnyGame;
use morello_core::journal::{Journal, OpenJournalError};
use morello_play::tournament::{FinishedGame, read_log};

/// The time between two syncs of the log to the disk: the games that a crash of the machine may
/// lose.
pub(in crate::cli) const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// Writes a line to a log.
pub(super) type Log = Box<dyn FnMut(&str) -> io::Result<()>>;

/// Creates a log, or resumes one and returns its games. Never overwrites the games of an earlier
/// run.
pub(super) fn open(
    game: &dyn AnyGame,
    path: &Path,
    resume: bool,
    names: &[&str],
    identity: &str,
) -> anyhow::Result<(Log, BTreeMap<u64, FinishedGame>)> {
    let mut played = BTreeMap::new();
    let mut journal = open_journal(path, resume, "match", &mut |bytes| {
        let (games, whole) = read_log(game, bytes, names, identity)?;
        played = games;
        Ok(whole as usize)
    })?;
    Ok((Box::new(move |line| journal.add(line.as_bytes(), SYNC_INTERVAL)), played))
}

/// Creates a log, or resumes one. `read` gets its bytes and returns the length of the whole lines.
pub(in crate::cli) fn open_journal(
    path: &Path,
    resume: bool,
    what: &str,
    read: &mut dyn FnMut(&[u8]) -> anyhow::Result<usize>,
) -> anyhow::Result<Journal> {
    if !resume {
        files::check_new(path).with_context(|| format!("--log, without --resume to continue the {what}"))?;
        if files::replaces_files() {
            File::create(path).with_context(|| files::cannot_write(Some(path)))?;
        }
    }
    let journal = Journal::open::<anyhow::Error>(path, b"", |bytes| {
        read(bytes).with_context(|| format!("cannot resume from `{}`", path.display()))
    });
    journal.map_err(|error| match error.downcast::<OpenJournalError>() {
        Ok(error) => anyhow::Error::new(error).context(files::cannot_write(Some(path))),
        Err(error) => error,
    })
}
