//! [`Checkpoint`]: the finished steps of a fit, in a file.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   "MORFITTD"
//!      8      4   version of the format, 1
//!     12      8   digest of what is fitted: shapes, games, options and the weights to begin with
//!                 for each step, in their order:
//!      0      4   n, the bytes of a Zstandard frame
//!      4      n   the frame: sweep and ply (1 byte each), the errors of training and held out (32 each), the time in milliseconds (4),
//!                 the weights (2 each) and the counts (4 each)
//! ```
//!
//! A step that was not written to its end is the last one, and is dropped.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::step::steps;
use super::{Corpus, ErrorStatistics, FitOptions, Fitted, GenerationOptions, Sweep, TrainedWeights};
use crate::fnv::Fnv1a;
use crate::journal::{Journal, OpenJournalError};
use crate::othello::engine::patterns::{ShapeClasses, ShapeSet};

/// What a file begins with.
const MAGIC: &[u8; 8] = b"MORFITTD";

/// The version of the format.
const VERSION: u32 = 1;

/// Bytes before the first step.
const HEADER_BYTES: usize = 20;

/// Bytes of a step before its weights.
const STEP_HEADER_BYTES: usize = 2 + 32 + 32 + 4;

/// Compression that takes no time to speak of.
const COMPRESSION: i32 = 1;

/// A file that a fit cannot go on from; nothing in it was changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It cannot be read or written, or another process fits with it.
    #[error(transparent)]
    Open(#[from] OpenJournalError),
    /// It is something else, or of another version of the format.
    #[error("it is no unfinished fit of this program")]
    Foreign,
    /// It is of another fit.
    #[error("it is of a fit of other games, shapes, options or first weights")]
    DifferentFit,
}

/// The finished steps of a fit, kept in a file; see the module.
#[derive(Debug)]
pub struct Checkpoint {
    journal: Journal,
    known: Vec<Fitted>,
}

impl Checkpoint {
    /// Opens the file of a fit, or begins one where there is none or an empty one.
    ///
    /// The file is locked against other processes until the value is dropped.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file is not of this fit, is in use, or cannot be read and written.
    pub fn open<const LANES: usize>(
        path: &Path,
        set: &'static ShapeSet<LANES>,
        corpus: &Corpus,
        init: Option<&TrainedWeights>,
        options: &FitOptions,
    ) -> Result<Self, CheckpointError> {
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.to_le_bytes());
        head.extend(digest(set, corpus, init, options).to_le_bytes());
        let mut known = Vec::new();
        let journal = Journal::open(path, &head, |bytes| {
            if !bytes.starts_with(&head[..12]) {
                return Err(CheckpointError::Foreign);
            } else if !bytes.starts_with(&head) {
                return Err(CheckpointError::DifferentFit);
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

    /// Returns how many steps were finished when the file was opened.
    #[must_use]
    pub fn finished_steps(&self) -> usize {
        self.known.len()
    }

    /// Returns the steps that were finished when the file was opened, and forgets them.
    pub(super) fn take_finished_steps(&mut self) -> Vec<Fitted> {
        std::mem::take(&mut self.known)
    }

    /// Adds the next step.
    ///
    /// # Errors
    /// If it cannot be written.
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

/// Reads the step that bytes begin with; returns how many bytes it has, too. `None` if it is not whole or not this step.
fn read(bytes: &[u8], sweep: Sweep, ply: usize, classes: usize) -> Option<(Fitted, usize)> {
    let (len, rest) = bytes.split_first_chunk()?;
    let len = u32::from_le_bytes(*len) as usize;
    let frame = rest.get(..len)?;
    let mut step = vec![0; STEP_HEADER_BYTES + 6 * classes];
    let mut decoder = zstd::stream::read::Decoder::with_buffer(frame).ok()?;
    decoder.read_exact(&mut step).ok()?;
    // To ask for more is what makes the checksum be looked at.
    if decoder.read(&mut [0]).ok()? != 0 || step[..2] != [sweep as u8, ply as u8] {
        return None;
    }
    let (head, body) = step.split_at(STEP_HEADER_BYTES);
    let (weights, counts) = body.split_at(2 * classes);
    let errors = |at: usize| ErrorStatistics::from_bytes(head[at..at + 32].try_into().expect("it has 32 bytes"));
    let time = u32::from_le_bytes(head[66..].try_into().expect("it has four bytes"));
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

/// Returns a number that says what is fitted, and how.
fn digest<const LANES: usize>(
    set: &ShapeSet<LANES>,
    corpus: &Corpus,
    init: Option<&TrainedWeights>,
    options: &FitOptions,
) -> u64 {
    let FitOptions { epochs, change, prior } = *options;
    let mut hash = Fnv1a::new().add([set.fingerprint(), epochs, change.to_bits(), prior.to_bits()].map(u64::from));
    for games in corpus.files() {
        let GenerationOptions { seed, depth, exact_from, random: (least, most), burst, weights } =
            *games.generation_options();
        let small = [exact_from, least, most, burst].map(u64::from);
        hash = hash.add([seed, depth.into(), weights.into(), games.len() as u64]).add(small);
    }
    if let Some(init) = init {
        hash = hash.add(init.weights.plies.iter().flatten().map(|&weight| weight as u64));
        hash = hash.add(init.counts.plies.iter().flatten().map(|&count| count.into()));
    }
    hash.finish()
}
