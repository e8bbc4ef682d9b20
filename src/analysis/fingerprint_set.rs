//! [`FingerprintSet`]: a set of positions, stored as [fingerprints](fingerprint) in bounded memory.
//!
//! ```text
//! insert -> table in memory --full: sorted--> run --more than 8 runs: merged--> run
//!           ^ looked up first                 ^ then each run, the newest first
//! ```
//!
//! The table uses open addressing and takes 16 bytes per slot. At a load of three quarters, 21.4 bytes per position, it is sorted, written
//! as a run, and emptied. A run is an unnamed temporary file with 16 bytes per position, mapped into memory; it disappears with the set,
//! even if the process is killed. Lookups in a run use interpolation search (Peterson, "Addressing for random-access storage", 1957):
//! fingerprints are evenly distributed, so the value alone gives a first guess of the place, and the value found there a second. The
//! second guess is about ten places off, so a lookup touches few pages.
//!
//! When there are too many runs, the newest are merged, together with each older one that is not longer than all of them so far. So a
//! position is rarely rewritten: on average twice by the 45th run, 3 times by the 495th, 4 times by the 1000th.
//!
//! There is no Bloom filter: it would save lookups of new positions, but its memory would grow with their number. A lookup in eight runs of
//! 3 to 17 million positions in the page cache took 2 to 5 us, which is negligible compared with the analysis of a position.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use thiserror::Error;
use twox_hash::XxHash3_128;

use crate::game::AnyPosition;

/// Maximum number of runs; each costs a lookup.
const MAX_RUNS: usize = 8;

/// The first step away from a guessed place in a run. The error of the guess is about the fourth root of the run's length.
const FIRST_STEP: usize = 16;

/// The size of a fingerprint in bytes.
const FINGERPRINT_BYTES: usize = size_of::<u128>();

/// The number of slots of the smallest table, one kibibyte.
const MIN_SLOTS: usize = 64;

/// Returns a 128-bit fingerprint of a position, the same for all symmetric positions: the XXH3 hash of the text of the
/// [canonical](AnyPosition::canonical) position.
///
/// It is the same on all machines and in all versions that write the same text. Among 10^9 positions, the probability of any collision is
/// 1.5 * 10^-21. Positions of different games may have the same text and therefore the same fingerprint.
#[must_use]
pub fn fingerprint(position: &AnyPosition) -> u128 {
    XxHash3_128::oneshot(position.canonical().to_string().as_bytes())
}

/// An error in the temporary files of a set.
#[derive(Debug, Error)]
#[error("cannot store known positions in `{}`; allow more memory, or set TMPDIR to another folder", folder.display())]
pub struct FingerprintSetError {
    /// The folder of the temporary files.
    pub folder: PathBuf,
    /// The cause.
    pub source: io::Error,
}

/// A set of [fingerprints](fingerprint) with a memory limit. The rest is stored on disk: 16 bytes per position, and twice that while runs
/// are merged.
///
/// Lookups are fast while the files fit into the page cache; otherwise they need a few disk reads for each of up to eight runs.
///
/// ```
/// use morello::analysis::{FingerprintSet, fingerprint};
/// use morello::game::{Position as _, any_game};
/// use morello::othello;
///
/// let mut set = FingerprintSet::new(1 << 20, &std::env::temp_dir())?;
/// let start = any_game::<othello::Position>().start();
/// assert!(set.insert(fingerprint(&start))?);
/// // The four first moves lead to symmetric positions.
/// for (m, is_new) in [("d3", true), ("c4", false), ("f5", false), ("e6", false)] {
///     assert_eq!(set.insert(fingerprint(&start.after(start.parse_move(m)?)))?, is_new);
/// }
/// assert_eq!(set.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FingerprintSet {
    /// Fingerprints by open addressing with linear probing, in ascending order except for collisions; 0 is an empty slot.
    table: Vec<u128>,
    /// The number of slots in use.
    used: usize,
    /// Whether 0 is in the set; no slot can store it.
    contains_zero: bool,
    /// The earlier contents of the table, oldest first. The runs are disjoint.
    runs: Vec<SortedRun>,
    folder: PathBuf,
}

