//! [`SectorTable`]: the values of a sector, in a file of the [format](super::format) or in memory.
//!
//! A table consists of rows, and its slots are the slots of all rows in order. A row contains the
//! positions with the same set of men of the side to move, see
//! [`index`](super::super::sector::index). Opening a file reads only the part before its blocks. A
//! block is read, checked and decompressed when it is needed, and kept in a [`BlockCache`].

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::super::sector::classes::ClassCache;
use super::super::value::{Metric, PositionValue};
use super::super::{OutcomeCounts, Ruleset, Sector};
use super::cache::{BlockCache, TableId};
use super::expanded::{ExpandedTable, Numbers};
use super::format::{HEADER_BYTES, SlotBits, StoredValues, TableHeader, TableHeaderError, TableIndex, VERSION};
use crate::parallel;

/// Why a table cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a table.
    #[error("`{}` is not a database table; delete it and rebuild it", .0.display())]
    UnknownFormat(PathBuf),
    /// The file has an older format version.
    #[error(
        "`{}` has format version {found}; this morello reads version {VERSION}; run `morello database build` again, \
            which replaces it",
        file.display()
    )]
    OldVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The table was written by an older version of morello with another fingerprint of the rules.
    #[error(
        "`{}` is from a version of morello that describes the rules of {game} differently; run `morello database \
            build` again, which replaces it",
        file.display()
    )]
    OldFingerprint {
        /// The file.
        file: PathBuf,
        /// The game.
        game: &'static str,
    },
    /// The file has a newer format version.
    #[error(
        "`{}` has format version {found}; this morello reads version {VERSION}; update morello, or delete the file \
            and rebuild it",
        file.display()
    )]
    NewVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The table belongs to another game.
    #[error("`{}` is a table of another game, not of {game}; move it to the directory of that game, or delete it",
        file.display())]
    WrongRules {
        /// The file.
        file: PathBuf,
        /// The expected game.
        game: &'static str,
    },
    /// The table belongs to another sector or metric.
    #[error("`{}` is not a table of sector {sector}; restore its original name, or delete it", file.display())]
    WrongSector {
        /// The file.
        file: PathBuf,
        /// The expected sector.
        sector: Sector,
    },
    /// The file size is wrong.
    #[error("`{}` has {found} bytes instead of {expected}; delete it and rebuild it", file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// The actual size.
        found: u64,
        /// The expected size.
        expected: u64,
    },
    /// The file was replaced by another table after it was opened.
    #[error("`{}` was replaced by another table while it was in use; restart morello", .0.display())]
    Replaced(PathBuf),
    /// The file is damaged, or it was changed after it was opened.
    #[error("`{}` is damaged ({place}); delete it and rebuild it", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The damaged part.
        place: &'static str,
    },
}

/// The location of a block in a file.
#[derive(Debug, Clone, Copy)]
struct BlockEntry {
    offset: u64,
    len: u32,
    checksum: u32,
}

enum Content {
    Compressed {
        blocks: Box<[BlockEntry]>,
        /// The values to which slots refer.
        values: Box<[PositionValue]>,
        /// The bytes after the header if the table is built-in; otherwise they are in the file.
        embedded: Option<&'static [u8]>,
    },
    Memory(ExpandedTable),
}

/// A function that returns the value of a slot of a block, counted from 0.
type BlockValues<'a> = dyn Fn(usize) -> PositionValue + 'a;

/// The values of a sector.
pub struct SectorTable {
    id: TableId,
    file: PathBuf,
    header: TableHeader,
    row_len: usize,
    content: Content,
    /// Whether a damaged block was found. No more blocks are read then.
    damaged: AtomicBool,
}

crate::debug_fields!(SectorTable { id, file });

