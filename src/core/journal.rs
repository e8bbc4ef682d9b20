//! Files for resuming long work: an append-only journal and atomic file replacement.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::lock::LockedFile;

/// An error when opening a journal.
#[derive(Debug, Error)]
pub enum OpenJournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process has it open.
    #[error("another process is using it")]
    InUse,
}

/// An append-only file with a header and entries. It is locked against other processes until
/// dropped.
///
/// If a process was killed, the last entry may be incomplete. It is removed when the file is opened
/// again.
#[derive(Debug)]
pub struct Journal {
    file: LockedFile,
    /// The length of the header and of all complete entries.
    committed_bytes: u64,
    pending: Vec<u8>,
    written: Instant,
}

impl Journal {
    /// Opens a file that begins with `head`, or creates it. A file is started afresh if it is
    /// empty, has an incomplete header, or contains only zeros, as after a system crash.
    ///
    /// `read` gets all bytes of the file and returns the length of the header and the complete
    /// entries. If it returns an error, for example because this is a different file, the file is
    /// left unchanged.
    pub fn open<E: From<OpenJournalError>>(
        path: &Path,
        head: &[u8],
        read: impl FnOnce(&[u8]) -> Result<usize, E>,
    ) -> Result<Self, E> {
        Self::open_stream(path, head, |file| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(OpenJournalError::Io)?;
            read(&bytes).map(|whole| whole as u64)
        })
    }

    /// Opens a file as [`open`](Self::open) does. `read` reads from its beginning, so that a large
    /// file need not fit in memory.
    pub fn open_stream<E: From<OpenJournalError>>(
        path: &Path,
        head: &[u8],
        read: impl FnOnce(&mut File) -> Result<u64, E>,
    ) -> Result<Self, E> {
        let Some(mut file) = LockedFile::open(path).map_err(OpenJournalError::Io)? else {
            return Err(OpenJournalError::InUse.into());
        };
        let is_new = is_new(&mut file, head).map_err(OpenJournalError::Io)?;
        let whole = if is_new { 0 } else { read(&mut file)? };
        let mut keep = || {
            if !is_new && file.metadata()?.len() == whole {
                return Ok(());
            }
            file.set_len(whole)?;
            file.seek(SeekFrom::End(0))?;
            if is_new {
                file.write_all(head)?;
            }
            file.sync_data()
        };
        keep().map_err(OpenJournalError::Io)?;
        let whole = if is_new { head.len() as u64 } else { whole };
        Ok(Self { file, committed_bytes: whole, pending: Vec::new(), written: Instant::now() })
    }

    /// Returns the length of the header and of all entries written so far.
    pub fn committed_bytes(&self) -> u64 {
        self.committed_bytes
    }

    /// Reads a part of the written entries.
    pub fn read_at(&mut self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(bytes)
    }

    /// Writes an entry. It is synced to disk if at least `interval` has passed since the last sync.
    pub fn add(&mut self, entry: &[u8], interval: Duration) -> io::Result<()> {
        self.write(entry)?;
        if self.written.elapsed() < interval {
            return Ok(());
        }
        self.written = Instant::now();
        self.file.sync_data()
    }

    /// Writes complete entries. If writing fails, a partly written entry is removed, so that
    /// entries can still be added later.
    fn write(&mut self, entries: &[u8]) -> io::Result<()> {
        // Reading moves the file cursor.
        self.file.seek(SeekFrom::Start(self.committed_bytes))?;
        if let Err(error) = self.file.write_all(entries) {
            self.file.set_len(self.committed_bytes)?;
            return Err(error);
        }
        self.committed_bytes += entries.len() as u64;
        Ok(())
    }

    /// Buffers an entry. Buffered entries are written once `interval` has passed since the last
    /// write, or by [`flush`](Self::flush).
    pub fn add_later(&mut self, entry: &[u8], interval: Duration) -> io::Result<()> {
        self.pending.extend_from_slice(entry);
        if self.written.elapsed() < interval { Ok(()) } else { self.flush() }
    }

    /// Writes the buffered entries and syncs them to disk.
    pub fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.pending);
        if let Err(error) = self.write(&waiting) {
            self.pending = waiting;
            return Err(error);
        }
        self.written = Instant::now();
        self.file.sync_data()
    }
}

