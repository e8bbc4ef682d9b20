//! Encodes weights, and encodes and decodes sample counts, for training. [`file`](super::file)
//! describes the formats.

use super::file::{ESCAPE_BYTE, VERSION, WEIGHTS_MAGIC};
use super::weights::PLIES;
use super::{DecodeError, ShapeClasses, ShapeSet, Weights};
use crate::weights_file::{BEST_COMPRESSION, FileKind};

/// The first bytes of a counts file.
const COUNTS_MAGIC: &[u8; 8] = b"MORCOUNT";

/// The compression level for counts, which are used only for further training. It is about thirty
/// times as fast as the best level, and the files are a fifth larger.
const QUICK_COMPRESSION: i32 = 9;

/// The number of levels per doubling of a count. The error of a count is at most a fifth.
pub(super) const LEVELS: f64 = 2.0;

/// The number of samples to which each weight was fitted.
#[derive(Clone, PartialEq, Eq)]
pub struct SampleCounts {
    /// For each ply, the count of each [class](ShapeClasses).
    pub plies: Vec<Vec<u32>>,
}

crate::debug_fields!(SampleCounts { plies.len() });

impl SampleCounts {
    /// Returns counts of 0.
    #[must_use]
    pub fn zero(classes: usize) -> Self {
        Self { plies: vec![vec![0; classes]; PLIES] }
    }

    /// Encodes a counts file. Counts are rounded to within a fifth.
    #[must_use]
    pub fn encode<const LANES: usize>(&self, set: &ShapeSet<LANES>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut previous = vec![0; self.plies[0].len()];
        for counts in self.plies.iter().rev() {
            let levels: Vec<u8> = counts.iter().map(|&count| level(count)).collect();
            bytes.extend(levels.iter().zip(&previous).map(|(level, previous)| level.wrapping_sub(*previous)));
            previous = levels;
        }
        counts_kind(set).encode(&bytes, QUICK_COMPRESSION)
    }

    /// Decodes a counts file.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not counts for this set.
    pub fn decode<const LANES: usize>(set: &'static ShapeSet<LANES>, bytes: &[u8]) -> Result<Self, DecodeError> {
        let differences = counts_kind(set).decode(bytes)?;
        let mut counts = Self::zero(ShapeClasses::of_set(set).count());
        let mut levels = vec![0u8; counts.plies[0].len()];
        if differences.len() != PLIES * levels.len() {
            return Err(DecodeError::Damaged);
        }
        for (counts, differences) in counts.plies.iter_mut().rev().zip(differences.chunks_exact(levels.len())) {
            for ((count, level), difference) in counts.iter_mut().zip(&mut levels).zip(differences) {
                *level = level.wrapping_add(*difference);
                *count = count_of_level(*level);
            }
        }
        Ok(counts)
    }
}

fn counts_kind<const LANES: usize>(set: &ShapeSet<LANES>) -> FileKind {
    set.file_kind(COUNTS_MAGIC, VERSION, "counts")
}

/// Returns the level of a count: 0 for a count of 0, and [`LEVELS`] more for each doubling of
/// `count + 1`.
fn level(count: u32) -> u8 {
    ((f64::from(count) + 1.0).log2() * LEVELS).round() as u8
}

fn count_of_level(level: u8) -> u32 {
    ((f64::from(level) / LEVELS).exp2() - 1.0).round() as u32
}

impl Weights {
    /// Encodes a weights file.
    #[must_use]
    pub fn encode<const LANES: usize>(&self, set: &ShapeSet<LANES>) -> Vec<u8> {
        let divisor =
            self.plies.iter().flatten().fold(0, |divisor, &weight| gcd(divisor, weight.unsigned_abs())).max(1);
        let mut differs = Vec::new();
        let mut differences = Vec::new();
        let mut previous = &vec![0; self.plies[0].len()];
        for weights in self.plies.iter().rev() {
            for (weights, previous) in weights.chunks(64).zip(previous.chunks(64)) {
                let mut bits = 0u64;
                for (class, (weight, previous)) in weights.iter().zip(previous).enumerate() {
                    let quotient = |weight: i16| i32::from(weight) / i32::from(divisor);
                    let folded = zigzag_encode(quotient(*weight) - quotient(*previous));
                    if folded != 0 {
                        bits |= 1 << class;
                        match u8::try_from(folded) {
                            Ok(byte) if byte < ESCAPE_BYTE => differences.push(byte),
                            _ => {
                                differences.push(ESCAPE_BYTE);
                                differences.extend(folded.to_le_bytes());
                            }
                        }
                    }
                }
                differs.extend(bits.to_le_bytes());
            }
            previous = weights;
        }
        let bytes = [&u32::from(divisor).to_le_bytes(), &differs[..], &differences].concat();
        set.file_kind(WEIGHTS_MAGIC, VERSION, "weights").encode(&bytes, BEST_COMPRESSION)
    }
}

