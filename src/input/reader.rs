//! [`Reader`]: reads the records of some inputs, one after the other.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::columns::{self, Columns, CsvRowParser, MAX_COLUMNS, REMAINDER_COLUMN};
use super::csv_rows::{LookaheadBudget, next_row};
use super::detect::{DetectedFormat, InputFormat, is_skipped, too_many_columns};
use super::game_columns;
use super::line_reader::{LineReader, excerpt, read_line, without_comment_within};
use super::record::{MAX_RECORD_BYTES, Record, RecordError, RecordProblem};
use super::source::{Input, ReadError, Stream};
use super::text_formats::{TextFormats, located_in};
use super::{json, json_records};
use crate::game::{AnyGame, ParsedRecord, RecordFormat, Records};
use crate::output::Value;

/// Reads the records of some inputs. It ends after an input that cannot be read.
pub struct Reader {
    sources: VecDeque<PendingInput>,
    current: Option<OpenInput>,
    columns: Columns,
    /// The name of the column for keys of JSON objects that the first object of their file does not have.
    more: String,
    formats: TextFormats,
    /// The bytes of all completed inputs.
    bytes_before: u64,
}

/// An input with its format, and its stream if it cannot be opened again.
struct PendingInput {
    input: Input,
    format: DetectedFormat,
    opened: Option<Stream>,
}

/// The current input.
struct OpenInput {
    file: Arc<str>,
    null_extra: Arc<[Value]>,
    /// The names of the other columns.
    names: Vec<String>,
    formats: TextFormats,
    content: RecordStream,
    /// The remaining records of a line of several games with an invalid one.
    pending: VecDeque<Record>,
}

enum RecordStream {
    Lines(LineReader),
    Csv {
        lines: LineReader,
        delimiter: u8,
        row: Box<CsvRowParser>,
        column: usize,
        name: String,
        places: Vec<Option<usize>>,
        lookahead: LookaheadBudget,
    },
    JsonLines {
        lines: LineReader,
        column: String,
        places: HashMap<String, usize>,
        more: usize,
    },
    Records {
        stream: Stream,
        format: &'static RecordFormat,
        records: Records,
        read: u64,
        ended: bool,
    },
}

impl Reader {
    /// Opens the inputs and detects their formats. Regular files are closed, and opened again when their turn comes.
    ///
    /// # Errors
    /// [`ReadError`] for the first input that cannot be read, or is not in the given format.
    pub fn open(game: &'static dyn AnyGame, inputs: Vec<Input>, format: &InputFormat) -> Result<Self, ReadError> {
        let mut columns = Columns::default();
        let mut sources = VecDeque::new();
        for input in inputs {
            let mut stream = json_records::open(&input)?;
            let detected =
                format.detect(game, &mut stream).map_err(|source| ReadError { file: input.name(), source })?;
            match &detected {
                DetectedFormat::Csv { names, column, .. } => {
                    let extra = names.iter().enumerate().filter(|(at, _)| at != column);
                    for (_, name) in extra {
                        columns.place(name);
                    }
                }
                DetectedFormat::JsonLines { names, .. } => {
                    for name in names {
                        columns.place(name);
                    }
                }
                DetectedFormat::Lines { .. } | DetectedFormat::Records(_) => {}
            }
            if columns.names().len() > MAX_COLUMNS {
                return Err(ReadError { file: input.name(), source: too_many_columns() });
            }
            let opened = (!input.is_regular_file()).then_some(stream);
            sources.push_back(PendingInput { input, format: detected, opened });
        }
        // The name must differ from the keys in all inputs.
        let mut names = columns.names().to_vec();
        names.push(REMAINDER_COLUMN.to_owned());
        let more = columns::deduplicate_names(names).pop().unwrap_or_default();
        if sources.iter().any(|source: &PendingInput| matches!(source.format, DetectedFormat::JsonLines { .. })) {
            columns.place(&more);
        }
        Ok(Self {
            sources,
            current: None,
            columns,
            more,
            formats: TextFormats { game, requested: format.format },
            bytes_before: 0,
        })
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.formats.game
    }

