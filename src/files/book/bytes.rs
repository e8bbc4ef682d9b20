//! [`Bytes`]: the bytes of a book, read in parts.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::record::Damaged;

/// The bytes of a book. A file is read in parts rather than mapped into memory, because a process
/// that maps a file ends when another program shortens it. Windows is the opposite: it keeps others
/// from shortening a mapped file, and from reading a file that a writer has locked.
#[derive(Debug, Clone)]
pub(super) enum Bytes {
    #[cfg_attr(windows, allow(dead_code))]
    File {
        file: Arc<Mutex<File>>,
        /// The length when the file was opened.
        len: usize,
    },
    #[cfg(windows)]
    Mapped(Arc<memmap2::Mmap>),
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Returns the bytes of an open file.
    #[cfg(windows)]
    #[allow(unsafe_code)] // the type system cannot exclude changes by other processes
    pub fn of_file(file: File) -> io::Result<Self> {
        if file.metadata()?.len() == 0 {
            return Ok(Self::Embedded(&[]));
        }
        // SAFETY: writers only append to a book, or replace it, and look at the mapped bytes only
        // up to the last complete segment. The system does not let others shorten a mapped file.
        Ok(Self::Mapped(Arc::new(unsafe { memmap2::Mmap::map(&file)? })))
    }

    /// Returns the bytes of an open file.
    #[cfg(not(windows))]
    pub fn of_file(file: File) -> io::Result<Self> {
        let len = usize::try_from(file.metadata()?.len()).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        Ok(Self::File { file: Arc::new(Mutex::new(file)), len })
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::File { len, .. } => *len,
            #[cfg(windows)]
            Self::Mapped(bytes) => bytes.len(),
            Self::Embedded(bytes) => bytes.len(),
        }
    }

    /// Returns a part of the bytes.
    ///
    /// # Errors
    /// [`Damaged`] if the part is outside the bytes, or cannot be read, as after the file was
    /// shortened.
    pub fn range(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Damaged> {
        match self {
            #[cfg(windows)]
            Self::Mapped(bytes) => bytes.get(range).map(Cow::Borrowed).ok_or(Damaged),
            Self::Embedded(bytes) => bytes.get(range).map(Cow::Borrowed).ok_or(Damaged),
            Self::File { file, len } if range.start <= range.end && range.end <= *len => {
                let mut bytes = Vec::new();
                bytes.try_reserve_exact(range.len()).map_err(|_| Damaged)?;
                bytes.resize(range.len(), 0);
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let sought = file.seek(SeekFrom::Start(range.start as u64));
                sought.and_then(|_| file.read_exact(&mut bytes)).map_err(|_| Damaged)?;
                Ok(Cow::Owned(bytes))
            }
            Self::File { .. } => Err(Damaged),
        }
    }
}
