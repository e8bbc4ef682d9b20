//! Segments of a book file: records in pages, found by their hash. A segment is written once and never changed.
//!
//! ```text
//! header: magic, replaces (u32), records (u64), pages (u64), bytes of the pages (u64), CRC-32 of the 32 bytes before
//! table: the offset of each page and of the end (u64 each)
//! pages: CRC-32 of the rest of the page, then records
//! footer: CRC-32 of the header and the table, magic
//! ```
//!
//! The footer is written after everything else is on disk, so a segment with a footer is whole. A record with hash h is in page h * pages / 2^64.

use std::io::{self, Write};

use super::record;
use crate::game::Packed;

/// The first bytes of a segment.
const MAGIC: &[u8; 4] = b"SEG1";
/// The last bytes of a complete segment.
const END: &[u8; 4] = b"DONE";
/// The bytes of the header and the footer.
pub(super) const HEADER: usize = 36;
pub(super) const FOOTER: usize = 8;

/// The mean number of records in a page: enough that the table is small, and few enough to check and scan.
const RECORDS_PER_PAGE: u64 = 8;

/// A record to be written: the hash of its key, and its key and body with their length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawRecord {
    pub hash: u64,
    pub bytes: Vec<u8>,
    /// The number of bytes of the length and of the key.
    head: [u8; 2],
}

impl RawRecord {
    /// Creates a record from a packed position and a body.
    pub fn new(packed: Packed, body: &[u8]) -> Self {
        let key = record::Key::of(packed);
        let key = key.bytes();
        let mut bytes = Vec::with_capacity(key.len() + body.len() + 2);
        record::write_number((key.len() + body.len()) as u64, &mut bytes);
        let head = [bytes.len() as u8, key.len() as u8];
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(body);
        Self { hash: record::hash(packed), bytes, head }
    }

    /// Returns the bytes of the key.
    pub fn key(&self) -> &[u8] {
        let start = usize::from(self.head[0]);
        &self.bytes[start..start + usize::from(self.head[1])]
    }
}

/// Sorts records as in a segment. Of several with the same key, the last one remains.
pub(super) fn sort(records: &mut Vec<RawRecord>) {
    records.sort_by(|a, b| (a.hash, a.key()).cmp(&(b.hash, b.key())));
    let mut kept: Vec<RawRecord> = Vec::with_capacity(records.len());
    for record in records.drain(..) {
        match kept.last_mut() {
            Some(last) if last.key() == record.key() => *last = record,
            _ => kept.push(record),
        }
    }
    *records = kept;
}

/// Writes a segment of sorted records except its footer, which it returns.
pub(super) fn write(to: &mut impl Write, records: &[RawRecord], replaces: u32) -> io::Result<[u8; FOOTER]> {
    let pages = (records.len() as u64).div_ceil(RECORDS_PER_PAGE).max(1);
    let mut table = Vec::with_capacity(8 * (pages as usize + 1));
    let mut offset = 0u64;
    let mut rest = records;
    let mut page_records = Vec::with_capacity(pages as usize);
    for page in 0..pages {
        let count = rest.iter().take_while(|record| page_of(record.hash, pages) == page).count();
        let (own, others) = rest.split_at(count);
        table.extend_from_slice(&offset.to_le_bytes());
        offset += 4 + own.iter().map(|record| record.bytes.len() as u64).sum::<u64>();
        page_records.push(own);
        rest = others;
    }
    debug_assert!(rest.is_empty(), "the records are sorted");
    table.extend_from_slice(&offset.to_le_bytes());
    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&replaces.to_le_bytes());
    [records.len() as u64, pages, offset].iter().for_each(|number| header.extend_from_slice(&number.to_le_bytes()));
    let crc = crc32fast::hash(&header);
    header.extend_from_slice(&crc.to_le_bytes());
    to.write_all(&header)?;
    to.write_all(&table)?;
    let mut bytes = Vec::new();
    for own in page_records {
        bytes.clear();
        own.iter().for_each(|record| bytes.extend_from_slice(&record.bytes));
        to.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
        to.write_all(&bytes)?;
    }
    let mut footer = [0; FOOTER];
    footer[..4].copy_from_slice(&table_crc(&header, &table).to_le_bytes());
    footer[4..].copy_from_slice(END);
    Ok(footer)
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

/// The place of a segment in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// The offset of the header.
    start: usize,
    /// How many of the segments before it it replaces.
    pub replaces: u32,
    /// The number of records.
    pub records: u64,
    pages: u64,
    /// The bytes of the pages.
    bytes: u64,
}

/// A page is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedPage;

/// What is found where a segment may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A complete segment.
    Complete(Segment),
    /// The start of a segment that was not completed, or nothing.
    Incomplete,
    /// Neither: the file is damaged.
    Damaged,
}

impl Segment {
    /// Reads the header of the segment at `start`.
    pub fn read(file: &[u8], start: usize) -> Found {
        let rest = &file[start..];
        let Some(header) = rest.get(..HEADER) else { return Found::Incomplete };
        let Some(segment) = Self::read_header(file, start) else { return torn_or_damaged(rest) };
        let Some((table, end)) = segment.table_bytes().and_then(|table| Some((table, segment.end()?))) else {
            return Found::Damaged;
        };
        let footer = &file[end - FOOTER..end];
        let table = &file[start + HEADER..start + HEADER + table];
        match footer.strip_suffix(END) {
            Some(crc) if crc == table_crc(header, table).to_le_bytes() => Found::Complete(segment),
            _ => torn_or_damaged(rest),
        }
    }

