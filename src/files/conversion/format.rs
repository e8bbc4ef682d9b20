//! [`ConversionFormat`]: the output formats for positions and games.

use std::path::Path;

use morello_core::game::{AnyGame, LineFormat, RecordFormat};
use thiserror::Error;

use crate::input::UnknownFormat;
use crate::output::OutputFormat;

/// The text formats for move lists. The extension `.txt` selects them.
const MOVE_LISTS: [&str; 2] = ["transcript", "moves"];

/// The names of the row formats, which are also their extensions.
const ROWS: [(&str, OutputFormat); 3] =
    [("csv", OutputFormat::Csv), ("jsonl", OutputFormat::Jsonl), ("parquet", OutputFormat::Parquet)];

/// An output format for positions and games.
///
/// ```
/// use std::path::Path;
///
/// use morello::conversion::ConversionFormat;
/// use morello::games;
///
/// let othello = games::get("othello")?;
/// assert_eq!(ConversionFormat::named(othello, "pgn")?.name(), "pgn");
/// assert_eq!(ConversionFormat::of_file(othello, Path::new("games.wtb"))?.name(), "wthor");
/// assert!(ConversionFormat::of_file(othello, Path::new("games.xml")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub enum ConversionFormat {
    /// A text format of the game.
    Text(&'static LineFormat),
    /// A binary format of the game.
    Binary(&'static RecordFormat),
    /// A row format.
    Rows(OutputFormat),
}

/// No output format has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}\n  parquet: typed columns")]
pub struct UnknownConversionFormat(pub UnknownFormat);

/// No output format has the extension of a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no format of {game} has the extension of `{file}`: {known}")]
#[non_exhaustive]
pub struct UnknownFileFormat {
    /// The game.
    pub game: &'static str,
    /// The name of the file.
    pub file: String,
    /// The known extensions.
    pub known: String,
}

impl ConversionFormat {
    /// Returns the format with this name.
    ///
    /// # Errors
    /// [`UnknownConversionFormat`], which lists all formats.
    pub fn named(game: &'static dyn AnyGame, name: &str) -> Result<Self, UnknownConversionFormat> {
        let text = game.format_named(name).map(Self::Text);
        let binary = || game.record_formats().iter().find(|format| format.name == name).map(Self::Binary);
        let rows = || ROWS.iter().find(|(known, _)| *known == name).map(|&(_, format)| Self::Rows(format));
        text.or_else(binary).or_else(rows).ok_or_else(|| UnknownConversionFormat(UnknownFormat::of(game, name)))
    }

    /// Returns the format selected by the extension of a file: the name of a format, `.wtb` or
    /// `.txt`.
    ///
    /// # Errors
    /// [`UnknownFileFormat`], which lists all extensions.
    pub fn of_file(game: &'static dyn AnyGame, file: &Path) -> Result<Self, UnknownFileFormat> {
        if let Some(format) = game.record_formats().iter().find(|format| format.has_extension(file)) {
            return Ok(Self::Binary(format));
        }
        let extension = file.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let names = match extension.as_deref() {
            Some("txt") => MOVE_LISTS.as_slice(),
            Some(name) => &[name],
            None => &[],
        };
        names.iter().find_map(|name| Self::named(game, name).ok()).ok_or_else(|| {
            let names = game.formats().iter().flat_map(|format| [&[format.name], format.aliases].concat());
            let binary = game.record_formats().iter().map(|format| format.extension);
            let extensions: Vec<_> = names.chain(binary).chain(ROWS.map(|(name, _)| name)).chain(["txt"]).collect();
            let hint = if extension.as_deref() == Some("json") { "; JSON is written as lines; use .jsonl" } else { "" };
            let known = format!(".{}{hint}", extensions.join(", ."));
            UnknownFileFormat { game: game.name(), file: file.display().to_string(), known }
        })
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text(format) => format.name,
            Self::Binary(format) => format.name,
            Self::Rows(OutputFormat::SafeCsv) => "csv",
            Self::Rows(format) => ROWS.iter().find(|(_, known)| *known == format).map_or("", |(name, _)| name),
        }
    }

    /// Returns whether the format stores only games, not positions.
    #[must_use]
    pub fn is_of_whole_games(self) -> bool {
        match self {
            Self::Text(format) => format.writer.game.is_some(),
            Self::Binary(_) => true,
            Self::Rows(_) => false,
        }
    }
}