    /// Returns the other columns of all inputs.
    #[must_use]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the index of the column for the keys of JSON objects that the first object of their file does not have, if there may be any.
    #[must_use]
    pub fn remainder_column(&self) -> Option<usize> {
        self.columns.names().iter().position(|name| *name == self.more)
    }

    /// Splits the reader, before its first record, into one for each input, in order and with the same columns.
    #[must_use]
    pub fn split(self) -> Vec<Self> {
        let Self { sources, columns, more, formats, .. } = self;
        let only = |source| Self {
            sources: VecDeque::from([source]),
            current: None,
            columns: columns.clone(),
            more: more.clone(),
            formats,
            bytes_before: 0,
        };
        sources.into_iter().map(only).collect()
    }

    /// Returns the first input in a binary format whose companion files cannot be found, because the input has no path.
    #[must_use]
    pub fn without_companions(&self) -> Option<(String, &'static RecordFormat)> {
        self.sources.iter().find_map(|source| match source.format {
            DetectedFormat::Records(format) if source.input.path().is_none() && !format.companions.is_empty() => {
                Some((source.input.name(), format))
            }
            _ => None,
        })
    }

    /// Returns whether one of the inputs seems to hold games, according to its beginning.
    #[must_use]
    pub fn is_of_games(&self) -> bool {
        self.sources.iter().any(|source| source.format.holds_games())
    }

    /// Returns whether one of the inputs seems to hold games with players, a date or other metadata, according to its beginning.
    #[must_use]
    pub fn is_of_tagged_games(&self) -> bool {
        self.sources.iter().any(|source| source.format.holds_tagged_games(self.formats.game))
    }

    fn start(&mut self, source: PendingInput) -> Result<OpenInput, ReadError> {
        let PendingInput { input, format, opened } = source;
        let failed = |source| ReadError { file: input.name(), source };
        let mut stream = opened.map_or_else(|| json_records::open(&input), Ok)?;
        let content = match format {
            DetectedFormat::Lines { .. } => RecordStream::Lines(LineReader::new(stream)),
            DetectedFormat::Csv { delimiter, names, column, .. } => {
                let mut lines = after_comments(stream, Some(&names[column])).map_err(failed)?;
                // The header.
                lines.next().map_err(failed)?;
                let name = names[column].clone();
                let place = |(at, name): (usize, &String)| (at != column).then(|| self.columns.place(name));
                let places = names.iter().enumerate().map(place).collect();
                let (row, lookahead) = (Box::new(CsvRowParser::new(delimiter)), LookaheadBudget::default());
                RecordStream::Csv { lines, delimiter, row, column, name, places, lookahead }
            }
            DetectedFormat::JsonLines { names, column, .. } => {
                let places = names.into_iter().map(|name| (name.clone(), self.columns.place(&name))).collect();
                let lines = after_comments(stream, None).map_err(failed)?;
                RecordStream::JsonLines { lines, column, places, more: self.columns.place(&self.more) }
            }
            DetectedFormat::Records(format) => {
                let mut head = Vec::new();
                stream.bytes.by_ref().take(format.head_bytes as u64).read_to_end(&mut head).map_err(failed)?;
                if head.len() < format.head_bytes {
                    return Err(failed(too_short(format, head.len())));
                }
                let records = (format.open)(&head, input.path()).map_err(|error| failed(io::Error::other(error)))?;
                RecordStream::Records { stream, format, records, read: 0, ended: false }
            }
        };
        let (file, null_extra) = (input.name().into(), self.columns.nulls());
        let names = self.columns.names().to_vec();
        Ok(OpenInput { file, null_extra, names, formats: self.formats, content, pending: VecDeque::new() })
    }

    fn try_next(&mut self) -> Result<Option<Record>, ReadError> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(source) = self.sources.pop_front() else { return Ok(None) };
                self.current = Some(self.start(source)?);
                continue;
            };
            match current.next() {
                Ok(Some(mut record)) => {
                    record.bytes_read += self.bytes_before;
                    return Ok(Some(record));
                }
                Ok(None) => {
                    self.bytes_before += current.bytes_read();
                    self.current = None;
                }
                Err(source) => return Err(ReadError { file: current.file.to_string(), source }),
            }
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.try_next();
        if result.is_err() {
            self.sources.clear();
            self.current = None;
        }
        result.transpose()
    }
}

