//! [`Reader`]: the records of some inputs, one after the other.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

use super::columns::{self, Columns, MORE};
use super::form::{Form, Found, format_of};
use super::lines::{Lines, MAX_RECORD_BYTES, column_of, excerpt, read_line, without_comment};
use super::record::{Problem, Record, RecordError};
use super::source::{Input, ReadError, Stream};
use super::tags;
use crate::game::{Held, LineFormat, Playable, RecordFormat, Records};
use crate::output::Value;

/// Reads the records of some inputs; after an input that cannot be read it ends.
pub struct Reader<P: Playable> {
    sources: VecDeque<Source<P>>,
    current: Option<Current<P>>,
    columns: Columns,
    format: Option<&'static LineFormat<P>>,
    /// The bytes of the inputs that were read to their ends.
    bytes_before: u64,
}

/// An input, what it is, and its bytes if it cannot be opened again.
struct Source<P: Playable> {
    input: Input,
    found: Found<P>,
    opened: Option<Stream>,
}

/// The input that is being read.
struct Current<P: Playable> {
    file: Arc<str>,
    nothing_beside: Arc<[Value]>,
    /// The names of the columns.
    names: Vec<String>,
    format: Option<&'static LineFormat<P>>,
    content: Content<P>,
}

enum Content<P: Playable> {
    Lines(Lines),
    Csv { lines: Lines, delimiter: u8, holding: usize, name: String, places: Vec<Option<usize>> },
    JsonLines { lines: Lines, holding: String, places: Vec<(String, usize)>, more: usize },
    Records { stream: Stream, format: &'static RecordFormat<P>, records: Records<P>, read: u64, ended: bool },
}

impl<P: Playable> Reader<P> {
    /// Looks at how each input begins. Regular files are opened again when their turn comes.
    ///
    /// # Errors
    /// [`ReadError`] for the first input that cannot be read, or is not what it is said to be.
    pub fn open(inputs: Vec<Input>, form: &Form<P>) -> Result<Self, ReadError> {
        let mut columns = Columns::default();
        let mut sources = VecDeque::new();
        for input in inputs {
            let mut stream = input.open()?;
            let found = form.find(&mut stream).map_err(|source| ReadError { file: input.name(), source })?;
            match &found {
                Found::Csv { names, holding, .. } => {
                    let beside = names.iter().enumerate().filter(|(at, _)| at != holding);
                    for (_, name) in beside {
                        columns.place(name);
                    }
                }
                Found::JsonLines { names, .. } => {
                    for name in names.iter().map(String::as_str).chain([MORE]) {
                        columns.place(name);
                    }
                }
                Found::Lines { .. } | Found::Records(_) => {}
            }
            let opened = (!input.is_lasting()).then_some(stream);
            sources.push_back(Source { input, found, opened });
        }
        Ok(Self { sources, current: None, columns, format: form.format, bytes_before: 0 })
    }

    /// Returns the columns of all inputs that stand beside what is read.
    #[must_use]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns whether one of the inputs seems to hold games, by how it begins.
    #[must_use]
    pub fn is_of_games(&self) -> bool {
        self.sources.iter().any(|source| source.found.is_of_games())
    }

    fn start(&mut self, source: Source<P>) -> Result<Current<P>, ReadError> {
        let Source { input, found, opened } = source;
        let failed = |source| ReadError { file: input.name(), source };
        let mut stream = opened.map_or_else(|| input.open(), Ok)?;
        let content = match found {
            Found::Lines { .. } => Content::Lines(Lines::new(stream)),
            Found::Csv { delimiter, names, holding } => {
                let mut lines = Lines::new(stream);
                // The head, which is the first line that is not blank.
                while lines.next().map_err(failed)?.is_some_and(|line| line.trim_ascii().is_empty()) {}
                let name = names[holding].clone();
                let place = |(at, name): (usize, &String)| (at != holding).then(|| self.columns.place(name));
                let places = names.iter().enumerate().map(place).collect();
                Content::Csv { lines, delimiter, holding, name, places }
            }
            Found::JsonLines { names, holding } => {
                let places = names.into_iter().map(|name| (name.clone(), self.columns.place(&name))).collect();
                Content::JsonLines { lines: Lines::new(stream), holding, places, more: self.columns.place(MORE) }
            }
            Found::Records(format) => {
                let mut head = vec![0; format.head_bytes];
                stream.bytes.read_exact(&mut head).map_err(failed)?;
                let records = (format.open)(&head, input.path()).map_err(|error| failed(io::Error::other(error)))?;
                Content::Records { stream, format, records, read: 0, ended: false }
            }
        };
        let (file, nothing_beside) = (input.name().into(), self.columns.nothing());
        Ok(Current { file, nothing_beside, names: self.columns.names().to_vec(), format: self.format, content })
    }

