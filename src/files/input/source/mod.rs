//! [`Input`]: the sources of bytes, and decompression.

pub(super) mod archive;
mod guarded;
#[cfg(feature = "parquet")]
mod parquet;

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use thiserror::Error;

use self::archive::ArchiveEntry;
pub use self::guarded::GuardedInput;
use self::guarded::GuardedReader;

/// The maximum memory for unpacking a file, in MiB. A file written by `xz -9` needs 65, and one by
/// `zstd --ultra -22` 128.
const MEMORY_MIB: u32 = 130;
/// The maximum memory for a file from somebody who is not trusted: `xz` needs 9, and `zstd -19` 8.
const GUARDED_MEMORY_MIB: u32 = 20;

/// How an input is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
    Parquet,
}

/// The first bytes of packed inputs, as the lowest and the highest value of each byte. Some tools
/// write a skippable zstd frame first.
const SIGNATURES: [(Packing, &[(u8, u8)]); 8] = [
    (Packing::Gzip, &[(0x1f, 0x1f), (0x8b, 0x8b)]),
    (Packing::Zstd, &[(0x28, 0x28), (0xb5, 0xb5), (0x2f, 0x2f), (0xfd, 0xfd)]),
    (Packing::Zstd, &[(0x50, 0x5f), (0x2a, 0x2a), (0x4d, 0x4d), (0x18, 0x18)]),
    (Packing::Bzip2, &[(b'B', b'B'), (b'Z', b'Z'), (b'h', b'h'), (b'1', b'9'), (0x31, 0x31), (0x41, 0x41)]),
    (Packing::Bzip2, &[(b'B', b'B'), (b'Z', b'Z'), (b'h', b'h'), (b'1', b'9'), (0x17, 0x17), (0x72, 0x72)]),
    (Packing::Xz, &[(0xfd, 0xfd), (b'7', b'7'), (b'z', b'z'), (b'X', b'X'), (b'Z', b'Z'), (0, 0)]),
    (Packing::Zip, &[(b'P', b'P'), (b'K', b'K'), (3, 5), (4, 6)]),
    (Packing::Parquet, &[(b'P', b'P'), (b'A', b'A'), (b'R', b'R'), (b'1', b'1')]),
];

/// The length of the longest signature.
const MAX_SIGNATURE: usize = 6;

impl Packing {
    /// Returns how an input with these first bytes is packed; `None` if it is not packed.
    fn of(head: &[u8]) -> Option<Self> {
        let is_whole = |signature: &[(u8, u8)]| head.len() >= signature.len() && fits(head, signature);
        SIGNATURES.iter().find(|(_, signature)| is_whole(signature)).map(|&(packing, _)| packing)
    }

    /// Unpacks an input with this much memory.
    fn unpack(self, packed: impl BufRead + Send + 'static, memory_mib: u32) -> io::Result<BoxedReader> {
        let unsupported = |text: &str| Err(io::Error::new(io::ErrorKind::InvalidData, text));
        let bytes: Box<dyn Read + Send> = match self {
            Self::Gzip => Box::new(GzipMembers { member: Some(GzDecoder::new(packed)) }),
            Self::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(packed)?;
                decoder.window_log_max((u64::from(memory_mib) << 20).ilog2())?;
                Box::new(decoder)
            }
            Self::Bzip2 => Box::new(MultiBzDecoder::new(packed)),
            Self::Xz => {
                let bytes = XzReader::new_mem_limit(packed, true, memory_mib << 10);
                Box::new(LimitedXz { bytes, memory_mib })
            }
            Self::Zip => {
                return unsupported("a zip archive within another archive or from standard input; unpack it");
            }
            Self::Parquet => {
                return unsupported("Parquet, which this build of morello does not support; convert it to CSV");
            }
        };
        Ok(Box::new(BufReader::new(bytes)))
    }
}

/// Returns whether the first bytes match a signature, as far as both are long enough.
fn fits(head: &[u8], signature: &[(u8, u8)]) -> bool {
    head.iter().zip(signature).all(|(byte, (least, most))| (least..=most).contains(&byte))
}

