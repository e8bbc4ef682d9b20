//! [`BookFile`]: a snapshot of a book file.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use morello_core::game::{AnyGame, AnyPosition, Packed};
use thiserror::Error;

use super::bytes::Bytes;
use super::entry::BookEntry;
use super::record::{self, Damaged};
use super::segment::{Segment, VisitRecord};

/// The first bytes of a book.
const MAGIC: &[u8; 14] = b"morello book\x1a\n";
/// The version of the format.
const VERSION: u16 = 1;
/// The size of the header in bytes: the magic, the version, the number of the file (u64), the name
/// of the game (u8 length, 67 bytes), and a CRC-32.
pub(super) const HEADER: usize = 96;
/// The maximum number of segments. Writing merges the small ones, so that even a billion records
/// have at most 30.
const MAX_SEGMENTS: usize = 256;
const NUMBER: usize = 16;
const NAME: usize = 24;
/// The maximum length of the name of a game, in bytes.
const MAX_NAME: usize = HEADER - 4 - (NAME + 1);

/// An error in a book.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read or written.
    #[error("cannot access the book `{}`", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a book.
    #[error("`{}` is not a morello book; `morello book import` reads Edax and Egaroucid books", .0.display())]
    NotABook(PathBuf),
    /// The book has another format version.
    #[error("`{}` has format version {found}; this morello reads version {VERSION}; use the morello that wrote it, or \
        build it again", file.display())]
    OtherVersion {
        /// The file.
        file: PathBuf,
        /// The version of the file.
        found: u16,
    },
    /// The book belongs to another game.
    #[error("`{}` is a book for {found}, not {expected}", file.display())]
    OtherGame {
        /// The file.
        file: PathBuf,
        /// The game of the file.
        found: String,
        /// The expected game.
        expected: &'static str,
    },
    /// A checksum is wrong, or an entry is invalid.
    #[error("`{}` is damaged at byte {offset}; `morello book merge` saves the readable entries",
        file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The offset at which the damaged part begins.
        offset: u64,
    },
    /// Another process is writing to the book.
    #[error("another process is using `{}`; wait for it or use a copy", .0.display())]
    InUse(PathBuf),
}

impl BookError {
    pub(super) fn io(file: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io(file.to_owned(), error)
    }
}

/// A book file as it was when it was opened. Processes that append to the file
/// or replace it do not affect it; [`reopened`](Self::reopened) returns the file with their
/// changes.
#[derive(Clone)]
pub struct BookFile {
    path: PathBuf,
    game: &'static dyn AnyGame,
    pub(super) bytes: Bytes,
    /// The segments that are not replaced, newest first.
    pub(super) segments: Vec<Segment>,
    /// The offset of the end of the last complete segment.
    pub(super) end: usize,
    /// The number of the file, which reveals whether the file was replaced.
    number: u64,
}

morello_core::debug_fields!(BookFile { path, game, segments.len() });

/// Returns the header of a file.
///
/// # Panics
/// If the name of the game is too long.
pub(super) fn header(game: &dyn AnyGame, number: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..14].copy_from_slice(MAGIC);
    header[14..NUMBER].copy_from_slice(&VERSION.to_le_bytes());
    header[NUMBER..NAME].copy_from_slice(&number.to_le_bytes());
    let name = game.name().as_bytes();
    assert!(name.len() <= MAX_NAME, "a book requires that the name of a game has at most {MAX_NAME} bytes");
    header[NAME] = name.len() as u8;
    header[NAME + 1..NAME + 1 + name.len()].copy_from_slice(name);
    let crc = crc32fast::hash(&header[..HEADER - 4]);
    header[HEADER - 4..].copy_from_slice(&crc.to_le_bytes());
    header
}

/// Reads a header. Returns the name of the game and the number of the file.
fn read_header(file: &Path, header: &[u8]) -> Result<(String, u64), BookError> {
    if !header.starts_with(MAGIC) {
        return Err(BookError::NotABook(file.to_owned()));
    }
    let damaged = || BookError::Damaged { file: file.to_owned(), offset: 0 };
    let found = header.get(14..NUMBER).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    match found.ok_or_else(damaged)? {
        VERSION => {}
        found => return Err(BookError::OtherVersion { file: file.to_owned(), found }),
    }
    if header.len() < HEADER || crc32fast::hash(&header[..HEADER - 4]).to_le_bytes() != header[HEADER - 4..HEADER] {
        return Err(damaged());
    }
    let name = header.get(NAME + 1..NAME + 1 + usize::from(header[NAME])).ok_or_else(damaged)?;
    let number = u64::from_le_bytes(*header[NUMBER..].first_chunk().ok_or_else(damaged)?);
    Ok((String::from_utf8_lossy(name).into_owned(), number))
}

