//! Segments of a book file: records in pages, which are looked up by hash. A segment is written
//! once and never changed.
//!
//! ```text
//! header: magic, replaces (u32), records (u64), pages (u64), size of the pages (u64), CRC-32 of the previous 32 bytes
//! table: the offset of each page and of the end (u64 each)
//! pages: CRC-32 of the rest of the page, then records
//! footer: CRC-32 of the header and the table, magic
//! ```
//!
//! The footer is written after everything else is on disk, so a segment with a footer is complete.
//! A record with hash h is in page h * pages / 2^64.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use morello_core::game::Packed;

use super::bytes::Bytes;
use super::record::{self, Damaged};

/// The first bytes of a segment.
const MAGIC: &[u8; 4] = b"SEG1";
/// The last bytes of a complete segment.
const END: &[u8; 4] = b"DONE";
/// The sizes of the header and the footer, in bytes.
const HEADER: usize = 36;
const FOOTER: usize = 8;
/// The maximum size of a table, in bytes: enough for a billion records.
const MAX_TABLE: usize = 1 << 30;
/// The size of the parts in which damaged bytes are searched.
const PART: usize = 1 << 20;
/// The maximum size of a page, in bytes. Usual ones have less than a kilobyte.
const MAX_PAGE: usize = 1 << 20;

/// The average number of records per page: large enough for a small table, and small enough for a
/// quick check and scan.
const RECORDS_PER_PAGE: u64 = 8;

/// The records of a segment as bytes, with their length, sorted by the hash of their position and
/// the position.
pub(super) type SegmentRecords = BTreeMap<(u64, Packed), Vec<u8>>;

/// Adds a record, or replaces the record of the same position.
pub(super) fn insert(records: &mut SegmentRecords, packed: Packed, body: &[u8]) {
    let key = record::key(packed);
    let mut bytes = Vec::with_capacity(key.len() + body.len() + 2);
    record::write_number((key.len() + body.len()) as u64, &mut bytes);
    bytes.extend(key);
    bytes.extend_from_slice(body);
    records.insert((record::hash(packed), packed), bytes);
}

/// Writes `head` and a segment at the current position of a file.
pub(super) fn write(file: &mut File, head: &[u8], records: &SegmentRecords, replaces: u32) -> io::Result<()> {
    let pages = (records.len() as u64).div_ceil(RECORDS_PER_PAGE).max(1);
    // The checksum of a page takes four bytes.
    let mut lengths = vec![4; pages as usize];
    for ((hash, _), record) in records {
        lengths[page_of(*hash, pages) as usize] += record.len() as u64;
    }
    let offsets = [0].into_iter().chain(lengths).scan(0, |offset, length| {
        *offset += length;
        Some(*offset)
    });
    let offsets: Vec<u64> = offsets.collect();
    let table = table(&offsets);
    let mut header = [&MAGIC[..], &replaces.to_le_bytes()].concat();
    header.extend([records.len() as u64, pages, offsets[pages as usize]].map(u64::to_le_bytes).as_flattened());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    let mut to = BufWriter::with_capacity(1 << 20, &mut *file);
    [head, &header, &table].into_iter().try_for_each(|part| to.write_all(part))?;
    let (mut rest, mut bytes) = (records.iter().peekable(), Vec::new());
    for page in 0..pages {
        bytes.clear();
        while let Some((_, record)) = rest.next_if(|((hash, _), _)| page_of(*hash, pages) == page) {
            bytes.extend_from_slice(record);
        }
        to.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
        to.write_all(&bytes)?;
    }
    to.flush()?;
    drop(to);
    // The footer must not be on disk before the rest.
    file.sync_data()?;
    file.write_all(&[table_crc(&header, &table).to_le_bytes(), *END].concat())?;
    file.sync_data()
}

/// Returns the bytes of a table.
fn table(offsets: &[u64]) -> Vec<u8> {
    offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect()
}

fn table_crc(header: &[u8], table: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(table);
    hasher.finalize()
}

fn page_of(hash: u64, pages: u64) -> u64 {
    ((u128::from(hash) * u128::from(pages)) >> 64) as u64
}

/// Receives the packed position and the body of a record.
pub(super) type VisitRecord<'a> = dyn FnMut(Packed, &[u8]) -> Result<(), Damaged> + 'a;

/// The location of a segment in a file, and its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// The offset of the header.
    start: usize,
    /// The number of earlier segments that it replaces.
    pub replaces: u32,
    /// The number of records.
    pub records: u64,
    pub pages: u64,
    /// The size of the pages in bytes.
    pub bytes: u64,
    /// The offset of each page and of the end. Those of a damaged segment may be wrong.
    offsets: Arc<[u64]>,
}

impl Segment {
    /// Reads the segment at `start`; `None` if there is nothing, or only the beginning of an
    /// incomplete segment.
    pub fn read(file: &Bytes, start: usize) -> Result<Option<Self>, Damaged> {
        if file.len() - start < HEADER {
            return Ok(None);
        }
        let Some(segment) = Self::read_damaged(file, start) else { return torn_or_damaged(file, start) };
        let end = segment.end().ok_or(Damaged)?;
        let (header, footer) = (file.range(start..start + HEADER)?, file.range(end - FOOTER..end)?);
        match footer.strip_suffix(END) {
            Some(_) if !segment.is_in_order() => Err(Damaged),
            Some(crc) if crc == table_crc(&header, &table(&segment.offsets)).to_le_bytes() => Ok(Some(segment)),
            _ => torn_or_damaged(file, start),
        }
    }

