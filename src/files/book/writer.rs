//! [`BookWriter`]: changes a book.

use std::collections::HashMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use morello_core::game::{AnyGame, AnyPosition};
use morello_core::journal::replace_locked;
use morello_core::lock::LockedFile;

use super::entry::BookEntry;
use super::file::{self, BookError, BookFile, HEADER};
use super::record::{self, Damaged};
use super::segment::{self, SegmentRecords};

/// A file is rewritten if its replaced segments take more than this many bytes and more than the
/// other segments.
const MIN_GARBAGE: u64 = 1 << 18;

/// The number of days from 1970-01-01 to 2020-01-01.
const FIRST_DAY: u64 = 18_262;

/// Returns the current day for [`BookEntry::day`].
#[must_use]
pub fn today() -> u16 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_secs());
    (seconds / 86_400).saturating_sub(FIRST_DAY).min(u16::MAX.into()) as u16
}

/// The only writer of a book. Readers see its changes after each [`commit`](Self::commit). If the
/// process is killed, only the changes after the last commit are lost.
///
/// ```
/// use morello::book::{BookEntry, BookFile, BookWriter};
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.book");
/// let mut writer = BookWriter::open(&path, othello)?;
/// let start = othello.start().canonical();
/// writer.put(start, BookEntry::default());
/// assert!(writer.get(&start)?.is_some() && writer.committed().get(&start)?.is_none());
/// writer.commit()?;
/// assert_eq!(BookFile::open(&path, othello)?.most_positions(), 1);
/// // Only one writer at a time:
/// assert!(BookWriter::open(&path, othello).unwrap_err().to_string().starts_with("another process is using"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BookWriter {
    lock: LockedFile,
    book: BookFile,
    /// The changes that are not in the file yet.
    pending: HashMap<AnyPosition, BookEntry>,
}

morello_core::debug_fields!(BookWriter { book, pending.len() });

impl BookWriter {
    /// Opens a book of this game, or creates it. Removes remains of an interrupted process.
    ///
    /// # Errors
    /// [`BookError`] if another process is writing to the book, or the file is not a book of the
    /// game.
    pub fn open(path: &Path, game: &'static dyn AnyGame) -> Result<Self, BookError> {
        let io = BookError::io(path);
        loop {
            let Some(mut lock) = LockedFile::open(path).map_err(&io)? else {
                return Err(BookError::InUse(path.to_owned()));
            };
            if lock.metadata().map_err(&io)?.len() == 0 {
                lock.write_all(&file::header(game, new_number())).and_then(|()| lock.sync_data()).map_err(&io)?;
            }
            let book = BookFile::open(path, game)?;
            // Another writer may have replaced the file after it was opened and before it was
            // locked.
            let mut head = [0; HEADER];
            lock.rewind().and_then(|()| io::Read::read_exact(&mut *lock, &mut head)).map_err(&io)?;
            if book.bytes.range(0..HEADER).is_ok_and(|bytes| *bytes == head) {
                if lock.metadata().map_err(&io)?.len() > book.end as u64 {
                    // Removes remains of an interrupted process. The file is replaced, not
                    // shortened, because other processes may be reading it.
                    // It gets a new number, by which another writer sees that its file is not this one.
                    lock.seek(SeekFrom::Start(HEADER as u64)).map_err(&io)?;
                    let mut kept = io::Read::take(&mut *lock, (book.end - HEADER) as u64);
                    let header = file::header(game, new_number());
                    replace_locked(path, |to| to.write_all(&header).and_then(|()| io::copy(&mut kept, to).map(drop)))
                        .map_err(&io)?;
                    continue;
                }
                return Ok(Self { lock, book, pending: HashMap::new() });
            }
        }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.book.game()
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.book.path()
    }

    /// Returns the book as of the last commit.
    #[must_use]
    pub fn committed(&self) -> &BookFile {
        &self.book
    }