/// All rows of a Parquet file.
#[cfg(feature = "parquet")]
const WHOLE: (u64, u64) = (0, 1);

/// The length of the sample of an input, in bytes.
const SAMPLE_BYTES: usize = 64 << 10;

/// A source of positions and games.
///
/// ```
/// use morello::input::Input;
///
/// let file = Input::File("games.pgn.gz".into());
/// assert_eq!((file.name(), Input::Text("f5d6c3".to_owned()).name()), ("games.pgn.gz".to_owned(), "text".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// Standard input, called `-`.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Text in memory, shown as `text` in messages.
    Text(String),
    /// The contents of a file in memory, with its name.
    Bytes(String, Arc<[u8]>),
    /// The contents of a file in memory, from somebody who is not trusted.
    Guarded(Arc<GuardedInput>),
    /// A file in a zip archive.
    Entry(Arc<ArchiveEntry>),
}

/// A file that can be read at any position.
pub(super) trait Seekable: Read + Seek + Send {}

impl<T: Read + Seek + Send> Seekable for T {}

impl Input {
    /// Returns the name used in rows: the path as given, `-` or `text`. For a file in an archive,
    /// the archive is shown like a directory.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Text(_) => "text".to_owned(),
            Self::Bytes(name, _) => name.clone(),
            Self::Guarded(input) => input.name.clone(),
            Self::Entry(entry) => entry.path_name(),
        }
    }

    /// Returns the path, if there is one. For a file in an archive, it is the path of the archive.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Text(_) | Self::Bytes(..) | Self::Guarded(_) => None,
            Self::File(path) => Some(path),
            Self::Entry(entry) => entry.archive().path(),
        }
    }

    /// Returns the path of a file that may have companion files next to it.
    pub(super) fn file(&self) -> Option<&Path> {
        self.path().filter(|_| matches!(self, Self::File(_)))
    }

    /// Returns the number of bytes to read; `None` if it is unknown.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Stdin => Path::new("/dev/stdin").metadata().ok().filter(Metadata::is_file).map(|file| file.len()),
            Self::File(path) => path.metadata().ok().filter(Metadata::is_file).map(|file| file.len()),
            Self::Text(text) => Some(text.len() as u64),
            Self::Bytes(_, bytes) => Some(bytes.len() as u64),
            Self::Guarded(input) => Some(input.bytes.as_ref().len() as u64),
            Self::Entry(entry) => Some(entry.packed_size()),
        }
    }

    /// Returns whether the input can be opened again with the same contents.
    pub(super) fn can_be_opened_again(&self) -> bool {
        match self {
            Self::Stdin => false,
            Self::File(path) => path.is_file(),
            Self::Text(_) | Self::Bytes(..) | Self::Guarded(_) | Self::Entry(_) => true,
        }
    }

    /// Opens the input and returns its decompressed bytes.
    ///
    /// Gzip, zstd, bzip2, xz and Parquet are recognized by their first bytes, not by the file name.
    /// The rows of Parquet files are returned as JSON lines.
    ///
    /// ```
    /// use std::io::Read as _;
    ///
    /// use morello::input::Input;
    ///
    /// let mut text = String::new();
    /// Input::Bytes("games.txt".to_owned(), b"f5d6c3".as_slice().into()).reader()?.read_to_string(&mut text)?;
    /// assert_eq!(text, "f5d6c3");
    /// let error = Input::File("missing.txt".into()).reader().err().expect("there is no such file");
    /// assert_eq!(error.to_string(), "cannot read `missing.txt`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the input cannot be opened.
    pub fn reader(&self) -> Result<Box<dyn BufRead + Send>, ReadError> {
        Ok(self.open()?.bytes)
    }

    /// Opens the input.
    pub(super) fn open(&self) -> Result<Stream, ReadError> {
        #[cfg(feature = "parquet")]
        if let Some(stream) = self.open_rows(WHOLE)? {
            return Ok(stream);
        }
        let stream = match self {
            Self::Stdin => Stream::new(Fused { bytes: io::stdin(), is_at_end: false }, true),
            Self::Text(text) => Stream::new(Cursor::new(text.clone()), false),
            Self::Guarded(input) => {
                let bytes = Cursor::new(input.bytes.clone());
                Stream::guarded(GuardedReader::new(bytes, Arc::clone(input)))
            }
            Self::File(_) | Self::Bytes(..) => {
                let is_live = self.path().is_some_and(|path| !path.is_file());
                self.seekable().and_then(|bytes| Stream::new(bytes, is_live))
            }
            Self::Entry(entry) => entry.open(),
        };
        let mut stream = stream.map_err(|source| self.failed(source))?;
        if let Some(input) = self.guard() {
            if stream.table.is_some() {
                // Its pages unpack to any size.
                let source = io::Error::new(io::ErrorKind::InvalidData, "Parquet is not read here; convert it to CSV");
                return Err(self.failed(source));
            }
            stream.bytes = Box::new(BufReader::new(GuardedReader::new(stream.bytes, input)));
        }
        Ok(stream)
    }

    /// Returns the input that limits the bytes, if there is one.
    fn guard(&self) -> Option<Arc<GuardedInput>> {
        match self {
            Self::Guarded(input) => Some(Arc::clone(input)),
            Self::Entry(entry) => entry.archive().guard(),
            _ => None,
        }
    }

    /// Opens a Parquet file and reads only one of several equal ranges of its rows; `None` if the
    /// input is not a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn open_rows(&self, shard: (u64, u64)) -> Result<Option<Stream>, ReadError> {
        let Some(path) = self.file().filter(|path| path.is_file() && self.begins_as(Packing::Parquet)) else {
            return Ok(None);
        };
        let stream = File::open(path).and_then(|file| Stream::of_parquet(file, shard));
        stream.map(Some).map_err(|source| self.failed(source))
    }

    /// Opening a Parquet file requires the feature `parquet`.
    #[cfg(not(feature = "parquet"))]
    pub(super) fn open_rows(&self, _shard: (u64, u64)) -> Result<Option<Stream>, ReadError> {
        Ok(None)
    }

    /// Opens a file, or a file in memory, without decompressing it.
    pub(super) fn seekable(&self) -> io::Result<Box<dyn Seekable>> {
        match self {
            Self::Bytes(_, bytes) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
            Self::Guarded(input) => Ok(Box::new(Cursor::new(input.bytes.clone()))),
            Self::File(path) => File::open(path).map(|file| Box::new(file) as Box<dyn Seekable>),
            Self::Stdin | Self::Text(_) | Self::Entry(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    /// Returns whether the input is a zip archive, by its first bytes.
    pub(super) fn is_archive(&self) -> bool {
        let can_be =
            matches!(self, Self::Bytes(..) | Self::Guarded(_)) || matches!(self, Self::File(path) if path.is_file());
        can_be && self.begins_as(Packing::Zip)
    }

    /// Returns whether a file, or a file in memory, begins with the signature of a packing.
    fn begins_as(&self, packing: Packing) -> bool {
        let mut head = [0; MAX_SIGNATURE];
        let read = self.seekable().and_then(|mut bytes| bytes.read(&mut head));
        read.is_ok_and(|length| Packing::of(&head[..length]) == Some(packing))
    }

    /// Returns an error for this input.
    pub(super) fn failed(&self, source: io::Error) -> ReadError {
        ReadError { file: self.name(), source }
    }
}

/// An input that cannot be read.
#[derive(Debug, Error)]
#[error("cannot read `{file}`")]
pub struct ReadError {
    /// The name of the input.
    pub file: String,
    /// The cause.
    pub source: io::Error,
}

pub(super) type BoxedReader = Box<dyn BufRead + Send>;

/// The decompressed bytes of an input.
pub(super) struct Stream {
    /// The bytes.
    pub bytes: BoxedReader,
    /// The number of bytes of the input that were read, if it differs from the bytes of `bytes`
    /// because the input is compressed or converted.
    read: Option<Arc<AtomicU64>>,
    /// The number of bytes received from a pipe or terminal. The reader must not wait for more.
    received: Option<Arc<AtomicU64>>,
    /// Information about the rows of a Parquet file.
    pub table: Option<Table>,
}

/// The rows of a Parquet file.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// The number of rows before the first row that is read.
    pub rows_before: u64,
    /// The names of the columns that are not read.
    pub left_out: Vec<String>,
}

impl Stream {
    /// Creates a stream of bytes. If `is_live` is true, the bytes arrive gradually.
    pub(super) fn new(bytes: impl Read + Send + 'static, is_live: bool) -> io::Result<Self> {
        Self::with_memory(bytes, is_live, MEMORY_MIB)
    }

    /// Creates a stream of bytes of a guarded input.
    fn guarded<R: Read + Send + 'static>(bytes: GuardedReader<R>) -> io::Result<Self> {
        Self::with_memory(bytes, false, GUARDED_MEMORY_MIB)
    }

    fn with_memory(bytes: impl Read + Send + 'static, is_live: bool, memory_mib: u32) -> io::Result<Self> {
        let received = Arc::new(AtomicU64::new(0));
        let bytes = CountingReader { bytes, count: Arc::clone(&received) };
        let mut bytes = BufReader::with_capacity(SAMPLE_BYTES, bytes);
        let mut head = Vec::new();
        // A pipe may return a few bytes at a time. Read until the format is known, but never beyond
        // the first line.
        let may_begin = |head: &[u8]| SIGNATURES.iter().any(|(_, signature)| fits(head, signature));
        while head.len() < MAX_SIGNATURE && Packing::of(&head).is_none() && may_begin(&head) {
            let Some(&byte) = fill(&mut bytes)?.first() else { break };
            head.push(byte);
            bytes.consume(1);
        }
        let packing = Packing::of(&head);
        let whole = Cursor::new(head).chain(bytes);
        let Some(packing) = packing else {
            let received = is_live.then_some(received);
            return Ok(Self { bytes: Box::new(whole), read: None, received, table: None });
        };
        #[cfg(feature = "parquet")]
        if packing == Packing::Parquet {
            let (mut whole, mut file) = (whole, tempfile::tempfile()?);
            io::copy(&mut whole, &mut file)?;
            return Self::of_parquet(file, WHOLE);
        }
        let (counted, count) = CountingReader::new(whole);
        Ok(Self { bytes: packing.unpack(counted, memory_mib)?, read: Some(count), received: None, table: None })
    }

    /// Opens a Parquet file and reads only one of several equal ranges of its rows.
    #[cfg(feature = "parquet")]
    fn of_parquet(file: File, shard: (u64, u64)) -> io::Result<Self> {
        let mut lines = parquet::ParquetLines::open(file, shard)?;
        let table = Table { rows_before: lines.rows_before(), left_out: lines.take_left_out() };
        let read = Some(lines.done());
        Ok(Self { bytes: Box::new(BufReader::new(lines)), read, received: None, table: Some(table) })
    }

    /// Counts the bytes of another reader as the bytes of the input.
    pub(super) fn counted_by(self, count: Arc<AtomicU64>) -> Self {
        Self { read: Some(count), ..self }
    }

    /// Creates a stream of uncompressed bytes in memory.
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes: Box::new(Cursor::new(bytes)), read: None, received: None, table: None }
    }

    /// Converts the bytes. The bytes of the input are still counted as read.
    pub(super) fn convert<C: Read + Send + 'static>(self, converter: impl FnOnce(BoxedReader) -> C) -> Self {
        let (counted, count) = CountingReader::new(self.bytes);
        let bytes = Box::new(BufReader::new(converter(Box::new(counted))));
        Self { bytes, read: self.read.or(Some(count)), received: None, table: self.table }
    }

    /// Returns the number of bytes of the input that were read after `used` decompressed bytes were
    /// used.
    pub(super) fn bytes_read(&self, used: u64) -> u64 {
        self.read.as_ref().map_or(used, |count| count.load(Ordering::Relaxed))
    }

    /// Returns the lines at the beginning without consuming them. For a pipe or terminal, these are
    /// the lines that have already arrived.
    pub(super) fn sample(&mut self) -> io::Result<Vec<u8>> {
        let received = self.received.clone();
        let has_all = |head: &[u8], _| {
            received.as_ref().is_some_and(|received| received.load(Ordering::Relaxed) <= head.len() as u64)
        };
        let mut head = self.head(SAMPLE_BYTES, has_all)?;
        if received.is_some() || head.len() >= SAMPLE_BYTES {
            // The last line may continue.
            head.truncate(head.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        }
        Ok(head)
    }

    /// Returns the beginning of the bytes without consuming it: until `is_enough` returns true, or
    /// up to `limit` bytes. `is_enough` is called after each added line, and within a line whenever
    /// its length has doubled. It gets all bytes so far and the start of the last line.
    pub(super) fn head(&mut self, limit: usize, is_enough: impl Fn(&[u8], usize) -> bool) -> io::Result<Vec<u8>> {
        let mut head: Vec<u8> = Vec::new();
        let mut last_line = 0;
        // Examining a long line after each part of it would take time that grows with the square of
        // its length.
        let mut next_look = 0;
        while head.len() < limit {
            let is_line = head.ends_with(b"\n");
            if is_line || head.len() - last_line >= next_look {
                if is_enough(&head, last_line) {
                    break;
                }
                next_look = 2 * (head.len() - last_line);
            }
            if is_line {
                (last_line, next_look) = (head.len(), 0);
            }
            let buffer = fill(&mut self.bytes)?;
            let line = buffer.iter().position(|&byte| byte == b'\n').map_or(buffer.len(), |end| end + 1);
            let length = line.min(limit - head.len());
            if length == 0 {
                break;
            }
            head.extend_from_slice(&buffer[..length]);
            self.bytes.consume(length);
        }
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }
}

