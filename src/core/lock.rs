//! [`LockedFile`]: a file that only one process can open at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// A file that is locked against other processes until dropped.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens a file for reading and writing, or creates it. Returns `None` if another process has
    /// locked it. Rejects pipes and devices, which keep nothing and may never end.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a pipe or a device, not a file"));
        }
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            // Some file systems do not support locks; there, users must not start a second process.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(Self(file))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns whether this file is still the one at a path: the last holder may have renamed or
    /// removed it after it was opened here.
    #[cfg(unix)]
    pub fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;

        let id = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|metadata| (metadata.dev(), metadata.ino()));
        id(self.0.metadata()) == id(fs::symlink_metadata(path))
    }

    /// Returns whether this file is still the one at a path: other systems do not rename open files.
    #[cfg(not(unix))]
    pub fn is_at(&self, _: &Path) -> bool {
        true
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that another thread is starting may still
        // have it open for a moment.
        let _ = self.0.unlock();
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_removed_or_renamed_file_is_not_at_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("x"), folder.path().join("y"));
        let first = LockedFile::open(&path).unwrap().unwrap();
        assert!(first.is_at(&path));
        fs::rename(&path, &other).unwrap();
        assert!(!first.is_at(&path) && first.is_at(&other));
        let second = LockedFile::open(&path).unwrap().unwrap();
        assert!(second.is_at(&path) && !first.is_at(&path));
    }

    #[test]
    fn only_one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let first = LockedFile::open(&path).unwrap().expect("it is not locked");
        assert!(LockedFile::open(&path).unwrap().is_none());
        // A child process that is being started has such a copy.
        let _inherited = first.try_clone().unwrap();
        drop(first);
        assert!(LockedFile::open(&path).unwrap().is_some());
        assert!(LockedFile::open(folder.path()).is_err());
        #[cfg(unix)]
        assert!(LockedFile::open(Path::new("/dev/null")).unwrap_err().to_string().contains("a pipe or a device"));
    }
}
