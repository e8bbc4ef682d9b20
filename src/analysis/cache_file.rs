//! [`CacheFile`]: an append-only file of texts by key, with an index in memory.
//!
//! ```text
//! header       8 bytes   "MORCACHE"
//!              4         format version, 1
//!              4         its checksum
//!
//! each entry  16         key
//!              4         length of the text
//!              4         checksum of the key and the length
//!              8         checksum of the key and the text
//!                        the text
//! ```
//!
//! Numbers are little-endian, and checksums are the lowest bits of XXH3. The index takes about 30 bytes an entry. An incomplete last entry, which a
//! killed process leaves, is removed. After other damage, the file is not changed any more, and the readable entries are used.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use thiserror::Error;
use twox_hash::XxHash3_128;

use crate::journal::{Journal, OpenJournalError};

const MAGIC: &[u8; 8] = b"MORCACHE";
const VERSION: u32 = 1;

/// The length of the header of an entry.
const ENTRY_BYTES: usize = 32;

/// The longest text of an entry: reports of all moves with long variations take some 20 kB.
const MAX_TEXT_BYTES: u32 = 1 << 20;

/// An error in a cache file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Another process uses the file.
    #[error("another process is using it; wait for it, or use another cache file")]
    InUse,
    /// The file has other content. It was not changed.
    #[error("not a cache of this version of morello; use another file, or delete it")]
    NotACache,
    /// The file cannot be opened or read.
    #[error("not usable as a cache; use another file, or a new one")]
    File(#[source] io::Error),
    /// The file can no longer be written.
    #[error("the results are complete, but new ones are not added to the cache")]
    Write(#[source] io::Error),
    /// A part of the file is damaged. It was not changed.
    #[error(
        "damaged at byte {offset}; {entries} readable entries are used, and no results are added; delete it to start a new cache"
    )]
    Damaged {
        /// The place of the damage.
        offset: u64,
        /// The number of readable entries.
        entries: usize,
    },
}

impl From<OpenJournalError> for CacheError {
    fn from(error: OpenJournalError) -> Self {
        match error {
            OpenJournalError::InUse => Self::InUse,
            OpenJournalError::Io(error) => Self::File(error),
        }
    }
}

/// The place of a text.
#[derive(Debug, Clone, Copy)]
struct TextPlace {
    offset: u64,
    len: u32,
}

/// An open file.
#[derive(Debug)]
pub(super) struct CacheFile {
    journal: Journal,
    places: HashMap<u128, TextPlace>,
    damage: Option<u64>,
    #[cfg(test)]
    fails: bool,
}

fn header() -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((checksum(&[&header]) as u32).to_le_bytes());
    header
}

fn checksum(parts: &[&[u8]]) -> u64 {
    let mut hash = XxHash3_128::new();
    parts.iter().for_each(|part| hash.write(part));
    hash.finish_128() as u64
}

/// The header of an entry.
struct EntryHeader {
    key: u128,
    len: u32,
    text_sum: u64,
}

impl EntryHeader {
    fn to_bytes(&self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..16].copy_from_slice(&self.key.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.len.to_le_bytes());
        let sum = checksum(&[&bytes[..20]]) as u32;
        bytes[20..24].copy_from_slice(&sum.to_le_bytes());
        bytes[24..].copy_from_slice(&self.text_sum.to_le_bytes());
        bytes
    }

    /// Reads a header; `None` if it is damaged.
    fn read(bytes: &[u8; ENTRY_BYTES]) -> Option<Self> {
        let (&key, rest) = bytes.split_first_chunk()?;
        let (&len, rest) = rest.split_first_chunk()?;
        let (&sum, rest) = rest.split_first_chunk()?;
        let len = u32::from_le_bytes(len);
        let is_valid = checksum(&[&bytes[..20]]) as u32 == u32::from_le_bytes(sum) && len <= MAX_TEXT_BYTES;
        let text_sum = u64::from_le_bytes(*rest.first_chunk()?);
        is_valid.then_some(Self { key: u128::from_le_bytes(key), len, text_sum })
    }

    fn fits(&self, text: &[u8]) -> bool {
        text_checksum(self.key, text) == self.text_sum
    }
}

fn text_checksum(key: u128, text: &[u8]) -> u64 {
    checksum(&[&key.to_le_bytes(), text])
}