impl SectorTable {
    /// Opens the file of a sector.
    ///
    /// # Errors
    /// [`TableError`] if the file cannot be read, its header, index or size is wrong, or it belongs
    /// to another game or sector.
    pub(crate) fn open(
        file: &Path,
        rules: &Ruleset,
        class_cache: &ClassCache,
        sector: Sector,
        metric: Metric,
    ) -> Result<Self, TableError> {
        let failed = |error| read_error(file, error);
        let mut source = File::open(file).map_err(failed)?;
        let len = source.metadata().map_err(failed)?.len();
        let mut header = vec![0; len.min(HEADER_BYTES as u64) as usize];
        source.read_exact(&mut header).map_err(failed)?;
        let header = TableHeader::read(&header).map_err(|error| match error {
            TableHeaderError::NotATable => TableError::UnknownFormat(file.to_owned()),
            TableHeaderError::Version(found) if found < VERSION => {
                TableError::OldVersion { file: file.to_owned(), found }
            }
            TableHeaderError::Version(found) => TableError::NewVersion { file: file.to_owned(), found },
            TableHeaderError::Damaged => damaged(file, "the header"),
        })?;
        if header.fingerprint != rules.fingerprint(sector) {
            let (file, game) = (file.to_owned(), rules.name);
            let is_own = header.game == game;
            return Err(if is_own {
                TableError::OldFingerprint { file, game }
            } else {
                TableError::WrongRules { file, game }
            });
        }
        let is_sector = header.sector == sector && header.metric == metric && sector.is_playable(rules);
        if !is_sector || header.slots != sector.slots(class_cache) {
            return Err(TableError::WrongSector { file: file.to_owned(), sector });
        }
        if header.len != len {
            return Err(TableError::Length { file: file.to_owned(), found: len, expected: header.len });
        }
        let index_len = header.head_bytes().checked_sub(HEADER_BYTES as u64).filter(|_| header.head_bytes() <= len);
        let mut index = vec![0; index_len.ok_or_else(|| damaged(file, "the header"))? as usize];
        source.read_exact(&mut index).map_err(failed)?;
        let index = TableIndex::read(&index, &header).ok_or_else(|| damaged(file, "the index"))?;
        Ok(Self::compressed(file, header, index, None, class_cache))
    }

    /// Opens a built-in table, given its header and the bytes after it; `None` if it is not a table
    /// of the game.
    pub(crate) fn embedded(
        header: TableHeader,
        bytes: &'static [u8],
        rules: &Ruleset,
        class_cache: &ClassCache,
    ) -> Option<Self> {
        let is_table = header.game == rules.name
            && header.fingerprint == rules.fingerprint(header.sector)
            && header.sector.is_playable(rules)
            && header.slots == header.sector.slots(class_cache)
            && header.len == (HEADER_BYTES + bytes.len()) as u64;
        let index = bytes.get(..header.head_bytes() as usize - HEADER_BYTES).filter(|_| is_table)?;
        let index = TableIndex::read(index, &header)?;
        Some(Self::compressed(Path::new("the program"), header, index, Some(bytes), class_cache))
    }

    fn compressed(
        file: &Path,
        header: TableHeader,
        index: TableIndex,
        embedded: Option<&'static [u8]>,
        class_cache: &ClassCache,
    ) -> Self {
        let mut offset = header.head_bytes();
        let blocks = index.blocks.into_iter().map(|(len, checksum)| {
            let entry = BlockEntry { offset, len, checksum };
            offset += u64::from(len);
            entry
        });
        Self {
            id: TableId::new(),
            file: file.to_owned(),
            row_len: header.sector.row_len(class_cache),
            content: Content::Compressed { blocks: blocks.collect(), values: index.values.into(), embedded },
            header,
            damaged: AtomicBool::new(false),
        }
    }

    /// Creates a table in memory.
    pub(crate) fn in_memory(
        table: ExpandedTable,
        counts: OutcomeCounts,
        rules: &Ruleset,
        class_cache: &ClassCache,
        sector: Sector,
        metric: Metric,
    ) -> Self {
        let header = TableHeader {
            game: rules.name.to_owned(),
            fingerprint: rules.fingerprint(sector),
            sector,
            metric,
            stored: StoredValues::Distances,
            values: table.values().len(),
            slots: sector.slots(class_cache),
            len: table.bytes(),
            counts,
        };
        Self {
            id: TableId::new(),
            file: PathBuf::from("memory"),
            header,
            row_len: sector.row_len(class_cache),
            content: Content::Memory(table),
            damaged: AtomicBool::new(false),
        }
    }

    /// Returns the sector.
    #[must_use]
    pub fn sector(&self) -> Sector {
        self.header.sector
    }

