//! The file format of tables: the header, the list of values and the index of the blocks.
//! `src/guide/databases.md` describes it for readers in other languages.
//!
//! ```text
//! header   128 bytes: identification and counts, with a checksum
//! values   two bytes per value that occurs, sorted
//! index    eight bytes per block: its size in the file (4) and its checksum (4)
//! checksum four bytes: the checksum of the values and the index
//! blocks   one zstd frame each
//! ```
//!
//! A slot contains the index of its value in the list, in 2, 8 or 16 bits, whichever is the
//! smallest that suffices. All blocks except the last have [`BLOCK_BYTES`] bytes when decompressed.
//! Numbers are little-endian.

use super::super::value::{Metric, PositionValue};
use super::super::{OutcomeCounts, Sector};

/// The first bytes of a file.
pub(crate) const MAGIC: [u8; 8] = *b"morello\n";
/// The version of the format.
pub(crate) const VERSION: u32 = 2;
/// The size of the header in bytes.
pub(crate) const HEADER_BYTES: usize = 128;
/// The size of an index entry in bytes.
pub(crate) const INDEX_ENTRY_BYTES: usize = 8;
/// The size of a decompressed block in bytes.
pub(crate) const BLOCK_BYTES: usize = 1 << 16;
/// The offset of the game's name. The header before it consists of eight-byte words.
const NAME: usize = 88;
/// The size of the field for the game's name, in bytes.
const NAME_BYTES: usize = 36;

/// The information that a table stores about wins and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StoredValues {
    /// The result and the number of plies.
    Distances,
    /// Only the result.
    Results,
}

/// The number of bits per slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotBits {
    Two,
    Eight,
    Sixteen,
}

impl SlotBits {
    /// Returns the number of bits needed for a list of this many values.
    pub fn of(values: usize) -> Self {
        match values {
            0..=4 => Self::Two,
            5..=256 => Self::Eight,
            _ => Self::Sixteen,
        }
    }

    /// Returns the number of slots in a full block.
    pub const fn slots_per_block(self) -> usize {
        match self {
            Self::Two => 4 * BLOCK_BYTES,
            Self::Eight => BLOCK_BYTES,
            Self::Sixteen => BLOCK_BYTES / 2,
        }
    }

    /// Returns the size of this many slots in bytes.
    pub const fn bytes(self, slots: usize) -> usize {
        match self {
            Self::Two => slots.div_ceil(4),
            Self::Eight => slots,
            Self::Sixteen => 2 * slots,
        }
    }

    /// Returns the number stored in a slot of a block.
    #[inline]
    pub fn get(self, block: &[u8], slot: usize) -> usize {
        match self {
            Self::Two => (block[slot / 4] >> (slot % 4 * 2) & 3).into(),
            Self::Eight => block[slot].into(),
            Self::Sixteen => u16::from_le_bytes([block[2 * slot], block[2 * slot + 1]]).into(),
        }
    }

    /// Returns the largest number stored in a block.
    pub fn max(self, block: &[u8]) -> usize {
        match self {
            Self::Two => {
                let (low, high) = block.iter().fold((0, 0), |(low, high), &byte| (low | byte, high | byte >> 1));
                let both = block.iter().fold(0, |both, &byte| both | byte & byte >> 1);
                let [low, high, both] = [low, high, both].map(|bits: u8| usize::from(bits & 0x55 != 0));
                if both == 1 {
                    3
                } else if high == 1 {
                    2
                } else {
                    low
                }
            }
            Self::Eight => block.iter().fold(0, |max, &number| number.max(max)).into(),
            Self::Sixteen => {
                let numbers = block.chunks_exact(2).map(|number| u16::from_le_bytes([number[0], number[1]]));
                numbers.fold(0, u16::max).into()
            }
        }
    }

    /// Packs numbers into a block.
    pub fn pack(self, numbers: impl ExactSizeIterator<Item = u16>) -> Vec<u8> {
        let mut block = vec![0; self.bytes(numbers.len())];
        for (slot, number) in numbers.enumerate() {
            match self {
                Self::Two => block[slot / 4] |= (number as u8) << (slot % 4 * 2),
                Self::Eight => block[slot] = number as u8,
                Self::Sixteen => block[2 * slot..][..2].copy_from_slice(&number.to_le_bytes()),
            }
        }
        block
    }

    const fn bits(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }
}

/// The header of a table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableHeader {
    pub game: String,
    pub fingerprint: u64,
    pub sector: Sector,
    pub metric: Metric,
    pub stored: StoredValues,
    /// The number of values in the list.
    pub values: usize,
    pub slots: u64,
    /// The size of the file in bytes.
    pub len: u64,
    pub counts: OutcomeCounts,
}

/// Why a header cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableHeaderError {
    /// The file is not a table.
    NotATable,
    /// The file has another format version.
    Version(u32),
    /// The header is damaged.
    Damaged,
}

