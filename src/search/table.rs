//! The transposition table: what earlier visits found out about a position, shared by all threads without a lock.
//!
//! An entry is two words, the data and the key combined with it by exclusive or, so that an entry torn by two writers fails the comparison
//! of keys (Hyatt's lockless hashing). Four entries share a cache line. The key is a hash in general: a move that is found here is only a
//! suggestion, which the search looks up among the legal moves.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::CacheLines;

/// Entries in a cache line.
const BUCKET: usize = 4;

/// Entries older than this many searches are replaced first. More than run at a time on most machines.
const OLD_AGE: u16 = 64;

/// Ages are counted in 14 bits.
const AGES: u16 = 1 << 14;

/// What a stored value says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing: only the move is worth knowing.
    None,
    /// It is at least the value.
    Lower,
    /// It is at most the value.
    Upper,
    /// It is the value.
    Exact,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Seen from the side to move, wins counted from this position; within 24 bits.
    pub value: i32,
    pub bound: Bound,
    /// Plies searched; [`COMPLETE_DEPTH`] if to the end of every line.
    pub depth: u8,
    /// The best move as the game encodes it.
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

/// A transposition table; see the module.
pub(super) struct TranspositionTable {
    lines: CacheLines,
    /// Searches begun since the memory was last zero, clears counted as [`OLD_AGE`] + 1.
    age: AtomicU32,
    /// Differs before and after each clear, so that no older key is found again.
    salt: AtomicU64,
}

impl TranspositionTable {
    /// Creates a table of at most `bytes` bytes, but of at least one cache line.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { lines: CacheLines::new(bytes), age: AtomicU32::new(1), salt: AtomicU64::new(0) }
    }

    /// Begins a search.
    pub(super) fn begin(&self) -> TableView<'_> {
        let age = (self.age.fetch_add(1, Ordering::Relaxed) % u32::from(AGES)) as u16;
        TableView { lines: &self.lines, age, salt: self.salt.load(Ordering::Relaxed) }
    }

    /// Forgets everything; searches that run at the time may leave some of it behind.
    ///
    /// Cheap: old entries stay where they are, but are never found and make room as empty ones do. So a search after a clear goes
    /// exactly as with a new table.
    pub fn clear(&self) {
        self.salt.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let age = self.age.fetch_add(u32::from(OLD_AGE) + 1, Ordering::Relaxed);
        if age + 2 * (u32::from(OLD_AGE) + 1) >= u32::from(AGES) {
            // The ages are about to come round: an old entry could pass for a new one.
            self.lines.zero();
            self.age.store(1, Ordering::Relaxed);
        }
    }
}

/// The table as one search sees it.
#[derive(Clone, Copy)]
pub(super) struct TableView<'a> {
    lines: &'a CacheLines,
    age: u16,
    salt: u64,
}

impl TableView<'_> {
    /// Begins to fetch what is known under a key.
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    pub fn get(&self, key: u64) -> Option<Entry> {
        let line = self.lines.line(key);
        let key = key ^ self.salt;
        (0..BUCKET).find_map(|slot| {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            // No entry is 0: its depth is at least 1.
            (data != 0 && line[2 * slot].load(Ordering::Relaxed) ^ data == key).then(|| Entry::unpack(data))
        })
    }

    pub fn insert(&self, key: u64, entry: Entry) {
        // The salt changes what is compared and not the place, so that keys share lines after a clear as they did before.
        let line = self.lines.line(key);
        let key = key ^ self.salt;
        // The entry of this position, else an empty or old one, else the shallowest.
        let mut victim = 0;
        let mut least = u16::MAX;
        let mut entry = entry;
        for slot in 0..BUCKET {
            let data = line[2 * slot + 1].load(Ordering::Relaxed);
            let same = data != 0 && line[2 * slot].load(Ordering::Relaxed) ^ data == key;
            let worth = if same {
                victim = slot;
                if entry.bound == Bound::None {
                    // A move to try is all that is new.
                    entry = Entry { code: entry.code, ..Entry::unpack(data) };
                }
                break;
            } else if data == 0 || self.is_old(data) {
                0
            } else {
                u16::from(depth_of(data)) + 1
            };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let data = entry.pack(self.age);
        line[2 * victim + 1].store(data, Ordering::Relaxed);
        line[2 * victim].store(key ^ data, Ordering::Relaxed);
    }

    fn is_old(&self, data: u64) -> bool {
        let searches = self.age.wrapping_sub(age_of(data)) & (AGES - 1);
        // Those of a search that began after this one are not old but of the future.
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
        // All in the one line there is; the shallowest makes room.
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
