//! The table that threads share. It keeps whole boards and compares them: an exact score must not rest on a hash. What is known of a board
//! is marked with the [`Draft`] of the search that found it out.
//!
//! A cache line holds two entries, the deeper one first, behind a sequence lock: a reader that meets a writer misses, and a writer that
//! meets a writer gives up, so nobody waits.

use std::sync::atomic::{AtomicU32, Ordering, fence};

use super::BestMove;
use crate::game::Confidence;
use crate::othello::Board;
use crate::search::CacheLines;

/// No square.
pub(super) const NO_MOVE: u8 = 64;

/// Ages are counted in 20 bits.
const AGES: u32 = 1 << 20;

/// How much a search looks at: so many plies, with such confidence in what it leaves out. With as many plies as there are empty squares and
/// full confidence its score is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Draft {
    pub depth: u8,
    pub confidence: Confidence,
}

impl Draft {
    /// Nothing is looked at.
    pub const NONE: Self = Self { depth: 0, confidence: Confidence::LOWEST };

    /// All of the game, where so many squares are empty.
    #[inline]
    pub fn exact(empties: u32) -> Self {
        Self { depth: empties as u8, confidence: Confidence::FULL }
    }

    /// Returns whether a search looks at all that the other would.
    #[inline]
    pub fn covers(self, other: Self) -> bool {
        self.depth >= other.depth && self.confidence >= other.confidence
    }

    /// Returns what is left to look at after a move.
    #[inline]
    pub fn after_move(self) -> Self {
        Self { depth: self.depth - 1, ..self }
    }
}

/// What is known of a board: by a search of such a draft, its score for the player lies from `lower` to `upper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub lower: i8,
    pub upper: i8,
    /// The best move and the one before it; [`NO_MOVE`] where there is none.
    pub moves: [u8; 2],
    pub draft: Draft,
}

impl Default for Entry {
    /// Nothing is known.
    fn default() -> Self {
        Self { lower: -64, upper: 64, moves: [NO_MOVE; 2], draft: Draft::NONE }
    }
}

impl Entry {
    /// Returns the bounds of the score that a search of this draft would find, as far as they are known.
    #[inline]
    pub fn bounds(self, draft: Draft) -> (i32, i32) {
        if self.draft.covers(draft) { (self.lower.into(), self.upper.into()) } else { (-64, 64) }
    }

    /// Returns what is left of the window from `alpha` to `beta` of a search of this draft, or the score if nothing is.
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

/// The table; see the module.
pub(super) struct SharedTable {
    lines: CacheLines,
    age: AtomicU32,
    /// Entries of an earlier age are forgotten.
    oldest_valid_age: AtomicU32,
}

impl SharedTable {
    pub fn new(bytes: usize) -> Self {
        Self { lines: CacheLines::new(bytes), age: AtomicU32::new(1), oldest_valid_age: AtomicU32::new(1) }
    }

    /// Begins a search and returns its age.
    pub fn begin(&self) -> u32 {
        let age = self.age.fetch_add(1, Ordering::Relaxed);
        if age + 1 >= AGES {
            self.forget();
            self.age.store(2, Ordering::Relaxed);
            self.oldest_valid_age.store(1, Ordering::Relaxed);
            return 1;
        }
        age
    }

    /// Makes every entry one of no board; others may be reading and writing.
    fn forget(&self) {
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

    /// Forgets everything; searches that run at the time may leave some of it behind.
    pub fn clear(&self) {
        self.oldest_valid_age.store(self.age.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Begins to fetch what [`get`](Self::get) will need.
    #[inline]
    pub fn prefetch<const N: usize>(&self, board: Board<N>) {
        self.lines.prefetch(board.key());
    }

    #[inline]
    pub fn get<const N: usize>(&self, board: Board<N>) -> Option<Entry> {
        let line = self.lines.line(board.key());
        let version = line[0].load(Ordering::Acquire);
        let words = [1, 2, 3, 4, 5, 6].map(|i| line[i].load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        if version & 1 != 0 || line[0].load(Ordering::Relaxed) != version {
            return None;
        }
        let floor = self.oldest_valid_age.load(Ordering::Relaxed);
        words.chunks_exact(3).find_map(|entry| {
            let same = entry[0] == board.player && entry[1] == board.opponent && age_of(entry[2]) >= floor;
            same.then(|| Entry::unpack(entry[2]))
        })
    }

    /// Keeps what was found out about a board: the score `best` in a search with the window from `alpha` to `beta`.
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
        let floor = self.oldest_valid_age.load(Ordering::Relaxed);
        let read = |slot: usize| [0, 1, 2].map(|i| line[1 + 3 * slot + i].load(Ordering::Relaxed));
        let write = |slot: usize, entry: [u64; 3]| {
            entry.iter().enumerate().for_each(|(i, &word)| line[1 + 3 * slot + i].store(word, Ordering::Relaxed));
        };
        let same =
            |entry: &[u64; 3]| entry[0] == board.player && entry[1] == board.opponent && age_of(entry[2]) >= floor;
        let (first, second) = (read(0), read(1));
        let known = [first, second].into_iter().find(same).map(|entry| Entry::unpack(entry[2]));
        let known = known.unwrap_or_default();
        if known.draft != draft && known.draft.covers(draft) {
            // More is known than was found out now.
            line[0].store(version + 2, Ordering::Release);
            return;
        }
        let (lower, upper) = known.bounds(draft);
        let mut entry = Entry { lower: lower as i8, upper: upper as i8, moves: known.moves, draft };
        if best.score < beta {
            entry.upper = entry.upper.min(best.score as i8);
        }
        if best.score > alpha {
            entry.lower = entry.lower.max(best.score as i8);
        }
        // Below alpha every move failed: the one with the highest bound says little, but more than none.
        if entry.moves[0] != best.square && (best.score > alpha || entry.moves[0] == NO_MOVE) {
            entry.moves = [best.square, entry.moves[0]];
        }
        let packed = [board.player, board.opponent, entry.pack(age)];
        // A subtree of this search is worth more than one of an earlier search, a larger more than a smaller.
        let first_is_older = age_of(first[2]) < age.saturating_sub(64);
        if same(&first) {
            write(0, packed);
        } else if same(&second) {
            write(1, packed);
        } else if u64::from(draft.depth) >= depth_of(first[2]) || first_is_older || age_of(first[2]) < floor {
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
