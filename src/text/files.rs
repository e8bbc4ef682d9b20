//! Games in files, as a person at the board writes and reads them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;

use thiserror::Error;

use crate::game::{Annotated, LineFormat, Playable, Told};
use crate::session::{self, SaveError};

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

    /// Writes a game; `over` says that the file may hold anything. What it held is whole until all is written.
    pub(super) fn write<P: Playable>(&mut self, path: &Path, over: bool, game: &Annotated<P>) -> Result<(), FileError> {
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
        let text = text(path, game).map_err(|source| FileError::Format { file: file.clone(), source })?;
        replace(path, &(text + "\n")).map_err(|source| FileError::Io { what: "write", file, source })?;
        self.own(path);
        Ok(())
    }
}

/// Returns the format in which a game is written to a file: the one that the ending of its name names, else the game's own of moves; `None` if
/// it has none that tells more than the moves.
fn format<P: Playable>(path: &Path) -> Option<&'static LineFormat<P>> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let of_games = |format: &&LineFormat<P>| format.writing.game.is_some();
    let named = |name: &str| P::formats().iter().filter(of_games).find(|format| name.eq_ignore_ascii_case(format.name));
    named(ending).or_else(|| named("moves"))
}

/// Returns whether a file of this name has a place for something that is told of a game.
pub(super) fn keeps<P: Playable>(path: &Path, told: Told) -> bool {
    format::<P>(path).is_some_and(|format| format.writing.keeps.contains(&told))
}

fn text<P: Playable>(path: &Path, annotated: &Annotated<P>) -> Result<String, SaveError> {
    let game = &annotated.game;
    match format::<P>(path) {
        Some(format) if !game.moves().is_empty() || annotated.tags.result.is_some() => {
            session::write(annotated, format.name)
        }
        // A game that has not begun is its position.
        _ if game.moves().is_empty() => Ok(game.position().to_string()),
        _ => Ok(P::write_moves(game)),
    }
}

/// Writes a file in place of the one that was there, which is whole until then.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.new", process::id()));
    let replaced = || {
        fs::write(&beside, text)?;
        if let Ok(metadata) = path.metadata() {
            fs::set_permissions(&beside, metadata.permissions())?;
        }
        fs::rename(&beside, &path)
    };
    replaced().or_else(|_| {
        let _ = fs::remove_file(&beside);
        // The file may be written though its folder may not.
        fs::write(&path, text)
    })
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
