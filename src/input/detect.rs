//! [`Form`]: what a file is, as its user says or as it begins.

use std::io;

use thiserror::Error;

use super::columns::{self, record_column};
use super::line_reader::{BYTE_ORDER_MARK, read_line};
use super::record::MAX_RECORD_BYTES;
use super::source::Stream;
use super::{binary, json};
use crate::game::{AnyGame, LineFormat, RecordFormat};

/// How many bytes a [`RecordFormat`] is told from.
const RECORD_HEAD: usize = 256;

/// How much of a file is looked at for a line that is no comment.
const MAX_HEAD_BYTES: usize = 16 << 20;

/// What separates the columns of CSV.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// What the user says of the inputs; by default nothing, and each is seen from how it begins.
///
/// | begins with | is |
/// | --- | --- |
/// | what a binary format of the game begins with | records of one size, such as WTHOR |
/// | `{` | JSON lines: an object a line |
/// | a line with the name of a column that holds positions or games | CSV, its fields separated by commas, semicolons or tabs |
/// | other names, and a row of which one field is a position or a game | CSV |
/// | another binary file, or the beginning of another game's format | refused |
/// | anything else | lines, each in whichever text format of the game it looks like; `%` and `#` start a comment |
#[derive(Default, Clone)]
pub struct InputFormat {
    container: Option<Container>,
    pub(super) format: Option<&'static LineFormat>,
    column: Option<String>,
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
#[derive(Clone, Copy)]
enum Container {
    Csv,
    JsonLines,
    Records(&'static RecordFormat),
}

/// What an input turned out to be.
pub(super) enum DetectedFormat {
    Lines { of_games: bool },
    Csv { delimiter: u8, names: Vec<String>, holding: usize },
    JsonLines { names: Vec<String>, holding: String },
    Records(&'static RecordFormat),
}

impl InputFormat {
    /// Takes the name of a format: one of lines (or of the texts in a column), `csv`, `jsonl`, or a binary one.
    ///
    /// # Errors
    /// [`UnknownFormat`] with all there are.
    pub fn named(mut self, game: &dyn AnyGame, name: &str) -> Result<Self, UnknownFormat> {
        if let Some(format) = game.formats().iter().find(|format| format.is_named(name)) {
            self.format = Some(format);
        } else if let Some(format) = game.record_formats().iter().find(|format| format.name == name) {
            self.container = Some(Container::Records(format));
        } else if name == "csv" {
            self.container = Some(Container::Csv);
        } else if name == "jsonl" {
            self.container = Some(Container::JsonLines);
        } else {
            return Err(UnknownFormat { game: game.name(), name: name.to_owned(), known: known(game) });
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
    pub(super) fn detect(&self, game: &dyn AnyGame, stream: &mut Stream) -> io::Result<DetectedFormat> {
        if let Some(Container::Records(format)) = self.container {
            return Ok(DetectedFormat::Records(format));
        }
        let head = stream.head(MAX_HEAD_BYTES, |head, line| match head.first() {
            None => false,
            Some(_) if binary::is_binary(&head[..1]) => head.len() >= RECORD_HEAD,
            Some(_) => has_content(head, line),
        })?;
        let record_head = &head[..head.len().min(RECORD_HEAD)];
        if self.container.is_none()
            && self.format.is_none()
            && binary::is_binary(record_head)
            && let Some(format) = game.record_formats().iter().find(|format| (format.detect)(record_head))
        {
            return Ok(DetectedFormat::Records(format));
        }
        if let Some(about) = binary::describe_binary(&head) {
            return Err(self.not_text(game, about));
        }
        let Some(line) = lines(&head).next() else { return Ok(DetectedFormat::Lines { of_games: false }) };
        match self.container {
            Some(Container::Csv) => {
                self.csv(&line)?.map_or_else(|| self.csv_by_rows(game, &line, stream), |csv| Ok(Some(csv)))
            }
            Some(Container::JsonLines) => self.json_lines(&line, stream).map(Some),
            _ if line.starts_with('{') => self.json_lines(&line, stream).map(Some),
            _ => match self.csv(&line)? {
                Some(csv) => Ok(Some(csv)),
                None if self.column.is_some() => Err(self.no_column(&self.head(&line))),
                None if (self.format_of(game, &line).parse)(&line).is_ok() => Ok(None),
                None => self.csv_by_rows(game, &line, stream),
            },
        }?
        .map_or_else(|| self.of_lines(game, &line), Ok)
    }

    /// Takes an input for lines, unless they are another game's.
    fn of_lines(&self, game: &dyn AnyGame, line: &str) -> io::Result<DetectedFormat> {
        match binary::describe_foreign_text(line, |name| game.formats().iter().any(|format| format.is_named(name))) {
            Some(about) if self.format.is_none() => {
                Err(invalid(format!("it begins as {about}; this is {}", game.name())))
            }
            _ => Ok(DetectedFormat::Lines { of_games: self.format_of(game, line).of_games }),
        }
    }

    fn csv(&self, head: &str) -> io::Result<Option<DetectedFormat>> {
        for delimiter in DELIMITERS {
            // A row that ends within its line begins a file that has no other line ends.
            let (first, rest) = head.split_once('\r').map_or((head, None), |(first, rest)| (first, Some(rest)));
            let Some(names) = columns::fields(first, delimiter) else { continue };
            let names = names.into_iter().map(|name| name.trim().to_owned()).collect();
            let names = columns::deduplicate_names(names);
            let Some(holding) = record_column(names.iter().map(String::as_str), self.column.as_deref()) else {
                continue;
            };
            if rest.is_some_and(|rest| !rest.trim().is_empty()) {
                return Err(invalid("its lines end in a carriage return alone: end them in a line feed".to_owned()));
            }
            return Ok(Some(DetectedFormat::Csv { delimiter, names, holding }));
        }
        Ok(None)
    }

    /// Sees from the first row which column of a table holds positions or games, where the names do not tell; `None` if it is no table.
    fn csv_by_rows(&self, game: &dyn AnyGame, head: &str, stream: &mut Stream) -> io::Result<Option<DetectedFormat>> {
        let is_asked = matches!(self.container, Some(Container::Csv));
        let columns =
            DELIMITERS.into_iter().filter_map(|delimiter| Some((delimiter, columns::fields(head, delimiter)?)));
        let Some((delimiter, names)) = columns.max_by_key(|(_, names)| names.len()) else { return Ok(None) };
        let is_read =
            |text: &String| !text.trim().is_empty() && (self.format_of(game, text.trim()).parse)(text.trim()).is_ok();
        // A game of several lines that is not whole is no head of a table.
        let begins_game = game.formats().iter().any(|format| format.scanner.is_some() && (format.detect)(head));
        if self.column.is_some() || names.iter().any(is_read) || ((names.len() < 2 || begins_game) && !is_asked) {
            return if is_asked { Err(self.no_column(&names)) } else { Ok(None) };
        }
        let two = stream
            .head(MAX_HEAD_BYTES, |bytes, line| has_content(bytes, line) && lines(&bytes[..line]).next().is_some())?;
        let row = lines(&two).nth(1).and_then(|row| columns::fields(&row, delimiter)).unwrap_or_default();
        let read: Vec<_> = row.iter().enumerate().filter(|(_, cell)| is_read(cell)).map(|(at, _)| at).collect();
        let names: Vec<_> = names.into_iter().map(|name| name.trim().to_owned()).collect();
        let is_name = |name: &String| {
            name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || " _-".contains(c))
        };
        let is_table = is_asked || (names.len() > 2 && names.len() == row.len() && names.iter().all(is_name));
        match read[..] {
            [holding] if row.len() == names.len() => {
                Ok(Some(DetectedFormat::Csv { delimiter, names: columns::deduplicate_names(names), holding }))
            }
            [_, _, ..] => Err(self.no_column(&names)),
            _ if is_table => Err(self.no_column(&names)),
            _ => Ok(None),
        }
    }

    /// Takes the keys of the first object that has one which holds positions or games: what stands before it is bad lines.
    fn json_lines(&self, first: &str, stream: &mut Stream) -> io::Result<DetectedFormat> {
        let of = |line: &str| {
            let mut names = json_names(line);
            let holding = record_column(names.iter().map(String::as_str), self.column.as_deref())?;
            let holding = names.remove(holding);
            names.retain(|name| *name != holding);
            Some(DetectedFormat::JsonLines { names, holding })
        };
        if let Some(found) = of(first) {
            return Ok(found);
        }
        let is_held = |line: &[u8]| of(&String::from_utf8_lossy(line)).is_some();
        let head = stream.head(MAX_RECORD_BYTES, |head, line| head.ends_with(b"\n") && is_held(&head[line..]))?;
        lines(&head).find_map(|line| of(&line)).ok_or_else(|| self.no_column(&json_names(first)))
    }

    fn format_of(&self, game: &dyn AnyGame, text: &str) -> &'static LineFormat {
        self.format.unwrap_or_else(|| game.format_of(text))
    }

