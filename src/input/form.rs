//! [`Form`]: what a file is, as its user says or as it begins.

use std::io;

use thiserror::Error;

use super::columns::{self, holding};
use super::lines::{BYTE_ORDER_MARK, MAX_RECORD_BYTES, read_line};
use super::source::Stream;
use crate::game::{LineFormat, Playable, RecordFormat};

/// How many bytes a [`RecordFormat`] is told from.
const RECORD_HEAD: usize = 256;

/// What the user says of the inputs; by default nothing, and each is seen from how it begins.
///
/// | begins with | is |
/// | --- | --- |
/// | what a binary format of the game begins with | records of one size, such as WTHOR |
/// | `{` | JSON lines: an object a line |
/// | a line with the name of a column that holds positions or games | CSV, its fields separated by commas, semicolons or tabs |
/// | anything else | lines, each in whichever text format of the game it looks like; `%` and `#` start a comment |
pub struct Form<P: Playable> {
    container: Option<Container<P>>,
    pub(super) format: Option<&'static LineFormat<P>>,
    column: Option<String>,
}

impl<P: Playable> Default for Form<P> {
    fn default() -> Self {
        Self { container: None, format: None, column: None }
    }
}

/// A name that is no format's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{game} has no format `{name}`; it has{known}")]
pub struct UnknownFormat {
    /// The game.
    pub game: &'static str,
    /// The name.
    pub name: String,
    /// The formats there are, one a line.
    pub known: String,
}

/// How a file holds its records.
enum Container<P: Playable> {
    Csv,
    JsonLines,
    Records(&'static RecordFormat<P>),
}

impl<P: Playable> Clone for Container<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Playable> Copy for Container<P> {}

/// What an input turned out to be.
pub(super) enum Found<P: Playable> {
    Lines { of_games: bool },
    Csv { delimiter: u8, names: Vec<String>, holding: usize },
    JsonLines { names: Vec<String>, holding: String },
    Records(&'static RecordFormat<P>),
}

impl<P: Playable> Form<P> {
    /// Takes the name of a format: one of lines (or of the texts in a column), `csv`, `jsonl`, or a binary one.
    ///
    /// # Errors
    /// [`UnknownFormat`] with all there are.
    pub fn named(mut self, name: &str) -> Result<Self, UnknownFormat> {
        if let Some(format) = P::formats().iter().find(|format| format.is_named(name)) {
            self.format = Some(format);
        } else if let Some(format) = P::record_formats().iter().find(|format| format.name == name) {
            self.container = Some(Container::Records(format));
        } else if name == "csv" {
            self.container = Some(Container::Csv);
        } else if name == "jsonl" {
            self.container = Some(Container::JsonLines);
        } else {
            return Err(UnknownFormat { game: P::NAME, name: name.to_owned(), known: known::<P>() });
        }
        Ok(self)
    }

    /// Takes the name of the column that holds the positions or games.
    #[must_use]
    pub fn column(mut self, name: String) -> Self {
        self.column = Some(name);
        self
    }

    /// Sees what an input is.
    pub(super) fn find(&self, stream: &mut Stream) -> io::Result<Found<P>> {
        let head = stream.head(MAX_RECORD_BYTES, |head| match head.first() {
            None => false,
            Some(&byte) if is_binary(byte) => head.len() >= RECORD_HEAD,
            Some(_) => head.ends_with(b"\n") && !matches!(read_line(last_line(head)).1, Ok(None)),
        })?;
        let records =
            || P::record_formats().iter().find(|format| (format.detect)(&head[..head.len().min(RECORD_HEAD)]));
        let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&head);
        let line =
            text.split(|&byte| byte == b'\n').find(|line| !matches!(read_line(line).1, Ok(None))).unwrap_or_default();
        let line = String::from_utf8_lossy(line.trim_ascii());
        Ok(match self.container {
            Some(Container::Records(format)) => Found::Records(format),
            Some(Container::Csv) => self.csv(&line).ok_or_else(|| self.no_column(&columns::fields(&line, b',')))?,
            Some(Container::JsonLines) => self.json_lines(&line).ok_or_else(|| self.no_column(&json_names(&line)))?,
            None => match records() {
                Some(format) => Found::Records(format),
                None if line.starts_with('{') => {
                    self.json_lines(&line).ok_or_else(|| self.no_column(&json_names(&line)))?
                }
                None => match self.csv(&line) {
                    Some(csv) => csv,
                    None if self.column.is_some() => return Err(self.no_column(&columns::fields(&line, b','))),
                    None => Found::Lines { of_games: format_of(self.format, &line).of_games },
                },
            },
        })
    }

