//! The files of weights and of their counts, and how weights are read.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   "MORWEIGH", or "MORCOUNT"
//!      8      4   version of the format, 2
//!     12      4   fingerprint of the shapes
//!     16      4   bytes that the frame holds
//!     20          a Zstandard frame with a checksum
//! ```
//!
//! Neighbouring plies have much the same weights, so the frame holds how each ply differs from the next, from the last to the first:
//!
//! ```text
//!             4   g, a divisor of all weights
//!                 for each ply:
//!                 a bit for each class, the lowest of a byte first, and zeros up to a multiple of eight bytes: whether the weight differs
//!                 for each ply and each class that differs, its difference over g, d: 2 d, or -2 d - 1 where it is negative;
//!                 a byte, or 255 and two bytes
//! ```
//!
//! A count is kept as its [level](super::write::LEVELS), a byte; the frame holds, for each ply, those of all classes less those of the next.

use thiserror::Error;

use super::weights::PLIES;
use super::{ShapeClasses, ShapeSet, Weights};
use crate::othello::Squares;

/// What a file of weights begins with.
pub(super) const WEIGHTS_MAGIC: &[u8; 8] = b"MORWEIGH";

/// The version of the format.
pub(super) const VERSION: u32 = 2;

/// Bytes before the frame.
pub(super) const HEADER_BYTES: usize = 20;

/// No frame holds more bytes: all weights, each with two bytes and a bit.
const MAX_FRAME_BYTES: usize = 1 << 26;

/// The byte that two more follow.
pub(super) const ESCAPE_BYTE: u8 = 255;

/// Bytes that are not weights, or not counts, of a set of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// They are something else.
    #[error("it is no file of {0}")]
    UnknownFormat(&'static str),
    /// They are of another version of the format.
    #[error(
        "it is of version {0} of the format and this program reads version {VERSION}; train anew, or use the program that wrote it"
    )]
    Version(u32),
    /// They are of other shapes.
    #[error("it is of other shapes than `{0}`; give a file that was trained for these, or train anew")]
    OtherShapes(&'static str),
    /// They are not as they were written.
    #[error("it is damaged; fetch or train it anew")]
    Damaged,
}

impl Weights {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`DecodeError`] if they are not weights of this set.
    pub fn decode<const LANES: usize>(set: &'static ShapeSet<LANES>, bytes: &[u8]) -> Result<Self, DecodeError> {
        let bytes = decode(WEIGHTS_MAGIC, "weights", set, bytes)?;
        Self::decode_plies(ShapeClasses::of_set(set).count(), &bytes).ok_or(DecodeError::Damaged)
    }

    fn decode_plies(classes: usize, bytes: &[u8]) -> Option<Self> {
        let (divisor, rest) = bytes.split_first_chunk()?;
        let divisor = u32::from_le_bytes(*divisor) as i16;
        let words = classes.div_ceil(64);
        let (differs, differences) = rest.split_at_checked(8 * words * PLIES)?;
        let (differs, _) = differs.as_chunks();
        let mut differences = differences.iter();
        let mut plies: Vec<Vec<i16>> = Vec::with_capacity(PLIES);
        for differs in differs.chunks_exact(words) {
            let mut weights = plies.last().map_or_else(|| vec![0; classes], Vec::clone);
            for (weights, differs) in weights.chunks_mut(64).zip(differs) {
                for class in Squares(u64::from_le_bytes(*differs)) {
                    let folded = match *differences.next()? {
                        ESCAPE_BYTE => u16::from_le_bytes([*differences.next()?, *differences.next()?]),
                        byte => byte.into(),
                    };
                    let weight = weights.get_mut(class as usize)?;
                    *weight = weight.wrapping_add(zigzag_decode(folded).wrapping_mul(divisor));
                }
            }
            plies.push(weights);
        }
        plies.reverse();
        Some(Self { plies }).filter(|_| differences.next().is_none())
    }
}

pub(super) fn zigzag_decode(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

/// Sees that bytes are a file of this kind, and returns what its frame holds.
pub(super) fn decode<const LANES: usize>(
    magic: &[u8; 8],
    what: &'static str,
    set: &ShapeSet<LANES>,
    bytes: &[u8],
) -> Result<Vec<u8>, DecodeError> {
    let Some((head, frame)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        return Err(DecodeError::UnknownFormat(what));
    };
    let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("it has four bytes"));
    if &head[..8] != magic {
        return Err(DecodeError::UnknownFormat(what));
    }
    if word(8) != VERSION {
        return Err(DecodeError::Version(word(8)));
    }
    if word(12) != set.fingerprint() {
        return Err(DecodeError::OtherShapes(set.name));
    }
    let len = word(16) as usize;
    let bytes = decompress(frame, len.min(MAX_FRAME_BYTES)).ok_or(DecodeError::Damaged)?;
    if bytes.len() == len { Ok(bytes) } else { Err(DecodeError::Damaged) }
}

/// Returns what a frame of zstd holds; `None` if it is damaged or holds more than `most` bytes.
#[cfg(feature = "zstd")]
fn decompress(frame: &[u8], most: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(frame, most).ok()
}

/// The same without the C library, some six times slower.
#[cfg(not(feature = "zstd"))]
fn decompress(frame: &[u8], most: usize) -> Option<Vec<u8>> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(frame).ok()?;
    decoder.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most).then_some(bytes)
}
