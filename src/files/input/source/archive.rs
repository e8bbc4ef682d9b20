//! [`ArchiveEntry`]: the files in a zip archive.

use std::io::{self, Read, SeekFrom};
use std::sync::Arc;

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipFileHeaderRecord};

use super::{CountingReader, GuardedReader, Input, Stream};

/// Returns the error for an invalid archive.
fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// The maximum number of files in an archive.
const MAX_ENTRIES: usize = 100_000;

/// A file in a zip archive.
///
/// ```
/// use morello::input::{Input, expand};
///
/// // An archive with the file `a.txt`, which contains `f5d6`.
/// let archive = b"PK\x03\x04\x14\0\0\0\0\0\0\0!\0\x82k\x82\xd3\x04\0\0\0\x04\0\0\0\x05\0\0\0a.txtf5d6P\
///     K\x01\x02\x14\x03\x14\0\0\0\0\0\0\0!\0\x82k\x82\xd3\x04\0\0\0\x04\0\0\0\x05\0\0\0\0\
///     \0\0\0\0\0\0\0\x80\x01\0\0\0\0a.txtPK\x05\x06\0\0\0\0\x01\0\x01\x003\0\0\0'\0\0\0\0\
///     \0";
/// let found = expand(vec![Input::Bytes("games.zip".to_owned(), archive.as_slice().into())])?;
/// assert_eq!(found.inputs[0].name(), "games.zip/a.txt");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ArchiveEntry {
    archive: Input,
    /// Its path in the archive.
    name: String,
    /// The range of its packed bytes in the archive.
    range: (u64, u64),
    is_deflated: bool,
    unpacked: u64,
    checksum: u32,
}

/// Returns the files in an archive, in archive order.
pub(in super::super) fn entries(archive: &Input) -> io::Result<Vec<Input>> {
    let damaged = |error: rawzip::Error| invalid(format!("a damaged zip archive: {error}"));
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let zip = ZipArchive::from_seekable(archive.seekable()?, &mut buffer).map_err(damaged)?;
    let (mut headers, mut found, mut packed) = (zip.entries(&mut buffer), Vec::new(), 0u64);
    let mut count = 0u64;
    while let Some(header) = headers.next_entry().map_err(damaged)? {
        count += 1;
        if header.is_dir() {
            continue;
        }
        let range = zip.get_entry(header.wayfinder()).map_err(damaged)?.compressed_data_range();
        found.push(Input::Entry(Arc::new(ArchiveEntry::new(archive, &header, range)?)));
        packed = packed.saturating_add(range.1 - range.0);
        if found.len() > MAX_ENTRIES {
            return Err(invalid(format!("a zip archive of more than {MAX_ENTRIES} files; unpack it")));
        }
    }
    // If files share bytes, an archive can unpack to far more than its size.
    if packed > archive.size().unwrap_or(u64::MAX) || count != zip.entries_hint() {
        return Err(invalid("a damaged zip archive: its files overlap, or their number is wrong".to_owned()));
    }
    Ok(found)
}

impl ArchiveEntry {
    fn new(archive: &Input, header: &ZipFileHeaderRecord<'_>, range: (u64, u64)) -> io::Result<Self> {
        let name = String::from_utf8_lossy(header.file_path().as_bytes()).into_owned();
        let method = header.compression_method();
        if header.flags().is_encrypted() {
            return Err(invalid(format!("`{name}` in it is encrypted; unpack it")));
        }
        if ![CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&method) {
            return Err(invalid(format!(
                "`{name}` in it is compressed with {method}; unpack it, or compress it with deflate"
            )));
        }
        Ok(Self {
            archive: archive.clone(),
            name,
            range,
            is_deflated: method == CompressionMethod::DEFLATE,
            unpacked: header.uncompressed_size_hint(),
            checksum: header.crc32(),
        })
    }

    /// Returns the archive.
    #[must_use]
    pub fn archive(&self) -> &Input {
        &self.archive
    }

    /// Returns the path in the archive.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the archive and the path in it.
    pub(super) fn path_name(&self) -> String {
        format!("{}/{}", self.archive.name(), self.name)
    }

    /// Returns the packed size in bytes.
    pub(super) fn packed_size(&self) -> u64 {
        self.range.1 - self.range.0
    }

    pub(super) fn open(&self) -> io::Result<Stream> {
        let mut bytes = self.archive.seekable()?;
        bytes.seek(SeekFrom::Start(self.range.0))?;
        let (packed, count) = CountingReader::new(bytes.take(self.packed_size()));
        let bytes: Box<dyn Read + Send> =
            if self.is_deflated { Box::new(DeflateDecoder::new(packed)) } else { Box::new(packed) };
        let checked =
            CheckedReader { bytes, left: self.unpacked, hash: Some(crc32fast::Hasher::new()), checksum: self.checksum };
        let stream = match self.archive.guard() {
            Some(input) => Stream::guarded(GuardedReader::new(checked, input)),
            None => Stream::new(checked, false),
        };
        Ok(stream?.counted_by(count))
    }
}

/// Compares the length and the checksum of a file in an archive with the values in the archive.
struct CheckedReader {
    bytes: Box<dyn Read + Send>,
    /// The number of bytes that remain.
    left: u64,
    /// The hash so far; `None` after the end.
    hash: Option<crc32fast::Hasher>,
    checksum: u32,
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        let left = self.left.checked_sub(length as u64);
        let is_end = length == 0 && !buffer.is_empty();
        if let Some(hash) = &mut self.hash {
            hash.update(&buffer[..length]);
        }
        let hash = self.hash.take_if(|_| is_end).map(crc32fast::Hasher::finalize);
        let is_intact = hash.is_none_or(|hash| hash == self.checksum && left == Some(0));
        self.left = left.filter(|_| is_intact).ok_or_else(|| invalid("damaged in its zip archive".to_owned()))?;
        Ok(length)
    }
}
