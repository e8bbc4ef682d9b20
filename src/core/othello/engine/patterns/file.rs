//! The [files](crate::weights_file) of weights and sample counts, "MORWEIGH" and "MORCOUNT", and
//! the decoder for weights.
//!
//! Adjacent plies have similar weights, so the frame of a weights file stores the difference
//! between each ply and the next, from the last ply to the first:
//!
//! ```text
//!             4   g, a divisor of all weights
//!                 for each ply:
//!                 one bit per class, lowest bit first, padded with zeros to a multiple of
//!                 eight bytes: whether the weight differs
//!                 for each ply and each class that differs: the difference divided by g, d, as
//!                 2 d, or as -2 d - 1 if d is negative;
//!                 one byte, or 255 and two bytes
//! ```
//!
//! A counts file stores, for each ply, the [level](super::write::LEVELS) of each class minus its
//! level at the next ply, one byte each.

use super::weights::PLIES;
use super::{ShapeClasses, ShapeSet, Weights};
use crate::game::bits;
use crate::weights_file::{DecodeError, FileKind};

/// The first bytes of a weights file.
pub(super) const WEIGHTS_MAGIC: &[u8; 8] = b"MORWEIGH";

/// The version of the format.
pub(super) const VERSION: u32 = 2;

/// Marks a difference that is stored in two more bytes.
pub(super) const ESCAPE_BYTE: u8 = 255;

impl Weights {
    /// Decodes a weights file.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not weights for this set.
    pub fn decode<const LANES: usize>(set: &'static ShapeSet<LANES>, bytes: &[u8]) -> Result<Self, DecodeError> {
        let bytes = set.file_kind(WEIGHTS_MAGIC, VERSION, "weights").decode(bytes)?;
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
                for class in bits(u64::from_le_bytes(*differs)) {
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

impl<const LANES: usize> ShapeSet<LANES> {
    /// Returns a kind of file for this set. `what` names the contents of the files, for messages.
    pub(in crate::othello::engine) fn file_kind(
        &self,
        magic: &'static [u8; 8],
        version: u32,
        what: &'static str,
    ) -> FileKind {
        FileKind { magic, version, what, fingerprint: self.fingerprint(), shapes: self.name }
    }
}
