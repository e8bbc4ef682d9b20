//! [`read_file`]: reads a whole file of limited size.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The maximum size of a file of weights, counts or a network; morello's own files have a few
/// megabytes.
pub const MAX_WEIGHTS_BYTES: u64 = 256 << 20;

/// The maximum size of a file of other data that is read into memory, such as openings or a
/// checkpoint.
pub const MAX_DATA_BYTES: u64 = 4 << 30;

/// Reads a file or a pipe of at most `max_bytes`. The limit also ends reading from a device such as
/// `/dev/zero`, which never ends.
pub fn read_file(path: impl AsRef<Path>, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("larger than {} MiB", max_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
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
        #[cfg(target_os = "linux")]
        assert!(read_file("/dev/zero", 1 << 20).unwrap_err().to_string().contains("larger than 1 MiB"));
    }
}
