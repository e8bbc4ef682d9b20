//! [`NetworkCheckpoint`]: a file with the state of unfinished training.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   "MORNETTR"
//!      8      4   format version, 1
//!     12      8   digest of the samples, options and first weights
//!     20          a Zstandard frame with a checksum: the finished passes (4) and batches (8), and
//!                 as 32-bit floating-point numbers the rows, the
//!                 sum of squares of each row, the dense parameters, and the means of their
//!                 gradients and of the squares
//! ```

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use morello_core::bounded_file::{MAX_DATA_BYTES, read_file};
use morello_core::fnv::Fnv1a;
use morello_core::journal::{self, OpenJournalError};
use morello_core::lock::LockedFile;
use morello_core::othello::engine::network::{INPUTS, NetworkParameters};
use morello_core::othello::engine::patterns::FULL;

use super::model::DENSE;
use super::{Model, NetworkOptions, Start, TrainingState};
use crate::training::Corpus;
use crate::training::checkpoint::{CheckpointHeader, TrainingCheckpointError, compress};

/// A file with the state of unfinished training.
#[derive(Debug)]
pub struct NetworkCheckpoint {
    path: PathBuf,
    header: CheckpointHeader,
    /// The state when the file was opened.
    pub(super) state: Option<TrainingState>,
    _lock: LockedFile,
}

fn lock_path(path: &Path) -> PathBuf {
    path.with_added_extension("lock")
}

impl NetworkCheckpoint {
    /// Opens the checkpoint of a training run. The file may be missing. A lock file next to it,
    /// with `.lock` appended to the name, is locked until the value is dropped, because the
    /// checkpoint itself is replaced repeatedly.
    ///
    /// # Errors
    /// [`TrainingCheckpointError`] if the file belongs to training with other options or data, or
    /// cannot be read.
    pub fn open(
        path: &Path,
        corpus: &Corpus,
        start: &Start,
        options: &NetworkOptions,
    ) -> Result<Self, TrainingCheckpointError> {
        let NetworkOptions { epochs, rate, seed } = *options;
        let digest = Fnv1a::new().add([u64::from(FULL.fingerprint()), epochs.into(), rate.to_bits().into(), seed]);
        let digest = match start {
            Start::Random => digest,
            Start::Patterns(patterns) => digest.add(patterns.plies.iter().flatten().map(|&weight| weight as u64)),
            Start::Network(network) => digest.add_bytes(&network.to_bytes()),
        };
        let header = CheckpointHeader::new("network", b"MORNETTR", corpus, digest);
        let lock = LockedFile::open(&lock_path(path)).map_err(OpenJournalError::Io)?.ok_or(OpenJournalError::InUse)?;
        let state = match read_file(path, MAX_DATA_BYTES) {
            Ok(bytes) => Some(decode(header.strip(&bytes)?).ok_or_else(|| header.not_a_checkpoint())?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(OpenJournalError::Io(error).into()),
        };
        Ok(Self { path: path.to_owned(), header, state, _lock: lock })
    }

    /// Returns the number of batches that were already trained.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.batches)
    }

    /// Removes the checkpoint and the lock file after training.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        // Remove the lock file before the lock is released.
        fs::remove_file(lock_path(&self.path))
    }

    /// Replaces the file.
    pub(super) fn save(&self, state: &TrainingState) -> io::Result<()> {
        let mut bytes = state.epochs.to_le_bytes().to_vec();
        bytes.extend(state.batches.to_le_bytes());
        let TrainingState { model, row_squares, means, squares, .. } = state;
        for numbers in [model.rows.as_flattened(), row_squares, &model.dense, means, squares] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let frame = compress(&bytes)?;
        journal::replace(&self.path, |file| file.write_all(&self.header.bytes).and_then(|()| file.write_all(&frame)))
    }
}

/// Decodes a frame.
fn decode(frame: &[u8]) -> Option<TrainingState> {
    let row_count = NetworkParameters::row_count();
    let numbers = row_count * (INPUTS + 1) + 3 * DENSE;
    let bytes = zstd::bulk::decompress(frame, 12 + 4 * numbers).ok()?;
    let (epochs, rest) = bytes.split_first_chunk()?;
    let (batches, rest) = rest.split_first_chunk()?;
    let (words, []) = rest.as_chunks() else { return None };
    if words.len() != numbers {
        return None;
    }
    let mut words = words.iter().map(|word| f32::from_le_bytes(*word));
    let mut take = |count: usize| -> Vec<f32> { words.by_ref().take(count).collect() };
    let rows = take(row_count * INPUTS).as_chunks().0.to_vec();
    let row_squares = take(row_count);
    let [dense, means, squares] = [(); 3].map(|()| take(DENSE));
    let (epochs, batches) = (u32::from_le_bytes(*epochs), u64::from_le_bytes(*batches));
    Some(TrainingState { model: Model { rows, dense }, row_squares, means, squares, epochs, batches })
}
