//! The transposition table that threads share. Entries contain the whole board, because exact
//! scores must not depend on a hash, and the [`Draft`] of their search.
//!
//! A cache line contains two entries, the deeper one first, and a sequence lock. No thread waits: a
//! reader that meets a writer finds no entry, and a writer that meets a writer stores nothing.

use std::sync::atomic::{AtomicU32, Ordering, fence};

use super::BestMove;
use crate::game::Confidence;
use crate::othello::Board;
use crate::search::CacheLines;

/// No square.
pub(super) const NO_MOVE: u8 = 64;

/// The number of ages, which are stored in 20 bits.
const AGES: u32 = 1 << 20;

/// The depth of a search in plies and the confidence of its selective pruning. A search is exact if
/// its depth is the number of empty squares and its confidence is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Draft {
    pub depth: u8,
    pub confidence: Confidence,
}

impl Draft {
    /// The draft of an entry without a search.
    pub const NONE: Self = Self { depth: 0, confidence: Confidence::LOWEST };

    /// Returns the draft of an exact search with `empties` empty squares.
    #[inline]
    pub fn exact(empties: u32) -> Self {
        Self { depth: empties as u8, confidence: Confidence::FULL }
    }

    /// Returns whether neither the depth nor the confidence is lower than in another draft.
    #[inline]
    pub fn covers(self, other: Self) -> bool {
        self.depth >= other.depth && self.confidence >= other.confidence
    }

    /// Returns the draft of the search after a move.
    #[inline]
    pub fn after_move(self) -> Self {
        Self { depth: self.depth - 1, ..self }
    }
}

/// The bounds of the score of a board from the player's point of view, found by a search with
/// `draft`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardEntry {
    pub lower: i8,
    pub upper: i8,
    /// The best move and the previous best move; [`NO_MOVE`] if there is none.
    pub moves: [u8; 2],
    pub draft: Draft,
}

impl Default for BoardEntry {
    /// Returns an entry without information.
    fn default() -> Self {
        Self { lower: -64, upper: 64, moves: [NO_MOVE; 2], draft: Draft::NONE }
    }
}

impl BoardEntry {
    /// Returns the bounds that are valid for a search with this draft.
    #[inline]
    pub fn bounds(self, draft: Draft) -> (i32, i32) {
        if self.draft.covers(draft) { (self.lower.into(), self.upper.into()) } else { (-64, 64) }
    }

    /// Narrows the window from `alpha` to `beta` of a search with this draft. Returns an error with
    /// the score if it needs no search.
    #[inline]
    pub fn narrow_window(self, draft: Draft, alpha: i32, beta: i32) -> Result<(i32, i32), i32> {
        let (lower, upper) = self.bounds(draft);
        if lower >= beta || lower == upper {
            return Err(lower);
        }
        if upper <= alpha {
            return Err(upper);
        }
        Ok((alpha.max(lower), beta.min(upper)))
    }

    fn pack(self, age: u32) -> u64 {
        let [first, second] = self.moves;
        u64::from(self.lower as u8)
            | u64::from(self.upper as u8) << 8
            | u64::from(first) << 16
            | u64::from(second) << 24
            | u64::from(self.draft.depth) << 32
            | u64::from(self.draft.confidence.index()) << 40
            | u64::from(age) << 44
    }

    #[inline]
    fn unpack(data: u64) -> Self {
        let confidence = Confidence::from_index((data >> 40) as u8 & 0xf);
        Self {
            lower: data as i8,
            upper: (data >> 8) as i8,
            moves: [(data >> 16) as u8, (data >> 24) as u8],
            draft: Draft { depth: (data >> 32) as u8, confidence },
        }
    }
}

fn age_of(data: u64) -> u32 {
    (data >> 44) as u32
}

fn depth_of(data: u64) -> u64 {
    data >> 32 & 0xff
}

/// The transposition table; see the module documentation.
pub(super) struct SharedTable {
    lines: CacheLines,
    age: AtomicU32,
    /// Entries of an earlier age are invalid.
    oldest_valid_age: AtomicU32,
}

impl AsRef<CacheLines> for SharedTable {
    fn as_ref(&self) -> &CacheLines {
        &self.lines
    }
}

impl SharedTable {
    pub fn new(bytes: usize) -> Self {
        Self { lines: CacheLines::new(bytes), age: AtomicU32::new(1), oldest_valid_age: AtomicU32::new(1) }
    }

