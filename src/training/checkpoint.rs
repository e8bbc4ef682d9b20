//! [`FitCheckpoint`]: a file of the finished steps of a fit.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   "MORFITTD"
//!      8      4   format version, 1
//!     12      8   digest of the shapes, games, options and initial weights
//!                 for each step, in order:
//!      0      4   n, the length of a Zstandard frame
//!      4      n   the frame: sweep and ply (1 byte each), the training and held-out errors (32 each), the time in milliseconds (4),
//!                 the weights (2 each) and the counts (4 each)
//! ```
//!
//! If the last step is incomplete, it is discarded.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::step::steps;
use super::{Corpus, ErrorStatistics, FitOptions, Fitted, Sweep, TrainedWeights};
use crate::fnv::Fnv1a;
use crate::journal::{Journal, OpenJournalError};
use crate::othello::engine::patterns::{ShapeClasses, ShapeSet};

/// The magic number at the start of a file.
const MAGIC: &[u8; 8] = b"MORFITTD";

/// The format version.
const VERSION: u32 = 1;

/// The size of the file header in bytes.
const HEADER_BYTES: usize = 20;

/// The number of bytes before the weights of a step.
const STEP_HEADER_BYTES: usize = 2 + 32 + 32 + 4;

/// The Zstandard level: the fastest.
const COMPRESSION: i32 = 1;

/// Why a fit cannot be resumed from a file. The file was not changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitCheckpointError {
    /// The file cannot be read or written, or another process is using it.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// The file is not a checkpoint, or has another format version.
    #[error("not a checkpoint of a fit")]
    NotACheckpoint,
    /// The checkpoint belongs to another fit.
    #[error("the checkpoint belongs to a fit with other games, shapes, options or initial weights")]
    DifferentFit,
}

/// A file of the finished steps of a fit.
#[derive(Debug)]
pub struct FitCheckpoint {
    journal: Journal,
    known: Vec<Fitted>,
}

impl FitCheckpoint {
    /// Opens the checkpoint of a fit, or creates it if the file is missing or empty.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`FitCheckpointError`] if the file belongs to another fit, is in use, or cannot be read or written.
    pub fn open<const LANES: usize>(
        path: &Path,
        set: &'static ShapeSet<LANES>,
        corpus: &Corpus,
        init: Option<&TrainedWeights>,
        options: &FitOptions,
    ) -> Result<Self, FitCheckpointError> {
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend(digest(set, corpus, init, options).to_le_bytes());
        let mut known = Vec::new();
        let journal = Journal::open(path, &header, |bytes| {
            if !bytes.starts_with(&header[..12]) {
                return Err(FitCheckpointError::NotACheckpoint);
            } else if !bytes.starts_with(&header) {
                return Err(FitCheckpointError::DifferentFit);
            }
            let mut end = HEADER_BYTES;
            for (sweep, ply) in steps() {
                let Some((fitted, len)) = read(&bytes[end..], sweep, ply, ShapeClasses::of_set(set).count()) else {
                    break;
                };
                known.push(fitted);
                end += len;
            }
            Ok(end)
        })?;
        Ok(Self { journal, known })
    }

    /// Returns the number of steps that were finished when the file was opened.
    #[must_use]
    pub fn finished_steps(&self) -> usize {
        self.known.len()
    }

    /// Takes the steps that were finished when the file was opened.
    pub(super) fn take_finished_steps(&mut self) -> Vec<Fitted> {
        std::mem::take(&mut self.known)
    }

    /// Adds the next step.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, fitted: &Fitted) -> io::Result<()> {
        let mut step = vec![fitted.sweep as u8, fitted.ply as u8];
        step.extend(fitted.training.to_bytes());
        step.extend(fitted.held_out.to_bytes());
        step.extend((fitted.time.as_millis() as u32).to_le_bytes());
        step.extend(fitted.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        step.extend(fitted.counts.iter().flat_map(|count| count.to_le_bytes()));
        let mut frame = Vec::new();
        let mut encoder = zstd::stream::write::Encoder::new(&mut frame, COMPRESSION)?;
        encoder.include_checksum(true)?;
        encoder.write_all(&step)?;
        encoder.finish()?;
        let mut bytes = (frame.len() as u32).to_le_bytes().to_vec();
        bytes.extend(frame);
        self.journal.add(&bytes, Duration::ZERO)
    }
}

/// Reads the step at the start of `bytes`. Returns it with its length in bytes; `None` if it is incomplete or another step.
fn read(bytes: &[u8], sweep: Sweep, ply: usize, classes: usize) -> Option<(Fitted, usize)> {
    let (len, rest) = bytes.split_first_chunk()?;
    let len = u32::from_le_bytes(*len) as usize;
    let frame = rest.get(..len)?;
    let mut step = vec![0; STEP_HEADER_BYTES + 6 * classes];
    let mut decoder = zstd::stream::read::Decoder::with_buffer(frame).ok()?;
    decoder.read_exact(&mut step).ok()?;
    // Reading to the end of the frame verifies its checksum.
    if decoder.read(&mut [0]).ok()? != 0 || step[..2] != [sweep as u8, ply as u8] {
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
    Some((fitted, 4 + len))
}

/// Returns a hash of the data and options of a fit.
fn digest<const LANES: usize>(
    set: &ShapeSet<LANES>,
    corpus: &Corpus,
    init: Option<&TrainedWeights>,
    options: &FitOptions,
) -> u64 {
    let FitOptions { epochs, change, prior } = *options;
    let mut hash = Fnv1a::new().add([set.fingerprint(), epochs, change.to_bits(), prior.to_bits()].map(u64::from));
    for data in corpus.files() {
        hash = hash.add([data.options_hash(), data.len() as u64]);
    }
    if let Some(init) = init {
        hash = hash.add(init.weights.plies.iter().flatten().map(|&weight| weight as u64));
        hash = hash.add(init.counts.plies.iter().flatten().map(|&count| count.into()));
    }
    hash.finish()
}
