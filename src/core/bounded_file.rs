//! [`read_file`] and [`read_text_file`]: read a whole file of limited size.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// The maximum size of a file of weights, counts or a network; morello's own files have a few
/// megabytes.
pub const MAX_WEIGHTS_BYTES: u64 = 256 << 20;

/// The maximum size of a file of other data that is read into memory, such as openings or a
/// checkpoint.
pub const MAX_DATA_BYTES: u64 = 4 << 30;

/// Reads a file or a pipe of at most `max_bytes`. Rejects a larger file, and a device such as
/// `/dev/zero`, before reading it.
pub fn read_file(path: impl AsRef<Path>, max_bytes: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let message = format!("larger than {} MiB", max_bytes >> 20);
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if is_device(&metadata) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a device, not a file"));
    }
    if metadata.is_file() && metadata.len() > max_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a file of text as [`read_file`] does.
pub fn read_text_file(path: impl AsRef<Path>, max_bytes: u64) -> io::Result<String> {
    String::from_utf8(read_file(path, max_bytes)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_files_that_are_too_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, vec![7; 1 << 20]).unwrap();
        assert_eq!(read_file(&path, 1 << 20).unwrap(), vec![7; 1 << 20]);
        let error = read_file(&path, (1 << 20) - 1).unwrap_err();
        assert_eq!(error.to_string(), "larger than 0 MiB");
        // It has no more bytes than a hole, but is not read.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read_file(&path, 1 << 20).unwrap_err().to_string(), "larger than 1 MiB");
        #[cfg(unix)]
        assert_eq!(read_file("/dev/zero", 1 << 20).unwrap_err().to_string(), "a device, not a file");
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_text_file(&path, 1).unwrap_err().to_string().contains("utf-8"));
    }
}
