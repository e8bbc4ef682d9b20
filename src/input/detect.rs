//! [`InputFormat`]: the format of an input, given or detected.

use std::collections::HashSet;
use std::io;

use serde_json::value::RawValue;
use thiserror::Error;

use super::columns::{self, DELIMITERS, MAX_COLUMNS, record_column};
use super::game_columns::is_game_column;
use super::json_records::MAX_HEAD_BYTES;
use super::line_reader::{BYTE_ORDER_MARK, has_bare_returns, read_line};
use super::record::{MAX_RECORD_BYTES, RecordProblem};
use super::source::Stream;
use super::{binary, json, work};
use crate::game::{AnnotatedGame, AnyGame, LineFormat, MetadataKind, ParsedRecord, RecordFormat};
use crate::output::Value;

/// The number of bytes passed to the detection of a [`RecordFormat`].
const RECORD_HEAD: usize = 256;

/// The most columns that an error lists.
const MAX_LISTED: usize = 20;

/// The format of the inputs. By default, the format of each input is detected from its beginning:
///
/// | begins with | format |
/// | --- | --- |
/// | the signature of a binary format of the game, such as WTHOR | binary records |
/// | `{` | JSON lines: one object per line |
/// | a header with a column name for positions or games | CSV, separated by commas, semicolons or tabs |
/// | another header, and a row with one position or game | CSV |
/// | another binary file, or a format of another game | none: an error |
/// | anything else | lines; the text format of the game is detected for each, and `%`, `#`, `//` and a leading `;` start a comment; so is a line in braces |
#[derive(Default, Clone)]
pub struct InputFormat {
    container: Option<Container>,
    pub(super) format: Option<&'static LineFormat>,
    column: Option<String>,
}

/// An unknown format name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format `{name}`; the formats of {game} are:{known}")]
pub struct UnknownFormat {
    /// The game.
    pub game: &'static str,
    /// The name.
    pub name: String,
    /// The formats of the game, one per line.
    pub known: String,
}

/// The structure of a file.
#[derive(Clone, Copy)]
enum Container {
    Csv,
    JsonLines,
    Records(&'static RecordFormat),
}

/// The detected format of an input.
pub(super) enum DetectedFormat {
    Lines { of_games: bool, has_tags: bool },
    Csv { delimiter: u8, names: Vec<String>, column: usize, of_games: bool },
    JsonLines { names: Vec<String>, column: String, of_games: bool },
    Records(&'static RecordFormat),
}

impl InputFormat {
    /// Sets the format by name: a text format (for lines, or for the texts in a column), `csv`, `jsonl`, or a binary format.
    ///
    /// # Errors
    /// [`UnknownFormat`], which lists all formats.
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

    /// Sets the name of the column with the positions or games.
    #[must_use]
    pub fn column(mut self, name: String) -> Self {
        self.column = Some(name);
        self
    }

