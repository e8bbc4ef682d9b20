//! Targets whose input is a file. The crates that have such targets share this file.

use std::fs;
use std::path::Path;

use crate::fuzz::Target;

/// Runs a target whose input is a file.
pub(super) fn run_with_file(target: &Target, mut check: impl FnMut(&Path)) {
    let folder = folder();
    let path = folder.path().join("file");
    target.run(|input| {
        fs::write(&path, input).expect("a file");
        check(&path);
    });
}

/// Returns the content of a file that `write` writes.
pub(super) fn written(write: impl FnOnce(&Path)) -> Vec<u8> {
    let folder = folder();
    let path = folder.path().join("file");
    write(&path);
    fs::read(&path).expect("a file")
}

/// Returns a new folder, in memory where possible: writers wait until their bytes are on the disk.
pub(super) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}
