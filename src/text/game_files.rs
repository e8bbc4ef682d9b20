//! Games in files, as a person at the board writes and reads them.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::conversion::game_details;
use crate::game::{AnnotatedGame, LineFormat, MetadataKind};
use crate::journal;
use crate::session::{self, SaveError};

/// The longest file that is read as one game, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// A file that cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It holds something else.
    #[error("`{0}` is there already: name another file, or write `save! {0}`")]
    AlreadyExists(String),
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
pub(super) struct SessionFiles(Vec<PathBuf>);

impl SessionFiles {
    /// Returns whether a file may be written over.
    fn may_overwrite(&self, path: &Path) -> bool {
        self.0.iter().any(|own| own == path)
    }

    /// Takes a file for one that may be written over.
    pub(super) fn allow_overwrite(&mut self, path: &Path) {
        if !self.may_overwrite(path) {
            self.0.push(path.to_owned());
        }
    }

    /// Writes a game, and returns what of it is not in the file; `over` says that the file may hold anything. `names` are those of Black and
    /// White where none are told.
    pub(super) fn write(
        &mut self,
        path: &Path,
        over: bool,
        game: &AnnotatedGame,
        names: [&str; 2],
    ) -> Result<Vec<MetadataKind>, FileError> {
        let file = path.display().to_string();
        if let Ok(metadata) = path.metadata() {
            if let Err(source) = check_is_file(&metadata) {
                return Err(FileError::Io { what: "write", file, source });
            }
            if !over && !self.may_overwrite(path) && metadata.len() > 0 {
                return Err(FileError::AlreadyExists(file));
            }
        }
        let GameText { text, lost } =
            text(path, game, names).map_err(|source| FileError::Format { file: file.clone(), source })?;
        replace(path, &(text + "\n")).map_err(|source| FileError::Io { what: "write", file, source })?;
        self.allow_overwrite(path);
        Ok(lost)
    }
}

/// A game as it is written to a file.
struct GameText {
    text: String,
    /// What is told of the game, and is not in the text.
    lost: Vec<MetadataKind>,
}

/// Returns what a file of this name has no place for.
pub(super) fn lost_details(path: &Path, game: &AnnotatedGame) -> Result<Vec<MetadataKind>, SaveError> {
    text(path, game, [""; 2]).map(|text| text.lost)
}

/// Writes a game in the format that the ending of its file's name names; else as its moves or, where more is told of it, in the least format
/// that has a place for the most of that. `names` are those of Black and White where none are told.
fn text(path: &Path, game: &AnnotatedGame, names: [&str; 2]) -> Result<GameText, SaveError> {
    let told = game_details(game);
    let lost = |keeps: &[MetadataKind]| told.iter().copied().filter(|told| !keeps.contains(told)).collect::<Vec<_>>();
    let mut named = game.clone();
    named.tags.fill_names(names);
    let write = |format: &LineFormat| {
        let text = session::write(&named, format.name)?;
        Ok(GameText { text, lost: lost(format.writer.preserved) })
    };
    let rules = game.game.position().game();
    let mut formats: Vec<_> = rules.formats().iter().filter(|format| format.writer.game.is_some()).collect();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if let Some(format) = formats.iter().find(|format| ending.eq_ignore_ascii_case(format.name)) {
        return write(format);
    }
    let lost_by_moves = lost(&[MetadataKind::Moves]);
    formats.retain(|format| lost(format.writer.preserved).len() < lost_by_moves.len());
    formats.sort_by_key(|format| (lost(format.writer.preserved).len(), format.writer.preserved.len()));
    // What begins elsewhere than at the start of the game has no place in some.
    Ok(formats.into_iter().find_map(|format| write(format).ok()).unwrap_or_else(|| {
        // A game that has not begun is its position.
        let is_position = game.game.moves().is_empty();
        let text = if is_position { game.game.position().to_string() } else { rules.write_moves(&game.game) };
        GameText { text, lost: lost_by_moves }
    }))
}

/// Refuses what is no regular file: to open a pipe would wait for somebody at its other end.
fn check_is_file(metadata: &Metadata) -> io::Result<()> {
    let problem = || io::Error::new(ErrorKind::InvalidInput, "it is no regular file");
    if metadata.is_file() { Ok(()) } else { Err(problem()) }
}

/// Writes a file in place of the one that was there, which is whole until then.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // What is there may be kept from being written to, and if it is no more than a link to nothing, nothing is lost.
    let Ok(old) = path.canonicalize() else { return fs::write(path, text) };
    let permissions = File::options().append(true).open(&old)?.metadata()?.permissions();
    let write = |file: &mut File| file.set_permissions(permissions).and_then(|()| file.write_all(text.as_bytes()));
    match journal::replace(&old, write) {
        // The file may be written to though nothing may be added to its folder.
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            fs::write(&old, text)
        }
        done => done,
    }
}

/// Reads what may be a game.
pub(super) fn read(path: &Path) -> Result<String, FileError> {
    let file = path.display().to_string();
    let read = || {
        check_is_file(&path.metadata()?)?;
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
