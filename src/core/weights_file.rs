//! `FileKind`: the files of trained weights.
//!
//! ```text
//! offset  bytes   numbers are little-endian
//!      0      8   the kind of file, such as "MORWEIGH"
//!      8      4   version of the format
//!     12      4   fingerprint of the shapes
//!     16      4   decompressed size of the frame in bytes
//!     20          a Zstandard frame with a checksum
//! ```

use thiserror::Error;

/// The size of the header before the frame, in bytes.
pub(crate) const HEADER_BYTES: usize = 20;

/// The maximum size of a decompressed frame, in bytes.
const MAX_FRAME_BYTES: usize = 1 << 26;

/// The highest compression level that takes seconds, not minutes.
#[cfg(any(test, feature = "zstd"))]
pub(crate) const BEST_COMPRESSION: i32 = 19;

/// A file that cannot be decoded as weights or counts of a set of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The file is not in this format.
    #[error("the file does not contain {0}")]
    UnknownFormat(&'static str),
    /// The format version is not supported.
    #[error(
        "the file has format version {found}; this morello reads version {supported}; train new weights, or use the \
            morello that wrote it"
    )]
    Version {
        /// The version of the file.
        found: u32,
        /// The supported version.
        supported: u32,
    },
    /// The file is for other shapes.
    #[error("the file does not match the shapes of `{0}`; use a file trained for these shapes or train new weights")]
    OtherShapes(&'static str),
    /// The contents are corrupt.
    #[error("the file is damaged; restore it or train new weights")]
    Damaged,
}

/// A kind of file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileKind {
    /// The first bytes.
    pub magic: &'static [u8; 8],
    /// The version of the format.
    pub version: u32,
    /// What the files contain, for messages.
    pub what: &'static str,
    /// A hash of the shapes that the weights belong to.
    pub fingerprint: u32,
    /// The name of the shapes, for messages.
    pub shapes: &'static str,
}

impl FileKind {
    /// Encodes a file with these contents, compressed at a zstd level.
    #[cfg(any(test, feature = "zstd"))]
    pub fn encode(&self, bytes: &[u8], level: i32) -> Vec<u8> {
        let compress = || {
            let mut compressor = zstd::bulk::Compressor::new(level)?;
            compressor.include_checksum(true)?;
            compressor.compress(bytes)
        };
        let frame = compress().expect("the compression level is valid, and writing to memory cannot fail");
        let [version, fingerprint, len] = [self.version, self.fingerprint, bytes.len() as u32].map(u32::to_le_bytes);
        [&self.magic[..], &version, &fingerprint, &len, &frame].concat()
    }

    /// Checks the header of a file and returns the decompressed contents of its frame.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
        let Some((header, frame)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(DecodeError::UnknownFormat(self.what));
        };
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice has four bytes"));
        if &header[..8] != self.magic {
            return Err(DecodeError::UnknownFormat(self.what));
        }
        if word(8) != self.version {
            return Err(DecodeError::Version { found: word(8), supported: self.version });
        }
        if word(12) != self.fingerprint {
            return Err(DecodeError::OtherShapes(self.shapes));
        }
        let len = word(16) as usize;
        let bytes = decompress(frame, len.min(MAX_FRAME_BYTES)).ok_or(DecodeError::Damaged)?;
        if bytes.len() == len { Ok(bytes) } else { Err(DecodeError::Damaged) }
    }
}

/// Decompresses a Zstandard frame. Returns `None` if it is damaged or decompresses to more than
/// `max_bytes` bytes.
#[cfg(feature = "zstd")]
fn decompress(frame: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(frame, max_bytes).ok()
}

/// Decompresses without the C library, about six times slower.
#[cfg(not(feature = "zstd"))]
fn decompress(frame: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(frame).ok()?;
    decoder.take(max_bytes as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= max_bytes).then_some(bytes)
}