    fn try_next(&mut self) -> Result<Option<Record<P>>, ReadError> {
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

impl<P: Playable> Iterator for Reader<P> {
    type Item = Result<Record<P>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.try_next();
        if result.is_err() {
            self.sources.clear();
            self.current = None;
        }
        result.transpose()
    }
}

impl<P: Playable> Current<P> {
    fn bytes_read(&self) -> u64 {
        match &self.content {
            Content::Lines(lines) | Content::Csv { lines, .. } | Content::JsonLines { lines, .. } => lines.bytes_read(),
            Content::Records { stream, format, read, .. } => {
                stream.bytes_read(format.head_bytes as u64 + read * format.record_bytes as u64)
            }
        }
    }

    fn next(&mut self) -> io::Result<Option<Record<P>>> {
        match &self.content {
            Content::Lines(_) => self.next_of_lines(),
            Content::Csv { .. } => self.next_of_csv(),
            Content::JsonLines { .. } => self.next_of_json(),
            Content::Records { .. } => self.next_of_records(),
        }
    }

    fn record(
        &self,
        line: u64,
        raw: String,
        beside: Option<Arc<[Value]>>,
        held: Result<Held<P>, RecordError>,
    ) -> Record<P> {
        let beside = beside.unwrap_or_else(|| Arc::clone(&self.nothing_beside));
        Record { file: Arc::clone(&self.file), line, bytes_read: self.bytes_read(), raw, beside, held }
    }

    fn next_of_lines(&mut self) -> io::Result<Option<Record<P>>> {
        let Content::Lines(lines) = &mut self.content else { return Ok(None) };
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
            let format = format_of(self.format, &content.text);
            let mut text = content.text;
            if let Some(continues) = format.continues {
                let mut more = String::new();
                // Where it is whole, nothing is waited for; else the next line says whether it goes on.
                while continues(&text, "")
                    && let Some(next) = lines.peek()?
                {
                    let next = String::from_utf8_lossy(without_comment(next)).into_owned();
                    if !continues(&text, next.trim()) || text.len() + next.len() > MAX_RECORD_BYTES {
                        break;
                    }
                    lines.next()?;
                    text = text + "\n" + &next;
                    more = more + "\n" + &next;
                }
                raw += &more;
            }
            let held = parse(format, &text, content.indent, line);
            return Ok(Some(self.record(line, raw, None, held)));
        }
        Ok(None)
    }

    fn next_of_csv(&mut self) -> io::Result<Option<Record<P>>> {
        let Content::Csv { lines, delimiter, holding, name, places } = &mut self.content else { return Ok(None) };
        let Some((line, text)) = next_text(lines, |text| columns::is_open(text, *delimiter))? else { return Ok(None) };
        let text = match text {
            Ok(text) => text,
            Err((raw, error)) => return Ok(Some(self.record(line, raw, None, Err(error)))),
        };
        let fields = columns::fields(&text, *delimiter);
        let fail = |problem| Err(RecordError { line, column: 1, problem });
        let mut beside = self.nothing_beside.to_vec();
        for (place, field) in places.iter().zip(&fields) {
            if let (Some(place), false) = (place, field.is_empty()) {
                beside[*place] = Value::Text(field.clone());
            }
        }
        let cell = fields.get(*holding).map(String::as_str).unwrap_or_default();
        let held = if fields.len() > places.len() {
            fail(Problem::TooManyFields { expected: places.len(), found: fields.len() })
        } else if cell.trim().is_empty() {
            fail(Problem::MissingColumn(name.clone()))
        } else {
            parse_cell(self.format, cell, line)
        };
        let held = with_tags(held, &self.names, &beside);
        let raw = if held.is_err() && cell.is_empty() { text } else { cell.to_owned() };
        Ok(Some(self.record(line, raw, Some(beside.into()), held)))
    }

    fn next_of_json(&mut self) -> io::Result<Option<Record<P>>> {
        let Content::JsonLines { lines, holding, places, more } = &mut self.content else { return Ok(None) };
        let Some((line, text)) = next_text(lines, |_| false)? else { return Ok(None) };
        let text = match text {
            Ok(text) => text,
            Err((raw, error)) => return Ok(Some(self.record(line, raw, None, Err(error)))),
        };
        let object: serde_json::Map<String, serde_json::Value> = match serde_json::from_str(&text) {
            Ok(object) => object,
            Err(error) => {
                let error =
                    RecordError { line, column: error.column().max(1), problem: Problem::Json(error.to_string()) };
                return Ok(Some(self.record(line, text, None, Err(error))));
            }
        };
        let mut beside = self.nothing_beside.to_vec();
        let mut others = serde_json::Map::new();
        let mut cell = None;
        for (name, value) in object {
            if name == *holding {
                cell = value.as_str().map(str::to_owned);
            } else if let Some((_, place)) = places.iter().find(|(known, _)| *known == name) {
                beside[*place] = value_of(value);
            } else {
                others.insert(name, value);
            }
        }
        if !others.is_empty() {
            beside[*more] = Value::Text(serde_json::Value::Object(others).to_string());
        }
        let held = match cell.as_deref().filter(|cell| !cell.trim().is_empty()) {
            Some(cell) => parse_cell(self.format, cell, line),
            None => Err(RecordError { line, column: 1, problem: Problem::MissingColumn(holding.clone()) }),
        };
        let held = with_tags(held, &self.names, &beside);
        Ok(Some(self.record(line, cell.unwrap_or(text), Some(beside.into()), held)))
    }