fn gcd(a: u16, b: u16) -> u16 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Maps 0, -1, 1, -2 and so on to 0, 1, 2, 3 and so on, modulo 2^16.
fn zigzag_encode(difference: i32) -> u16 {
    let difference = difference as i16;
    (difference << 1 ^ difference >> 15) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::RandomNumbers;
    use crate::othello::engine::patterns::file::zigzag_decode;
    use crate::othello::engine::patterns::{FULL, ORDER};
    use crate::weights_file::HEADER_BYTES;

    fn weights() -> Weights {
        let mut numbers = RandomNumbers::new(1);
        let mut weights = Weights::zero(ShapeClasses::of_set(&ORDER).count());
        for ply in &mut weights.plies {
            for _ in 0..1000 {
                let class = numbers.below(ply.len());
                ply[class] = numbers.next_u64() as i16;
            }
        }
        weights
    }

    #[test]
    fn weights_round_trip() {
        let weights = weights();
        let bytes = weights.encode(&ORDER);
        assert!(Weights::decode(&ORDER, &bytes).as_ref() == Ok(&weights));
        // Weights with a common divisor take less space.
        let coarse: Vec<Vec<_>> =
            weights.plies.iter().map(|ply| ply.iter().map(|weight| weight >> 8 << 8).collect()).collect();
        let coarse = Weights { plies: coarse };
        let fewer = coarse.encode(&ORDER);
        assert!(fewer.len() < bytes.len());
        assert!(Weights::decode(&ORDER, &fewer) == Ok(coarse));
    }

    #[test]
    fn zigzag_decode_inverts_zigzag_encode() {
        assert_eq!([0, -1, 1, -2, 32767, -32768].map(zigzag_encode), [0, 1, 2, 3, u16::MAX - 1, u16::MAX]);
        assert!((i16::MIN..=i16::MAX).all(|difference| zigzag_decode(zigzag_encode(difference.into())) == difference));
    }

    #[test]
    fn counts_round_trip_to_within_a_fifth() {
        let mut counts = SampleCounts::zero(ShapeClasses::of_set(&ORDER).count());
        for (class, count) in counts.plies[7].iter_mut().enumerate() {
            *count = (class as u32).saturating_pow(2);
        }
        let read = SampleCounts::decode(&ORDER, &counts.encode(&ORDER)).unwrap();
        assert!(read.plies[8] == counts.plies[8]);
        for (&count, &read) in counts.plies[7].iter().zip(&read.plies[7]) {
            assert!(f64::from(count.abs_diff(read)) <= 0.2 * f64::from(count) + 0.7, "{count} became {read}");
        }
        assert_eq!(count_of_level(level(u32::MAX)), u32::MAX);
        // A second round trip does not round again.
        assert!(SampleCounts::decode(&ORDER, &read.encode(&ORDER)) == Ok(read));
    }

    #[test]
    fn rejects_invalid_files() {
        let good = weights().encode(&ORDER);
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] ^= byte;
            bytes
        };
        let fails = |bytes: &[u8]| Weights::decode(&ORDER, bytes).unwrap_err();
        assert_eq!(fails(b"a text"), DecodeError::UnknownFormat("weights"));
        assert_eq!(fails(&with(7, 1)), DecodeError::UnknownFormat("weights"));
        assert_eq!(fails(&with(8, 3)), DecodeError::Version { found: 1, supported: VERSION });
        assert_eq!(fails(&with(12, 1)), DecodeError::OtherShapes("order"));
        assert_eq!(Weights::decode(&FULL, &good), Err(DecodeError::OtherShapes("full")));
        assert_eq!(SampleCounts::decode(&ORDER, &good), Err(DecodeError::UnknownFormat("counts")));
        assert_eq!(fails(&with(HEADER_BYTES, 1)), DecodeError::Damaged);
        assert_eq!(fails(&with(good.len() / 2, 1)), DecodeError::Damaged);
        assert_eq!(fails(&with(good.len() - 1, 1)), DecodeError::Damaged);
        for end in [HEADER_BYTES, good.len() / 2, good.len() - 1] {
            assert_eq!(fails(&good[..end]), DecodeError::Damaged, "truncated at {end}");
        }
    }
}
