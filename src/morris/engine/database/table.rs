//! [`Table`]: the solved values of a sector, packed, in a file or in memory.
//!
//! ```text
//! head    128 bytes: what the table is, its counts, and checks of the head and the index
//! index   12 bytes a block: where it begins (7 bytes), the bits of a distance in it (1), and a check of its bytes (4)
//! blocks  two bits a slot (0 draw, 1 win, 2 loss, 3 won already), then the distances, so many bits a slot; both padded to whole bytes
//! ```
//!
//! A block holds the positions with one set of the side to move; see [`index`](super::index). Numbers are little-endian. Distances to the
//! end are halved: a win has an odd number of plies, a loss an even one. A block of draws takes no distances at all.
//!
//! A file is mapped into memory, not read: opening one costs the head and the index alone, and any number of threads may look into it. A
//! block is checked when it is first looked into.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memmap2::Mmap;
use rayon::prelude::*;
use thiserror::Error;

use super::classes::ClassCache;
use super::value::{Metric, PositionValue};
use super::{Ruleset, Sector};

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"morello\n";
/// The version of the format.
const VERSION: u32 = 1;
/// The bytes of the head.
pub(super) const HEADER_BYTES: usize = 128;
/// The bytes of the index for one block.
pub(super) const INDEX_ENTRY_BYTES: usize = 12;
/// A distance is read as part of four bytes, which may lie beyond the last block.
pub(super) const PADDING: usize = 4;
/// The most bits of a distance.
const MAX_WIDTH: u32 = 16;

/// The numbers of positions of a sector by their values, positions that are the same but for a symmetry counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeCounts {
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// The most plies to a win; `None` if there is none.
    pub longest_win: Option<u32>,
    /// The most plies to a loss; `None` if there is none.
    pub longest_loss: Option<u32>,
}

impl OutcomeCounts {
    /// Adds a position.
    pub(super) fn add(&mut self, value: PositionValue) {
        match value.outcome() {
            std::cmp::Ordering::Greater => {
                self.wins += 1;
                self.longest_win = self.longest_win.max(value.plies());
            }
            std::cmp::Ordering::Equal => self.draws += 1,
            std::cmp::Ordering::Less => {
                self.losses += 1;
                self.longest_loss = self.longest_loss.max(value.plies());
            }
        }
    }

    /// Adds other positions.
    pub(super) fn merge(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: self.longest_win.max(other.longest_win),
            longest_loss: self.longest_loss.max(other.longest_loss),
        }
    }
}

/// Why a table cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// It cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// It is not a table of this program.
    #[error("`{}` is no table of a database of this version: delete it and build it again", .0.display())]
    UnknownFormat(PathBuf),
    /// It is of other rules.
    #[error("`{}` is of the rules of another game, not of {game}: move it to the folder of that game, or delete it", file.display())]
    WrongRules {
        /// The file.
        file: PathBuf,
        /// The game that it was opened for.
        game: &'static str,
    },
    /// It is of another sector.
    #[error("`{}` is not of sector {sector}: give it its own name back, or delete it", file.display())]
    WrongSector {
        /// The file.
        file: PathBuf,
        /// The sector that it was opened for.
        sector: Sector,
    },
    /// It is shorter or longer than it was made.
    #[error("`{}` has {found} bytes instead of {expected}: delete it and build it again", file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// Its length.
        found: u64,
        /// What its length was.
        expected: u64,
    },
    /// Its bytes are not those that were written.
    #[error("`{}` is damaged ({place}): delete it and build it again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where.
        place: &'static str,
    },
}

enum Bytes {
    File(Mmap),
    Memory(Vec<u8>),
}

impl Bytes {
    #[inline]
    fn get(&self) -> &[u8] {
        match self {
            Self::File(map) => map,
            Self::Memory(bytes) => bytes,
        }
    }
}

/// The values of a sector; see the module.
pub struct SectorTable {
    bytes: Bytes,
    file: PathBuf,
    sector: Sector,
    metric: Metric,
    counts: OutcomeCounts,
    blocks: usize,
    block_len: usize,
    /// The blocks whose check was seen to agree, as bits.
    checked: Box<[AtomicU64]>,
    /// Whether a block was seen to be damaged: nothing of the table is then believed.
    damaged: AtomicBool,
}

impl SectorTable {
    /// Opens the table of a sector.
    ///
    /// # Errors
    /// [`TableError`] if the file cannot be read, is damaged in its head or index or in its length, or is of something else.
    pub(super) fn open(
        file: &Path,
        rules: &Ruleset,
        class_cache: &ClassCache,
        sector: Sector,
        metric: Metric,
    ) -> Result<Self, TableError> {
        let failed = |error| TableError::Io(file.to_owned(), error);
        let handle = File::open(file).map_err(failed)?;
        let bytes = map(&handle).map_err(failed)?;
        Self::new(Bytes::File(bytes), file, rules, class_cache, sector, metric)
    }