    /// Detects the format of an input.
    pub(super) fn detect(&self, game: &dyn AnyGame, stream: &mut Stream) -> io::Result<DetectedFormat> {
        if let Some(Container::Records(format)) = self.container {
            return Ok(DetectedFormat::Records(format));
        }
        let head = stream.head(MAX_HEAD_BYTES, |head, line| match head.first() {
            None => false,
            Some(_) if binary::is_binary(&head[..1]) => head.len() >= RECORD_HEAD,
            Some(_) => self.has_content(head, line),
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
        let Some(line) = self.lines(&head).next() else {
            return Ok(DetectedFormat::Lines { of_games: false, has_tags: false });
        };
        // A list of moves.
        let moves = json::texts(&line).map(|texts| texts.join());
        let line = moves.unwrap_or(line);
        match self.container {
            Some(Container::Csv) => self
                .csv(game, &line, stream)?
                .map_or_else(|| self.csv_by_rows(game, &line, stream), |csv| Ok(Some(csv))),
            Some(Container::JsonLines) => self.json_lines(game, &line, stream).map(Some),
            _ if self.is_json(game, &line) => self.json_lines(game, &line, stream).map(Some),
            _ => match self.csv(game, &line, stream)? {
                Some(csv) => Ok(Some(csv)),
                None if self.column.is_some() => Err(self.no_column(&self.head(&line))),
                None if (self.format_of(game, &line).parse)(&line).is_ok() => Ok(None),
                None => self.csv_by_rows(game, &line, stream),
            },
        }?
        .map_or_else(|| self.of_lines(game, &line), Ok)
    }

    /// Returns whether a line is an object or a broken one, rather than a game after a comment in braces.
    fn is_json(&self, game: &dyn AnyGame, line: &str) -> bool {
        line.starts_with('{') && (json::members(line).is_ok() || (self.format_of(game, line).parse)(line).is_err())
    }

    /// Returns the format of lines, or an error if they are in a format of another game.
    fn of_lines(&self, game: &dyn AnyGame, line: &str) -> io::Result<DetectedFormat> {
        match binary::describe_foreign_text(line, |name| game.formats().iter().any(|format| format.is_named(name))) {
            Some(about) if self.format.is_none() => {
                let remedy = if line.starts_with('[') {
                    "; to read its moves in this game, remove the lines of tags"
                } else {
                    ""
                };
                Err(invalid(format!("this looks like {about}, but the game is {}{remedy}", game.name())))
            }
            _ => {
                let format = self.format_of(game, line);
                let names_players = |game: &AnnotatedGame| game.tags.names.iter().any(Option::is_some);
                let has_tags = format.writer.preserved.contains(&MetadataKind::Names)
                    || matches!((format.parse)(line), Ok(ParsedRecord::Games(games)) if games.iter().any(names_players));
                Ok(DetectedFormat::Lines { of_games: format.of_games, has_tags })
            }
        }
    }

    fn csv(&self, game: &dyn AnyGame, head: &str, stream: &mut Stream) -> io::Result<Option<DetectedFormat>> {
        for delimiter in DELIMITERS {
            // A row that ends within its line means that the file uses bare carriage returns.
            let (first, rest) = head.split_once('\r').map_or((head, None), |(first, rest)| (first, Some(rest)));
            let Some(names) = columns::fields(first, delimiter) else { continue };
            let names = names.into_iter().map(|name| name.trim().to_owned()).collect();
            let names = columns::deduplicate_names(names);
            let Some(column) = record_column(names.iter().map(String::as_str), self.column.as_deref()) else {
                continue;
            };
            if names.len() > MAX_COLUMNS {
                return Err(too_many_columns());
            }
            if rest.is_some_and(|rest| !rest.trim().is_empty()) {
                return Err(invalid("lines end with a bare carriage return; end them with a line feed".to_owned()));
            }
            let name = &names[column];
            let of_games = if columns::is_record_column(name) {
                columns::is_of_games(name)
            } else {
                let row = self.first_row(stream)?.and_then(|row| columns::fields(&row, delimiter)).unwrap_or_default();
                row.get(column).is_some_and(|cell| self.is_game(game, cell))
            };
            return Ok(Some(DetectedFormat::Csv { delimiter, names, column, of_games }));
        }
        Ok(None)
    }

    /// Detects the column with positions or games from the first row, when the header does not show it; `None` if this is not a table.
    fn csv_by_rows(&self, game: &dyn AnyGame, head: &str, stream: &mut Stream) -> io::Result<Option<DetectedFormat>> {
        let is_asked = matches!(self.container, Some(Container::Csv));
        let columns =
            DELIMITERS.into_iter().filter_map(|delimiter| Some((delimiter, columns::fields(head, delimiter)?)));
        let Some((delimiter, names)) = columns.max_by_key(|(_, names)| names.len()) else { return Ok(None) };
        let is_read =
            |text: &String| !text.trim().is_empty() && (self.format_of(game, text.trim()).parse)(text.trim()).is_ok();
        // The first line of a game of several lines is not a header.
        let begins_game = game.formats().iter().any(|format| format.scanner.is_some() && (format.detect)(head));
        if self.column.is_some() || names.iter().any(is_read) || ((names.len() < 2 || begins_game) && !is_asked) {
            return if is_asked { Err(self.no_column(&names)) } else { Ok(None) };
        }
        let row = self.first_row(stream)?.and_then(|row| columns::fields(&row, delimiter)).unwrap_or_default();
        let read: Vec<_> = row.iter().enumerate().filter(|(_, cell)| is_read(cell)).map(|(at, _)| at).collect();
        let names: Vec<_> = names.into_iter().map(|name| name.trim().to_owned()).collect();
        let is_name = |name: &String| {
            name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || " _-".contains(c))
        };
        let is_table = is_asked || (names.len() > 2 && names.len() == row.len() && names.iter().all(is_name));
        match read[..] {
            [_] if names.len() > MAX_COLUMNS => Err(too_many_columns()),
            [column] if row.len() == names.len() => {
                let of_games = self.is_game(game, &row[column]);
                Ok(Some(DetectedFormat::Csv { delimiter, names: columns::deduplicate_names(names), column, of_games }))
            }
            [_, _, ..] => Err(self.no_column(&names)),
            _ if is_table => Err(self.no_column(&names)),
            _ => Ok(None),
        }
    }

    /// Returns the line after the header of a table.
    fn first_row(&self, stream: &mut Stream) -> io::Result<Option<String>> {
        let two = stream.head(MAX_HEAD_BYTES, |bytes, line| {
            self.has_content(bytes, line) && self.lines(&bytes[..line]).next().is_some()
        })?;
        Ok(self.lines(&two).nth(1))
    }

    /// Returns whether a cell holds a game.
    fn is_game(&self, game: &dyn AnyGame, cell: &str) -> bool {
        let format = self.format_of(game, cell.trim());
        format.of_games && (format.parse)(cell.trim()).is_ok()
    }

    /// Uses the keys of the first object that has one with positions or games. Lines before it are bad records.
    fn json_lines(&self, game: &dyn AnyGame, first: &str, stream: &mut Stream) -> io::Result<DetectedFormat> {
        let of = |line: &str| {
            let mut names = json_names(line);
            let column = record_column(names.iter().map(String::as_str), self.column.as_deref())?;
            let column = names.remove(column);
            names.retain(|name| *name != column);
            // The values of the others go to the column for further keys.
            names.truncate(MAX_COLUMNS / 2);
            let is_game = || json_cell(line, &column).is_some_and(|cell| self.is_game(game, &cell));
            let of_games = if columns::is_record_column(&column) { columns::is_of_games(&column) } else { is_game() };
            Some(DetectedFormat::JsonLines { names, column, of_games })
        };
        if let Some(found) = of(first) {
            return Ok(found);
        }
        let has_record_column = |line: &[u8]| of(&String::from_utf8_lossy(line)).is_some();
        let head =
            stream.head(MAX_RECORD_BYTES, |head, line| head.ends_with(b"\n") && has_record_column(&head[line..]))?;
        self.lines(&head).find_map(|line| of(&line)).ok_or_else(|| self.no_json_column(first, &head))
    }

    /// Returns the error of a file without an object that has a position or game.
    fn no_json_column(&self, first: &str, head: &[u8]) -> io::Error {
        let members = match json::members(first) {
            Ok(members) => members,
            Err(error) => {
                let ((line, column), problem) = json::located_error(first, &error);
                let before = head.split(|&byte| byte == b'\n').take_while(|line| is_skipped(line, None)).count() as u64;
                let problem = RecordProblem::Json(problem);
                return invalid(format!("line {}, column {column}: {problem}", before + line + 1));
            }
        };
        let holds_objects = |(_, value): &&(String, &RawValue)| {
            value.get().strip_prefix('[').is_some_and(|list| list.trim_start().starts_with('{'))
        };
        match members.iter().find(holds_objects) {
            Some((name, _)) if self.column.is_none() => invalid(format!(
                "the key `{name}` holds a list of objects: write only this list, `[{{...}}, {{...}}]`, without the object around it"
            )),
            _ => self.no_column(&json_names(first)),
        }
    }

    fn format_of(&self, game: &dyn AnyGame, text: &str) -> &'static LineFormat {
        self.format.unwrap_or_else(|| game.format_of(text))
    }

