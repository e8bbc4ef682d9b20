//! [`GuardedInput`]: a file from somebody who is not trusted.

use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use morello_core::game::Cancel;

/// Bytes that were received once and are not copied.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The contents of a file in memory, of which only so many bytes are read, packed and unpacked ones,
/// and which can be cancelled while it is read. A small file may unpack to any size.
///
/// ```
/// use std::sync::Arc;
///
/// use morello::game::Cancel;
/// use morello::input::{GuardedInput, Input};
///
/// let input = GuardedInput::new("games.txt".to_owned(), Arc::new(b"f5d6c3".to_vec()), 4, Cancel::new());
/// let error = Input::Guarded(Arc::new(input)).reader().err().expect("it is longer");
/// assert_eq!(error.source.to_string(), "more than 4 bytes when unpacked");
/// ```
#[derive(Debug)]
pub struct GuardedInput {
    pub(super) name: String,
    pub(super) bytes: SharedBytes,
    max_bytes: u64,
    /// The number of bytes so far, in all readings.
    unpacked: AtomicU64,
    cancel: Cancel,
}

impl GuardedInput {
    /// Creates an input of which at most `max_bytes` are read, in all readings together, until
    /// `cancel` is raised.
    #[must_use]
    pub fn new(name: String, bytes: Arc<Vec<u8>>, max_bytes: u64, cancel: Cancel) -> Self {
        Self { name, bytes: SharedBytes(bytes), max_bytes, unpacked: AtomicU64::new(0), cancel }
    }

    /// Counts bytes.
    fn count(&self, bytes: usize) -> io::Result<()> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("reading it took too long"));
        }
        if self.unpacked.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64 > self.max_bytes {
            let message = format!("more than {} bytes when unpacked", self.max_bytes);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(())
    }
}

// Two inputs with the same contents are equal.
impl PartialEq for GuardedInput {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.bytes) == (&other.name, &other.bytes)
    }
}

impl Eq for GuardedInput {}

impl Hash for GuardedInput {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, &self.bytes).hash(state);
    }
}

/// Counts the bytes that are read from a stream, before and after it is unpacked.
pub(super) struct GuardedReader<R> {
    bytes: R,
    input: Arc<GuardedInput>,
}

impl<R: Read> GuardedReader<R> {
    pub fn new(bytes: R, input: Arc<GuardedInput>) -> Self {
        Self { bytes, input }
    }
}

impl<R: Read> Read for GuardedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.input.count(length)?;
        Ok(length)
    }
}