    /// Makes a table of what [`pack`] wrote into memory.
    pub(super) fn in_memory(
        bytes: Vec<u8>,
        rules: &Ruleset,
        class_cache: &ClassCache,
        sector: Sector,
        metric: Metric,
    ) -> Self {
        Self::new(Bytes::Memory(bytes), Path::new("memory"), rules, class_cache, sector, metric)
            .expect("what was packed for a sector is a table of it")
    }

    fn new(
        bytes: Bytes,
        file: &Path,
        rules: &Ruleset,
        class_cache: &ClassCache,
        sector: Sector,
        metric: Metric,
    ) -> Result<Self, TableError> {
        let all = bytes.get();
        let head = all.get(..HEADER_BYTES).filter(|head| head[..8] == MAGIC && word32(head, 8) == VERSION);
        let head = TableHeader::read(head.ok_or_else(|| TableError::UnknownFormat(file.to_owned()))?);
        let damaged = |place| TableError::Damaged { file: file.to_owned(), place };
        let head = head.ok_or_else(|| damaged("the head"))?;
        if head.fingerprint != rules.fingerprint() {
            return Err(TableError::WrongRules { file: file.to_owned(), game: rules.name });
        }
        let other_sector = || TableError::WrongSector { file: file.to_owned(), sector };
        if head.sector != sector || head.metric != metric || !sector.is_playable(rules) {
            return Err(other_sector());
        }
        let (blocks, block_len) = (class_cache.classes(sector.own).len(), sector.block_len(class_cache));
        if head.blocks != blocks as u64 {
            return Err(other_sector());
        }
        if head.len != all.len() as u64 {
            return Err(TableError::Length { file: file.to_owned(), found: all.len() as u64, expected: head.len });
        }
        let index = all
            .get(HEADER_BYTES..HEADER_BYTES + blocks * INDEX_ENTRY_BYTES)
            .filter(|index| crc32fast::hash(index) == head.index_checksum);
        if !index.is_some_and(|index| is_index(index, block_len, all.len())) {
            return Err(damaged("the index"));
        }
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self {
            file: file.to_owned(),
            sector,
            metric,
            counts: head.counts,
            blocks,
            block_len,
            checked,
            damaged: AtomicBool::new(false),
            bytes,
        })
    }

    /// Returns the sector.
    #[must_use]
    pub fn sector(&self) -> Sector {
        self.sector
    }

    /// Returns what the plies of its values count to.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns how many positions have what value.
    #[must_use]
    pub fn counts(&self) -> OutcomeCounts {
        self.counts
    }

    /// Returns its size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes.get().len() as u64
    }

    /// Returns the number of blocks.
    #[must_use]
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Returns the number of slots.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.blocks as u64 * self.block_len as u64
    }

    /// Returns a block, checked.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if its bytes are not those that were written.
    #[inline]
    pub(super) fn block(&self, block: usize) -> Result<Block<'_>, TableError> {
        let (word, bit) = (&self.checked[block / 64], 1 << (block % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            self.check(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(self.locate(block))
    }

    /// Begins to read a block, if it was not read before: of several that are wanted a disk can read all at once.
    pub(super) fn prefetch(&self, block: usize) {
        #[cfg(unix)]
        if let Bytes::File(map) = &self.bytes
            && self.checked[block / 64].load(Ordering::Relaxed) & 1 << (block % 64) == 0
        {
            let (start, width) = start_and_width(map, HEADER_BYTES + block * INDEX_ENTRY_BYTES);
            let len = self.block_len.div_ceil(4) + (self.block_len * width as usize).div_ceil(8);
            // It is advice: whoever needs the block waits for it anyway.
            let _ = map.advise_range(memmap2::Advice::WillNeed, start, len);
        }
        #[cfg(not(unix))]
        let _ = block;
    }

    fn locate(&self, block: usize) -> Block<'_> {
        let bytes = self.bytes.get();
        let entry = HEADER_BYTES + block * INDEX_ENTRY_BYTES;
        let (start, width) = start_and_width(bytes, entry);
        let results = self.block_len.div_ceil(4);
        let (results, rest) = bytes[start..].split_at(results);
        let distances = &rest[..(self.block_len * width as usize).div_ceil(8) + PADDING];
        Block { results, distances, width, halved: self.metric == Metric::End }
    }

    #[cold]
    fn check(&self, block: usize) -> Result<(), TableError> {
        let damaged = || {
            self.damaged.store(true, Ordering::Relaxed);
            TableError::Damaged { file: self.file.clone(), place: "a block of values" }
        };
        if self.is_damaged() {
            return Err(damaged());
        }
        let Block { results, distances, .. } = self.locate(block);
        let distances = &distances[..distances.len() - PADDING];
        let mut check = crc32fast::Hasher::new();
        check.update(results);
        check.update(distances);
        let expected = word32(self.bytes.get(), HEADER_BYTES + block * INDEX_ENTRY_BYTES + 8);
        (check.finalize() == expected).then_some(()).ok_or_else(damaged)
    }

    /// Returns whether a block was seen to be damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Checks all blocks.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if one is.
    pub fn check_all(&self) -> Result<(), TableError> {
        (0..self.blocks).into_par_iter().try_for_each(|block| self.block(block).map(|_| ()))
    }
}

