//! [`CacheFile`]: an append-only file of keyed text entries, with an index in memory.
//!
//! ```text
//! morello cache 2
//! 0f1e2d3c4b5a69788796a5b4c3d2e1f0 8796a5b4c3d2e1f0 {"lines":[...
//! ```
//!
//! Each entry is a line with its key, the checksum of the key and the text (the lowest 64 bits of
//! XXH3), and the text. The index takes about 30 bytes per entry. A killed process may leave an
//! incomplete last line, which is removed. If the file is damaged otherwise, it is not changed, and
//! the readable entries are used.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use morello_core::journal::{Journal, OpenJournalError};
use thiserror::Error;
use twox_hash::XxHash3_128;

/// The first line of a file, with the format version.
const HEADER: &[u8] = b"morello cache 2\n";

/// The length of the key and the checksum in front of a text, each with a space after it, in bytes.
const PREFIX_BYTES: usize = 32 + 1 + 16 + 1;

/// The longest line: a report of all moves with long variations takes about 20 kB.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// An error in a cache file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Another process uses the file.
    #[error("another process is using it; wait for it or use another file")]
    InUse,
    /// The file is not a cache. It was not changed.
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
        "damaged at byte {offset}; {entries} readable entries are used, and no results are added; delete it to \
            start a new cache"
    )]
    Damaged {
        /// The offset of the damage, in bytes.
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

/// The place of a line in the file.
#[derive(Debug, Clone, Copy)]
struct LinePlace {
    offset: u64,
    len: u32,
}

/// An open file.
#[derive(Debug)]
pub(super) struct CacheFile {
    journal: Journal,
    places: HashMap<u128, LinePlace>,
    damage: Option<u64>,
    #[cfg(test)]
    fails: bool,
}

/// Returns the line of an entry. The text has no line breaks.
fn entry(key: u128, text: &[u8]) -> Vec<u8> {
    let mut hash = XxHash3_128::new();
    hash.write(&key.to_le_bytes());
    hash.write(text);
    let sum = hash.finish_128() as u64;
    [format!("{key:032x} {sum:016x} ").as_bytes(), text, b"\n"].concat()
}

/// Returns the key and the text of a line; `None` if it is damaged.
fn read_entry(line: &[u8]) -> Option<(u128, &[u8])> {
    let (prefix, text) = line.strip_suffix(b"\n")?.split_at_checked(PREFIX_BYTES)?;
    let key = u128::from_str_radix(std::str::from_utf8(prefix).ok()?.get(..32)?, 16).ok()?;
    (entry(key, text) == line).then_some((key, text))
}

impl CacheFile {
    /// Opens a file, or creates it, and reads its index.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        let (mut places, mut damage) = (HashMap::new(), None);
        let journal = Journal::open_stream(path, HEADER, |file| {
            let len = file.metadata().map_err(CacheError::File)?.len();
            let end = read_index(file, &mut places, &mut damage)?;
            // Keep a damaged file as it is.
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

    /// Returns the offset of the damage, in bytes; `None` if the file is intact.
    pub fn damage(&self) -> Option<u64> {
        self.damage
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the text with this key, unless it is missing or damaged.
    pub fn find(&mut self, key: u128) -> Option<Vec<u8>> {
        let &LinePlace { offset, len } = self.places.get(&key)?;
        let mut line = vec![0; len as usize];
        self.journal.read_at(&mut line, offset).ok()?;
        // The file may have been changed since it was opened.
        read_entry(&line).filter(|&(found, _)| found == key).map(|(_, text)| text.to_vec())
    }

    /// Appends entries and syncs the file to disk.
    pub fn add(&mut self, texts: &HashMap<u128, Vec<u8>>) -> io::Result<usize> {
        let start = self.journal.committed_bytes();
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for (&key, text) in texts {
            let line = entry(key, text);
            if line.len() as u64 <= MAX_LINE_BYTES {
                places.push((key, LinePlace { offset: start + bytes.len() as u64, len: line.len() as u32 }));
                bytes.extend(line);
            }
        }
        #[cfg(test)]
        if self.fails {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.journal.add(&bytes, std::time::Duration::ZERO)?;
        let added = places.len();
        self.places.extend(places);
        Ok(added)
    }

    /// Makes all writes fail, as on a full disk.
    #[cfg(test)]
    pub fn fail_writes(&mut self) {
        self.fails = true;
    }
}

/// Reads the entries of a file, and the offset of the first damage. Returns the end of the last
/// complete line.
fn read_index(
    file: &mut File,
    places: &mut HashMap<u128, LinePlace>,
    damage: &mut Option<u64>,
) -> Result<u64, CacheError> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut offset, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(CacheError::File)? as u64;
        if offset == 0 && line != HEADER {
            return Err(CacheError::NotACache);
        }
        if line.last() != Some(&b'\n') && read < MAX_LINE_BYTES {
            return Ok(offset);
        }
        if let Some((key, _)) = read_entry(&line) {
            places.insert(key, LinePlace { offset, len: read as u32 });
        } else if offset > 0 {
            damage.get_or_insert(offset);
        }
        offset += read;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_cut_at_any_byte_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        let add = |file: &mut CacheFile, key: u128| {
            assert_eq!(file.add(&[(key, vec![key as u8; 40])].into()).unwrap(), 1);
        };
        let mut file = CacheFile::open(&path).unwrap();
        (1..4).for_each(|key| add(&mut file, key));
        drop(file);
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut file = CacheFile::open(&path).unwrap();
            let entries = end.saturating_sub(HEADER.len()) / (PREFIX_BYTES + 41);
            assert_eq!((file.damage(), file.len()), (None, entries));
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
        let first = HEADER.len();
        let rest = PREFIX_BYTES + 40;
        for (at, found) in [
            (first + 3, [None, Some(2)]),
            (first + PREFIX_BYTES + 5, [None, Some(2)]),
            (first + rest, [None, None]),
            (first + rest + 5, [Some(1), None]),
        ] {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let mut file = CacheFile::open(&path).unwrap();
            let damage = if at > first + rest { first + rest + 1 } else { first };
            assert_eq!(file.damage(), Some(damage as u64));
            assert_eq!([1, 2].map(|key| file.find(key).map(|text| text[0])), found, "byte {at}");
            drop(file);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let mut bytes = good.clone();
        bytes[HEADER.len() - 2] = b'1';
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(CacheFile::open(&path), Err(CacheError::NotACache)));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