impl FingerprintSet {
    /// Creates an empty set that uses at most `memory_bytes` of memory (at least a kibibyte), and files in `folder`.
    ///
    /// # Errors
    /// [`FingerprintSetError`] if the memory cannot be allocated, or a file cannot be created in the folder. A full disk is detected later.
    pub fn new(memory_bytes: usize, folder: &Path) -> Result<Self, FingerprintSetError> {
        let failed = |source| FingerprintSetError { folder: folder.to_owned(), source };
        tempfile::tempfile_in(folder).map_err(failed)?;
        let slots = (memory_bytes / FINGERPRINT_BYTES).max(MIN_SLOTS);
        // Check first, since a failing `vec!` aborts the process. `vec!` is used because it gets zeroed pages for free.
        Vec::<u128>::new()
            .try_reserve_exact(slots)
            .map_err(|error| failed(io::Error::new(io::ErrorKind::OutOfMemory, error)))?;
        Ok(Self { table: vec![0; slots], used: 0, contains_zero: false, runs: Vec::new(), folder: folder.to_owned() })
    }

    /// Adds a fingerprint and returns whether it is new.
    ///
    /// # Errors
    /// [`FingerprintSetError`], most likely because the disk is full. The set must not be used afterwards: it may be incomplete.
    pub fn insert(&mut self, fingerprint: u128) -> Result<bool, FingerprintSetError> {
        if fingerprint == 0 {
            return Ok(!std::mem::replace(&mut self.contains_zero, true));
        }
        let mut slot = match self.find(fingerprint) {
            Ok(_) => return Ok(false),
            Err(slot) => slot,
        };
        if self.runs.iter().rev().any(|run| run.contains(fingerprint)) {
            return Ok(false);
        }
        if self.used >= self.table.len() / 4 * 3 {
            self.spill().map_err(|source| FingerprintSetError { folder: self.folder.clone(), source })?;
            slot = self.find(fingerprint).unwrap_or_else(|slot| slot);
        }
        self.table[slot] = fingerprint;
        self.used += 1;
        Ok(true)
    }

    /// Returns the number of fingerprints in the set.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.used as u64
            + u64::from(self.contains_zero)
            + self.runs.iter().map(|run| run.all().len() as u64).sum::<u64>()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the slot of a fingerprint, or the empty slot where it belongs.
    fn find(&self, fingerprint: u128) -> Result<usize, usize> {
        let mut slot = expected_rank(fingerprint, self.table.len());
        loop {
            match self.table[slot] {
                0 => return Err(slot),
                found if found == fingerprint => return Ok(slot),
                _ => slot = if slot + 1 < self.table.len() { slot + 1 } else { 0 },
            }
        }
    }

    /// Writes the table as a run and empties it.
    fn spill(&mut self) -> io::Result<()> {
        let slots = self.table.len();
        self.table.retain(|&fingerprint| fingerprint != 0);
        self.table.sort_unstable();
        self.runs.push(SortedRun::write(&self.folder, self.table.iter().copied())?);
        self.table.clear();
        self.table.resize(slots, 0);
        self.used = 0;
        if self.runs.len() > MAX_RUNS { self.merge() } else { Ok(()) }
    }

    /// Merges the newest runs.
    fn merge(&mut self) -> io::Result<()> {
        let len = |run: usize| self.runs[run].all().len();
        let mut first = self.runs.len() - 2;
        let mut sum = len(first) + len(first + 1);
        while first > 0 && len(first - 1) <= sum {
            first -= 1;
            sum += len(first);
        }
        let merged = SortedRun::write(&self.folder, MergeIter::of(&self.runs[first..]))?;
        self.runs.truncate(first);
        self.runs.push(merged);
        Ok(())
    }
}

/// Sorted fingerprints in a file of their own, mapped into memory. There is at least one.
#[derive(Debug)]
struct SortedRun(Mmap);

impl SortedRun {
    /// Writes fingerprints, which must be sorted.
    fn write(folder: &Path, fingerprints: impl Iterator<Item = u128>) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?);
        for fingerprint in fingerprints {
            file.write_all(&fingerprint.to_le_bytes())?;
        }
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        map(&file).map(Self)
    }

    /// Returns all fingerprints, as bytes.
    fn all(&self) -> &[[u8; FINGERPRINT_BYTES]] {
        self.0.as_chunks().0
    }

    fn contains(&self, fingerprint: u128) -> bool {
        let all = self.all();
        let at = |place: usize| u128::from_le_bytes(all[place]);
        let first = expected_rank(fingerprint, all.len());
        let found = at(first);
        let guess = if found <= fingerprint {
            (first + expected_rank(fingerprint - found, all.len())).min(all.len() - 1)
        } else {
            first.saturating_sub(expected_rank(found - fingerprint, all.len()))
        };
        // The fingerprint can only be between `start` and `end` once the steps from the guess have passed it.
        let (mut start, mut end, mut step) = (guess, guess, FIRST_STEP);
        if at(guess) <= fingerprint {
            loop {
                end = start.saturating_add(step).min(all.len());
                if end == all.len() || at(end) > fingerprint {
                    break;
                }
                (start, step) = (end, 2 * step);
            }
        } else {
            loop {
                start = end.saturating_sub(step);
                if start == 0 || at(start) <= fingerprint {
                    break;
                }
                (end, step) = (start, 2 * step);
            }
        }
        all[start..end].binary_search_by_key(&fingerprint, |&bytes| u128::from_le_bytes(bytes)).is_ok()
    }
}

