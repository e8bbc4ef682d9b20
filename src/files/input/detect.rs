//! [`InputFormat`]: the format of an input, given or detected.

use std::io;

use morello_core::game::{AnyGame, LineFormat, RecordFormat};
use thiserror::Error;

use super::beginning::{Beginning, RECORD_HEAD, StreamFormat};
use super::csv::CSV;
use super::json_lines::JSON_LINES;
use super::record_stream::DetectedStream;
use super::source::Stream;
use super::text_formats::TextFormats;
use super::{binary, json, lines};

/// The format of the inputs. By default, the format of each input is detected from its beginning:
///
/// * the signature of a binary format of the game, such as WTHOR: binary records
/// * `{`: JSON lines, one object per line; Parquet files are read like JSON lines
/// * a header with a column name for positions or games: CSV, separated by commas, semicolons or
///   tabs
/// * another header, and a row with one position or game: CSV
/// * another binary file, or a format of another game: an error
/// * anything else: lines. The text format of the game is detected for each line. `%`, `#`, `//`
///   and a leading `;` start a comment; a line in braces is a comment too
#[derive(Debug, Default, Clone)]
pub struct InputFormat {
    stream: Option<&'static StreamFormat>,
    records: Option<&'static RecordFormat>,
    pub(super) format: Option<&'static LineFormat>,
    column: Option<String>,
}

/// An unknown format name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format `{name}`; the formats of {game} are:{known}")]
#[non_exhaustive]
pub struct UnknownFormat {
    /// The game.
    pub game: &'static str,
    /// The name.
    pub name: String,
    /// The formats of the game, one per line.
    pub known: String,
}

impl UnknownFormat {
    pub(crate) fn of(game: &dyn AnyGame, name: &str) -> Self {
        Self { game: game.name(), name: name.to_owned(), known: known(game) }
    }
}

/// The input is not text, and is not in a binary format of the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnknownBytes(String);

/// The formats, in the order of detection. Everything else is lines.
static STREAM_FORMATS: [StreamFormat; 2] = [JSON_LINES, CSV];

impl InputFormat {
    /// Sets the format by name: a text format (for lines, or for the text in a column), `csv`,
    /// `jsonl`, or a binary format.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, InputFormat, Reader};
    ///
    /// let othello = games::get("othello")?;
    /// let format = InputFormat::default().named(othello, "board")?;
    /// // Only boards are accepted, so a move list is an error.
    /// let mut reader = Reader::open(othello, vec![Input::Text("f5d6c3".to_owned())], &format)?;
    /// assert!(reader.next().expect("one line")?.content.is_err());
    /// let error = InputFormat::default().named(othello, "kif").err().expect("there is no such format");
    /// assert!(error.to_string().starts_with("unknown format `kif`; the formats of othello are:"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownFormat`], which lists all formats.
    pub fn named(mut self, game: &dyn AnyGame, name: &str) -> Result<Self, UnknownFormat> {
        if let Some(format) = game.format_named(name) {
            self.format = Some(format);
        } else if let Some(format) = game.record_formats().iter().find(|format| format.name == name) {
            self.records = Some(format);
        } else {
            let format = STREAM_FORMATS.iter().find(|format| format.name == name);
            self.stream = Some(format.ok_or_else(|| UnknownFormat::of(game, name))?);
        }
        Ok(self)
    }

    /// Sets the name of the column with the positions or games.
    ///
    /// By default it is the first column named `position`, `transcript`, `moves`, `obf`, `fen` or
    /// `board`. If there is none, it is (in CSV only) the single column that has a position or game
    /// in the first row.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, InputFormat, Reader};
    ///
    /// let csv = "first,second\nf5,f5d6c3\n".to_owned();
    /// let format = InputFormat::default().column("second".to_owned());
    /// let mut reader = Reader::open(games::get("othello")?, vec![Input::Text(csv)], &format)?;
    /// let games = reader.next().expect("one row")?.into_games()?;
    /// assert_eq!(games[0].game.moves().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn column(mut self, name: String) -> Self {
        self.column = Some(name);
        self
    }

    /// Detects the format of an input.
    pub(super) fn detect(&self, game: &'static dyn AnyGame, stream: &mut Stream) -> io::Result<DetectedStream> {
        if let Some(format) = self.records {
            return Ok(binary::records(format));
        }
        let column = self.column.as_deref();
        let mut beginning = Beginning { formats: TextFormats { game, requested: self.format }, column, stream };
        let head = beginning.head()?;
        let record_head = &head[..head.len().min(RECORD_HEAD)];
        if self.stream.is_none()
            && self.format.is_none()
            && binary::is_binary(record_head)
            && let Some(format) = game.record_formats().iter().find(|format| (format.detect)(record_head))
        {
            return Ok(binary::records(format));
        }
        if let Some(about) = binary::describe(&head) {
            return Err(self.not_text(game, about));
        }
        let Some(line) = beginning.lines(&head).next() else { return lines::detect(&beginning, None) };
        // A move list.
        let line = json::located(&line, (1, 1)).map_or(line, |moves| moves.text);
        for format in STREAM_FORMATS.iter().filter(|format| self.stream.is_none_or(|one| one.name == format.name)) {
            if let Some(detected) = (format.detect)(&mut beginning, &line, self.stream.is_some())? {
                return Ok(detected);
            }
        }
        lines::detect(&beginning, Some(&line))
    }

    fn not_text(&self, game: &dyn AnyGame, about: &str) -> io::Error {
        let expected = self.format.map_or(String::new(), |format| format!("expected `{}`, found ", format.name));
        let names: Vec<_> = game.formats().iter().map(|format| format.name).collect();
        let records: Vec<_> = game.record_formats().iter().map(|format| format.name).collect();
        let streams: Vec<_> = STREAM_FORMATS.iter().rev().map(|format| format.name).collect();
        let formats = [names, records, streams].concat().join(", ");
        let text = format!("{expected}{about}; the formats of {} are {formats}", game.name());
        io::Error::new(io::ErrorKind::InvalidData, UnknownBytes(text))
    }
}

/// Lists the formats of a game.
fn known(game: &dyn AnyGame) -> String {
    let lines = game.formats().iter().map(|format| {
        let others: String = format.aliases.iter().map(|name| format!(" or {name}")).collect();
        format!("\n  {}{others}: {}", format.name, format.about)
    });
    let records = game.record_formats().iter().map(|format| format!("\n  {}: {}", format.name, format.about));
    let streams = STREAM_FORMATS.iter().rev().map(|format| format!("\n  {}: {}", format.name, format.about));
    lines.chain(records).chain(streams).collect()
}