impl OpenInput {
    fn bytes_read(&self) -> u64 {
        match &self.content {
            RecordStream::Lines(lines) | RecordStream::Csv { lines, .. } | RecordStream::JsonLines { lines, .. } => {
                lines.bytes_read()
            }
            RecordStream::Records { stream, format, read, .. } => {
                stream.bytes_read(format.head_bytes as u64 + read * format.record_bytes as u64)
            }
        }
    }

    fn next(&mut self) -> io::Result<Option<Record>> {
        if let Some(record) = self.pending.pop_front() {
            return Ok(Some(record));
        }
        match &self.content {
            RecordStream::Lines(_) => self.next_of_lines(),
            RecordStream::Csv { .. } => self.next_of_csv(),
            RecordStream::JsonLines { .. } => self.next_of_json(),
            RecordStream::Records { .. } => self.next_of_records(),
        }
    }

    fn record(
        &self,
        line: u64,
        raw: String,
        extra: Option<Arc<[Value]>>,
        content: Result<ParsedRecord, RecordError>,
    ) -> Record {
        let extra = extra.unwrap_or_else(|| Arc::clone(&self.null_extra));
        Record { file: Arc::clone(&self.file), line, bytes_read: self.bytes_read(), raw, extra, content }
    }

    fn next_of_lines(&mut self) -> io::Result<Option<Record>> {
        let RecordStream::Lines(lines) = &mut self.content else { return Ok(None) };
        while let Some(bytes) = lines.next()? {
            let line = lines.number;
            let (mut raw, content) = read_line(&bytes);
            let content = match content {
                Ok(None) => continue,
                Ok(Some(content)) => content,
                Err((column, problem)) => {
                    return Ok(Some(self.record(line, raw, None, Err(RecordError { line, column, problem }))));
                }
            };
            if let Some(texts) = json::texts(&content.text) {
                if texts.is_empty() {
                    continue;
                }
                let parsed = self.formats.parse_array(&texts, &content, line);
                return Ok(Some(self.record(line, raw.replace('\r', "\n"), None, parsed)));
            }
            let mut text = content.text;
            let format = self.formats.of(&text);
            if let Some(begin) = format.scanner {
                let mut scanner = begin();
                scanner.add(&text);
                let (mut open, mut is_too_long) = (None, false);
                without_comment_within(&bytes, &mut open);
                // A complete game is returned at once. Otherwise the next line shows whether the game continues.
                while scanner.may_continue()
                    && let Some(next) = lines.peek(0)?
                {
                    let mut open_after = open.filter(|_| !next.trim_ascii_start().starts_with(b"["));
                    let next = String::from_utf8_lossy(without_comment_within(next, &mut open_after)).into_owned();
                    if !scanner.accepts(next.trim()) {
                        break;
                    }
                    lines.next()?;
                    scanner.add(&next);
                    open = open_after;
                    // The rest of a game that is too long is skipped.
                    is_too_long |= text.len() + next.len() > MAX_RECORD_BYTES;
                    if is_too_long {
                        continue;
                    }
                    text = text + "\n" + &next;
                    raw = raw + "\n" + &next;
                }
                if is_too_long {
                    let error = RecordError { line, column: 1, problem: RecordProblem::TooLong };
                    return Ok(Some(self.record(line, excerpt(text.as_bytes()), None, Err(error))));
                }
                text.truncate(text.trim_end().len());
            }
            let parsed = self.formats.parse(format, &text, content.indent, line);
            let starts = format.split.filter(|_| parsed.is_err()).map_or(Vec::new(), |split| split(&text));
            if starts.len() < 2 {
                return Ok(Some(self.record(line, raw, None, parsed)));
            }
            // An invalid game must not invalidate the others.
            let ends = starts.iter().skip(1).copied().chain([text.len()]);
            // The characters before a game in its line, and the line breaks before it.
            let (mut before, mut breaks, mut passed) = (0, 0, 0);
            for (start, end) in starts.iter().copied().zip(ends) {
                for c in text[passed..start].chars() {
                    (before, breaks) = if c == '\n' { (0, breaks + 1) } else { (before + 1, breaks) };
                }
                passed = start;
                let indent = if breaks == 0 { content.indent + before } else { before };
                let parsed = self.formats.parse(format, &text[start..end], indent, line + breaks);
                self.pending.push_back(self.record(line, text[start..end].to_owned(), None, parsed));
            }
            return Ok(self.pending.pop_front());
        }
        Ok(None)
    }