/// Returns how many of `count` evenly distributed 128-bit numbers are expected below `number`; less than `count`.
fn expected_rank(number: u128, count: usize) -> usize {
    (((number >> 64) * count as u128) >> 64) as usize
}

/// Maps a file into memory.
#[allow(unsafe_code)] // the type system cannot exclude changes by other processes
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read, as bytes, and every index is checked. The file has no name under which another process could open it,
    // and is never written again.
    unsafe { Mmap::map(file) }
}

/// The merged fingerprints of several runs, in order.
struct MergeIter<'a>(Vec<(u128, std::slice::Iter<'a, [u8; FINGERPRINT_BYTES]>)>);

impl<'a> MergeIter<'a> {
    fn of(runs: &'a [SortedRun]) -> Self {
        let begin = |run: &'a SortedRun| {
            let mut rest = run.all().iter();
            rest.next().map(|&first| (u128::from_le_bytes(first), rest))
        };
        Self(runs.iter().filter_map(begin).collect())
    }
}

impl Iterator for MergeIter<'_> {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        let least = (0..self.0.len()).min_by_key(|&i| self.0[i].0)?;
        let (value, rest) = &mut self.0[least];
        let result = *value;
        match rest.next() {
            Some(&next) => *value = u128::from_le_bytes(next),
            None => drop(self.0.swap_remove(least)),
        }
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::game::{Position as _, any_game};
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    /// Adds fingerprints to a set of the smallest size and to a `HashSet`, and compares the results.
    fn compare(fingerprints: impl IntoIterator<Item = u128>) -> FingerprintSet {
        let folder = tempfile::tempdir().unwrap();
        let (mut seen, mut all) = (FingerprintSet::new(0, folder.path()).unwrap(), HashSet::new());
        let capacity = seen.table.capacity();
        for fingerprint in fingerprints {
            assert_eq!(seen.insert(fingerprint).unwrap(), all.insert(fingerprint), "{fingerprint:x}");
            assert_eq!(seen.len(), all.len() as u64);
            assert!(seen.runs.len() <= MAX_RUNS && seen.table.capacity() == capacity);
        }
        all.into_iter().for_each(|fingerprint| assert!(!seen.insert(fingerprint).unwrap()));
        seen
    }

    fn spread(n: u64) -> u128 {
        XxHash3_128::oneshot(&n.to_le_bytes())
    }

    #[test]
    fn merges_thousands_of_runs() {
        // Each number occurs twice, some close together, some far apart.
        let seen = compare((0..200_000).map(|n| spread(if n % 2 == 0 { n } else { n / 3 })));
        assert!(seen.len() > 2000 * 48, "{}", seen.len());
        assert!(seen.runs.windows(2).all(|runs| runs[0].all().len() >= runs[1].all().len()));
    }

    proptest! {
        #[test]
        fn finds_unevenly_distributed_fingerprints(
            few in proptest::collection::vec(0_u128..300, 0..600),
            near_the_end in proptest::collection::vec(u128::MAX - 300.., 0..300),
            any in proptest::collection::vec(any::<u128>(), 0..300),
            shifts in proptest::collection::vec(0_u32..128, 0..300),
        ) {
            compare(few.into_iter().chain(near_the_end).chain(any).chain(shifts.into_iter().map(|shift| 1 << shift)));
        }
    }

    #[test]
    fn respects_the_memory_limit() {
        let folder = tempfile::tempdir().unwrap();
        let mut seen = FingerprintSet::new(10_000, folder.path()).unwrap();
        (0..3000).for_each(|n| assert!(seen.insert(spread(n)).unwrap()));
        assert!(seen.table.capacity() * FINGERPRINT_BYTES <= 10_000 && seen.runs.len() > 1);
        assert_eq!(seen.runs[0].all().len(), 468, "three quarters of 625 slots");
        assert!(FingerprintSet::new(usize::MAX, folder.path()).is_err());
        if cfg!(unix) {
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
        }
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
