//! [`AnalysisCheckpoint`]: the progress of a run, saved in a small file next to its output so that
//! the run can be resumed.
//!
//! ```text
//! morello analysis checkpoint 3 0f1e2d3c4b5a69788796a5b4c3d2e1f0
//! {"fingerprint":"...","complete":false,"records":12,...}
//! ```
//!
//! The first line has the format version and the checksum of the JSON after it (XXH3, 128 bits).
//! The file is replaced atomically every few seconds, so it is always complete. It describes the
//! state after a record: the number of completed records, the length of each output, and the
//! statistics. A resumed run truncates the outputs to these lengths and repeats the later records.
//! The fingerprint covers the inputs and everything else that determines the rows; a run with a
//! different fingerprint cannot be resumed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use morello_core::bounded_file::{MAX_DATA_BYTES, read_file};
use morello_core::journal;
use morello_files::input::Input;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::{PlayStatistics, Statistics};

/// The beginning of the file.
const TITLE: &str = "morello analysis checkpoint ";

/// The format version of the file.
const VERSION: u32 = 3;

/// The longest accepted run time, in milliseconds: more than a century.
const MAX_ELAPSED_MS: u64 = 1 << 42;

/// The progress of a run.
///
/// ```
/// use morello::analysis::checkpoint::{AnalysisCheckpoint, fingerprint};
/// use morello::input::Input;
///
/// let folder = tempfile::tempdir()?;
/// let (games, path) = (folder.path().join("games.txt"), folder.path().join("run.checkpoint"));
/// std::fs::write(&games, "f5d6c3\n")?;
/// let run = fingerprint(&[Input::File(games)], "depth 4")?.expect("it is a regular file");
/// assert!(AnalysisCheckpoint::read(&path, &run)?.is_none());
/// let mut checkpoint = AnalysisCheckpoint::new(run.clone());
/// checkpoint.records = 1;
/// checkpoint.write(&path)?;
/// assert_eq!(AnalysisCheckpoint::read(&path, &run)?.map(|read| read.records), Some(1));
/// let error = AnalysisCheckpoint::read(&path, "another run").unwrap_err();
/// assert_eq!(error.to_string(), "it belongs to a run with other inputs or options");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AnalysisCheckpoint {
    fingerprint: String,
    /// Whether the run is complete.
    pub complete: bool,
    /// The records read so far in all inputs, including records of other shards.
    pub records: u64,
    /// The length of the output of rows, in bytes.
    pub rows_bytes: u64,
    /// The length of the games table, in bytes; 0 without one.
    pub games_bytes: u64,
    /// The run time so far, in milliseconds.
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
    #[error("it is not an analysis checkpoint")]
    NotACheckpoint,
    /// The file was changed after it was written.
    #[error("it is damaged")]
    Damaged,
    /// The file has another format version.
    #[error("it has format version {0}; this morello reads version {VERSION}")]
    UnsupportedVersion(u32),
    /// The checkpoint belongs to a run with other inputs or options.
    #[error("it belongs to a run with other inputs or options")]
    DifferentRun,
}

impl AnalysisCheckpoint {
    /// Creates the checkpoint of a run that has not started.
    #[must_use]
    pub fn new(fingerprint: String) -> Self {
        Self { fingerprint, ..Self::default() }
    }

    /// Reads the checkpoint of the run with this fingerprint, or returns `None` if the file does
    /// not exist.
    ///
    /// # Errors
    /// [`AnalysisCheckpointError`] if the file is not a checkpoint, or belongs to another run.
    pub fn read(path: &Path, fingerprint: &str) -> Result<Option<Self>, AnalysisCheckpointError> {
        let bytes = match read_file(path, MAX_DATA_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let checkpoint = Self::parse(&bytes)?;
        if checkpoint.fingerprint == fingerprint {
            Ok(Some(checkpoint))
        } else {
            Err(AnalysisCheckpointError::DifferentRun)
        }
    }

    /// Parses the content of a file, and checks the values before they are used.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, AnalysisCheckpointError> {
        let line = bytes.iter().position(|&byte| byte == b'\n').ok_or(AnalysisCheckpointError::NotACheckpoint)?;
        let (title, json) = (std::str::from_utf8(&bytes[..line]).unwrap_or_default(), &bytes[line + 1..]);
        let fields = title.strip_prefix(TITLE).and_then(|fields| fields.split_once(' '));
        let (version, sum) = fields.ok_or(AnalysisCheckpointError::NotACheckpoint)?;
        let version = version.parse().map_err(|_| AnalysisCheckpointError::NotACheckpoint)?;
        if version != VERSION {
            return Err(AnalysisCheckpointError::UnsupportedVersion(version));
        }
        if sum != checksum(json) {
            return Err(AnalysisCheckpointError::Damaged);
        }
        let checkpoint: Self = serde_json::from_slice(json).map_err(|_| AnalysisCheckpointError::Damaged)?;
        let is_possible = checkpoint.elapsed_ms <= MAX_ELAPSED_MS
            && checkpoint.statistics.is_consistent()
            && checkpoint.play.is_consistent();
        if is_possible { Ok(checkpoint) } else { Err(AnalysisCheckpointError::Damaged) }
    }

