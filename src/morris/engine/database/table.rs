//! [`SectorTable`]: the packed values of a sector, in a file or in memory.
//!
//! ```text
//! header  128 bytes: identification, counts, and checksums of the header and the index
//! index   12 bytes a block: its offset (7 bytes), the number of bits of a distance (1), and a checksum of its bytes (4)
//! blocks  two bits a slot (0 draw, 1 win, 2 loss, 3 already won), then the distance of each slot; both padded to whole bytes
//! ```
//!
//! A block holds the positions with one set of the side to move; see [`index`](super::index). Numbers are little-endian. Distances to the end
//! of the game are halved, because wins have an odd number of plies and losses an even one. A block of draws has no distances.
//!
//! Files are memory-mapped: opening one reads only the header and the index, and any number of threads can read it. A block is checked on
//! first use.

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
/// The size of the header in bytes.
pub(super) const HEADER_BYTES: usize = 128;
/// The size of an index entry in bytes.
pub(super) const INDEX_ENTRY_BYTES: usize = 12;
/// A distance is read with four bytes, which may extend beyond the last block.
pub(super) const PADDING: usize = 4;
/// The maximum number of bits of a distance.
const MAX_WIDTH: u32 = 16;

/// The numbers of positions of a sector by result. Symmetric positions count once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeCounts {
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of drawn positions.
    pub draws: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// The plies of the longest win, if any.
    pub longest_win: Option<u32>,
    /// The plies of the longest loss, if any.
    pub longest_loss: Option<u32>,
}

impl OutcomeCounts {
    /// Counts a position.
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

    /// Returns the sum of two counts.
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
    /// The file cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a table, or not of this version.
    #[error("`{}` is not a database table of this version: delete it and rebuild it", .0.display())]
    UnknownFormat(PathBuf),
    /// The table belongs to another game.
    #[error("`{}` is a table of another game, not of {game}: move it to the folder of that game, or delete it", file.display())]
    WrongRules {
        /// The file.
        file: PathBuf,
        /// The expected game.
        game: &'static str,
    },
    /// The table belongs to another sector or metric.
    #[error("`{}` is not a table of sector {sector}: restore its original name, or delete it", file.display())]
    WrongSector {
        /// The file.
        file: PathBuf,
        /// The expected sector.
        sector: Sector,
    },
    /// The file has the wrong size.
    #[error("`{}` has {found} bytes instead of {expected}: delete it and rebuild it", file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// Its size.
        found: u64,
        /// The expected size.
        expected: u64,
    },
    /// A checksum does not match.
    #[error("`{}` is damaged ({place}): delete it and rebuild it", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The damaged part.
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

/// The values of a sector.
pub struct SectorTable {
    bytes: Bytes,
    file: PathBuf,
    sector: Sector,
    metric: Metric,
    counts: OutcomeCounts,
    blocks: usize,
    block_len: usize,
    /// The blocks whose checksum was verified, as bits.
    checked: Box<[AtomicU64]>,
    /// Whether a block was found to be damaged. The whole table is then rejected.
    damaged: AtomicBool,
}

impl SectorTable {
    /// Opens the table of a sector.
    ///
    /// # Errors
    /// [`TableError`] if the file cannot be read, its header, index or size is wrong, or it belongs to another game or sector.
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