    fn csv(&self, head: &str) -> Option<Found<P>> {
        [b',', b';', b'\t'].into_iter().find_map(|delimiter| {
            let names = columns::fields(head, delimiter);
            let names: Vec<_> = names.into_iter().map(|name| name.trim().to_owned()).collect();
            let holding = holding(names.iter().map(String::as_str), self.column.as_deref())?;
            Some(Found::Csv { delimiter, names, holding })
        })
    }

    fn json_lines(&self, line: &str) -> Option<Found<P>> {
        let mut names = json_names(line);
        let holding = holding(names.iter().map(String::as_str), self.column.as_deref())?;
        let holding = names.remove(holding);
        Some(Found::JsonLines { names, holding })
    }

    fn no_column(&self, found: &[String]) -> io::Error {
        let found =
            if found.is_empty() { "no columns".to_owned() } else { format!("the columns {}", found.join(", ")) };
        let wanted = match &self.column {
            Some(name) => format!("none is named `{name}`"),
            None => format!(
                "say which holds the positions or games by --column (one named {})",
                columns::HOLDING.join(", ")
            ),
        };
        io::Error::new(io::ErrorKind::InvalidData, format!("it has {found}; {wanted}"))
    }
}

/// Returns the format asked for, or the first that a text looks like; the last of a game's formats says what is wrong with a text that
/// looks like none.
pub(super) fn format_of<P: Playable>(asked: Option<&'static LineFormat<P>>, text: &str) -> &'static LineFormat<P> {
    let detected = || P::formats().iter().find(|format| (format.detect)(text)).or(P::formats().last());
    asked.or_else(detected).expect("a game has a format")
}

impl<P: Playable> Found<P> {
    /// Returns whether the input seems to hold games.
    pub(super) fn is_of_games(&self) -> bool {
        match self {
            Self::Lines { of_games } => *of_games,
            Self::Csv { names, holding, .. } => columns::is_of_games(&names[*holding]),
            Self::JsonLines { holding, .. } => columns::is_of_games(holding),
            Self::Records(_) => true,
        }
    }
}

/// Returns the keys of the JSON object that a line is.
fn json_names(line: &str) -> Vec<String> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap_or_default();
    object.into_iter().map(|(name, _)| name).collect()
}

/// Returns whether no text begins with this byte.
fn is_binary(byte: u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

fn last_line(head: &[u8]) -> &[u8] {
    let head = head.strip_suffix(b"\n").unwrap_or(head);
    head.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Lists the formats of a game.
fn known<P: Playable>() -> String {
    let lines = P::formats().iter().map(|format| {
        let others: String = format.aliases.iter().map(|name| format!(" or {name}")).collect();
        format!("\n  {}{others}: {}", format.name, format.about)
    });
    let records = P::record_formats().iter().map(|format| format!("\n  {}: {}", format.name, format.about));
    let columns = [
        "\n  csv: lines of columns below a line of their names, one of which holds positions or games".to_owned(),
        "\n  jsonl: a JSON object a line, one of whose keys holds positions or games".to_owned(),
    ];
    lines.chain(records).chain(columns).collect()
}