    /// Reads the header of the segment at `start`, whose table or end may be damaged; `None` if the header is, or the file is shorter.
    pub fn read_header(file: &[u8], start: usize) -> Option<Self> {
        let header = file.get(start..start.checked_add(HEADER)?)?;
        let (fields, crc) = header.split_last_chunk::<4>()?;
        if !header.starts_with(MAGIC) || crc32fast::hash(fields).to_le_bytes() != *crc {
            return None;
        }
        let replaces = u32::from_le_bytes(*header[4..].first_chunk()?);
        let (words, _) = header[8..].as_chunks();
        let [records, pages, bytes] = [0, 1, 2].map(|at| u64::from_le_bytes(words[at]));
        let segment = Self { start, replaces, records, pages, bytes };
        segment.end().filter(|&end| end <= file.len() && segment.pages > 0).map(|_| segment)
    }

    fn table_bytes(&self) -> Option<usize> {
        usize::try_from(self.pages.checked_add(1)?.checked_mul(8)?).ok().filter(|_| self.pages > 0)
    }

    /// Returns the offset after the segment.
    pub fn end(&self) -> Option<usize> {
        let pages = usize::try_from(self.bytes).ok()?;
        self.start.checked_add(HEADER)?.checked_add(self.table_bytes()?)?.checked_add(pages)?.checked_add(FOOTER)
    }

    /// Returns the bytes of the segment in the file.
    pub fn size(&self) -> u64 {
        self.end().map_or(0, |end| (end - self.start) as u64)
    }

    /// Returns the records of a page, whose checksum is verified.
    fn page<'a>(&self, file: &'a [u8], page: u64) -> Result<&'a [u8], DamagedPage> {
        let table = self.start + HEADER;
        let offset = |at: u64| {
            let at = table + 8 * at as usize;
            let word = file.get(at..).and_then(|bytes| bytes.first_chunk()).ok_or(DamagedPage)?;
            let offset = u64::from_le_bytes(*word);
            if offset > self.bytes { Err(DamagedPage) } else { Ok(offset as usize) }
        };
        let (from, to) = (offset(page)?, offset(page + 1)?);
        let pages = table + 8 * (self.pages as usize + 1);
        let (crc, records) =
            file.get(pages + from..pages + to).and_then(|bytes| bytes.split_at_checked(4)).ok_or(DamagedPage)?;
        if crc32fast::hash(records).to_le_bytes() == crc { Ok(records) } else { Err(DamagedPage) }
    }

    /// Returns the body of the record with this hash and key.
    pub fn find<'a>(&self, file: &'a [u8], hash: u64, key: &[u8]) -> Result<Option<&'a [u8]>, DamagedPage> {
        let mut page = self.page(file, page_of(hash, self.pages))?;
        while !page.is_empty() {
            if let Some(body) = next_record(&mut page)?.strip_prefix(key) {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// Calls `visit` with the packed position and the body of each record, in the order of the file.
    pub fn for_each<'a, E: From<DamagedPage>>(
        &self,
        file: &'a [u8],
        visit: &mut dyn FnMut(Packed, &'a [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..self.pages).try_for_each(|page| self.for_each_of_page(file, page, visit))
    }

    /// Calls `visit` like [`for_each`](Self::for_each), but continues after a damaged page. Returns the number of damaged pages.
    pub fn for_each_readable<'a>(
        &self,
        file: &'a [u8],
        visit: &mut dyn FnMut(Packed, &'a [u8]) -> Result<(), DamagedPage>,
    ) -> u64 {
        (0..self.pages).filter(|&page| self.for_each_of_page(file, page, visit).is_err()).count() as u64
    }

    fn for_each_of_page<'a, E: From<DamagedPage>>(
        &self,
        file: &'a [u8],
        page: u64,
        visit: &mut dyn FnMut(Packed, &'a [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut page = self.page(file, page)?;
        while !page.is_empty() {
            let mut record = next_record(&mut page)?;
            let packed = record::read_key(&mut record).map_err(|_| DamagedPage)?;
            visit(packed, record)?;
        }
        Ok(())
    }
}

/// Decides what a part of a file is that begins like no complete segment. A write that a crash of the system interrupted may leave any bytes, but
/// neither the end of a segment at the end of the file nor a later segment.
fn torn_or_damaged(rest: &[u8]) -> Found {
    let joint = [*END, *MAGIC].concat();
    let has_later = rest.windows(joint.len()).any(|bytes| bytes == joint);
    if has_later || rest.ends_with(END) { Found::Damaged } else { Found::Incomplete }
}

/// Returns the key and the body of the first record of some, and removes it from them.
fn next_record<'a>(records: &mut &'a [u8]) -> Result<&'a [u8], DamagedPage> {
    let length = record::read_number(records).map_err(|_| DamagedPage)? as usize;
    let (record, rest) = records.split_at_checked(length).ok_or(DamagedPage)?;
    *records = rest;
    Ok(record)
}