    fn next_of_csv(&mut self) -> io::Result<Option<Record>> {
        let RecordStream::Csv { lines, delimiter, row, column, name, places, lookahead } = &mut self.content else {
            return Ok(None);
        };
        let Some((line, row)) = next_row(lines, row, lookahead)? else { return Ok(None) };
        let (text, fields) = match row {
            Ok(row) => row,
            Err((raw, error)) => return Ok(Some(self.record(line, raw, None, Err(error)))),
        };
        let fail = |problem| Err(RecordError { line, column: 1, problem });
        let mut extra = self.null_extra.to_vec();
        for (place, field) in places.iter().zip(&fields) {
            if let (Some(place), false) = (place, field.is_empty()) {
                extra[*place] = Value::Text(field.clone());
            }
        }
        let cell = fields.get(*column).map(String::as_str).unwrap_or_default();
        let is_game = *column < fields.len() && columns::is_of_games(name);
        let place_of = |name: &str| {
            let is_column = |place: &Option<usize>| place.is_some_and(|at| self.names[at].eq_ignore_ascii_case(name));
            places.iter().position(is_column)
        };
        let locate = |name: &str| {
            let at = place_of(name).unwrap_or(0);
            let field = fields.get(at).map(String::as_str).unwrap_or_default();
            (line, 1 + columns::indent_of(&text, *delimiter, at, field).unwrap_or(0))
        };
        let content = if fields.len() > places.len() {
            fail(RecordProblem::TooManyFields { expected: places.len(), found: fields.len() })
        } else if cell.trim().is_empty() && !is_game {
            fail(RecordProblem::MissingColumn(name.clone()))
        } else {
            let value = |name: &str| place_of(name).and_then(|at| fields.get(at)).cloned();
            self.formats.parse_column(name, cell, line, value, locate).map_err(|(error, is_in_cell)| {
                let indent = columns::indent_of(&text, *delimiter, *column, cell);
                let indent = indent.filter(|_| is_in_cell && error.line == line);
                RecordError { column: indent.unwrap_or(0) + error.column, ..error }
            })
        };
        let content = with_tags(content, &self.names, &extra, locate);
        let raw = if content.is_err() && cell.is_empty() { text } else { cell.to_owned() };
        Ok(Some(self.record(line, raw, Some(extra.into()), content)))
    }

    fn next_of_json(&mut self) -> io::Result<Option<Record>> {
        let RecordStream::JsonLines { lines, column, places, more } = &mut self.content else { return Ok(None) };
        let Some((line, text)) = lines.next_text()? else { return Ok(None) };
        let text = match text {
            Ok(text) => text,
            Err((raw, error)) => return Ok(Some(self.record(line, raw, None, Err(error)))),
        };
        let members = match json::members(&text) {
            Ok(members) => members,
            Err(error) => {
                let ((further, column), problem) = json::located_error(&text, &error);
                let error = RecordError { line: line + further, column, problem: RecordProblem::Json(problem) };
                return Ok(Some(self.record(line, text.replace('\r', "\n"), None, Err(error))));
            }
        };
        let mut extra = self.null_extra.to_vec();
        let mut others = Vec::new();
        let mut cell: Option<(String, &str)> = None;
        let locate = |wanted: &str| {
            let values = members.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            let start = values.map(|(_, value)| value.get().as_ptr() as usize - text.as_ptr() as usize).next();
            let (further, column) = json::place(&text, text[..start.unwrap_or(0)].chars().count());
            (line + further, column)
        };
        for &(ref name, value) in &members {
            let place = places.get(name).copied();
            let written = value.get();
            match (json::value(value), place) {
                (Value::Text(text), _) if *name == *column && cell.is_none() => cell = Some((text, written)),
                (Value::Json(list), _)
                    if *name == *column
                        && cell.is_none()
                        && let Some(moves) = json::texts(&list).map(|texts| texts.join()) =>
                {
                    cell = Some((moves, written));
                }
                (value, Some(place)) if extra[place] == Value::Null => extra[place] = value,
                _ => others.push((name.clone(), value)),
            }
        }
        if !others.is_empty() {
            extra[*more] = Value::Json(json::object(&others));
        }
        let is_game = columns::is_of_games(column);
        let content = match cell.as_ref().filter(|(cell, _)| is_game || !cell.trim().is_empty()) {
            Some((cell, written)) => {
                let parsed = self.formats.parse_column(column, cell, line, |name| text_of(&members, name), locate);
                parsed.map_err(
                    |(error, is_in_cell)| {
                        if is_in_cell { located_in(&text, written, error, line) } else { error }
                    },
                )
            }
            None => Err(RecordError { line, column: 1, problem: RecordProblem::MissingColumn(column.clone()) }),
        };
        let content = with_tags(content, &self.names, &extra, locate);
        let raw = cell.map(|(cell, _)| cell).unwrap_or_else(|| text.replace('\r', "\n"));
        Ok(Some(self.record(line, raw, Some(extra.into()), content)))
    }