/// Returns the buffered bytes: at least one byte, except at the end.
pub(super) fn fill(bytes: &mut impl BufRead) -> io::Result<&[u8]> {
    // A borrow returned from within the loop would last for the whole loop, so fill first and
    // borrow again.
    loop {
        match bytes.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.fill_buf()
}

/// Decompresses the members of a gzip file one after the other. Zero padding between members is
/// skipped, as `gzip` does.
struct GzipMembers<R> {
    /// The current member; `None` at the end.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(mut bytes) = self.member.take().map(GzDecoder::into_inner) else { break };
            loop {
                let filled = fill(&mut bytes)?;
                let zeros = filled.iter().take_while(|&&byte| byte == 0).count();
                let has_next = zeros < filled.len();
                if has_next {
                    bytes.consume(zeros);
                    self.member = Some(GzDecoder::new(bytes));
                    break;
                } else if zeros == 0 {
                    break;
                }
                bytes.consume(zeros);
            }
        }
        Ok(0)
    }
}

/// Decompresses the streams of an xz file.
struct LimitedXz<R: Read> {
    bytes: XzReader<R>,
    memory_mib: u32,
}

impl<R: Read> Read for LimitedXz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => {
                let text = format!("the xz file needs more memory than {} MiB; unpack it", self.memory_mib);
                io::Error::new(io::ErrorKind::InvalidData, text)
            }
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the xz file ends too early"),
            _ => error,
        })
    }
}

/// Reads no more after the end: on a terminal, the end has to be typed only once.
struct Fused<R> {
    bytes: R,
    is_at_end: bool,
}

impl<R: Read> Read for Fused<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_at_end {
            return Ok(0);
        }
        let length = self.bytes.read(buffer)?;
        self.is_at_end = length == 0 && !buffer.is_empty();
        Ok(length)
    }
}

/// Counts the bytes that are read through it.
pub(super) struct CountingReader<R> {
    bytes: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> CountingReader<R> {
    /// Returns the reader, buffered, and the count.
    pub fn new(bytes: R) -> (BufReader<Self>, Arc<AtomicU64>) {
        let count = Arc::new(AtomicU64::new(0));
        (BufReader::new(Self { bytes, count: Arc::clone(&count) }), count)
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.count.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