/// Returns whether an index leads to blocks that follow one another in so many bytes.
fn is_index(index: &[u8], block_len: usize, len: usize) -> bool {
    let mut at = HEADER_BYTES + index.len();
    let follows = index.chunks_exact(INDEX_ENTRY_BYTES).all(|entry| {
        let (start, width) = start_and_width(entry, 0);
        let here = start == at && width <= MAX_WIDTH;
        at = start.saturating_add(block_len.div_ceil(4) + (block_len * width.min(MAX_WIDTH) as usize).div_ceil(8));
        here
    });
    follows && at + PADDING == len
}

/// Returns where the block of an entry of the index begins, and the bits of a distance in it.
#[inline]
fn start_and_width(bytes: &[u8], entry: usize) -> (usize, u32) {
    let packed = word64(bytes, entry);
    ((packed & ((1 << 56) - 1)) as usize, (packed >> 56) as u32)
}

/// Maps a file into memory.
#[allow(unsafe_code)] // for what the type system cannot know of other programs
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read, as bytes, with every place checked against its length. A file is written under another name and never
    // after it has its own, so it changes only if another program writes into it, which nobody can keep it from; then wrong values are
    // read, or the process ends.
    unsafe { Mmap::map(file) }
}

/// The values of the positions with one set of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    results: &'a [u8],
    distances: &'a [u8],
    width: u32,
    halved: bool,
}

impl Block<'_> {
    /// Returns a value.
    #[inline]
    pub fn value(self, slot: usize) -> PositionValue {
        let result = self.results[slot / 4] >> (slot % 4 * 2) & 3;
        match result {
            0 => PositionValue::DRAW,
            3 => PositionValue::win(0),
            _ => {
                let win = u32::from(result == 1);
                let distance = self.distance(slot);
                let plies = if self.halved { distance << 1 | win } else { distance };
                PositionValue::from_code((plies as u16 + 1) << 1 | win as u16)
            }
        }
    }

    #[inline]
    fn distance(self, slot: usize) -> u32 {
        let bit = slot * self.width as usize;
        word32(self.distances, bit / 8) >> (bit % 8) & ((1 << self.width) - 1)
    }

    /// Writes the codes of all values.
    pub fn decode(self, codes: &mut [u16]) {
        for (slot, code) in codes.iter_mut().enumerate() {
            *code = self.value(slot).code();
        }
    }
}

#[inline]
fn word32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("it is four bytes"))
}

fn word64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("it is eight bytes"))
}

/// What stands at the head of a file.
pub(super) struct TableHeader {
    pub fingerprint: u64,
    pub sector: Sector,
    pub metric: Metric,
    pub blocks: u64,
    pub len: u64,
    pub counts: OutcomeCounts,
    pub index_checksum: u32,
}

impl TableHeader {
    /// Returns its bytes.
    pub fn write(&self) -> [u8; HEADER_BYTES] {
        let OutcomeCounts { wins, draws, losses, longest_win, longest_loss } = self.counts;
        let Sector { own, other, own_hand, other_hand } = self.sector;
        let plies = |plies: Option<u32>| plies.map_or(0, |plies| plies + 1).to_le_bytes();
        let mut head = [0; HEADER_BYTES];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        head[12..16].copy_from_slice(&[own, other, own_hand, other_hand]);
        let words = [self.fingerprint, self.blocks, self.len, wins, draws, losses];
        head[16..64].copy_from_slice(words.map(u64::to_le_bytes).as_flattened());
        head[64..72].copy_from_slice([longest_win, longest_loss].map(plies).as_flattened());
        head[72] = u8::from(self.metric == Metric::Capture);
        head[HEADER_BYTES - 8..HEADER_BYTES - 4].copy_from_slice(&self.index_checksum.to_le_bytes());
        let check = crc32fast::hash(&head[..HEADER_BYTES - 4]);
        head[HEADER_BYTES - 4..].copy_from_slice(&check.to_le_bytes());
        head
    }

    /// Reads a head; `None` if it is not as it was written.
    fn read(head: &[u8]) -> Option<Self> {
        if crc32fast::hash(&head[..HEADER_BYTES - 4]) != word32(head, HEADER_BYTES - 4) {
            return None;
        }
        let plies = |at| word32(head, at).checked_sub(1);
        Some(Self {
            fingerprint: word64(head, 16),
            sector: Sector { own: head[12], other: head[13], own_hand: head[14], other_hand: head[15] },
            metric: if head[72] == 0 { Metric::End } else { Metric::Capture },
            blocks: word64(head, 24),
            len: word64(head, 32),
            counts: OutcomeCounts {
                wins: word64(head, 40),
                draws: word64(head, 48),
                losses: word64(head, 56),
                longest_win: plies(64),
                longest_loss: plies(68),
            },
            index_checksum: word32(head, HEADER_BYTES - 8),
        })
    }
}
