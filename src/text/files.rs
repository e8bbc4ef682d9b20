//! Games in files, as a person at the board writes and reads them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::Playable;
use crate::session::{AnySession, SaveError, Session};

/// The longest file that is read as one game, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// A file that cannot be written or read.
#[derive(Debug, Error)]
pub enum FileError {
    /// It holds something else.
    #[error("`{0}` is there already: name another file, or write `save! {0}`")]
    There(String),
    /// The format that its name asks for cannot hold the game.
    #[error("cannot write `{file}`")]
    Format {
        /// The file.
        file: String,
        /// Why.
        source: SaveError,
    },
    /// It is too long.
    #[error("cannot read `{0}`: it is longer than any game")]
    TooLong(String),
    /// The system says no.
    #[error("cannot {what} `{file}`")]
    Io {
        /// What was to be done.
        what: &'static str,
        /// The file.
        file: String,
        /// Why not.
        source: io::Error,
    },
}

/// The files of a session: what they hold may be written over.
#[derive(Debug, Clone, Default)]
pub(super) struct Files(Vec<PathBuf>);

impl Files {
    /// Returns whether a file may be written over.
    fn are_own(&self, path: &Path) -> bool {
        self.0.iter().any(|own| own == path)
    }

    /// Takes a file for one that may be written over.
    pub(super) fn own(&mut self, path: &Path) {
        if !self.are_own(path) {
            self.0.push(path.to_owned());
        }
    }

    /// Writes a game; `over` says that the file may hold anything.
    pub(super) fn write<P: Playable>(
        &mut self,
        path: &Path,
        over: bool,
        session: &Session<P>,
        names: [&str; 2],
    ) -> Result<(), FileError> {
        let file = path.display().to_string();
        if let Ok(metadata) = path.metadata() {
            // To write to a pipe would wait for somebody who reads it.
            if !metadata.is_file() {
                let source = io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file");
                return Err(FileError::Io { what: "write", file, source });
            }
            if !over && !self.are_own(path) && metadata.len() > 0 {
                return Err(FileError::There(file));
            }
        }
        let text = text(path, session, names).map_err(|source| FileError::Format { file: file.clone(), source })?;
        fs::write(path, text + "\n").map_err(|source| FileError::Io { what: "write", file, source })?;
        self.own(path);
        Ok(())
    }
}

/// Writes a game in the format of which the name of its file ends in the name, or as its moves.
fn text<P: Playable>(path: &Path, session: &Session<P>, names: [&str; 2]) -> Result<String, SaveError> {
    let game = session.game();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_meant = |name: &str| name.eq_ignore_ascii_case(ending);
    match P::formats().iter().find(|format| is_meant(format.name) && format.writing.game.is_some()) {
        Some(format) => session.save(format.name, names),
        // A game that has not begun is its position.
        None if game.moves().is_empty() => Ok(game.position().to_string()),
        None => Ok(P::write_moves(game)),
    }
}

/// Reads what may be a game.
pub(super) fn read(path: &Path) -> Result<String, FileError> {
    let file = path.display().to_string();
    let read = || {
        // To open a pipe would wait for somebody who writes to it.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 > MAX_FILE_BYTES => Err(FileError::TooLong(file)),
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(source) => Err(FileError::Io { what: "read", file, source }),
    }
}
