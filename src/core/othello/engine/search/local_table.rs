//! A thread-local transposition table for exact nodes near the end, small enough to stay in the
//! processor's caches. Lookups in the shared table have to wait for main memory.

use super::BestMove;
use super::table::{BoardEntry, Draft, NO_MOVE};
use crate::othello::Board;

/// Exact nodes with at most this many empty squares use the thread-local table if a single thread
/// searches. Nodes with more use the shared table.
pub(super) const MAX_EMPTIES: u32 = 14;

/// The minimum number of empty squares of exact nodes that use the table. With fewer, a search is
/// as fast as a lookup.
const MIN_EMPTIES: u32 = 4;

/// Most boards have at most this many empty squares. They have their own slots, which therefore
/// stay in the second-level cache. Boards with [`MIN_EMPTIES`] empty squares have their own slots
/// too, so that they do not displace others.
const FEW_EMPTIES: u32 = 10;

/// The number of slots, of 24 bytes each, for boards with the fewest, with few and with more empty
/// squares: 96 KiB, 384 KiB and 1.5 MiB. A single table of 3 MiB took 30 % more time for FFO #40 to
/// #45.
const FEWEST_SLOTS: usize = 1 << 12;
const FEW_SLOTS: usize = 1 << 14;
const MORE_SLOTS: usize = 1 << 16;
const SLOTS: usize = FEWEST_SLOTS + FEW_SLOTS + MORE_SLOTS;

/// The player's discs, the opponent's discs, and the entry combined with the epoch. Slots of an
/// earlier epoch are empty.
type Slot = [u64; 3];

/// The bounds of the score of a board from the player's point of view.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalEntry {
    pub lower: i8,
    pub upper: i8,
    /// The best move; [`NO_MOVE`] if there is none.
    pub square: u8,
}

impl Default for LocalEntry {
    fn default() -> Self {
        Self { lower: -64, upper: 64, square: NO_MOVE }
    }
}

impl LocalEntry {
    /// Returns the bound that decides the null window above `alpha`, if one does.
    #[inline]
    pub fn settled(self, alpha: i32) -> Option<i32> {
        if i32::from(self.lower) > alpha {
            return Some(self.lower.into());
        }
        (i32::from(self.upper) <= alpha).then_some(self.upper.into())
    }

    /// Returns the entry after a search with the null window above `alpha` that returned `score`.
    /// The old bounds must not decide the window.
    #[inline]
    pub fn with_score(self, alpha: i32, score: i32) -> Self {
        if score > alpha { Self { lower: score as i8, ..self } } else { Self { upper: score as i8, ..self } }
    }
}

/// A direct-mapped table. Each slot contains the last board inserted there and the bounds of its
/// score.
pub(super) struct LocalTable {
    slots: Box<[Slot; SLOTS]>,
    epoch: u32,
}

impl LocalTable {
    /// Creates an empty table. The operating system allocates its memory on first use.
    pub fn new() -> Self {
        let slots = bytemuck::allocation::zeroed_slice_box::<Slot>(SLOTS);
        Self { slots: slots.try_into().expect("the sizes are equal"), epoch: 1 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.slots.fill([0; 3]);
            1
        });
    }

    /// Returns the slot index of a board with this number of empty squares, from [`MIN_EMPTIES`] to
    /// [`MAX_EMPTIES`].
    #[inline]
    pub fn index<const N: usize>(&self, board: Board<N>, empties: u32) -> usize {
        let key = board.key();
        let slot = |slots: usize| (key >> (64 - slots.ilog2())) as usize;
        match empties {
            MIN_EMPTIES => slot(FEWEST_SLOTS),
            ..=FEW_EMPTIES => FEWEST_SLOTS + slot(FEW_SLOTS),
            _ => FEWEST_SLOTS + FEW_SLOTS + slot(MORE_SLOTS),
        }
    }

    /// Returns the entry of a board whose slot has this index, or an entry without information if
    /// there is none.
    #[inline]
    pub fn entry<const N: usize>(&self, index: usize, board: Board<N>) -> LocalEntry {
        let [player, opponent, data] = self.slots[index];
        if player == board.player && opponent == board.opponent && (data >> 32) as u32 == self.epoch {
            LocalEntry { lower: data as i8, upper: (data >> 8) as i8, square: (data >> 16) as u8 }
        } else {
            LocalEntry::default()
        }
    }

    /// Returns the entry of a board in the form of the shared table.
    pub fn get<const N: usize>(&self, board: Board<N>) -> BoardEntry {
        let empties = board.empty_count();
        let LocalEntry { lower, upper, square } = self.entry(self.index(board, empties), board);
        BoardEntry { lower, upper, moves: [square, NO_MOVE], draft: Draft::exact(empties) }
    }

    /// Stores the entry of a board whose slot has this index.
    #[inline]
    pub fn insert<const N: usize>(&mut self, index: usize, board: Board<N>, entry: LocalEntry) {
        let LocalEntry { lower, upper, square } = entry;
        let [bounds, square] = [u64::from(u16::from_le_bytes([lower as u8, upper as u8])), u64::from(square)];
        self.slots[index] = [board.player, board.opponent, u64::from(self.epoch) << 32 | square << 16 | bounds];
    }

    /// Stores the result of a search with the window from `alpha` to `beta`.
    pub fn insert_result<const N: usize>(&mut self, board: Board<N>, (alpha, beta): (i32, i32), best: BestMove) {
        let index = self.index(board, board.empty_count());
        let mut entry = self.entry(index, board);
        if best.score < beta {
            entry.upper = entry.upper.min(best.score as i8);
        }
        if best.score > alpha {
            entry.lower = entry.lower.max(best.score as i8);
        }
        // After a fail low the best move is unreliable, so it only replaces a missing one.
        if best.score > alpha || entry.square == NO_MOVE {
            entry.square = best.square;
        }
        self.insert(index, board, entry);
    }
}
