//! Checkpoints: their common [header](CheckpointHeader), and [`FitCheckpoint`], a file with the
//! finished steps of a fit.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   "MORFITTD"
//!      8      4   format version, 1
//!     12      8   digest of the shapes, games, options and initial weights
//!                 for each step, in order:
//!      0      4   n, the length of a Zstandard frame
//!      4      n   the frame: sweep and ply (1 byte each), the training and held-out errors (32
//!                 each), the time in milliseconds (4),
//!                 the weights (2 each) and the counts (4 each)
//! ```
//!
//! If the last step is incomplete, it is discarded.

use std::io;
use std::path::Path;
use std::time::Duration;

use morello_core::fnv::Fnv1a;
use morello_core::journal::{Journal, OpenJournalError};
use morello_core::othello::engine::patterns::{ShapeClasses, ShapeSet};
use thiserror::Error;

use super::step::steps;
use super::{Corpus, ErrorStatistics, FitOptions, Fitted, Sweep, TrainedWeights, TrainingData};

/// The format version.
const VERSION: u32 = 1;

/// The number of bytes before the weights of a step.
const STEP_HEADER_BYTES: usize = 2 + 32 + 32 + 4;

/// The Zstandard level: the fastest.
const COMPRESSION: i32 = 1;

/// Why training cannot be resumed from a file. The file was not changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingCheckpointError {
    /// The file cannot be read or written, or another process is using it.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// The file is not a checkpoint for this kind of training, is damaged, or has another format
    /// version.
    #[error("it is not a checkpoint of a {0} run")]
    NotACheckpoint(&'static str),
    /// The checkpoint belongs to training with other options or data.
    #[error("it belongs to a run with other data, options or initial weights")]
    DifferentTraining,
}

/// The header of a checkpoint: a magic number, the format version and a digest of everything that
/// determines the training.
#[derive(Debug)]
pub(super) struct CheckpointHeader {
    /// What is trained, for errors.
    training: &'static str,
    pub bytes: Vec<u8>,
}

impl CheckpointHeader {
    /// Creates a header from a digest of the options and initial weights.
    pub fn new(training: &'static str, magic: &[u8; 8], corpus: &Corpus, digest: Fnv1a) -> Self {
        let of_file = |data: &TrainingData| [data.options_hash(), data.len() as u64];
        let digest = digest.add(corpus.0.iter().flat_map(of_file)).finish();
        Self { training, bytes: [&magic[..], &VERSION.to_le_bytes(), &digest.to_le_bytes()].concat() }
    }

    /// Checks that a file begins with this header, and returns what follows it.
    pub fn strip<'a>(&self, file: &'a [u8]) -> Result<&'a [u8], TrainingCheckpointError> {
        match file.strip_prefix(&self.bytes[..]) {
            Some(rest) => Ok(rest),
            None if file.starts_with(&self.bytes[..12]) => Err(TrainingCheckpointError::DifferentTraining),
            None => Err(self.not_a_checkpoint()),
        }
    }

    pub fn not_a_checkpoint(&self) -> TrainingCheckpointError {
        TrainingCheckpointError::NotACheckpoint(self.training)
    }
}

/// Compresses bytes into a Zstandard frame with a checksum.
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(COMPRESSION)?;
    compressor.include_checksum(true)?;
    compressor.compress(bytes)
}

/// A file with the finished steps of a fit.
#[derive(Debug)]
pub struct FitCheckpoint {
    journal: Journal,
    /// The steps that were finished when the file was opened.
    pub(super) known: Vec<Fitted>,
}

impl FitCheckpoint {
    /// Opens the checkpoint of a fit, or creates it if the file is missing or empty.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`TrainingCheckpointError`] if the file belongs to another fit, is in use, or cannot be read
    /// or written.
    pub fn open<const LANES: usize>(
        path: &Path,
        set: &'static ShapeSet<LANES>,
        corpus: &Corpus,
        init: Option<&TrainedWeights>,
        options: &FitOptions,
    ) -> Result<Self, TrainingCheckpointError> {
        let FitOptions { epochs, change, prior } = *options;
        let numbers = [set.fingerprint(), epochs, change.to_bits(), prior.to_bits()].map(u64::from);
        let weights =
            init.into_iter().flat_map(|init| init.weights.plies.iter().flatten()).map(|&weight| weight as u64);
        let counts = init.into_iter().flat_map(|init| init.counts.plies.iter().flatten()).map(|&count| count.into());
        let digest = Fnv1a::new().add(numbers).add(weights).add(counts);
        let header = CheckpointHeader::new("fit", b"MORFITTD", corpus, digest);
        let mut known = Vec::new();
        let journal = Journal::open(path, &header.bytes, |bytes| {
            let mut rest = header.strip(bytes)?;
            for (sweep, ply) in steps() {
                let Some((fitted, after)) = read(rest, sweep, ply, ShapeClasses::of_set(set).count()) else { break };
                known.push(fitted);
                rest = after;
            }
            Ok::<_, TrainingCheckpointError>(bytes.len() - rest.len())
        })?;
        Ok(Self { journal, known })
    }

    /// Returns the number of steps that were finished when the file was opened.
    #[must_use]
    pub fn finished_steps(&self) -> usize {
        self.known.len()
    }

    /// Adds the next step.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, fitted: &Fitted) -> io::Result<()> {
        let mut step = vec![fitted.sweep as u8, fitted.ply as u8];
        step.extend(fitted.training.to_bytes());
        step.extend(fitted.held_out.to_bytes());
        step.extend((fitted.time.as_millis() as u32).to_le_bytes());
        step.extend(fitted.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        step.extend(fitted.counts.iter().flat_map(|count| count.to_le_bytes()));
        let frame = compress(&step)?;
        let bytes = [&(frame.len() as u32).to_le_bytes()[..], &frame].concat();
        self.journal.add(&bytes, Duration::ZERO)
    }
}

/// Reads the step at the start of `bytes`. Returns the step and the bytes after it; `None` if the
/// step is incomplete or a different one.
fn read(bytes: &[u8], sweep: Sweep, ply: usize, classes: usize) -> Option<(Fitted, &[u8])> {
    let (len, rest) = bytes.split_first_chunk()?;
    let (frame, after) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    let step = zstd::bulk::decompress(frame, STEP_HEADER_BYTES + 6 * classes).ok()?;
    if step.len() != STEP_HEADER_BYTES + 6 * classes || step[..2] != [sweep as u8, ply as u8] {
        return None;
    }
    let (header, body) = step.split_at(STEP_HEADER_BYTES);
    let (weights, counts) = body.split_at(2 * classes);
    let errors =
        |at: usize| ErrorStatistics::from_bytes(header[at..at + 32].try_into().expect("the slice has 32 bytes"));
    let time = u32::from_le_bytes(header[66..].try_into().expect("the slice has four bytes"));
    let fitted = Fitted {
        sweep,
        ply,
        training: errors(2),
        held_out: errors(34),
        time: Duration::from_millis(time.into()),
        weights: weights.as_chunks().0.iter().map(|&weight| i16::from_le_bytes(weight)).collect(),
        counts: counts.as_chunks().0.iter().map(|&count| u32::from_le_bytes(count)).collect(),
    };
    Some((fitted, after))
}