    /// Starts a search and returns its age.
    pub fn begin(&self) -> u32 {
        let age = self.age.fetch_add(1, Ordering::Relaxed);
        if age + 1 >= AGES {
            self.erase();
            self.age.store(2, Ordering::Relaxed);
            self.oldest_valid_age.store(1, Ordering::Relaxed);
            return 1;
        }
        age
    }

    /// Overwrites all entries with zeros; other threads may read and write at the same time.
    fn erase(&self) {
        for line in self.lines.lines() {
            let version = loop {
                let version = line[0].load(Ordering::Relaxed) & !1;
                let locked = line[0].compare_exchange_weak(version, version + 1, Ordering::Acquire, Ordering::Relaxed);
                if locked.is_ok() {
                    break version;
                }
                std::hint::spin_loop();
            };
            fence(Ordering::Release);
            line[1..].iter().for_each(|word| word.store(0, Ordering::Relaxed));
            line[0].store(version + 2, Ordering::Release);
        }
    }

    /// Removes all entries. Concurrent searches may leave some entries behind.
    pub fn clear(&self) {
        self.oldest_valid_age.store(self.age.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Prefetches the cache line that [`get`](Self::get) will read.
    #[inline]
    pub fn prefetch<const N: usize>(&self, board: Board<N>) {
        self.lines.prefetch(board.key());
    }

    #[inline]
    pub fn get<const N: usize>(&self, board: Board<N>) -> Option<BoardEntry> {
        let line = self.lines.line(board.key());
        let version = line[0].load(Ordering::Acquire);
        let words = [1, 2, 3, 4, 5, 6].map(|i| line[i].load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        if version & 1 != 0 || line[0].load(Ordering::Relaxed) != version {
            return None;
        }
        let oldest_age = self.oldest_valid_age.load(Ordering::Relaxed);
        words.chunks_exact(3).find_map(|entry| {
            let same = entry[0] == board.player && entry[1] == board.opponent && age_of(entry[2]) >= oldest_age;
            same.then(|| BoardEntry::unpack(entry[2]))
        })
    }

    /// Stores the result of a search with the window from `alpha` to `beta`.
    pub fn insert<const N: usize>(
        &self,
        board: Board<N>,
        age: u32,
        draft: Draft,
        (alpha, beta): (i32, i32),
        best: BestMove,
    ) {
        let line = self.lines.line(board.key());
        let version = line[0].load(Ordering::Relaxed);
        if version & 1 != 0
            || line[0].compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let oldest_age = self.oldest_valid_age.load(Ordering::Relaxed);
        let read = |slot: usize| [0, 1, 2].map(|i| line[1 + 3 * slot + i].load(Ordering::Relaxed));
        let write = |slot: usize, entry: [u64; 3]| {
            entry.iter().enumerate().for_each(|(i, &word)| line[1 + 3 * slot + i].store(word, Ordering::Relaxed));
        };
        let same =
            |entry: &[u64; 3]| entry[0] == board.player && entry[1] == board.opponent && age_of(entry[2]) >= oldest_age;
        let (first, second) = (read(0), read(1));
        let old = [first, second].into_iter().find(same).map(|entry| BoardEntry::unpack(entry[2]));
        let old = old.unwrap_or_default();
        if old.draft != draft && old.draft.covers(draft) {
            // The old entry is from a deeper or more confident search.
            line[0].store(version + 2, Ordering::Release);
            return;
        }
        let (lower, upper) = old.bounds(draft);
        let mut entry = BoardEntry { lower: lower as i8, upper: upper as i8, moves: old.moves, draft };
        if best.score < beta {
            entry.upper = entry.upper.min(best.score as i8);
        }
        if best.score > alpha {
            entry.lower = entry.lower.max(best.score as i8);
        }
        // After a fail low the best move is unreliable, so it only replaces a missing one.
        if entry.moves[0] != best.square && (best.score > alpha || entry.moves[0] == NO_MOVE) {
            entry.moves = [best.square, entry.moves[0]];
        }
        let packed = [board.player, board.opponent, entry.pack(age)];
        // Prefer entries of recent searches, then deeper ones.
        let first_is_older = age_of(first[2]) < age.saturating_sub(64);
        if same(&first) {
            write(0, packed);
        } else if same(&second) {
            write(1, packed);
        } else if u64::from(draft.depth) >= depth_of(first[2]) || first_is_older || age_of(first[2]) < oldest_age {
            if !first_is_older {
                write(1, first);
            }
            write(0, packed);
        } else {
            write(1, packed);
        }
        line[0].store(version + 2, Ordering::Release);
    }
}
