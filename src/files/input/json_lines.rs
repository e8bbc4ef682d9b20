//! JSON lines: objects with the position or game in one key.

use std::collections::{HashMap, HashSet};
use std::io;

use morello_core::game::label::color_word;
use morello_core::game::{Color, UnreadKind, UnreadText};
use morello_core::provenance::utc;
use serde_json::value::RawValue;

use super::beginning::{Beginning, StreamFormat, after_comments, invalid, is_skipped};
use super::column_record::{self, ColumnRecord};
use super::columns::{MAX_COLUMNS, is_of_games, is_record_column, record_column};
use super::json;
use super::line_reader::LineReader;
use super::located_text::{LocatedText, Place, advance};
use super::record::Record;
use super::record_stream::{DetectedStream, RecordStream, StreamContext};
use super::source::Stream;
use crate::output::Value;

pub(super) const JSON_LINES: StreamFormat =
    StreamFormat { name: "jsonl", about: "one JSON object per line; one key holds positions or games", detect };

/// The key of a list with one object per player.
const PLAYERS: &str = "players";

/// The keys of the name, the rating and the color in a player's object, and the keys of the date of
/// a game.
const NAME_KEYS: [&str; 2] = ["name", "id"];
const RATING_KEYS: [&str; 3] = ["rating", "oldR", "elo"];
const COLOR_KEYS: [&str; 3] = ["color", "colour", "side"];
const DATE_KEYS: [&str; 3] = ["created", "createdAt", "created_at"];

/// Detects an object, even an invalid one. A game after a comment in braces is not an object.
fn detect(beginning: &mut Beginning<'_>, line: &str, is_requested: bool) -> io::Result<Option<DetectedStream>> {
    let is_object = || json::members(line).is_ok() || !beginning.formats.can_parse(line);
    if !(is_requested || line.starts_with('{') && is_object()) {
        return Ok(None);
    }
    // The first object with a key for positions or games decides. Lines before it are invalid
    // records.
    let requested = beginning.column;
    let has_key = |line: &[u8]| record_key(requested, &names(&String::from_utf8_lossy(line))).is_some();
    let head = if has_key(line.as_bytes()) {
        Vec::new()
    } else {
        beginning.read_until(|head, line| head.ends_with(b"\n") && has_key(&head[line..]))?
    };
    let object = std::iter::once(line.to_owned()).chain(beginning.lines(&head));
    let found = object.into_iter().find_map(|object| Some((record_key(requested, &names(&object))?, object)));
    let Some((column, object)) = found else { return Err(no_key(beginning, line, &head)) };
    let columns = other_keys(beginning, &object, &column)?;
    let value = json::find(&object, &[&column]);
    // The moves are in an object.
    let of_games = if is_record_column(&column) {
        is_of_games(&column) || value.is_some_and(|value| value.get().starts_with('{'))
    } else {
        let cell = value.and_then(|value| json::located_cell(value.get(), (1, 1)));
        cell.is_some_and(|cell| beginning.is_game(&cell.text))
    };
    let has_tags = of_games && (beginning.has_game_column(&columns) || columns.iter().any(|name| name == PLAYERS));
    let names = columns.clone();
    let open = move |stream, context| JsonLines::open(stream, context, column.clone(), &names);
    let stream = DetectedStream::new(of_games, has_tags, open).with_columns(columns);
    // All rows of a table have the same columns.
    let has_remainder = beginning.stream.table.is_none();
    Ok(Some(DetectedStream { has_remainder, is_typed: true, ..stream }))
}

/// Returns the key with the position or game among the keys of an object.
fn record_key(requested: Option<&str>, names: &[String]) -> Option<String> {
    record_column(names.iter().map(String::as_str), requested).map(|at| names[at].clone())
}

/// Returns the other keys of the first objects, starting with the object with the first position or
/// game.
fn other_keys(beginning: &mut Beginning<'_>, object: &str, column: &str) -> io::Result<Vec<String>> {
    let sample = beginning.stream.sample()?;
    let objects = std::iter::once(object.to_owned()).chain(beginning.lines(&sample));
    let mut known = HashSet::new();
    let mut keys: Vec<_> = objects.flat_map(|object| names(&object)).collect();
    keys.retain(|name| *name != column && known.insert(name.clone()));
    // The values of the remaining keys go to the column for further keys.
    keys.truncate(MAX_COLUMNS / 2);
    Ok(keys)
}