impl BookFile {
    /// Opens a book of this game. Reads only the headers, so opening a large book takes no longer.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read or is not a book of the game.
    pub fn open(path: &Path, game: &'static dyn AnyGame) -> Result<Self, BookError> {
        Self::open_file(path, game, false)
    }

    fn open_file(path: &Path, game: &'static dyn AnyGame, may_be_damaged: bool) -> Result<Self, BookError> {
        let io = BookError::io(path);
        let file = File::open(path).map_err(&io)?;
        if !file.metadata().map_err(&io)?.is_file() {
            return Err(BookError::NotABook(path.to_owned()));
        }
        Self::read(path, game, Bytes::of_file(file).map_err(&io)?, may_be_damaged)
    }

    /// Opens a built-in book.
    ///
    /// # Errors
    /// [`BookError`] if the bytes are not a book of the game.
    pub fn embedded(game: &'static dyn AnyGame, bytes: &'static [u8]) -> Result<Self, BookError> {
        Self::read(Path::new(&format!("{}.book", game.name())), game, Bytes::Embedded(bytes), false)
    }

    /// Returns the name of the book's game.
    ///
    /// ```
    /// use morello::book::{BookFile, BookWriter};
    /// use morello::games;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("mine.book");
    /// drop(BookWriter::open(&path, games::get("othello-6x6")?)?);
    /// assert_eq!(BookFile::game_name(&path)?, "othello-6x6");
    /// let error = BookFile::open(&path, games::get("othello")?).unwrap_err().to_string();
    /// assert!(error.ends_with("is a book for othello-6x6, not othello"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read or is not a book.
    pub fn game_name(path: &Path) -> Result<String, BookError> {
        let mut header = Vec::new();
        let file = File::open(path).map_err(BookError::io(path))?;
        file.take(HEADER as u64).read_to_end(&mut header).map_err(BookError::io(path))?;
        Ok(read_header(path, &header)?.0)
    }

    /// Opens a book that may be damaged. Uses the segments before the first one with a damaged
    /// header. [`for_each_readable`](Self::for_each_readable) skips damaged pages, and pages that
    /// cannot be found because a table is damaged.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for damage after the header of the file.
    pub fn open_damaged(path: &Path, game: &'static dyn AnyGame) -> Result<Self, BookError> {
        match Self::open(path, game) {
            Err(BookError::Damaged { offset, .. }) if offset >= HEADER as u64 => Self::open_file(path, game, true),
            opened => opened,
        }
    }

    fn read(path: &Path, game: &'static dyn AnyGame, bytes: Bytes, may_be_damaged: bool) -> Result<Self, BookError> {
        let mut book = Self { path: path.to_owned(), game, bytes, segments: Vec::new(), end: HEADER, number: 0 };
        let header = book.bytes.range(0..HEADER.min(book.bytes.len())).map_err(|Damaged| book.damaged(0))?;
        let (name, number) = read_header(path, &header)?;
        book.number = number;
        if name != game.name() {
            return Err(BookError::OtherGame { file: path.to_owned(), found: name, expected: game.name() });
        }
        while book.end < book.bytes.len() {
            match Segment::read(&book.bytes, book.end) {
                Ok(Some(segment)) => {
                    let kept = book.segments.len().checked_sub(segment.replaces as usize);
                    let (Some(kept), Some(end)) = (kept, segment.end()) else { return Err(book.damaged(book.end)) };
                    book.segments.truncate(kept);
                    book.segments.push(segment);
                    // Each lookup searches all of them.
                    if book.segments.len() > MAX_SEGMENTS && !may_be_damaged {
                        return Err(book.damaged(book.end));
                    }
                    book.end = end;
                }
                Ok(None) => break,
                Err(Damaged) if may_be_damaged => match Segment::read_damaged(&book.bytes, book.end) {
                    Some(segment) => {
                        // Its pages have separate checksums.
                        book.end = segment.end().unwrap_or(book.end);
                        book.segments.push(segment);
                    }
                    None => break,
                },
                Err(Damaged) => return Err(book.damaged(book.end)),
            }
        }
        book.segments.reverse();
        Ok(book)
    }

