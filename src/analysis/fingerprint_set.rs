//! [`FingerprintSet`]: a set of positions, stored as [fingerprints](fingerprint) in bounded memory.

use std::collections::HashSet;

use morello_core::game::AnyPosition;
use thiserror::Error;
use twox_hash::XxHash3_128;

/// The maximum number of bytes that a position takes. A hash table grows when 7/8 of its slots are
/// in use; for a moment the old table takes 17 bytes per slot, and the new one 34 per old slot.
const POSITION_BYTES: usize = 60;

/// Returns a 128-bit fingerprint of a position: the XXH3 hash of the
/// [canonical](AnyPosition::canonical) position as text. Symmetric positions have the same
/// fingerprint.
///
/// The fingerprint is the same on all machines and in all versions that write the same text. Among
/// 10^9 positions, the probability of any collision is 1.5 * 10^-21. Positions of different games
/// may have the same text and therefore the same fingerprint.
///
/// ```
/// use morello::analysis::fingerprint;
/// use morello::game::Position as _;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let after = |text| start.parse_move(text).map(|m| fingerprint(&start.after(m)));
/// assert_eq!(after("d3")?, after("f5")?);
/// assert_ne!(after("d3")?, fingerprint(&start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn fingerprint(position: &AnyPosition) -> u128 {
    XxHash3_128::oneshot(position.canonical().to_string().as_bytes())
}

/// A [`FingerprintSet`] is full.
#[derive(Debug, Error)]
#[error(
    "more than {positions} different positions do not fit into {} MiB; analyze the input in parts",
    (positions * POSITION_BYTES).div_ceil(1 << 20)
)]
#[non_exhaustive]
pub struct TooManyFingerprints {
    /// The maximum number of positions in the set.
    pub positions: usize,
}

/// A set of [fingerprints](fingerprint) with a memory limit.
///
/// ```
/// use morello::analysis::{FingerprintSet, fingerprint};
/// use morello::game::{Position as _, any_game};
/// use morello::othello;
///
/// let mut set = FingerprintSet::new(1 << 20);
/// let start = any_game::<othello::Position>().start();
/// assert!(set.insert(fingerprint(&start))?);
/// // The four first moves lead to symmetric positions.
/// for (m, is_new) in [("d3", true), ("c4", false), ("f5", false), ("e6", false)] {
///     assert_eq!(set.insert(fingerprint(&start.after(start.parse_move(m)?)))?, is_new);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FingerprintSet {
    known: HashSet<u128>,
    limit: usize,
}

morello_core::debug_fields!(FingerprintSet { known.len(), limit });

impl FingerprintSet {
    /// The default memory limit, for 17 million positions.
    pub const DEFAULT_BYTES: usize = 1 << 30;

    /// Creates an empty set that uses at most `bytes` of memory, 60 per position.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { known: HashSet::new(), limit: bytes / POSITION_BYTES }
    }

    /// Adds a fingerprint and returns whether it is new.
    ///
    /// # Errors
    /// [`TooManyFingerprints`] if the fingerprint is new and the set is full.
    pub fn insert(&mut self, fingerprint: u128) -> Result<bool, TooManyFingerprints> {
        if self.known.len() >= self.limit && !self.known.contains(&fingerprint) {
            return Err(TooManyFingerprints { positions: self.limit });
        }
        Ok(self.known.insert(fingerprint))
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Position as _, any_game};
    use morello_core::morris::{self, NineMensMorris};
    use morello_core::othello;

    use super::*;

    #[test]
    fn a_full_set_still_knows_its_positions() {
        let mut set = FingerprintSet::new(1 << 20);
        let limit = (1 << 20) / POSITION_BYTES as u128;
        assert!((0..limit).all(|n| set.insert(n).unwrap()));
        assert!(set.known.capacity() * 17 < 1 << 20);
        assert!(!set.insert(5).unwrap());
        let error = set.insert(limit).unwrap_err().to_string();
        assert!(error.starts_with("more than 17476 different positions do not fit into 1 MiB"), "{error}");
    }

    #[test]
    fn fingerprints_are_stable_and_canonical() {
        let start = any_game::<othello::Position>().start();
        assert_eq!(fingerprint(&start), XxHash3_128::oneshot(start.canonical().to_string().as_bytes()));
        assert_eq!(fingerprint(&start), 82_408_221_846_566_970_162_596_627_519_388_490_696);
        // The published check value for empty input.
        assert_eq!(XxHash3_128::oneshot(b""), 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
        let nine = any_game::<morris::Position<NineMensMorris>>();
        for seed in 0..20 {
            let position = *nine.random_game(seed, 20).position();
            for k in 0..nine.info().symmetries {
                assert_eq!(fingerprint(&position.transform(k)), fingerprint(&position));
            }
            let (m, other) = (position.legal_moves().next(), fingerprint(&position));
            assert!(m.is_none_or(|m| fingerprint(&position.after(m)) != other));
        }
    }
}