    /// Returns the fields of a header, split by the delimiter that gives the most.
    fn head(&self, line: &str) -> Vec<String> {
        let heads = DELIMITERS.into_iter().filter_map(|delimiter| columns::fields(line, delimiter));
        heads.max_by_key(Vec::len).unwrap_or_default()
    }

    /// Returns whether the beginning of a text ends with a complete line that is not blank or a comment, or contains a line that is too
    /// long.
    fn has_content(&self, head: &[u8], line: usize) -> bool {
        work::note(head.len() - line);
        let line = if line == 0 { head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head) } else { &head[line..] };
        let start = line.trim_ascii_start();
        let is_comment = start.first().is_none_or(|byte| b"%#;".contains(byte)) || start.starts_with(b"//");
        (head.ends_with(b"\n") && !is_skipped(line, self.column.as_deref()))
            || (line.len() > MAX_RECORD_BYTES && !is_comment)
    }

    /// Returns the lines that are not blank or comments.
    fn lines(&self, head: &[u8]) -> impl Iterator<Item = String> {
        work::note(head.len());
        let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let line_end = if has_bare_returns(text) { b'\r' } else { b'\n' };
        let lines = text.split(move |&byte| byte == line_end);
        let lines = lines.filter(|line| !is_skipped(line, self.column.as_deref()));
        lines.map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned())
    }