impl TableHeader {
    /// Returns the number of bits per slot.
    pub fn slot_bits(&self) -> SlotBits {
        SlotBits::of(self.values)
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> u64 {
        self.slots.div_ceil(self.slot_bits().slots_per_block() as u64)
    }

    /// Returns the size of the file before the blocks, in bytes.
    pub fn head_bytes(&self) -> u64 {
        (HEADER_BYTES + 2 * self.values + 4) as u64 + self.blocks().saturating_mul(INDEX_ENTRY_BYTES as u64)
    }

    /// Encodes the header.
    pub fn write(&self) -> [u8; HEADER_BYTES] {
        let OutcomeCounts { wins, draws, losses, longest_win, longest_loss } = self.counts;
        let Sector { own, other, own_hand, other_hand } = self.sector;
        let plies = |plies: Option<u32>| plies.map_or(0, |plies| plies + 1);
        let kinds = [
            u8::from(self.metric == Metric::Capture),
            u8::from(self.stored == StoredValues::Results),
            self.slot_bits().bits(),
            0,
        ];
        let words = [
            u64::from_le_bytes(MAGIC),
            pair([VERSION, u32::from_le_bytes([own, other, own_hand, other_hand])]),
            self.fingerprint,
            self.slots,
            self.len,
            wins,
            draws,
            losses,
            pair([plies(longest_win), plies(longest_loss)]),
            pair([u32::from_le_bytes(kinds), self.values as u32]),
            self.slot_bits().slots_per_block() as u64,
        ];
        let mut header = [0; HEADER_BYTES];
        header[..NAME].copy_from_slice(words.map(u64::to_le_bytes).as_flattened());
        let name = self.game.as_bytes();
        header[NAME..][..name.len().min(NAME_BYTES)].copy_from_slice(&name[..name.len().min(NAME_BYTES)]);
        let checksum = crc32fast::hash(&header[..HEADER_BYTES - 4]);
        header[HEADER_BYTES - 4..].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Decodes the header at the start of a file.
    ///
    /// # Errors
    /// [`TableHeaderError`] if the file does not begin with a valid header of this version.
    pub fn read(file: &[u8]) -> Result<Self, TableHeaderError> {
        if file.len() < 12 || file[..8] != MAGIC {
            return Err(TableHeaderError::NotATable);
        }
        let version = word32(file, 8);
        if version != VERSION {
            return Err(TableHeaderError::Version(version));
        }
        let header = file.get(..HEADER_BYTES).ok_or(TableHeaderError::Damaged)?;
        if crc32fast::hash(&header[..HEADER_BYTES - 4]) != word32(header, HEADER_BYTES - 4) {
            return Err(TableHeaderError::Damaged);
        }
        let words = std::array::from_fn(|word| word64(header, 8 * word));
        let [_, version, fingerprint, slots, len, wins, draws, losses, longest, kinds, _]: [u64; NAME / 8] = words;
        let [longest_win, longest_loss] = halves(longest).map(|plies| plies.checked_sub(1));
        let ([_, sector], [kinds, values]) = (halves(version), halves(kinds));
        let ([own, other, own_hand, other_hand], kinds) = (sector.to_le_bytes(), kinds.to_le_bytes());
        let name = header[NAME..][..NAME_BYTES].split(|&byte| byte == 0).next().unwrap_or_default();
        let decoded = Self {
            game: String::from_utf8_lossy(name).into_owned(),
            fingerprint,
            sector: Sector { own, other, own_hand, other_hand },
            metric: if kinds[0] == 0 { Metric::End } else { Metric::Capture },
            stored: if kinds[1] == 0 { StoredValues::Distances } else { StoredValues::Results },
            values: values as usize,
            slots,
            len,
            counts: OutcomeCounts { wins, draws, losses, longest_win, longest_loss },
        };
        // A file with a correct checksum but invalid fields was not written by morello.
        let positions = wins.checked_add(draws).and_then(|positions| positions.checked_add(losses));
        let is_possible = positions.is_some_and(|positions| positions <= decoded.slots)
            && [longest_win, longest_loss].iter().flatten().all(|&plies| plies <= PositionValue::MAX_PLIES);
        (is_possible && decoded.write() == *header).then_some(decoded).ok_or(TableHeaderError::Damaged)
    }
}

/// The part of a file after the header and before the blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableIndex {
    /// The values to which slots refer, sorted by code.
    pub values: Vec<PositionValue>,
    /// The size in bytes and the checksum of each block.
    pub blocks: Vec<(u32, u32)>,
}

impl TableIndex {
    /// Encodes the values and the index, followed by their checksum.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(2 * self.values.len() + INDEX_ENTRY_BYTES * self.blocks.len() + 4);
        bytes.extend(self.values.iter().flat_map(|value| value.code().to_le_bytes()));
        bytes.extend(self.blocks.iter().flat_map(|&(len, checksum)| [len, checksum]).flat_map(u32::to_le_bytes));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes the output of [`write`](Self::write) for a table with this header; `None` if it is
    /// damaged.
    pub fn read(bytes: &[u8], header: &TableHeader) -> Option<Self> {
        let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(4)?)?;
        let (values, blocks) = content.split_at_checked(2 * header.values)?;
        let is_valid = blocks.len() as u64 == header.blocks() * INDEX_ENTRY_BYTES as u64
            && crc32fast::hash(content) == word32(checksum, 0);
        let index = is_valid.then(|| Self {
            values: values
                .chunks_exact(2)
                .map(|code| PositionValue::from_code(u16::from_le_bytes([code[0], code[1]])))
                .collect(),
            blocks: blocks.chunks_exact(INDEX_ENTRY_BYTES).map(|entry| (word32(entry, 0), word32(entry, 4))).collect(),
        });
        let lens = |index: &Self| index.blocks.iter().map(|&(len, _)| u64::from(len)).sum::<u64>();
        index.filter(|index| {
            let is_possible = |value: &PositionValue| {
                value.code() != 1 && value.plies().is_none_or(|plies| plies <= PositionValue::MAX_PLIES)
            };
            index.values.iter().all(is_possible) && header.head_bytes() + lens(index) == header.len
        })
    }
}

/// Combines two numbers into one, in byte order.
fn pair([first, second]: [u32; 2]) -> u64 {
    u64::from(first) | u64::from(second) << 32
}

/// Splits a number that [`pair`] combined.
fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

fn word32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("the slice has four bytes"))
}

fn word64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("the slice has eight bytes"))
}