/// Returns the keys of a JSON object.
fn names(object: &str) -> Vec<String> {
    let mut known = HashSet::new();
    let names = json::members(object).unwrap_or_default().into_iter().map(|(name, _)| name);
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Returns the error for a file without an object that has a position or game.
fn no_key(beginning: &Beginning<'_>, first: &str, head: &[u8]) -> io::Error {
    let members = match json::members(first) {
        Ok(members) => members,
        Err(error) => {
            let before = head.split(|&byte| byte == b'\n').take_while(|line| is_skipped(line, None)).count() as u64;
            let error = json::record_error(first, &error, before + 1);
            return invalid(format!("line {}, column {}: {error}", error.line, error.column));
        }
    };
    let holds_objects = |(_, value): &&(String, &RawValue)| {
        value.get().strip_prefix('[').is_some_and(|list| list.trim_start().starts_with('{'))
    };
    match members.iter().find(holds_objects) {
        Some((name, _)) if beginning.column.is_none() => invalid(format!(
            "the key `{name}` contains a list of objects; write only this list, `[{{...}}, {{...}}]`, without the \
                object around it"
        )),
        _ => beginning.no_column(&names(first)),
    }
}

struct JsonLines {
    lines: LineReader,
    context: StreamContext,
    /// The key with the positions or games.
    column: String,
    /// The index of each other key in the columns of all inputs.
    places: HashMap<String, usize>,
    /// Whether the lines are the rows of a table.
    is_table: bool,
    /// The text before the first record that was ignored.
    unread: Vec<UnreadText>,
}

impl JsonLines {
    fn open(stream: Stream, context: StreamContext, column: String, names: &[String]) -> io::Result<Self> {
        let place = |name: &String| context.columns.find(name).map(|place| (name.clone(), place));
        let places = names.iter().filter_map(place).collect();
        let table = stream.table.as_ref().filter(|table| table.rows_before == 0);
        let left_out = |name: &String| {
            let kind = UnreadKind::words(&format!("column {name}, which contains lists or other kinds of values"));
            UnreadText { line: 1, column: 1, kind }
        };
        let unread = table.iter().flat_map(|table| &table.left_out).map(left_out).collect();
        let is_table = stream.table.is_some();
        Ok(Self { lines: after_comments(stream, None)?, context, column, places, is_table, unread })
    }

    fn record(&self, line: u64, text: &str) -> Record {
        let raw = || text.replace('\r', "\n");
        let members = match json::members(text) {
            Ok(members) => members,
            Err(error) => return self.context.record(line, raw(), Err(json::record_error(text, &error, line))),
        };
        let object = Object { line, is_row: self.is_table, text, members: &members };
        let mut extra = self.context.nulls.to_vec();
        let mut others = Vec::new();
        let mut cell: Option<LocatedText> = None;
        // An object without this key may have another key with a position or game.
        let has_key = members.iter().any(|(name, _)| *name == self.column) || !is_record_column(&self.column);
        let other = if has_key { None } else { record_key(None, &names(text)) };
        let column = other.as_ref().unwrap_or(&self.column);
        for (name, value) in &members {
            if name == column && cell.is_none() {
                cell = json::located_cell(value.get(), object.place_of(value));
                if cell.is_some() {
                    continue;
                }
            }
            match self.places.get(name) {
                Some(&place) if extra[place] == Value::Null => extra[place] = json::value(value),
                _ => others.push((name.clone(), *value)),
            }
        }
        if let Some(place) = self.context.remainder.filter(|_| !others.is_empty()) {
            extra[place] = Value::Json(json::object(&others));
        }
        let content = column_record::read(self.context.formats, &object, column, cell.as_ref(), line);
        let raw = cell.map_or_else(raw, |cell| cell.text);
        Record { extra: extra.into(), ..self.context.record(line, raw, content) }
    }
}

impl RecordStream for JsonLines {
    fn next(&mut self) -> io::Result<Option<Record>> {
        let text = self.lines.next_text()?;
        Ok(text.map(|(line, text)| {
            let mut record = match text {
                Ok(text) => self.record(line, &text),
                Err((raw, error)) => self.context.record(line, raw, Err(error)),
            };
            record.take_unread(&mut self.unread);
            record
        }))
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes_read()
    }

    fn deal(&mut self, shard: (u64, u64)) -> io::Result<bool> {
        self.lines.deal(shard).map(|()| true)
    }
}

/// A JSON object on a line.
struct Object<'a> {
    line: u64,
    is_row: bool,
    text: &'a str,
    members: &'a [(String, &'a RawValue)],
}