impl CacheFile {
    /// Opens a file, or creates it, and reads its index.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        let (mut places, mut damage) = (HashMap::new(), None);
        let journal = Journal::open_stream(path, &header(), |file| {
            let len = file.metadata().map_err(CacheError::File)?.len();
            let end = read_index(file, len, &mut places, &mut damage)?;
            // A damaged file is not changed.
            Ok::<_, CacheError>(if damage.is_some() { len } else { end })
        })?;
        Ok(Self {
            journal,
            places,
            damage,
            #[cfg(test)]
            fails: false,
        })
    }

    /// Returns the place at which the file is damaged.
    pub fn damage(&self) -> Option<u64> {
        self.damage
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the text with this key, unless it is missing or damaged.
    pub fn find(&mut self, key: u128) -> Option<Vec<u8>> {
        let &TextPlace { offset, len } = self.places.get(&key)?;
        let mut entry = vec![0; ENTRY_BYTES + len as usize];
        self.journal.read_at(&mut entry, offset).ok()?;
        let (header, text) = entry.split_first_chunk()?;
        // The file may have been changed since it was opened.
        let header = EntryHeader::read(header).filter(|header| header.key == key && header.fits(text))?;
        Some(text[..header.len as usize].to_vec())
    }

    /// Appends entries and syncs the file to disk.
    pub fn add(&mut self, texts: &HashMap<u128, Vec<u8>>) -> io::Result<()> {
        let start = self.journal.committed_bytes();
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for (&key, text) in texts {
            let Some(len) = u32::try_from(text.len()).ok().filter(|&len| len <= MAX_TEXT_BYTES) else { continue };
            places.push((key, TextPlace { offset: start + bytes.len() as u64, len }));
            bytes.extend(EntryHeader { key, len, text_sum: text_checksum(key, text) }.to_bytes());
            bytes.extend(text);
        }
        #[cfg(test)]
        if self.fails {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.journal.add(&bytes, std::time::Duration::ZERO)?;
        self.places.extend(places);
        Ok(())
    }

    /// Makes all writes fail, as on a full disk.
    #[cfg(test)]
    pub fn fail_writes(&mut self) {
        self.fails = true;
    }
}

/// Reads the entries of a file of `len` bytes, and the first place that is damaged. Returns the end of the complete entries.
fn read_index(
    file: &mut File,
    len: u64,
    places: &mut HashMap<u128, TextPlace>,
    damage: &mut Option<u64>,
) -> Result<u64, CacheError> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let expected = header();
    let mut head = vec![0; expected.len()];
    match reader.read_exact(&mut head) {
        Ok(()) if head == expected => {}
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(CacheError::File(error)),
        _ => return Err(CacheError::NotACache),
    }
    let (mut offset, mut entry, mut text) = (head.len() as u64, [0; ENTRY_BYTES], Vec::new());
    while len.saturating_sub(offset) >= ENTRY_BYTES as u64 {
        reader.read_exact(&mut entry).map_err(CacheError::File)?;
        let Some(header) = EntryHeader::read(&entry) else {
            damage.get_or_insert(offset);
            break;
        };
        let end = offset + ENTRY_BYTES as u64 + u64::from(header.len);
        if end > len {
            break;
        }
        text.resize(header.len as usize, 0);
        reader.read_exact(&mut text).map_err(CacheError::File)?;
        // The length is right, so the entries after a damaged text can be read.
        if header.fits(&text) {
            places.insert(header.key, TextPlace { offset, len: header.len });
        } else {
            damage.get_or_insert(offset);
        }
        offset = end;
    }
    Ok(offset)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_cut_at_any_byte_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        let add = |file: &mut CacheFile, key: u128| file.add(&[(key, vec![key as u8; 40])].into()).unwrap();
        let mut file = CacheFile::open(&path).unwrap();
        (1..4).for_each(|key| add(&mut file, key));
        drop(file);
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut file = CacheFile::open(&path).unwrap();
            assert_eq!((file.damage(), file.len()), (None, end.saturating_sub(header().len()) / (ENTRY_BYTES + 40)));
            (file.len() as u128 + 1..4).for_each(|key| add(&mut file, key));
            assert!((1..4).all(|key| file.find(key) == Some(vec![key as u8; 40])));
            drop(file);
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn a_damaged_file_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        let mut file = CacheFile::open(&path).unwrap();
        file.add(&[(1, vec![1; 40])].into()).unwrap();
        file.add(&[(2, vec![2; 40])].into()).unwrap();
        drop(file);
        let good = fs::read(&path).unwrap();
        let entry = header().len();
        for (at, found) in
            [(entry + ENTRY_BYTES + 5, [None, Some(2)]), (entry + 3, [None, None]), (entry + 17, [None, None])]
        {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let mut file = CacheFile::open(&path).unwrap();
            assert_eq!(file.damage(), Some(entry as u64));
            assert_eq!([1, 2].map(|key| file.find(key).map(|text| text[0])), found, "byte {at}");
            drop(file);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let mut bytes = good.clone();
        bytes[8] = 2;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(CacheFile::open(&path), Err(CacheError::NotACache)));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
