//! The transposition table, shared by all threads without a lock.
//!
//! An entry consists of two words: the data, and the key XORed with the data. An entry torn by
//! concurrent writers therefore fails the key comparison (Hyatt's lockless hashing). Four entries
//! share a cache line. Keys may collide, so the search checks that the move of an entry is legal.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::CacheLines;

/// The number of entries per cache line.
const BUCKET: usize = 4;

/// Entries older than this many searches are replaced first. The number exceeds the number of
/// concurrent searches on most machines.
const OLD_AGE: u16 = 64;

/// Ages have 14 bits.
const AGES: u16 = 1 << 14;

/// How the stored value bounds the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// No bound; only the move is useful.
    None,
    /// The true value is at least the stored value.
    Lower,
    /// The true value is at most the stored value.
    Upper,
    /// The stored value is the true value.
    Exact,
}

/// A table entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value for the side to move, with distances counted from this position. It fits in 24
    /// bits.
    pub value: i32,
    pub bound: Bound,
    /// The depth searched, in plies; [`COMPLETE_DEPTH`] if every line was searched to its end.
    pub depth: u8,
    /// The best move, as a number.
    pub code: u16,
}

/// The depth of an entry that no deeper search can change.
pub(super) const COMPLETE_DEPTH: u8 = u8::MAX;

impl Entry {
    fn pack(self, age: u16) -> u64 {
        (self.value as u32 as u64) << 40
            | u64::from(self.code) << 24
            | u64::from(self.depth) << 16
            | (self.bound as u64) << 14
            | u64::from(age)
    }

    fn unpack(data: u64) -> Self {
        let bound = match data >> 14 & 3 {
            0 => Bound::None,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        Self { value: (data as i64 >> 40) as i32, bound, depth: (data >> 16) as u8, code: (data >> 24) as u16 }
    }
}

fn age_of(data: u64) -> u16 {
    data as u16 & (AGES - 1)
}

fn depth_of(data: u64) -> u8 {
    (data >> 16) as u8
}

/// A transposition table.
pub(super) struct TranspositionTable {
    lines: CacheLines,
    /// The number of searches since the memory was zeroed. A clear counts as [`OLD_AGE`] + 1
    /// searches.
    age: AtomicU32,
    /// A value that each clear changes, so that older keys no longer match.
    salt: AtomicU64,
}

impl AsRef<CacheLines> for TranspositionTable {
    fn as_ref(&self) -> &CacheLines {
        &self.lines
    }
}

impl TranspositionTable {
    /// Creates a table of at most `bytes` bytes, but at least one cache line.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { lines: CacheLines::new(bytes), age: AtomicU32::new(1), salt: AtomicU64::new(0) }
    }

    /// Starts a search.
    pub(super) fn begin(&self) -> TableView<'_> {
        let age = (self.age.fetch_add(1, Ordering::Relaxed) % u32::from(AGES)) as u16;
        TableView { lines: &self.lines, age, salt: self.salt.load(Ordering::Relaxed) }
    }

    /// Clears the table. Concurrent searches may leave entries behind.
    ///
    /// This is fast: old entries stay in memory, but never match and are replaced like empty ones.
    /// A search after a clear behaves exactly as with a new table.
    pub fn clear(&self) {
        self.salt.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let age = self.age.fetch_add(u32::from(OLD_AGE) + 1, Ordering::Relaxed);
        if age + 2 * (u32::from(OLD_AGE) + 1) >= u32::from(AGES) {
            // The ages are about to wrap around, which would make old entries look new.
            self.lines.zero();
            self.age.store(1, Ordering::Relaxed);
        }
    }
}

/// The table as seen by one search.
#[derive(Clone, Copy)]
pub(super) struct TableView<'a> {
    lines: &'a CacheLines,
    age: u16,
    salt: u64,
}

impl TableView<'_> {
    /// Prefetches the cache line of a key.
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    pub fn get(&self, key: u64) -> Option<Entry> {
        let line = self.lines.line(key);
        let key = key ^ self.salt;
        (0..BUCKET).find_map(|slot| {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            // No entry is 0, because depths are at least 1.
            (data != 0 && line[2 * slot].load(Ordering::Relaxed) ^ data == key).then(|| Entry::unpack(data))
        })
    }

    pub fn insert(&self, key: u64, entry: Entry) {
        // The salt changes the comparison but not the cache line, so a search after a clear has the
        // same collisions as with a new table.
        let line = self.lines.line(key);
        let key = key ^ self.salt;
        // Replace the entry of this position, or else an empty or old one, or else the shallowest.
        let mut victim = 0;
        let mut least = u16::MAX;
        let mut entry = entry;
        for slot in 0..BUCKET {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            let same = data != 0 && line[2 * slot].load(Ordering::Relaxed) ^ data == key;
            let rank = if same {
                victim = slot;
                if entry.bound == Bound::None {
                    // Only the move is new; keep the old value.
                    entry = Entry { code: entry.code, ..Entry::unpack(data) };
                }
                break;
            } else if data == 0 || self.is_old(data) {
                0
            } else {
                u16::from(depth_of(data)) + 1
            };
            if rank < least {
                (victim, least) = (slot, rank);
            }
        }
        let data = entry.pack(self.age);
        line[2 * victim + 1].store(data, Ordering::Relaxed);
        line[2 * victim].store(key ^ data, Ordering::Relaxed);
    }

    fn is_old(&self, data: u64) -> bool {
        let searches = self.age.wrapping_sub(age_of(data)) & (AGES - 1);
        // Entries of searches that started after this one also have a large difference, but are not
        // old.
        (OLD_AGE + 1..AGES - OLD_AGE).contains(&searches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip_through_packing() {
        for value in [-1_000_000, -1, 0, 1, 64_000, 1_000_000] {
            for bound in [Bound::None, Bound::Lower, Bound::Upper, Bound::Exact] {
                let entry = Entry { value, bound, depth: 200, code: 0xbeef };
                assert_eq!(Entry::unpack(entry.pack(AGES - 1)), entry);
            }
        }
    }

    #[test]
    fn an_earlier_search_does_not_replace_entries_of_a_later_one_as_old() {
        let table = TranspositionTable::new(1);
        let (earlier, later) = (table.begin(), table.begin());
        let entry = |depth| Entry { value: 1, bound: Bound::Exact, depth, code: 7 };
        // The table has one line, so the shallowest entry is replaced.
        [9, 3, 9, 9].into_iter().zip(1..).for_each(|(depth, key)| later.insert(key, entry(depth)));
        earlier.insert(5, entry(1));
        assert_eq!((1..=5).map(|key| later.get(key).is_some()).collect::<Vec<_>>(), [true, false, true, true, true]);
    }

    #[test]
    fn a_cleared_table_is_empty_after_any_number_of_clears() {
        let table = TranspositionTable::new(1 << 12);
        for round in 0..3 * u64::from(AGES) / u64::from(OLD_AGE) {
            let view = table.begin();
            assert_eq!((0..100).find_map(|key| view.get(key << 56 | key)), None, "round {round}");
            for key in 0..100 {
                view.insert(key << 56 | key, Entry { value: 1, bound: Bound::Exact, depth: 3, code: 7 });
            }
            assert!(view.get(99 << 56 | 99).is_some());
            table.clear();
        }
    }
}