    /// Returns the entry of a canonical position; `None` if it is not in the book.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn get(&self, canonical: &AnyPosition) -> Result<Option<BookEntry>, BookError> {
        match self.pending.get(canonical) {
            Some(entry) => Ok(Some(entry.clone())),
            None => self.book.get(canonical),
        }
    }

    /// Sets the entry of a canonical position.
    pub fn put(&mut self, canonical: AnyPosition, entry: BookEntry) {
        self.pending.insert(canonical, entry);
    }

    /// Calls `visit` with each canonical position and its entry, in no particular order.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn for_each(&self, visit: &mut dyn FnMut(AnyPosition, BookEntry)) -> Result<(), BookError> {
        self.book.for_each(&mut |position, entry| {
            if !self.pending.contains_key(&position) {
                visit(position, entry);
            }
        })?;
        self.pending.iter().for_each(|(&position, entry)| visit(position, entry.clone()));
        Ok(())
    }

    /// Writes the changes to the file.
    ///
    /// # Errors
    /// [`BookError`] if writing fails; the changes are kept, and the file is unchanged.
    pub fn commit(&mut self) -> Result<(), BookError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        // Segments that are not much longer are replaced, so that there are few segments and each
        // record is written only a few times.
        let mut count = self.pending.len() as u64;
        let mut replaced = 0;
        for segment in &self.book.segments {
            if segment.records > 2 * count {
                break;
            }
            count += segment.records;
            replaced += 1;
        }
        let mut records = SegmentRecords::new();
        for segment in self.book.segments[..replaced].iter().rev() {
            let mut pages = 0..segment.pages;
            let read = pages.try_for_each(|page| {
                segment.visit_page(&self.book.bytes, page, &mut |packed, body| {
                    segment::insert(&mut records, packed, body);
                    Ok(())
                })
            });
            read.map_err(|Damaged| BookError::Damaged { file: self.path().to_owned(), offset: self.book.end as u64 })?;
        }
        self.pending.iter().for_each(|(position, entry)| insert(&mut records, position, entry));
        let (path, file) = (self.path().to_owned(), &mut *self.lock);
        // Readers ignore an incomplete segment, and the next writer removes it.
        let appended = file.seek(SeekFrom::Start(self.book.end as u64));
        appended.and_then(|_| segment::write(file, &[], &records, replaced as u32)).map_err(BookError::io(&path))?;
        self.book = BookFile::open(&path, self.game())?;
        self.pending.clear();
        let live: u64 = self.book.segments.iter().map(segment::Segment::size).sum();
        let garbage = (self.book.end - HEADER) as u64 - live;
        if garbage > MIN_GARBAGE.max(live) { self.compact() } else { Ok(()) }
    }

    /// Commits, and rewrites the file as one segment, sorted, without replaced entries.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn compact(&mut self) -> Result<(), BookError> {
        let mut records = SegmentRecords::new();
        self.book.for_each_raw(&mut |packed, body| {
            segment::insert(&mut records, packed, body);
            Ok(())
        })?;
        self.pending.iter().for_each(|(position, entry)| insert(&mut records, position, entry));
        self.replace(&records)
    }

    /// Replaces the contents of the book. Uncommitted changes are dropped.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn rewrite(&mut self, entries: impl Iterator<Item = (AnyPosition, BookEntry)>) -> Result<(), BookError> {
        let mut records = SegmentRecords::new();
        entries.for_each(|(position, entry)| insert(&mut records, &position, &entry));
        self.replace(&records)
    }

    fn replace(&mut self, records: &SegmentRecords) -> Result<(), BookError> {
        let path = self.path().to_owned();
        let header = file::header(self.game(), new_number());
        let written = replace_locked(&path, |file| segment::write(file, &header, records, 0));
        self.lock = written.map_err(BookError::io(&path))?;
        self.book = BookFile::open(&path, self.game())?;
        self.pending.clear();
        Ok(())
    }
}

fn insert(records: &mut SegmentRecords, position: &AnyPosition, entry: &BookEntry) {
    let mut body = Vec::new();
    record::write_body(entry, &mut body);
    segment::insert(records, position.packed(), &body);
}

/// Returns a number for a new file that differs from the numbers of all earlier files at the same
/// path.
fn new_number() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_nanos() as u64);
    record::hash([now, std::process::id().into(), 0])
}