    /// Returns the path of the file; for a table without a file, a description of where it is.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the event to which the plies are counted.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// Returns whether the table stores plies or only results.
    #[must_use]
    pub fn stored(&self) -> StoredValues {
        self.header.stored
    }

    /// Returns whether the table stores the requested values; a table with plies also stores
    /// results.
    pub(crate) fn stores(&self, stored: StoredValues) -> bool {
        stored == StoredValues::Results || self.stored() == StoredValues::Distances
    }

    /// Returns the numbers of wins, draws and losses.
    #[must_use]
    pub fn counts(&self) -> OutcomeCounts {
        self.header.counts
    }

    /// Returns the size of the table in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.header.len
    }

    /// Returns the number of slots.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.header.slots
    }

    /// Returns the number of slots per row.
    #[inline]
    pub(crate) fn row_len(&self) -> usize {
        self.row_len
    }

    /// Returns the number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.header.blocks() as usize
    }

    /// Returns the slots of a block.
    pub(crate) fn block_slots(&self, block: usize) -> std::ops::Range<usize> {
        let len = self.header.slot_bits().slots_per_block();
        block * len..((block + 1) * len).min(self.header.slots as usize)
    }

    /// Returns the value of a slot.
    ///
    /// # Errors
    /// [`TableError`] if its block is damaged or cannot be read.
    #[inline]
    pub(crate) fn value(&self, cache: &BlockCache, slot: usize) -> Result<PositionValue, TableError> {
        match &self.content {
            Content::Compressed { blocks, values, .. } => {
                let bits = self.header.slot_bits();
                let (block, slot) = (slot / bits.slots_per_block(), slot % bits.slots_per_block());
                let load = || self.load(blocks, values.len(), block);
                let number = cache.with(self.id, block, load, |bytes| bits.get(bytes, slot))?;
                Ok(values[number])
            }
            Content::Memory(table) => Ok(table.value(slot)),
        }
    }

    /// Passes the values of a block to `read`, indexed by the offset in the
    /// [slots](Self::block_slots) of the block.
    ///
    /// # Errors
    /// [`TableError`] if the block is damaged or cannot be read.
    pub(crate) fn read_block(&self, block: usize, read: &mut dyn FnMut(&BlockValues<'_>)) -> Result<(), TableError> {
        match &self.content {
            Content::Compressed { blocks, values, .. } => {
                let bytes = self.load(blocks, values.len(), block)?;
                let bits = self.header.slot_bits();
                read(&|slot| values[bits.get(&bytes, slot)]);
            }
            Content::Memory(table) => {
                let first = self.block_slots(block).start;
                read(&|slot| table.value(first + slot));
            }
        }
        Ok(())
    }

    /// Returns all values, in memory. Uses all threads.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub(crate) fn expand(&self) -> Result<ExpandedTable, TableError> {
        let (blocks, values) = match &self.content {
            Content::Compressed { blocks, values, .. } => (blocks, values),
            Content::Memory(table) => return Ok(table.clone()),
        };
        let bits = self.header.slot_bits();
        let slots = self.header.slots as usize;
        let len = bits.slots_per_block();
        let numbers = if bits == SlotBits::Sixteen {
            let mut numbers = vec![0u16; slots];
            let parts: Vec<_> = numbers.chunks_mut(len).map(Mutex::new).collect();
            parallel::try_for_each(parts.len(), &|block| {
                let bytes = self.load(blocks, values.len(), block)?;
                let mut numbers = parts[block].lock().expect("only one thread has the block");
                (0..).zip(numbers.iter_mut()).for_each(|(slot, number)| *number = bits.get(&bytes, slot) as u16);
                Ok::<_, TableError>(())
            })?;
            Numbers::Words(numbers)
        } else {
            let mut numbers = vec![0u8; slots];
            let parts: Vec<_> = numbers.chunks_mut(len).map(Mutex::new).collect();
            parallel::try_for_each(parts.len(), &|block| {
                let bytes = self.load(blocks, values.len(), block)?;
                let mut numbers = parts[block].lock().expect("only one thread has the block");
                if bits == SlotBits::Eight {
                    numbers.copy_from_slice(&bytes);
                } else {
                    (0..).zip(numbers.iter_mut()).for_each(|(slot, number)| *number = bits.get(&bytes, slot) as u8);
                }
                Ok::<_, TableError>(())
            })?;
            Numbers::Bytes(numbers)
        };
        Ok(ExpandedTable::new(Arc::new(numbers), values.to_vec(), self.row_len))
    }

    /// Reads, checks and decompresses a block.
    #[cold]
    fn load(&self, blocks: &[BlockEntry], values: usize, block: usize) -> Result<Vec<u8>, TableError> {
        let failed = |error: TableError| {
            self.damaged.store(true, Ordering::Relaxed);
            error
        };
        let damaged = |place| failed(damaged(&self.file, place));
        if self.is_damaged() {
            return Err(damaged("a block of values"));
        }
        let BlockEntry { offset, len, checksum } = blocks[block];
        let mut compressed = vec![0; len as usize];
        // The file may be readable later, for example if too many files were open for a moment.
        self.read_at(&mut compressed, offset)?;
        let (bits, slots) = (self.header.slot_bits(), self.block_slots(block).len());
        let bytes = (crc32fast::hash(&compressed) == checksum)
            .then(|| decompress(&compressed, bits.bytes(slots)))
            .flatten()
            // A number beyond the list of values has no value.
            .filter(|bytes| bits.max(bytes) < values);
        bytes.ok_or_else(|| if self.is_replaced() { replaced(&self.file) } else { damaged("a block of values") })
    }

    /// Reads a part of the file. Files are not kept open, because a game has hundreds of tables and
    /// systems limit the number of open files.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), TableError> {
        if let Content::Compressed { embedded: Some(embedded), .. } = self.content {
            bytes.copy_from_slice(&embedded[offset as usize - HEADER_BYTES..][..bytes.len()]);
            return Ok(());
        }
        let mut read = || {
            let mut file = File::open(&self.file)?;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(bytes)
        };
        read().map_err(|error| if self.is_replaced() { replaced(&self.file) } else { read_error(&self.file, error) })
    }

    /// Returns whether the file is now another table, for example after a build.
    fn is_replaced(&self) -> bool {
        if let Content::Compressed { embedded: Some(_), .. } = self.content {
            return false;
        }
        let mut header = [0; HEADER_BYTES];
        let read = File::open(&self.file).and_then(|mut file| file.read_exact(&mut header));
        read.is_ok() && TableHeader::read(&header).is_ok_and(|header| header != self.header)
    }

    /// Returns whether a block was found to be damaged or unreadable.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Returns the SHA-256 checksum of the table's bytes.
    ///
    /// # Errors
    /// [`TableError`] if the file cannot be read.
    pub fn sha256(&self) -> Result<[u8; 32], TableError> {
        let mut digest = Sha256::new();
        if let Content::Compressed { embedded: None, .. } = &self.content {
            let failed = |error| read_error(&self.file, error);
            let mut file = File::open(&self.file).map_err(failed)?;
            let mut part = vec![0; 1 << 20];
            loop {
                match file.read(&mut part).map_err(failed)? {
                    0 => break,
                    read => digest.update(&part[..read]),
                }
            }
        }
        Ok(digest.finalize().into())
    }

    /// Checks all blocks.
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    pub fn check_all(&self) -> Result<(), TableError> {
        parallel::try_for_each(self.blocks(), &|block| self.read_block(block, &mut |_| ()))
    }
}

fn damaged(file: &Path, place: &'static str) -> TableError {
    TableError::Damaged { file: file.to_owned(), place }
}

fn replaced(file: &Path) -> TableError {
    TableError::Replaced(file.to_owned())
}

fn read_error(file: &Path, error: io::Error) -> TableError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(file, "it was truncated"),
        _ => TableError::Io(file.to_owned(), error),
    }
}

thread_local! {
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Decompresses a block of `len` bytes; `None` if it is damaged.
fn decompress(block: &[u8], len: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        if decompressor.is_none() {
            *decompressor = zstd::bulk::Decompressor::new().ok();
        }
        decompressor.as_mut()?.decompress(block, len).ok().filter(|bytes| bytes.len() == len)
    })
}