    fn not_text(&self, game: &dyn AnyGame, about: &str) -> io::Error {
        let expected = self.format.map_or(String::new(), |format| format!("expected `{}`, found ", format.name));
        let names: Vec<_> = game.formats().iter().map(|format| format.name).collect();
        let records: Vec<_> = game.record_formats().iter().map(|format| format.name).collect();
        let formats = [names, records, vec!["csv", "jsonl"]].concat().join(", ");
        invalid(format!("{expected}{about}; the formats of {} are {formats}", game.name()))
    }

    fn no_column(&self, found: &[String]) -> io::Error {
        let found = match found {
            [] => "none".to_owned(),
            found if found.len() > MAX_LISTED => {
                format!("{} and {} more", found[..MAX_LISTED].join(", "), found.len() - MAX_LISTED)
            }
            found => found.join(", "),
        };
        invalid(match &self.column {
            Some(name) => format!("no column `{name}`; the columns are: {found}"),
            None => format!(
                "no column is named {}; name the one with positions or games by --column; the columns are: {found}",
                columns::RECORD_COLUMNS.join(", ")
            ),
        })
    }
}

/// Returns the error of a header with more than [`MAX_COLUMNS`].
pub(super) fn too_many_columns() -> io::Error {
    invalid(format!("more than {MAX_COLUMNS} columns: remove those that are not needed"))
}

fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Returns whether a line before the content of a file is blank or a comment. `column` is the requested column.
pub(super) fn is_skipped(line: &[u8], column: Option<&str>) -> bool {
    matches!(read_line(line).1, Ok(None)) && !columns::is_header_without_first_name(line, column)
}

impl DetectedFormat {
    /// Returns whether the input seems to hold games.
    pub(super) fn holds_games(&self) -> bool {
        match self {
            Self::Lines { of_games, .. } | Self::Csv { of_games, .. } | Self::JsonLines { of_games, .. } => *of_games,
            Self::Records(_) => true,
        }
    }

    /// Returns whether the input seems to hold games with players, a date or other metadata.
    pub(super) fn holds_tagged_games(&self, game: &dyn AnyGame) -> bool {
        match self {
            Self::Lines { has_tags, .. } => *has_tags,
            Self::Csv { of_games, names, .. } | Self::JsonLines { of_games, names, .. } => {
                *of_games && names.iter().any(|name| is_game_column(game, name))
            }
            Self::Records(_) => true,
        }
    }
}

/// Returns the text or the list of moves of a key in a JSON object.
fn json_cell(line: &str, key: &str) -> Option<String> {
    let (_, value) = json::members(line).ok()?.into_iter().find(|(name, _)| name == key)?;
    match json::value(value) {
        Value::Text(text) => Some(text),
        Value::Json(list) => json::texts(&list).map(|texts| texts.join()),
        _ => None,
    }
}

/// Returns the keys of a JSON object.
fn json_names(line: &str) -> Vec<String> {
    let mut known = HashSet::new();
    let names = json::members(line).unwrap_or_default().into_iter().map(|(name, _)| name);
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Lists the formats of a game.
fn known(game: &dyn AnyGame) -> String {
    let lines = game.formats().iter().map(|format| {
        let others: String = format.aliases.iter().map(|name| format!(" or {name}")).collect();
        format!("\n  {}{others}: {}", format.name, format.about)
    });
    let records = game.record_formats().iter().map(|format| format!("\n  {}: {}", format.name, format.about));
    let columns = [
        "\n  csv: comma-separated values with a header; one column holds positions or games".to_owned(),
        "\n  jsonl: one JSON object per line; one key holds positions or games".to_owned(),
    ];
    lines.chain(records).chain(columns).collect()
}