    /// Returns the content of the file.
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        Ok([format!("{TITLE}{VERSION} {}\n", checksum(&json)).into_bytes(), json].concat())
    }

    /// Writes the checkpoint, replacing the previous one.
    ///
    /// # Errors
    /// If the checkpoint cannot be written. The previous one is then kept.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let bytes = self.to_bytes()?;
        journal::replace(path, |file| file.write_all(&bytes))
    }
}

fn checksum(json: &[u8]) -> String {
    format!("{:032x}", XxHash3_128::oneshot(json))
}

/// Returns the fingerprint of a run: a hash of the names and contents of its inputs and of
/// `options`, which must describe everything else that determines the rows. Returns `None` if an
/// input is not a regular file, because its content cannot be checked later.
///
/// ```
/// use morello::analysis::checkpoint::fingerprint;
/// use morello::input::Input;
///
/// assert_eq!(fingerprint(&[Input::Stdin], "depth 4")?, None);
/// assert!(fingerprint(&[Input::File("missing.txt".into())], "depth 4").is_ok_and(|run| run.is_none()));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If an input cannot be read.
pub fn fingerprint(inputs: &[Input], options: &str) -> io::Result<Option<String>> {
    let mut hash = XxHash3_128::new();
    let mut buffer = vec![0; 1 << 20];
    hash.write(options.as_bytes());
    let mut last = None;
    for input in inputs {
        let Some(path) = input.path().filter(|path| path.is_file()) else { return Ok(None) };
        hash.write(input.name().as_bytes());
        // All files in an archive have the path of the archive.
        if last.replace(path) == Some(path) {
            continue;
        }
        let mut file = File::open(path)?;
        hash.write(&file.metadata()?.len().to_le_bytes());
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
    use std::fs;

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
        let bytes = fs::read(&path).unwrap();
        let other_version = String::from_utf8(bytes.clone()).unwrap().replacen("checkpoint 3", "checkpoint 99", 1);
        fs::write(&path, other_version).unwrap();
        let error = AnalysisCheckpoint::read(&path, "a").unwrap_err();
        assert!(matches!(error, AnalysisCheckpointError::UnsupportedVersion(99)), "{error}");
        for foreign in ["", "x", "{}", "morello analysis checkpoint\n"] {
            fs::write(&path, foreign).unwrap();
            let error = AnalysisCheckpoint::read(&path, "a").unwrap_err();
            assert!(matches!(error, AnalysisCheckpointError::NotACheckpoint), "{foreign}: {error}");
        }
    }

    #[test]
    fn rejects_every_flipped_bit_and_every_cut() {
        let mut checkpoint = AnalysisCheckpoint::new("0123456789abcdef0123456789abcdef".to_owned());
        (checkpoint.records, checkpoint.rows_bytes) = (7, 1234);
        let good = checkpoint.to_bytes().unwrap();
        AnalysisCheckpoint::parse(&good).unwrap();
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(AnalysisCheckpoint::parse(&bytes).is_err(), "bit {bit}");
        }
        assert!((0..good.len()).all(|end| AnalysisCheckpoint::parse(&good[..end]).is_err()));
    }

    #[test]
    fn rejects_impossible_values_with_a_correct_checksum() {
        let good = String::from_utf8(AnalysisCheckpoint::new("a".to_owned()).to_bytes().unwrap()).unwrap();
        let json = good.split_once('\n').unwrap().1;
        let parse = |json: &str| {
            AnalysisCheckpoint::parse(format!("{TITLE}{VERSION} {}\n{json}", checksum(json.as_bytes())).as_bytes())
        };
        parse(json).unwrap();
        for (from, to) in [
            ("\"depths\":{}", "\"depths\":{\"3\":5}"),
            ("\"scores\":{}", "\"scores\":{\"1000\":1}"),
            ("\"times_log2\":{}", "\"times_log2\":{\"4294967295\":1}"),
            ("\"nodes_log2\":{}", "\"nodes_log2\":{\"70\":0}"),
            ("\"times\":{}", "\"times\":{\"7\":18446744073709551615,\"8\":2}"),
            ("\"elapsed_ms\":0", "\"elapsed_ms\":18446744073709551615"),
            ("\"accuracy\":0", "\"accuracy\":5"),
            ("\"positions\":0", "\"positions\":18446744073709551615"),
        ] {
            assert!(json.contains(from), "{json}");
            let error = parse(&json.replacen(from, to, 1)).expect_err(to);
            assert!(matches!(error, AnalysisCheckpointError::Damaged), "{error}");
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
