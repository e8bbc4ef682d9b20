//! [`AnalysisCheckpoint`]: how far a run is, in a small file beside its output, so that it can go on after it was ended.
//!
//! The file is JSON. It is written anew every few seconds, beside its place and then moved there, so that there is always a whole one. What
//! it says holds at the end of a record: so many records are done, each output has so many bytes, and the statistics are those. What the
//! outputs have beyond is cut off when the run goes on, and the records are searched again. The fingerprint is of the inputs and of
//! everything that the rows depend on: what goes on is the same run, or does not begin.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::{PlayStatistics, Statistics};
use crate::input::Input;
use crate::journal;

/// The version of the file.
const VERSION: u32 = 1;

/// How far a run is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AnalysisCheckpoint {
    version: u32,
    fingerprint: String,
    /// Whether the run came to its end.
    pub complete: bool,
    /// The records that are done, of all inputs together; those that other shards do are among them.
    pub records: u64,
    /// The bytes of the rows.
    pub rows_bytes: u64,
    /// The bytes of the table of games, if there is one.
    pub games_bytes: u64,
    /// The time that the run took up to here, in milliseconds.
    pub elapsed_ms: u64,
    /// The statistics of the rows.
    pub statistics: Statistics,
    /// The statistics of the moves played.
    pub play: PlayStatistics,
}

/// Why a run cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnalysisCheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no checkpoint.
    #[error("it is no checkpoint of an analysis: {0}")]
    NotACheckpoint(serde_json::Error),
    /// It is of another version.
    #[error("it is of version {0}, and this program writes version {VERSION}")]
    UnsupportedVersion(u32),
    /// It is of another run.
    #[error("it is of a run with other inputs or options")]
    DifferentRun,
}

impl AnalysisCheckpoint {
    /// Begins a run that is at its start.
    #[must_use]
    pub fn new(fingerprint: String) -> Self {
        Self {
            version: VERSION,
            fingerprint,
            complete: false,
            records: 0,
            rows_bytes: 0,
            games_bytes: 0,
            elapsed_ms: 0,
            statistics: Statistics::default(),
            play: PlayStatistics::default(),
        }
    }

    /// Reads the checkpoint of a run with this fingerprint; `None` if there is none.
    ///
    /// # Errors
    /// [`AnalysisCheckpointError`] if the file is not one, or of another run.
    pub fn read(path: &Path, fingerprint: &str) -> Result<Option<Self>, AnalysisCheckpointError> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let Version { version } = serde_json::from_slice(&bytes).map_err(AnalysisCheckpointError::NotACheckpoint)?;
        if version != VERSION {
            return Err(AnalysisCheckpointError::UnsupportedVersion(version));
        }
        let checkpoint: Self = serde_json::from_slice(&bytes).map_err(AnalysisCheckpointError::NotACheckpoint)?;
        if checkpoint.fingerprint == fingerprint {
            Ok(Some(checkpoint))
        } else {
            Err(AnalysisCheckpointError::DifferentRun)
        }
    }

    /// Writes the checkpoint in place of the one before.
    ///
    /// # Errors
    /// If it cannot be written; the one before is still there then.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        journal::replace(path, |file| file.write_all(&bytes))
    }
}

/// Returns the fingerprint of a run: of the names and contents of its inputs, and of `options`, which is to tell everything that the rows
/// depend on. `None` if an input is no regular file: nobody knows what it held.
///
/// # Errors
/// If an input cannot be read.
pub fn fingerprint(inputs: &[Input], options: &str) -> io::Result<Option<String>> {
    let mut hash = XxHash3_128::new();
    let mut buffer = vec![0; 1 << 20];
    hash.write(options.as_bytes());
    for input in inputs {
        let Some(path) = input.path().filter(|path| path.is_file()) else { return Ok(None) };
        let mut file = File::open(path)?;
        hash.write(&file.metadata()?.len().to_le_bytes());
        hash.write(input.name().as_bytes());
        loop {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => hash.write(&buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Some(format!("{:032x}", hash.finish_128())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_for_the_same_run_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv.checkpoint");
        assert!(AnalysisCheckpoint::read(&path, "a").unwrap().is_none());
        let mut checkpoint = AnalysisCheckpoint::new("a".to_owned());
        (checkpoint.records, checkpoint.rows_bytes) = (7, 1234);
        checkpoint.write(&path).unwrap();
        let read = AnalysisCheckpoint::read(&path, "a").unwrap().unwrap();
        assert_eq!((read.records, read.rows_bytes, read.complete), (7, 1234, false));
        assert!(matches!(AnalysisCheckpoint::read(&path, "b"), Err(AnalysisCheckpointError::DifferentRun)));
        fs::write(&path, "{\"version\":99}").unwrap();
        assert!(matches!(AnalysisCheckpoint::read(&path, "a"), Err(AnalysisCheckpointError::UnsupportedVersion(99))));
        for foreign in ["", "x", "{}", "{\"version\":1}"] {
            fs::write(&path, foreign).unwrap();
            assert!(
                matches!(AnalysisCheckpoint::read(&path, "a"), Err(AnalysisCheckpointError::NotACheckpoint(_))),
                "{foreign}"
            );
        }
    }

    #[test]
    fn fingerprint_depends_on_inputs_and_options() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obf");
        let of = |text: &[u8], options: &str| {
            fs::write(&path, text).unwrap();
            fingerprint(&[Input::File(path.clone())], options).unwrap().unwrap()
        };
        let long = vec![b'a'; 3 << 20];
        let changed = |at: usize| {
            let mut bytes = long.clone();
            bytes[at] = b'b';
            of(&bytes, "x")
        };
        let [first, middle, last] = [0, 2_000_000, long.len() - 1].map(changed);
        let prints = [of(b"a", "x"), of(b"b", "x"), of(b"a", "y"), of(&long, "x"), first, middle, last];
        for (i, print) in prints.iter().enumerate() {
            assert!(prints[..i].iter().all(|other| other != print));
        }
        assert_eq!(of(b"a", "x"), prints[0]);
        assert_eq!(fingerprint(&[Input::Stdin], "x").unwrap(), None);
    }
}