/// Returns whether a file contains only a beginning of `head`, or only zeros. If not, the cursor is
/// moved back to the beginning of the file.
fn is_new(file: &mut File, head: &[u8]) -> io::Result<bool> {
    let mut begin = Vec::new();
    (&mut *file).take(head.len() as u64 + 1).read_to_end(&mut begin)?;
    if head.starts_with(&begin) {
        return Ok(true);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut part = vec![0; 1 << 16];
    let mut is_zero = begin.first() == Some(&0);
    while is_zero {
        match file.read(&mut part)? {
            0 => break,
            read => is_zero = part[..read].iter().all(|&byte| byte == 0),
        }
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(is_zero)
}

/// Replaces a file atomically: writes to a file of the same name with `.morello-new` appended, then
/// renames it. A symbolic link remains one, even if its file does not exist, and the file keeps its
/// permissions. Pipes and devices are not replaced.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    replace_locked(path, write).map(drop)
}

/// Replaces a file as [`replace`] does. Returns the new file, which is locked before it is renamed.
pub fn replace_locked(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<LockedFile> {
    let path = linked(path)?;
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let temporary = path.with_added_extension("morello-new");
    if temporary.is_symlink() {
        fs::remove_file(&temporary)?;
    }
    // The file may be left by a process that was killed. One that is writing it has locked it, or
    // has just renamed it.
    let in_use = || io::Error::new(io::ErrorKind::ResourceBusy, "another process is using it");
    let mut file = LockedFile::open(&temporary)?.filter(|file| file.is_at(&temporary)).ok_or_else(in_use)?;
    let replaced = || {
        file.set_len(0)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        write(&mut file)?;
        // Sync before renaming, or the file could be empty after a system crash.
        file.sync_data()?;
        fs::rename(&temporary, &path)?;
        Ok(file)
    };
    let written = replaced();
    match &written {
        Ok(_) => sync_directory(&path),
        // The file is useless, and may be what filled the disk.
        Err(_) => drop(fs::remove_file(&temporary)),
    }
    written
}

/// Returns the file that a path names, after following links. It need not exist.
fn linked(path: &Path) -> io::Result<PathBuf> {
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many links"))
}

/// Makes a rename in the directory of a file durable, if the system supports it.
fn sync_directory(path: &Path) {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // If this fails, a system crash may bring back the old file, which is also complete.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens a journal of lines.
    fn open(path: &Path) -> Result<(Journal, Vec<String>), OpenJournalError> {
        let mut entries = Vec::new();
        let journal = Journal::open(path, b"head\n", |bytes| {
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            entries = String::from_utf8_lossy(&bytes[..whole]).lines().skip(1).map(str::to_owned).collect();
            Ok::<_, OpenJournalError>(whole)
        })?;
        Ok((journal, entries))
    }

    #[test]
    fn resumes_after_the_last_whole_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, entries) = open(&path).unwrap();
        assert!(entries.is_empty());
        journal.add(b"one\n", Duration::ZERO).unwrap();
        journal.add_later(b"two\n", Duration::from_secs(600)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"head\none\n");
        journal.flush().unwrap();
        journal.add(b"thr", Duration::from_secs(600)).unwrap();
        assert!(matches!(open(&path), Err(OpenJournalError::InUse)));
        drop(journal);
        let (mut journal, entries) = open(&path).unwrap();
        assert_eq!(entries, ["one", "two"]);
        journal.add(b"three\n", Duration::ZERO).unwrap();
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), b"head\none\ntwo\nthree\n");
        for end in 0..5 {
            fs::write(&path, &b"head\n"[..end]).unwrap();
            assert_eq!(open(&path).unwrap().1, [""; 0]);
            assert_eq!(fs::read(&path).unwrap(), b"head\n");
        }
        // A system crash may leave zeros.
        for zeros in [1, 5, 100_000] {
            fs::write(&path, vec![0; zeros]).unwrap();
            assert_eq!(open(&path).unwrap().1, [""; 0]);
            assert_eq!(fs::read(&path).unwrap(), b"head\n");
        }
    }

    #[test]
    fn reads_entries_between_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = open(&path).unwrap().0;
        journal.add(b"one\n", Duration::ZERO).unwrap();
        let mut bytes = [0; 3];
        journal.read_at(&mut bytes, 5).unwrap();
        journal.add(b"two\n", Duration::ZERO).unwrap();
        assert_eq!((&bytes, journal.committed_bytes()), (b"one", 13));
        assert_eq!(fs::read(&path).unwrap(), b"head\none\ntwo\n");
        assert!(journal.read_at(&mut bytes, 11).is_err());
    }

    #[test]
    fn replaces_files_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, |file| file.write_all(b"old")).unwrap();
        let failed = replace(&path, |file| file.write_all(b"ne").and(Err(io::ErrorKind::StorageFull.into())));
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        // A file left by a killed process is overwritten, and a second process gets an error.
        fs::write(path.with_added_extension("morello-new"), "something longer").unwrap();
        replace(&path, |file| {
            let second = replace(&path, |file| file.write_all(b"second")).unwrap_err();
            assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
            file.write_all(b"new")
        })
        .unwrap();
        assert_eq!((fs::read(&path).unwrap(), folder.path().read_dir().unwrap().count()), (b"new".to_vec(), 1));
    }

    #[test]
    #[cfg(unix)]
    fn links_stay_links_and_devices_stay_devices() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("far")).unwrap();
        symlink("far/file", path("link")).unwrap();
        symlink("link", path("dangling")).unwrap();
        for content in ["one", "two"] {
            replace(&path("dangling"), |file| file.write_all(content.as_bytes())).unwrap();
            assert!(path("dangling").is_symlink() && path("link").is_symlink());
            assert_eq!(fs::read_to_string(path("far/file")).unwrap(), content);
        }
        symlink("/dev/null", path("null")).unwrap();
        symlink("circle", path("circle")).unwrap();
        for name in ["null", "circle", "far"] {
            let error = replace(&path(name), |_| Ok(())).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}");
        }
        assert!(!Path::new("/dev/null").is_file() && !Path::new("/dev/null.morello-new").exists());
    }
}
