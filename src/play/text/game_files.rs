//! The commands `save` and `load`, and saving after every move.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};

use morello_core::game::{AnnotatedGame, AnyGame, GameError, LineFormat, MetadataKind};
use morello_core::journal;
use morello_core::sorting;
use morello_files::conversion::game_details;
use thiserror::Error;

use crate::session::{self, SaveError};

/// The maximum size of a file that is read as one game, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Why a file cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file exists and does not belong to the session.
    #[error("`{0}` already exists; use another name, or `save! {0}` to overwrite it")]
    AlreadyExists(String),
    /// The format given by the file name extension cannot represent the game.
    #[error("cannot write `{file}`")]
    Format {
        /// The file.
        file: String,
        /// The reason.
        source: SaveError,
    },
    /// The file is too large.
    #[error("cannot read `{0}`: larger than {limit} MiB", limit = MAX_FILE_BYTES >> 20)]
    TooLong(String),
    /// An I/O error.
    #[error("cannot {what} `{file}`")]
    Io {
        /// What failed: `read` or `write`.
        what: &'static str,
        /// The file.
        file: String,
        /// The error.
        source: io::Error,
    },
}

/// The files that a session may overwrite, because it has written or loaded them.
#[derive(Debug, Clone, Default)]
pub(super) struct SessionFiles(pub(super) HashSet<PathBuf>);

impl SessionFiles {
    /// Writes a game and returns the details that the format cannot store. With `overwrite`, any
    /// existing file may be overwritten. `names` are the names of Black and White if the game has
    /// none.
    pub(super) fn write(
        &mut self,
        path: &Path,
        overwrite: bool,
        game: &AnnotatedGame,
        names: [&str; 2],
    ) -> Result<Vec<MetadataKind>, FileError> {
        let file = path.display().to_string();
        if let Ok(metadata) = path.metadata() {
            if let Err(source) = check_is_file(&metadata) {
                return Err(FileError::Io { what: "write", file, source });
            }
            if !overwrite && !self.0.contains(path) && metadata.len() > 0 {
                return Err(FileError::AlreadyExists(file));
            }
        }
        let (text, lost) =
            text(path, game, names).map_err(|source| FileError::Format { file: file.clone(), source })?;
        replace(path, &(text + "\n")).map_err(|source| FileError::Io { what: "write", file, source })?;
        self.0.insert(path.to_owned());
        Ok(lost)
    }
}

/// The text of a game, and the details that its format cannot store.
type GameText = (String, Vec<MetadataKind>);

/// Returns the details that would be lost if a game were written to this file.
pub(super) fn lost_details(path: &Path, game: &AnnotatedGame) -> Result<Vec<MetadataKind>, SaveError> {
    text(path, game, [""; 2]).map(|(_, lost)| lost)
}

/// The extensions of files that other commands or programs write.
const OTHER_FILES: [&str; 12] =
    ["html", "htm", "csv", "json", "jsonl", "parquet", "pdf", "png", "svg", "gz", "zst", "zip"];

/// Checks that the file name extension does not select a binary format, which is for many games, or
/// something that is not the text of a game.
///
/// ```
/// use std::path::Path;
///
/// use morello::games;
/// use morello::text::check_extension;
///
/// let othello = games::get("othello")?;
/// check_extension(Path::new("game.pgn"), othello)?;
/// assert!(check_extension(Path::new("games.wtb"), othello).is_err());
/// assert!(check_extension(Path::new("report.html"), othello).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SaveError::Unrepresentable`] if it does.
pub fn check_extension(path: &Path, game: &'static dyn AnyGame) -> Result<(), SaveError> {
    let extension = extension(path);
    if let Some(format) = OTHER_FILES.iter().find(|other| **other == extension) {
        let reason = "a game is saved as text, such as in game.pgn or game.txt; `morello review` writes reports, and \
                      `morello convert` tables";
        return Err(SaveError::Unrepresentable { format, reason: GameError::new(reason) });
    }
    let Some(format) = game.record_formats().iter().find(|format| format.has_extension(path)) else { return Ok(()) };
    let reason =
        "it is a binary format; save the game without this extension, and convert the file with `morello convert`";
    Err(SaveError::Unrepresentable { format: format.name, reason: GameError::new(reason) })
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase()
}

/// Writes a game in the format given by the file name extension. Without an extension, writes the
/// moves; for a game with more details, uses the simplest format that preserves the most,
/// preferably in one line. `names` are the names of Black and White if the game has none.
fn text(path: &Path, game: &AnnotatedGame, names: [&str; 2]) -> Result<GameText, SaveError> {
    let details = game_details(game);
    let lost = |preserved: &[MetadataKind]| -> Vec<_> {
        details.iter().copied().filter(|detail| !preserved.contains(detail)).collect()
    };
    let mut named = game.clone();
    named.tags.fill_names(names);
    let write = |format: &LineFormat| {
        let text = session::write(&named, format.name)?;
        Ok((text, lost(format.writer.preserved)))
    };
    let rules = game.game.position().game();
    check_extension(path, rules)?;
    let mut formats: Vec<_> = rules.formats().iter().filter(|format| format.writer.game.is_some()).collect();
    if let Some(format) = formats.iter().find(|format| format.is_named(&extension(path))) {
        return write(format);
    }
    let lost_by_moves = lost(&[MetadataKind::Moves]);
    formats.retain(|format| lost(format.writer.preserved).len() < lost_by_moves.len());
    let key = |format: &LineFormat| (lost(format.writer.preserved).len(), format.writer.preserved.len());
    sorting::sort_by(&mut formats, &|a, b| key(a).cmp(&key(b)));
    // Some formats cannot represent games from other start positions.
    let written = formats.into_iter().filter_map(|format| write(format).ok());
    Ok(written.min_by_key(|(text, lost)| (lost.len(), text.lines().count())).unwrap_or_else(|| {
        // A game without moves is written as its position.
        let is_position = game.game.moves().is_empty();
        let text = if is_position { game.game.position().to_string() } else { rules.write_moves(&game.game) };
        (text, lost_by_moves)
    }))
}

/// Rejects anything but a regular file. Opening a pipe would block.
fn check_is_file(metadata: &Metadata) -> io::Result<()> {
    let problem = || io::Error::new(ErrorKind::InvalidInput, "not a regular file");
    if metadata.is_file() { Ok(()) } else { Err(problem()) }
}

/// Replaces the content of a file, atomically if possible.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // Without an existing file, there is nothing to lose.
    if !path.exists() {
        return fs::write(path, text);
    }
    // A file that is not writable is not replaced.
    File::options().append(true).open(path)?;
    match journal::replace(path, |file| file.write_all(text.as_bytes())) {
        // The file may be writable even if its directory is not.
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            fs::write(path, text)
        }
        done => done,
    }
}

/// Reads a file that may contain a game.
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