    /// Opens a table that [`pack`](super::pack::pack) wrote to memory.
    pub(super) fn in_memory(
        bytes: Vec<u8>,
        rules: &Ruleset,
        class_cache: &ClassCache,
        sector: Sector,
        metric: Metric,
    ) -> Self {
        Self::new(Bytes::Memory(bytes), Path::new("memory"), rules, class_cache, sector, metric)
            .expect("`pack` writes a valid table of its sector")
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
        let header = all.get(..HEADER_BYTES).filter(|header| header[..8] == MAGIC && word32(header, 8) == VERSION);
        let header = TableHeader::read(header.ok_or_else(|| TableError::UnknownFormat(file.to_owned()))?);
        let damaged = |place| TableError::Damaged { file: file.to_owned(), place };
        let header = header.ok_or_else(|| damaged("the header"))?;
        if header.fingerprint != rules.fingerprint() {
            return Err(TableError::WrongRules { file: file.to_owned(), game: rules.name });
        }
        let wrong_sector = || TableError::WrongSector { file: file.to_owned(), sector };
        if header.sector != sector || header.metric != metric || !sector.is_playable(rules) {
            return Err(wrong_sector());
        }
        let (blocks, block_len) = (class_cache.classes(sector.own).len(), sector.block_len(class_cache));
        if header.blocks != blocks as u64 {
            return Err(wrong_sector());
        }
        if header.len != all.len() as u64 {
            return Err(TableError::Length { file: file.to_owned(), found: all.len() as u64, expected: header.len });
        }
        let index = all
            .get(HEADER_BYTES..HEADER_BYTES + blocks * INDEX_ENTRY_BYTES)
            .filter(|index| crc32fast::hash(index) == header.index_checksum);
        if !index.is_some_and(|index| is_index(index, block_len, all.len())) {
            return Err(damaged("the index"));
        }
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self {
            file: file.to_owned(),
            sector,
            metric,
            counts: header.counts,
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

    /// Returns what its plies count to.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the counts of its positions.
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

    /// Returns a block after checking it.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if its checksum does not match.
    #[inline]
    pub(super) fn block(&self, block: usize) -> Result<Block<'_>, TableError> {
        let (word, bit) = (&self.checked[block / 64], 1 << (block % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            self.check(block)?;
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(self.locate(block))
    }

    /// Starts to read a block that was not used before, so that the disk can read several blocks at once.
    pub(super) fn prefetch(&self, block: usize) {
        #[cfg(unix)]
        if let Bytes::File(map) = &self.bytes
            && self.checked[block / 64].load(Ordering::Relaxed) & 1 << (block % 64) == 0
        {
            let (start, width) = start_and_width(map, HEADER_BYTES + block * INDEX_ENTRY_BYTES);
            let len = self.block_len.div_ceil(4) + (self.block_len * width as usize).div_ceil(8);
            // Only a hint: on failure the block is read when it is used.
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
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(results);
        checksum.update(distances);
        let expected = word32(self.bytes.get(), HEADER_BYTES + block * INDEX_ENTRY_BYTES + 8);
        (checksum.finalize() == expected).then_some(()).ok_or_else(damaged)
    }

    /// Returns whether a block was found to be damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Checks all blocks.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if one is damaged.
    pub fn check_all(&self) -> Result<(), TableError> {
        (0..self.blocks).into_par_iter().try_for_each(|block| self.block(block).map(|_| ()))
    }
}

/// Returns whether the blocks of an index are contiguous and end with a file of `len` bytes.
fn is_index(index: &[u8], block_len: usize, len: usize) -> bool {
    let mut at = HEADER_BYTES + index.len();
    let is_contiguous = index.chunks_exact(INDEX_ENTRY_BYTES).all(|entry| {
        let (start, width) = start_and_width(entry, 0);
        let is_next = start == at && width <= MAX_WIDTH;
        at = start.saturating_add(block_len.div_ceil(4) + (block_len * width.min(MAX_WIDTH) as usize).div_ceil(8));
        is_next
    });
    is_contiguous && at + PADDING == len
}

/// Returns the offset of the block of an index entry, and the number of bits of a distance.
#[inline]
fn start_and_width(bytes: &[u8], entry: usize) -> (usize, u32) {
    let packed = word64(bytes, entry);
    ((packed & ((1 << 56) - 1)) as usize, (packed >> 56) as u32)
}

/// Maps a file into memory.
#[allow(unsafe_code)] // because other programs could modify the file
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read, as bytes, with bounds checks. morello never writes to a table after renaming it to its final name. If
    // another program modifies the file, wrong values are read or the process is killed; this cannot be prevented.
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

    /// Decodes the codes of all values.
    pub fn decode(self, codes: &mut [u16]) {
        for (slot, code) in codes.iter_mut().enumerate() {
            *code = self.value(slot).code();
        }
    }
}

#[inline]
fn word32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("the slice has four bytes"))
}

fn word64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("the slice has eight bytes"))
}

/// The header of a table file.
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
    /// Encodes the header.
    pub fn write(&self) -> [u8; HEADER_BYTES] {
        let OutcomeCounts { wins, draws, losses, longest_win, longest_loss } = self.counts;
        let Sector { own, other, own_hand, other_hand } = self.sector;
        let plies = |plies: Option<u32>| plies.map_or(0, |plies| plies + 1).to_le_bytes();
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&[own, other, own_hand, other_hand]);
        let words = [self.fingerprint, self.blocks, self.len, wins, draws, losses];
        header[16..64].copy_from_slice(words.map(u64::to_le_bytes).as_flattened());
        header[64..72].copy_from_slice([longest_win, longest_loss].map(plies).as_flattened());
        header[72] = u8::from(self.metric == Metric::Capture);
        header[HEADER_BYTES - 8..HEADER_BYTES - 4].copy_from_slice(&self.index_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&header[..HEADER_BYTES - 4]);
        header[HEADER_BYTES - 4..].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Decodes a header; `None` if its checksum does not match.
    fn read(header: &[u8]) -> Option<Self> {
        if crc32fast::hash(&header[..HEADER_BYTES - 4]) != word32(header, HEADER_BYTES - 4) {
            return None;
        }
        let plies = |at| word32(header, at).checked_sub(1);
        Some(Self {
            fingerprint: word64(header, 16),
            sector: Sector { own: header[12], other: header[13], own_hand: header[14], other_hand: header[15] },
            metric: if header[72] == 0 { Metric::End } else { Metric::Capture },
            blocks: word64(header, 24),
            len: word64(header, 32),
            counts: OutcomeCounts {
                wins: word64(header, 40),
                draws: word64(header, 48),
                losses: word64(header, 56),
                longest_win: plies(64),
                longest_loss: plies(68),
            },
            index_checksum: word32(header, HEADER_BYTES - 8),
        })
    }
}
