//! Files that are complete, or not there.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use morello_core::lock::LockedFile;

/// A file that is written to a directory next to its destination and moved when it is complete,
/// together with companion files that its format writes.
pub struct StagedFile {
    path: PathBuf,
    /// `None` if the destination is not a regular file.
    folder: Option<Folder>,
}

/// A file that cannot be written.
#[derive(Debug)]
pub struct WriteFileError(PathBuf, io::Error);

impl fmt::Display for WriteFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write `{}`", self.0.display())
    }
}

impl Error for WriteFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.1)
    }
}

impl StagedFile {
    /// Begins a file. Several writers may write the same file at once: the last one wins.
    pub fn new(path: &Path) -> Result<Self, WriteFileError> {
        // Replace the file that a link points to, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.exists() && !path.is_file() {
            return Ok(Self { path, folder: None });
        }
        match Folder::beside(&path) {
            Ok(folder) => Ok(Self { path, folder: Some(folder) }),
            Err(error) => Err(WriteFileError(path, error)),
        }
    }

    /// Returns the destination.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where to write the file.
    pub fn place(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default();
        self.folder.as_ref().map_or_else(|| self.path.clone(), |folder| folder.files.join(name))
    }

    /// Opens the file.
    pub fn open(&self) -> Result<Box<dyn Write + Send>, WriteFileError> {
        let file = File::create(self.place()).map_err(|error| self.failed(error))?;
        Ok(Box::new(BufWriter::new(file)))
    }

    pub fn failed(&self, error: io::Error) -> WriteFileError {
        WriteFileError(self.path.clone(), error)
    }

    /// Moves the files to their destination.
    pub fn finish(self) -> Result<(), WriteFileError> {
        let moved = || {
            let Some(folder) = &self.folder else { return Ok(()) };
            for file in fs::read_dir(&folder.files)? {
                let file = file?;
                fs::rename(file.path(), self.path.with_file_name(file.file_name()))?;
            }
            io::Result::Ok(())
        };
        moved().map_err(|error| self.failed(error))
    }
}

/// A directory of one writer.
struct Folder {
    files: PathBuf,
    /// Locked while the writer lives: the directory of a writer that was killed is used again.
    lock: PathBuf,
    _locked: LockedFile,
}

impl Folder {
    /// Creates a directory beside a file.
    fn beside(path: &Path) -> io::Result<Self> {
        const MOST_WRITERS: usize = 10_000;
        for number in 0..MOST_WRITERS {
            let name = if number == 0 { "morello-new".to_owned() } else { format!("morello-new-{number}") };
            let files = path.with_added_extension(&name);
            let lock = path.with_added_extension(name + ".lock");
            // A writer that has just ended removes the file of its lock.
            let Some(locked) = LockedFile::open(&lock)?.filter(|locked| locked.is_at(&lock)) else { continue };
            let folder = Self { files, lock, _locked: locked };
            // A killed process may have left it.
            let _ = fs::remove_dir_all(&folder.files);
            return fs::create_dir(&folder.files).map(|()| folder);
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "too many writers"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Leftovers do no harm.
        let _ = fs::remove_dir_all(&self.files);
        let _ = fs::remove_file(&self.lock);
    }
}
