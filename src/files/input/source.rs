//! [`Input`]: the sources of bytes, and decompression.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::GzDecoder;
use thiserror::Error;

/// The first bytes of gzip.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The first bytes of a zstd frame.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Returns whether bytes are a prefix of the beginning of zstd: a frame, or a skippable frame,
/// which some tools write first.
fn begins_zstd(head: &[u8]) -> bool {
    const SKIPPED: &[u8] = &[0x2a, 0x4d, 0x18];
    let is_skipped = |(first, rest): (&u8, &[u8])| first & 0xf0 == 0x50 && SKIPPED.starts_with(rest);
    ZSTD.starts_with(head) || head.split_first().is_some_and(is_skipped)
}

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
    /// A text in memory, called `text`.
    Text(String),
    /// The bytes of a file in memory, with its name.
    Bytes(String, Arc<[u8]>),
}

impl Input {
    /// Returns the name used in rows: the path as given, `-` or `text`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Text(_) => "text".to_owned(),
            Self::Bytes(name, _) => name.clone(),
        }
    }

    /// Returns the path, if it has one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Text(_) | Self::Bytes(..) => None,
            Self::File(path) => Some(path),
        }
    }

    /// Returns whether the input can be opened again with the same content, as a regular file can.
    pub(super) fn is_regular_file(&self) -> bool {
        self.path().is_some_and(Path::is_file)
    }

    /// Opens the input and returns its decompressed bytes.
    ///
    /// Gzip and zstd are recognized by their first bytes, not by the name of the file.
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
    /// The input cannot be opened.
    pub fn reader(&self) -> Result<Box<dyn BufRead + Send>, ReadError> {
        Ok(self.open()?.bytes)
    }

    /// Opens the input.
    pub(super) fn open(&self) -> Result<Stream, ReadError> {
        let bytes: io::Result<Box<dyn Read + Send>> = match self {
            Self::Stdin => Ok(Box::new(io::stdin())),
            Self::File(path) => File::open(path).map(|file| Box::new(file) as Box<dyn Read + Send>),
            Self::Text(text) => Ok(Box::new(Cursor::new(text.clone()))),
            Self::Bytes(_, bytes) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
        };
        bytes.and_then(Stream::new).map_err(|source| ReadError { file: self.name(), source })
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
    /// The number of bytes of the input read, if they differ from `bytes`, because the input is
    /// compressed or converted.
    read: Option<Arc<AtomicU64>>,
}

impl Stream {
    pub(super) fn new(bytes: impl Read + Send + 'static) -> io::Result<Self> {
        let mut bytes = BufReader::new(bytes);
        let mut head = Vec::new();
        // A pipe may return a few bytes at a time. Read until the format is known, but never beyond
        // the first line.
        while head.len() < ZSTD.len() && (GZIP.starts_with(&head) || begins_zstd(&head) || head.starts_with(GZIP)) {
            let Some(&byte) = fill(&mut bytes)?.first() else { break };
            head.push(byte);
            bytes.consume(1);
        }
        let (gzip, zstd) = (head.starts_with(GZIP), head.len() == ZSTD.len() && begins_zstd(&head));
        let whole = Cursor::new(head).chain(bytes);
        if !gzip && !zstd {
            return Ok(Self { bytes: Box::new(whole), read: None });
        }
        let count = Arc::new(AtomicU64::new(0));
        let counted = BufReader::new(CountingReader { bytes: whole, count: Arc::clone(&count) });
        let bytes: BoxedReader = if gzip {
            Box::new(BufReader::new(GzipMembers { member: Some(GzDecoder::new(counted)) }))
        } else {
            Box::new(BufReader::new(zstd::Decoder::with_buffer(counted)?))
        };
        Ok(Self { bytes, read: Some(count) })
    }

    /// Converts the bytes; those of the input are still the ones that count as read.
    pub(super) fn convert<C: Read + Send + 'static>(self, converter: impl FnOnce(BoxedReader) -> C) -> Self {
        let count = Arc::new(AtomicU64::new(0));
        let counted = BufReader::new(CountingReader { bytes: self.bytes, count: Arc::clone(&count) });
        let bytes = Box::new(BufReader::new(converter(Box::new(counted))));
        Self { bytes, read: self.read.or(Some(count)) }
    }

    /// Returns the number of bytes of the input read when `used` decompressed bytes were used.
    pub(super) fn bytes_read(&self, used: u64) -> u64 {
        self.read.as_ref().map_or(used, |count| count.load(Ordering::Relaxed))
    }

    /// Returns the beginning of the bytes without consuming it: until `is_enough` holds, or up to
    /// `limit` bytes. `is_enough` is called after each added line, and after a part of one whenever
    /// its length has doubled, with all bytes so far and the start of the last line.
    pub(super) fn head(&mut self, limit: usize, is_enough: impl Fn(&[u8], usize) -> bool) -> io::Result<Vec<u8>> {
        let mut head: Vec<u8> = Vec::new();
        let mut last_line = 0;
        // Looking at a long line after each part of it would take time that grows with the square
        // of its length.
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

/// Returns the buffered bytes, at least one except at the end.
fn fill(bytes: &mut impl BufRead) -> io::Result<&[u8]> {
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

/// Counts the bytes read through it.
struct CountingReader<R> {
    bytes: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.count.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
