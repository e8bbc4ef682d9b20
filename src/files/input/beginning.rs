//! [`Beginning`]: the beginning of an input, used to detect its format.

use std::io;

use super::columns::{self, MAX_COLUMNS};
use super::game_columns::is_game_column;
use super::json_records::MAX_HEAD_BYTES;
use super::line_reader::{BYTE_ORDER_MARK, LineReader, has_bare_returns, read_line};
use super::record::MAX_RECORD_BYTES;
use super::record_stream::DetectedStream;
use super::source::Stream;
use super::text_formats::TextFormats;
use super::{binary, work};

/// The number of bytes passed to the detection of a [`RecordFormat`](morello_core::game::RecordFormat).
pub(super) const RECORD_HEAD: usize = 256;

/// The maximum number of columns listed in an error.
const MAX_LISTED: usize = 20;

/// A record format that is the same for all games, with its name on the command line.
pub(super) struct StreamFormat {
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Detects the format from the first line that is not blank or a comment. The last argument is
    /// true if the user requested this format.
    pub detect: fn(&mut Beginning<'_>, &str, bool) -> io::Result<Option<DetectedStream>>,
}

morello_core::debug_fields!(StreamFormat { name });

/// The beginning of an input, used to detect its format.
pub(super) struct Beginning<'a> {
    pub formats: TextFormats,
    /// The requested column.
    pub column: Option<&'a str>,
    pub stream: &'a mut Stream,
}

impl Beginning<'_> {
    /// Returns the bytes up to and including the first line that is not blank or a comment.
    pub fn head(&mut self) -> io::Result<Vec<u8>> {
        let column = self.column;
        self.stream.head(MAX_HEAD_BYTES, |head, line| match head.first() {
            None => false,
            Some(_) if binary::is_binary(&head[..1]) => head.len() >= RECORD_HEAD,
            Some(_) => has_content(head, line, column),
        })
    }

    /// Returns the line after the header of a table.
    pub fn second_line(&mut self) -> io::Result<Option<String>> {
        let column = self.column;
        let two = self.stream.head(MAX_HEAD_BYTES, |bytes, line| {
            has_content(bytes, line, column) && lines_of(&bytes[..line], column).next().is_some()
        })?;
        Ok(self.lines(&two).nth(1))
    }

    /// Returns the bytes up to the line for which `is_enough` returns true. `is_enough` gets the
    /// bytes and the start of the line.
    pub fn read_until(&mut self, is_enough: impl Fn(&[u8], usize) -> bool) -> io::Result<Vec<u8>> {
        self.stream.head(MAX_RECORD_BYTES, is_enough)
    }

    /// Returns the lines that are neither blank nor comments.
    pub fn lines<'h>(&self, head: &'h [u8]) -> impl Iterator<Item = String> + use<'h, '_> {
        lines_of(head, self.column)
    }

    /// Returns whether a cell contains a game.
    pub fn is_game(&self, cell: &str) -> bool {
        self.formats.of(cell.trim()).of_games && self.formats.can_parse(cell.trim())
    }

    /// Returns whether one of these columns contains game metadata.
    pub fn has_game_column(&self, names: &[String]) -> bool {
        names.iter().any(|name| is_game_column(self.formats.game, name))
    }

    /// Returns the error for a table without a column of positions or games.
    pub fn no_column(&self, found: &[String]) -> io::Error {
        let found = match found {
            [] => "none".to_owned(),
            found if found.len() > MAX_LISTED => {
                format!("{} and {} more", found[..MAX_LISTED].join(", "), found.len() - MAX_LISTED)
            }
            found => found.join(", "),
        };
        let left_out = self.stream.table.as_ref().map_or(&[][..], |table| &table.left_out);
        let unread = match left_out {
            [] => String::new(),
            names => format!("; not read, because they contain lists or other kinds of values: {}", names.join(", ")),
        };
        invalid(match self.column {
            Some(name) => format!("no column `{name}`; the columns are: {found}{unread}"),
            None => format!(
                "no column is named {}; name the one with positions or games (--column; column in Python); the columns \
                    are: {found}{unread}",
                columns::RECORD_COLUMNS.join(", ")
            ),
        })
    }
}

/// Returns whether the beginning of the text ends with a complete line that is neither blank nor a
/// comment, or contains a line that is too long. `column` is the requested column.
fn has_content(head: &[u8], line: usize, column: Option<&str>) -> bool {
    work::note(head.len() - line);
    let line = if line == 0 { head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head) } else { &head[line..] };
    let start = line.trim_ascii_start();
    let is_comment = start.first().is_none_or(|byte| b"%#;".contains(byte)) || start.starts_with(b"//");
    (head.ends_with(b"\n") && !is_skipped(line, column)) || (line.len() > MAX_RECORD_BYTES && !is_comment)
}

/// Returns the lines that are neither blank nor comments.
fn lines_of(head: &[u8], column: Option<&str>) -> impl Iterator<Item = String> {
    work::note(head.len());
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let line_end = if has_bare_returns(text) { b'\r' } else { b'\n' };
    let lines = text.split(move |&byte| byte == line_end).filter(move |line| !is_skipped(line, column));
    lines.map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned())
}

/// Returns the error for a header with more than [`MAX_COLUMNS`] columns.
pub(super) fn too_many_columns() -> io::Error {
    invalid(format!("more than {MAX_COLUMNS} columns; remove those that are not needed"))
}

/// Returns the error for an input with invalid contents.
pub(super) fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Returns whether a line before the contents of a file is blank or a comment. `column` is the
/// requested column.
pub(super) fn is_skipped(line: &[u8], column: Option<&str>) -> bool {
    matches!(read_line(line).1, Ok(None)) && !columns::is_header_without_first_name(line, column)
}

/// Returns the lines starting with the header. Format detection skips the same comments. `column`
/// is the column with the positions or games.
pub(super) fn after_comments(stream: Stream, column: Option<&str>) -> io::Result<LineReader> {
    let mut lines = LineReader::new(stream);
    while lines.peek(0)?.is_some_and(|line| is_skipped(line, column)) {
        lines.next()?;
    }
    Ok(lines)
}