    /// Opens the file again if another process has changed it; `None` if the file is unchanged.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn reopened(&self) -> Result<Option<Self>, BookError> {
        if matches!(self.bytes, Bytes::Embedded(_)) {
            return Ok(None);
        }
        let mut head = [0; NAME];
        let io = BookError::io(&self.path);
        let mut file = File::open(&self.path).map_err(&io)?;
        let length = file.metadata().map_err(&io)?.len();
        file.read_exact(&mut head).map_err(&io)?;
        if length == self.bytes.len() as u64 && head[NUMBER..] == self.number.to_le_bytes() {
            return Ok(None);
        }
        Self::open(&self.path, self.game).map(Some)
    }

    fn damaged(&self, offset: usize) -> BookError {
        BookError::Damaged { file: self.path.clone(), offset: offset as u64 }
    }

    fn damaged_segment(&self, segment: &Segment) -> BookError {
        self.damaged(segment.end().map_or(0, |end| end - segment.size() as usize))
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of bytes at the end that do not belong to a complete segment. They come
    /// from an interrupted write or a truncated file.
    #[must_use]
    pub fn unfinished_bytes(&self) -> u64 {
        self.bytes.len().saturating_sub(self.end) as u64
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Returns the entry of a canonical position; `None` if it is not in the book.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn get(&self, canonical: &AnyPosition) -> Result<Option<BookEntry>, BookError> {
        let packed = canonical.packed();
        let (key, hash) = (record::key(packed), record::hash(packed));
        for segment in &self.segments {
            let damaged = || self.damaged_segment(segment);
            if let Some(body) = segment.find(&self.bytes, hash, &key).map_err(|_| damaged())? {
                return record::read_body(&body, canonical).map(Some).map_err(|_| damaged());
            }
        }
        Ok(None)
    }

    /// Returns an upper bound on the number of positions. It is exact for a book with one segment.
    #[must_use]
    pub fn most_positions(&self) -> u64 {
        self.segments.iter().map(|segment| segment.records).sum()
    }

    /// Calls `visit` with each canonical position and its entry, in file order.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum is wrong.
    pub fn for_each(&self, visit: &mut dyn FnMut(AnyPosition, BookEntry)) -> Result<(), BookError> {
        self.for_each_raw(&mut |packed, body| self.visit_entry(packed, body, visit))
    }

    /// Calls `visit` like [`for_each`](Self::for_each), but skips damaged pages and entries.
    /// Returns the number skipped.
    pub fn for_each_readable(&self, visit: &mut dyn FnMut(AnyPosition, BookEntry)) -> u64 {
        let mut damaged = 0;
        let on_damaged = &mut |_: &Segment| {
            damaged += 1;
            Ok(())
        };
        let visited = self.visit_pages(&mut |packed, body| self.visit_entry(packed, body, visit), on_damaged);
        visited.expect("damaged pages are skipped");
        damaged
    }

    fn visit_entry(
        &self,
        packed: Packed,
        body: &[u8],
        visit: &mut dyn FnMut(AnyPosition, BookEntry),
    ) -> Result<(), Damaged> {
        let position = AnyPosition::from_packed(self.game, packed).ok_or(Damaged)?;
        visit(position, record::read_body(body, &position)?);
        Ok(())
    }

    /// Calls `visit` with the packed position and the body of each record.
    pub(super) fn for_each_raw(&self, visit: &mut VisitRecord<'_>) -> Result<(), BookError> {
        self.visit_pages(visit, &mut |segment| Err(self.damaged_segment(segment)))
    }

    /// Calls `visit` with the records, and `on_damaged` with the segment of each damaged page.
    fn visit_pages(
        &self,
        visit: &mut VisitRecord<'_>,
        on_damaged: &mut dyn FnMut(&Segment) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut seen: HashSet<Packed> = HashSet::new();
        let last = self.segments.len().saturating_sub(1);
        for (number, segment) in self.segments.iter().enumerate() {
            // The pages of a damaged table may overlap.
            let mut left = segment.bytes.saturating_mul(2);
            for page in 0..segment.pages {
                let rest = left.checked_sub(segment.page_bytes(page)).ok_or(Damaged);
                let visited = rest.and_then(|rest| {
                    left = rest;
                    segment.visit_page(&self.bytes, page, &mut |packed, body| {
                        // Newer segments contain newer entries. Nothing follows the last segment,
                        // so its positions need not be remembered.
                        let is_new = if number == last { !seen.contains(&packed) } else { seen.insert(packed) };
                        if is_new { visit(packed, body) } else { Ok(()) }
                    })
                });
                visited.or_else(|Damaged| on_damaged(segment))?;
            }
        }
        Ok(())
    }
}