    fn next_of_records(&mut self) -> io::Result<Option<Record<P>>> {
        let Content::Records { stream, format, records, read, ended } = &mut self.content else { return Ok(None) };
        if *ended {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        stream.bytes.by_ref().take(format.record_bytes as u64).read_to_end(&mut bytes)?;
        let number = *read + 1;
        let fail = |column, problem| Err(RecordError { line: number, column, problem });
        let is_whole = bytes.len() == format.record_bytes;
        let held = if *read == records.count {
            *ended = true;
            if bytes.is_empty() {
                return Ok(None);
            }
            fail(1, Problem::TrailingBytes(records.count))
        } else if is_whole {
            *read += 1;
            match (records.read)(&bytes) {
                Ok(game) => Ok(game.into()),
                Err(error) => fail(error.column(), Problem::Held(error)),
            }
        } else {
            *ended = true;
            fail(bytes.len() + 1, Problem::MissingRecords { expected: records.count, found: *read })
        };
        let raw = if held.is_ok() { String::new() } else { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
        Ok(Some(self.record(number, raw, None, held)))
    }
}

/// A line with its number, or how it begins and what is wrong with it.
type Text = (u64, Result<String, (String, RecordError)>);

/// Takes the next line that is not blank, and those in which it goes on.
fn next_text(lines: &mut Lines, goes_on: impl Fn(&str) -> bool) -> io::Result<Option<Text>> {
    while let Some(bytes) = lines.next()? {
        let line = lines.number;
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let fail = |raw, column, problem| Ok(Some((line, Err((raw, RecordError { line, column, problem })))));
        if bytes.len() > MAX_RECORD_BYTES {
            return fail(excerpt(&bytes), 1, Problem::TooLong);
        }
        let mut text = match std::str::from_utf8(&bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                return fail(String::from_utf8_lossy(&bytes).into_owned(), column_of(&bytes, error), Problem::NotUtf8);
            }
        };
        while goes_on(&text) {
            let Some(next) = lines.next()? else { break };
            if text.len() + next.len() > MAX_RECORD_BYTES {
                return fail(excerpt(text.as_bytes()), 1, Problem::TooLong);
            }
            text = text + "\n" + &String::from_utf8_lossy(&next);
        }
        return Ok(Some((line, Ok(text))));
    }
    Ok(None)
}

/// Adds to a game what the columns beside it tell.
fn with_tags<P: Playable>(
    mut held: Result<Held<P>, RecordError>,
    names: &[String],
    beside: &[Value],
) -> Result<Held<P>, RecordError> {
    if let Ok(Held::Games(games)) = &mut held
        && let [game] = games.as_mut_slice()
    {
        let place = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        tags::add(game, |name| beside.get(place(name)?).filter(|value| **value != Value::Null).map(Value::to_string));
    }
    held
}

/// Reads what stands in a column.
fn parse_cell<P: Playable>(
    asked: Option<&'static LineFormat<P>>,
    cell: &str,
    line: u64,
) -> Result<Held<P>, RecordError> {
    let indent = cell.chars().take_while(|c| c.is_whitespace()).count();
    parse(format_of(asked, cell.trim()), cell.trim(), indent, line)
}

/// Reads a text that begins in `line` after `indent` characters.
fn parse<P: Playable>(format: &LineFormat<P>, text: &str, indent: usize, line: u64) -> Result<Held<P>, RecordError> {
    (format.parse)(text).map_err(|error| {
        // Formats of several lines tell the line, or count the breaks as characters.
        let before: String = text.chars().take(error.column() - 1).collect();
        let (line, column) = match before.rsplit_once('\n') {
            _ if error.line() > 1 => (line + error.line() as u64 - 1, error.column()),
            None => (line, indent + error.column()),
            Some((lines, last)) => (line + lines.matches('\n').count() as u64 + 1, last.chars().count() + 1),
        };
        RecordError { line, column, problem: Problem::Held(error) }
    })
}

/// Returns what a JSON value is as the value of a field; arrays and objects stay JSON.
fn value_of(value: serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Number(number) => match (number.as_i128(), number.as_f64()) {
            (Some(integer), _) => Value::Integer(integer),
            (None, Some(float)) => Value::Float(float),
            (None, None) => Value::Text(number.to_string()),
        },
        other => Value::Text(other.to_string()),
    }
}