    /// Returns the names in a line, separated by whatever separates most.
    fn head(&self, line: &str) -> Vec<String> {
        let heads = DELIMITERS.into_iter().filter_map(|delimiter| columns::fields(line, delimiter));
        heads.max_by_key(Vec::len).unwrap_or_default()
    }

    fn not_text(&self, game: &dyn AnyGame, about: &str) -> io::Error {
        let asked = self.format.map_or(String::new(), |format| format!(", not a text such as `{}`", format.name));
        let names: Vec<_> = game.formats().iter().map(|format| format.name).collect();
        let records: Vec<_> = game.record_formats().iter().map(|format| format.name).collect();
        let formats = [names, records, vec!["csv", "jsonl"]].concat().join(", ");
        invalid(format!("it is {about}{asked}; the formats of {} are {formats}", game.name()))
    }

    fn no_column(&self, found: &[String]) -> io::Error {
        let found =
            if found.is_empty() { "no columns".to_owned() } else { format!("the columns {}", found.join(", ")) };
        let wanted = match &self.column {
            Some(name) => format!("none is named `{name}`"),
            None => format!(
                "say which holds the positions or games by --column (one named {})",
                columns::RECORD_COLUMNS.join(", ")
            ),
        };
        invalid(format!("it has {found}; {wanted}"))
    }
}

fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Returns whether a text that begins so has come to the end of a line that says something, or to a line that is too long.
fn has_content(head: &[u8], line: usize) -> bool {
    let line = &head[line..];
    let is_comment = line.trim_ascii_start().first().is_none_or(|byte| b"%#".contains(byte));
    (head.ends_with(b"\n") && !matches!(read_line(line).1, Ok(None))) || (line.len() > MAX_RECORD_BYTES && !is_comment)
}

/// Returns the lines that say something.
fn lines(head: &[u8]) -> impl Iterator<Item = String> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !matches!(read_line(line).1, Ok(None)));
    lines.map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned())
}

impl DetectedFormat {
    /// Returns whether the input seems to hold games.
    pub(super) fn holds_games(&self) -> bool {
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
    let mut names = Vec::new();
    for (name, _) in json::members(line).unwrap_or_default() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Lists the formats of a game.
fn known(game: &dyn AnyGame) -> String {
    let lines = game.formats().iter().map(|format| {
        let others: String = format.aliases.iter().map(|name| format!(" or {name}")).collect();
        format!("\n  {}{others}: {}", format.name, format.about)
    });
    let records = game.record_formats().iter().map(|format| format!("\n  {}: {}", format.name, format.about));
    let columns = [
        "\n  csv: lines of columns below a line of their names, one of which holds positions or games".to_owned(),
        "\n  jsonl: a JSON object a line, one of whose keys holds positions or games".to_owned(),
    ];
    lines.chain(records).chain(columns).collect()
}
