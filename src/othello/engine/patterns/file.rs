//! The file formats of weights and sample counts, and the decoder of weights.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   "MORWEIGH" or "MORCOUNT"
//!      8      4   version of the format, 2
//!     12      4   fingerprint of the shapes
//!     16      4   decompressed size of the frame in bytes
//!     20          a Zstandard frame with a checksum
//! ```
//!
//! Adjacent plies have similar weights, so the frame contains the difference of each ply to the next one, from the last ply to the first:
//!
//! ```text
//!             4   g, a divisor of all weights
//!                 for each ply:
//!                 one bit for each class, lowest bit first, padded with zeros to a multiple of eight bytes: whether the weight differs
//!                 for each ply and each class that differs: the difference divided by g, d, as 2 d, or as -2 d - 1 if d is negative;
//!                 one byte, or 255 and two bytes
//! ```
//!
//! A file of counts has, for each ply, the [level](super::write::LEVELS) of each class minus that of the next ply, one byte each.

use thiserror::Error;

use super::weights::PLIES;
use super::{ShapeClasses, ShapeSet, Weights};
use crate::othello::Squares;

/// The first bytes of a file of weights.
pub(super) const WEIGHTS_MAGIC: &[u8; 8] = b"MORWEIGH";

/// The version of the format.
pub(super) const VERSION: u32 = 2;

/// The number of bytes before the frame.
pub(super) const HEADER_BYTES: usize = 20;

/// An upper bound of the decompressed size of a frame.
const MAX_FRAME_BYTES: usize = 1 << 26;

/// Marks a difference that takes two more bytes.
pub(super) const ESCAPE_BYTE: u8 = 255;

/// A file that cannot be decoded as weights or counts of a set of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The file has another format.
    #[error("not a file of {0}")]
    UnknownFormat(&'static str),
    /// The version of the format is not supported.
    #[error(
        "format version {found} is not supported, only version {supported}; train new weights or use the program that wrote the file"
    )]
    Version {
        /// The version of the file.
        found: u32,
        /// The supported version.
        supported: u32,
    },
    /// The file is for other shapes.
    #[error("the file does not match the shapes of `{0}`; use a file trained for these shapes or train new weights")]
    OtherShapes(&'static str),
    /// The contents are corrupt.
    #[error("the file is damaged; restore it or train new weights")]
    Damaged,
}

impl Weights {
    /// Decodes a file.
    ///
    /// # Errors
    /// [`DecodeError`] if they are not weights of this set.
    pub fn decode<const LANES: usize>(set: &'static ShapeSet<LANES>, bytes: &[u8]) -> Result<Self, DecodeError> {
        let bytes = decode(WEIGHTS_MAGIC, VERSION, "weights", set, bytes)?;
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

/// Checks the header of a file and returns the decompressed contents of its frame.
pub(in crate::othello::engine) fn decode<const LANES: usize>(
    magic: &[u8; 8],
    version: u32,
    what: &'static str,
    set: &ShapeSet<LANES>,
    bytes: &[u8],
) -> Result<Vec<u8>, DecodeError> {
    let Some((header, frame)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        return Err(DecodeError::UnknownFormat(what));
    };
    let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice has four bytes"));
    if &header[..8] != magic {
        return Err(DecodeError::UnknownFormat(what));
    }
    if word(8) != version {
        return Err(DecodeError::Version { found: word(8), supported: version });
    }
    if word(12) != set.fingerprint() {
        return Err(DecodeError::OtherShapes(set.name));
    }
    let len = word(16) as usize;
    let bytes = decompress(frame, len.min(MAX_FRAME_BYTES)).ok_or(DecodeError::Damaged)?;
    if bytes.len() == len { Ok(bytes) } else { Err(DecodeError::Damaged) }
}

/// Decompresses a Zstandard frame; `None` if it is damaged or has more than `max_bytes` decompressed bytes.
#[cfg(feature = "zstd")]
fn decompress(frame: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(frame, max_bytes).ok()
}

/// Decompresses without the C library, about six times slower.
#[cfg(not(feature = "zstd"))]
fn decompress(frame: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(frame).ok()?;
    decoder.take(max_bytes as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= max_bytes).then_some(bytes)
}