    fn next_of_records(&mut self) -> io::Result<Option<Record>> {
        let RecordStream::Records { stream, format, records, read, ended } = &mut self.content else { return Ok(None) };
        if *ended {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        stream.bytes.by_ref().take(format.record_bytes as u64).read_to_end(&mut bytes)?;
        let number = *read + 1;
        let fail = |column, problem| Err(RecordError { line: number, column, problem });
        let is_whole = bytes.len() == format.record_bytes;
        let content = if *read == records.count {
            *ended = true;
            if bytes.is_empty() {
                return Ok(None);
            }
            fail(1, RecordProblem::TrailingBytes(records.count))
        } else if is_whole {
            *read += 1;
            match (records.read)(&bytes) {
                Ok(game) => Ok(game.into()),
                Err(error) => fail(error.column(), RecordProblem::Unreadable(error)),
            }
        } else {
            *ended = true;
            fail(bytes.len() + 1, RecordProblem::MissingRecords { expected: records.count, found: *read })
        };
        let raw =
            if content.is_ok() { String::new() } else { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
        Ok(Some(self.record(number, raw, None, content)))
    }
}

/// Returns the text of a member of an object.
fn text_of(members: &[(String, &RawValue)], wanted: &str) -> Option<String> {
    let value = members.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| json::value(value));
    value.and_then(|value| if let Value::Text(text) = value { Some(text) } else { None })
}

/// Returns the lines from the header on. Format detection skips the same comments. `column` is that of the positions or games.
fn after_comments(stream: Stream, column: Option<&str>) -> io::Result<LineReader> {
    let mut lines = LineReader::new(stream);
    while lines.peek(0)?.is_some_and(|line| is_skipped(line, column)) {
        lines.next()?;
    }
    Ok(lines)
}

fn too_short(format: &RecordFormat, found: usize) -> io::Error {
    let (name, head_bytes) = (format.name, format.head_bytes);
    let text = format!("incomplete {name} header: {found} of {head_bytes} bytes");
    io::Error::new(io::ErrorKind::UnexpectedEof, text)
}

/// Adds the metadata from the other columns to a game, or the scores to a position. `locate` returns the line and column of the value of a column.
fn with_tags(
    mut content: Result<ParsedRecord, RecordError>,
    names: &[String],
    extra: &[Value],
    locate: impl Fn(&str) -> (u64, usize),
) -> Result<ParsedRecord, RecordError> {
    let place = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let value = |name: &str| extra.get(place(name)?).filter(|value| **value != Value::Null).map(Value::to_string);
    match &mut content {
        Ok(ParsedRecord::Games(games)) if games.len() == 1 => {
            if let Err((name, error)) = game_columns::add(&mut games[0], value) {
                let (line, column) = locate(name);
                let problem = RecordProblem::ImpossibleResult { column: name, error };
                return Err(RecordError { line, column, problem });
            }
        }
        Ok(ParsedRecord::Position(entry)) => {
            game_columns::add_scores(entry, &value(game_columns::SCORES).unwrap_or_default())
        }
        _ => {}
    }
    content
}