    /// Reads the segment at `start`, even if its table or end is damaged; `None` if the header is
    /// damaged, or the file is too short.
    pub fn read_damaged(file: &Bytes, start: usize) -> Option<Self> {
        let header = file.range(start..start.checked_add(HEADER)?).ok()?;
        let (fields, crc) = header.split_last_chunk::<4>()?;
        if !header.starts_with(MAGIC) || crc32fast::hash(fields).to_le_bytes() != *crc {
            return None;
        }
        let replaces = u32::from_le_bytes(*header[4..].first_chunk()?);
        let (words, _) = header[8..].as_chunks();
        let [records, pages, bytes] = [0, 1, 2].map(|at| u64::from_le_bytes(words[at]));
        let mut segment = Self { start, replaces, records, pages, bytes, offsets: Arc::new([]) };
        // A record takes at least a byte.
        segment.end().filter(|&end| end <= file.len() && pages > 0 && records <= bytes)?;
        let from = start + HEADER;
        let table = file.range(from..from + segment.table_bytes()?).ok()?;
        segment.offsets = table.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
        Some(segment)
    }

    /// Returns whether the pages follow each other, so that reading all of them takes linear time.
    fn is_in_order(&self) -> bool {
        self.offsets.is_sorted() && self.offsets.first() == Some(&0) && self.offsets.last() == Some(&self.bytes)
    }

    fn table_bytes(&self) -> Option<usize> {
        let bytes = usize::try_from(self.pages.checked_add(1)?.checked_mul(8)?).ok();
        bytes.filter(|&bytes| self.pages > 0 && bytes <= MAX_TABLE)
    }

    /// Returns the offset of the end of the segment.
    pub fn end(&self) -> Option<usize> {
        let pages = usize::try_from(self.bytes).ok()?;
        self.start.checked_add(HEADER)?.checked_add(self.table_bytes()?)?.checked_add(pages)?.checked_add(FOOTER)
    }

    /// Returns the size of the segment in the file, in bytes.
    pub fn size(&self) -> u64 {
        self.end().map_or(0, |end| (end - self.start) as u64)
    }

    /// Returns the size of a page by the table, in bytes.
    pub fn page_bytes(&self, page: u64) -> u64 {
        let offset = |at: u64| self.offsets.get(at as usize).copied().unwrap_or_default();
        offset(page + 1).saturating_sub(offset(page)).min(MAX_PAGE as u64)
    }

    /// Returns the records of a page, after verifying its checksum.
    fn page<'a>(&self, file: &'a Bytes, page: u64) -> Result<Cow<'a, [u8]>, Damaged> {
        let pages = self.start + HEADER + self.table_bytes().ok_or(Damaged)?;
        let offset = |at: u64| {
            let offset = self.offsets.get(at as usize).filter(|&&offset| offset <= self.bytes);
            offset.map(|&offset| pages + offset as usize).ok_or(Damaged)
        };
        let (from, to) = (offset(page)?, offset(page + 1)?);
        // In a damaged table, it could be as long as the file.
        let page = file.range(from..to.min(from.saturating_add(MAX_PAGE)))?;
        let (crc, records) = page.split_at_checked(4).ok_or(Damaged)?;
        if crc32fast::hash(records).to_le_bytes() == crc { Ok(page) } else { Err(Damaged) }
    }

    /// Returns the body of the record with this hash and key; `None` if there is none.
    pub fn find(&self, file: &Bytes, hash: u64, key: &[u8]) -> Result<Option<Vec<u8>>, Damaged> {
        let page = self.page(file, page_of(hash, self.pages))?;
        let mut records = &page[4..];
        while !records.is_empty() {
            if let Some(body) = next_record(&mut records)?.strip_prefix(key) {
                return Ok(Some(body.to_vec()));
            }
        }
        Ok(None)
    }

    /// Calls `visit` with the packed position and the body of each record of a page, in file order.
    pub fn visit_page(&self, file: &Bytes, page: u64, visit: &mut VisitRecord<'_>) -> Result<(), Damaged> {
        let page = self.page(file, page)?;
        let mut records = &page[4..];
        while !records.is_empty() {
            let mut record = next_record(&mut records)?;
            visit(record::read_key(&mut record)?, record)?;
        }
        Ok(())
    }
}

/// Decides whether data that does not begin with a complete segment is an incomplete write or
/// damaged. A write interrupted by a system crash may leave any bytes, but neither a segment's end
/// at the end of the file nor a later segment.
fn torn_or_damaged(file: &Bytes, start: usize) -> Result<Option<Segment>, Damaged> {
    let joint = [*END, *MAGIC].concat();
    let mut part = start..start;
    while part.end < file.len() {
        // Parts overlap, so that none ends within the bytes that are looked for.
        part = part.end.saturating_sub(joint.len()).max(start)..(part.end + PART).min(file.len());
        if file.range(part.clone())?.windows(joint.len()).any(|bytes| bytes == joint) {
            return Err(Damaged);
        }
    }
    let has_end = file.len() >= start + END.len() && *file.range(file.len() - END.len()..file.len())? == *END;
    if has_end { Err(Damaged) } else { Ok(None) }
}

/// Removes the first record from `records` and returns its key and body.
fn next_record<'a>(records: &mut &'a [u8]) -> Result<&'a [u8], Damaged> {
    let length = record::read_number(records)? as usize;
    records.split_off(..length).ok_or(Damaged)
}
