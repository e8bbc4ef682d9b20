//! [`AnalysisCheckpoint`]: the progress of a run, saved in a small file beside its output, so that the run can be resumed.
//!
//! The file is JSON and is replaced atomically every few seconds, so it is always complete. It describes the end of a record: the number
//! of records done, the length of each output, and the statistics. A resumed run truncates the outputs to these lengths and repeats the
//! later records. The fingerprint covers the inputs and everything that determines the rows; a run with another one cannot be resumed.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::{PlayStatistics, Statistics};
use crate::input::Input;
use crate::journal;

/// The format version of the file.
const VERSION: u32 = 2;

/// The progress of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AnalysisCheckpoint {
    version: u32,
    fingerprint: String,
    /// Whether the run is complete.
    pub complete: bool,
    /// The number of records done in all inputs together, including those of other shards.
    pub records: u64,
    /// The length of the output of rows, in bytes.
    pub rows_bytes: u64,
    /// The length of the table of games, in bytes, if there is one.
    pub games_bytes: u64,
    /// The time of the run so far, in milliseconds.
    pub elapsed_ms: u64,
    /// The statistics of the rows.
    pub statistics: Statistics,
    /// The statistics of the played moves.
    pub play: PlayStatistics,
}

/// Why a run cannot be resumed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnalysisCheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a checkpoint.
    #[error("not a checkpoint of an analysis: {0}")]
    NotACheckpoint(serde_json::Error),
    /// The file has another format version.
    #[error("format version {0} is not supported; this program uses version {VERSION}")]
    UnsupportedVersion(u32),
    /// The checkpoint belongs to another run.
    #[error("the checkpoint of a run with other inputs or options")]
    DifferentRun,
}

impl AnalysisCheckpoint {
    /// Creates the checkpoint of a run that has not started.
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

    /// Reads the checkpoint of the run with this fingerprint, or returns `None` if the file does not exist.
    ///
    /// # Errors
    /// [`AnalysisCheckpointError`] if the file is not a checkpoint, or belongs to another run.
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

    /// Writes the checkpoint, replacing the previous one.
    ///
    /// # Errors
    /// Fails if it cannot be written; the previous checkpoint is then kept.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        journal::replace(path, |file| file.write_all(&bytes))
    }
}

/// Returns the fingerprint of a run: a hash of the names and contents of its inputs and of `options`, which must describe everything else
/// that determines the rows. `None` if an input is not a regular file, since its content cannot be checked later.
///
/// # Errors
/// Fails if an input cannot be read.
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
        for foreign in ["", "x", "{}", "{\"version\":2}"] {
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