impl<'a> Object<'a> {
    fn find(&self, key: &str) -> Option<&'a RawValue> {
        self.members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| *value)
    }

    /// Returns the place of a value. In a row of a table, columns count from the start of the cell.
    fn place_of(&self, value: &RawValue) -> Place {
        if self.is_row {
            // Points before the quote.
            return (self.line, usize::from(!value.get().starts_with('"')));
        }
        let start = value.get().as_ptr() as usize - self.text.as_ptr() as usize;
        advance((self.line, 1), &self.text[..start])
    }

    /// Returns the value of a column that has another form in games from servers: players as
    /// objects, also in a list, and a time. `own` is the object in the column itself.
    fn of_server(&self, column: &str, own: Option<&'a RawValue>) -> Option<String> {
        match column {
            "black" => json::find(own.or_else(|| self.player(0))?.get(), &NAME_KEYS).and_then(text),
            "white" => json::find(own.or_else(|| self.player(1))?.get(), &NAME_KEYS).and_then(text),
            "black_rating" => self.rating("black", 0),
            "white_rating" => self.rating("white", 1),
            "date" => {
                let time = DATE_KEYS.iter().find_map(|key| self.find(key)).and_then(text)?;
                let day = time.split(['.', 'Z', '+']).next().unwrap_or_default();
                Some(since_1970(&time).unwrap_or_else(|| day.replacen('T', " ", 1)))
            }
            _ => None,
        }
    }

    fn rating(&self, column: &str, side: usize) -> Option<String> {
        let own = self.find(column).filter(|own| is_object(own));
        json::find(own.or_else(|| self.player(side))?.get(), &RATING_KEYS).and_then(text)
    }

    /// Returns a player's object in the list of both players, by its color, or else by its place.
    fn player(&self, side: usize) -> Option<&'a RawValue> {
        let players: Vec<&RawValue> = serde_json::from_str(self.find(PLAYERS)?.get()).ok()?;
        let color = |player: &&RawValue| {
            let word = json::find(player.get(), &COLOR_KEYS).and_then(text)?;
            word.parse().ok().or_else(|| color_word(&word)).map(Color::index)
        };
        let colors: Vec<Option<usize>> = players.iter().map(color).collect();
        let at = match colors[..] {
            [None, None] => Some(side),
            [Some(of_first), None] => Some(usize::from(of_first != side)),
            [None, Some(of_second)] => Some(usize::from(of_second == side)),
            _ => colors.iter().position(|color| *color == Some(side)),
        };
        players.get(at?).copied()
    }
}

/// Returns the date and time, given the seconds or milliseconds since 1970.
fn since_1970(text: &str) -> Option<String> {
    let number = text.parse().ok()?;
    match text.len() {
        10 => Some(utc(number)),
        13 => Some(utc(number / 1000)),
        _ => None,
    }
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// Returns a value as text; `None` for `null`.
fn text(value: &RawValue) -> Option<String> {
    Some(json::value(value)).filter(|value| *value != Value::Null).map(|value| value.to_string())
}

impl ColumnRecord for Object<'_> {
    fn value(&self, column: &str) -> Option<String> {
        let own = self.find(column).filter(|own| own.get() != "null");
        match own.filter(|own| !is_object(own)) {
            Some(plain) if column == "date" => text(plain).map(|time| since_1970(&time).unwrap_or(time)),
            Some(plain) => text(plain),
            None => self.of_server(column, own).or_else(|| own.and_then(text)),
        }
    }

    fn seconds(&self, column: &str) -> Vec<Option<f64>> {
        self.find(column).map_or(Vec::new(), |value| json::seconds(value.get()))
    }

    fn place(&self, column: &str) -> Place {
        let (line, column) = self.find(column).map_or((self.line, 1), |value| self.place_of(value));
        (line, column.max(1))
    }
}
