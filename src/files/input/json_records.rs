//! [`open`]: opens an input. It arranges the values of a JSON file one per line, so that files of
//! any size and layout are read like JSON lines.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use super::json;
use super::line_reader::{BYTE_ORDER_MARK, without_comment};
use super::record::{MAX_RECORD_BYTES, OPEN_ARRAY};
use super::source::{BoxedReader, Input, ReadError, Stream};
use super::work;

/// The maximum length of the beginning of a file that is searched for a line that is not a comment,
/// in bytes.
pub(super) const MAX_HEAD_BYTES: usize = 1 << 20;

/// Up to this length, the layout of the text is examined after each line.
const EAGER_BYTES: usize = 4096;

/// Opens an input. JSON is rearranged into lines, one per record.
pub(super) fn open(input: &Input) -> Result<Stream, ReadError> {
    let arranged = |stream| arrange(stream).map_err(|source| ReadError { file: input.name(), source });
    input.open().and_then(arranged)
}

fn arrange(mut stream: Stream) -> io::Result<Stream> {
    // The first line that is neither blank nor a comment.
    let content = Cell::new(None);
    let next_look = Cell::new(0);
    let head = stream.head(MAX_HEAD_BYTES, |head, line| {
        let text = &head[line..];
        if content.get().is_none() && (head.ends_with(b"\n") || text.len() > 2) && !is_comment(text) {
            content.set(Some(line));
        }
        let Some(at) = content.get() else { return false };
        let is_all = head.len() - at > MAX_RECORD_BYTES;
        // A pipe is first examined after each line. A long text is not examined again and again.
        if head.len() < next_look.get() && !is_all {
            return false;
        }
        next_look.set(if head.len() - at < EAGER_BYTES { 0 } else { head.len() + head.len() / 8 });
        json_layout(&head[at..], is_all).is_some()
    })?;
    let text = &head[content.get().unwrap_or_default()..];
    Ok(match json_layout(text, true).flatten() {
        Some(layout) => stream.convert(|bytes: BoxedReader| JsonRecords::new(bytes, layout)),
        None => stream,
    })
}

fn is_comment(line: &[u8]) -> bool {
    work::note(line.len());
    without_comment(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)).trim_ascii().is_empty()
}

/// The arrangement of the records in a JSON file whose lines are not records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonLayout {
    /// An array of records: objects, arrays, or strings with one game or position each.
    Array,
    /// Objects or move lists, each on several lines.
    Values,
}

/// Returns the layout that the beginning of the text shows: `Some(None)` if its lines are records,
/// `None` if more text must be read first. `is_all` is true if there is no more text.
fn json_layout(head: &[u8], is_all: bool) -> Option<Option<JsonLayout>> {
    work::note(head.len());
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let (opening, inner) = match text {
        [opening @ (b'[' | b'{'), inner @ ..] => (opening, inner),
        [] if !is_all => return None,
        _ => return Some(None),
    };
    let Some(first) = inner.trim_ascii_start().first() else { return is_all.then_some(None) };
    let values = || {
        let line = text.iter().position(|byte| b"\r\n".contains(byte)).or(is_all.then_some(text.len()))?;
        let mut nesting = Nesting::default();
        text[..line].iter().for_each(|&byte| nesting.take(byte));
        Some(nesting.is_open().then_some(JsonLayout::Values))
    };
    match (opening, first) {
        (b'{', b'"' | b'}') => values(),
        (b'[', b'{') => match first_value(inner) {
            Some(object) if json::is_move(&String::from_utf8_lossy(object)) => values(),
            None if !is_all => None,
            _ => Some(Some(JsonLayout::Array)),
        },
        (b'[', b'[') => Some(Some(JsonLayout::Array)),
        (b'[', b'"') => {
            let mut texts = Texts::default();
            let end = inner.iter().position(|&byte| !texts.take(byte));
            match texts.is_one_game {
                false => Some(Some(JsonLayout::Array)),
                true if end.is_some() || is_all => values(),
                true => None,
            }
        }
        // A tag, as in `[Event "x"]`, or a game after a comment in braces.
        _ => Some(None),
    }
}

/// Returns the first value at the start of the text; `None` if it is not closed.
fn first_value(text: &[u8]) -> Option<&[u8]> {
    let mut nesting = Nesting::default();
    let text = text.trim_ascii_start();
    let end = text.iter().position(|&byte| {
        nesting.take(byte);
        !nesting.is_open()
    })?;
    Some(&text[..=end])
}

/// The strings in an array: the moves of one game, or one game each.
struct Texts {
    nesting: Nesting,
    text: Vec<u8>,
    count: usize,
    is_one_game: bool,
}

impl Default for Texts {
    fn default() -> Self {
        Self { nesting: Nesting::default(), text: Vec::new(), count: 0, is_one_game: true }
    }
}

impl Texts {
    /// Processes the next byte in the array. Returns whether the array continues and may be one
    /// game.
    fn take(&mut self, byte: u8) -> bool {
        let was_in_text = self.nesting.in_text;
        self.nesting.take(byte);
        match (was_in_text, self.nesting.in_text) {
            (true, true) => self.text.push(byte),
            (true, false) => {
                let text = String::from_utf8_lossy(&self.text).into_owned();
                self.is_one_game &= is_one_move(&text) || continues_numbering(&text, self.count > 0);
                (self.text, self.count) = (Vec::new(), self.count + 1);
            }
            _ => {}
        }
        self.is_one_game && (self.nesting.in_text || byte != b']')
    }
}

/// Returns whether the text can only be a single move: `f5`, `pass`, `a7-a4xb6`.
fn is_one_move(text: &str) -> bool {
    let text = text.trim();
    let is_square =
        |pair: &[u8]| matches!(pair, [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit());
    let is_several = text.len() > 2 && text.len().is_multiple_of(2) && text.as_bytes().chunks(2).all(is_square);
    text.len() <= 12 && !text.contains(char::is_whitespace) && !is_several
}

/// Returns whether the text begins with the number 1, as in `1. f5 d6`, or with a later number if
/// there are strings before it.
fn continues_numbering(text: &str, has_others: bool) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text[..text.len() - rest.len()].parse::<u32>();
    rest.starts_with(['.', ')', ' ']) && number.is_ok_and(|number| (number > 1) == has_others)
}

/// The open brackets, braces and quotes in a JSON text.
#[derive(Debug, Clone, Default)]
struct Nesting {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl Nesting {
    fn take(&mut self, byte: u8) {
        match byte {
            // A string ends on its line.
            b'\n' => self.in_text = false,
            _ if self.in_text => {
                self.in_text = self.is_escaped || byte != b'"';
                self.is_escaped = !self.is_escaped && byte == b'\\';
            }
            b'"' => (self.in_text, self.is_escaped) = (true, false),
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    fn is_open(&self) -> bool {
        self.depth > 0 || self.in_text
    }
}

/// Reads JSON values and returns each one on a line.
///
/// Line breaks within a value become carriage returns, which are blanks in JSON. They are added as
/// line breaks after the value, so that the next value keeps its line number. If another value
/// begins on the line on which a value ends, it gets a separate line. A value that is not closed
/// ends before a line that begins like it, at the same column.
struct JsonRecords<R> {
    bytes: R,
    layout: JsonLayout,
    /// Whether the outer array is open.
    in_array: bool,
    /// The current value, its first byte, and the number of bytes before it on its line.
    value: Nesting,
    opening: u8,
    start: usize,
    /// The number of bytes before the next value on its line, and whether all of them are blank.
    column: usize,
    is_blank: bool,
    /// Whether a value ended on this line.
    has_ended: bool,
    /// The number of line breaks within the last value, which must follow it.
    breaks: usize,
    /// Whether the last byte was a carriage return, which breaks the line alone or with a line feed.
    has_return: bool,
    /// Bytes that are ready to be returned.
    ready: Vec<u8>,
    used: usize,
}

impl<R: BufRead> JsonRecords<R> {
    fn new(bytes: R, layout: JsonLayout) -> Self {
        Self {
            bytes,
            layout,
            in_array: false,
            value: Nesting::default(),
            opening: 0,
            start: 0,
            column: 0,
            is_blank: true,
            has_ended: false,
            breaks: 0,
            has_return: false,
            ready: Vec::new(),
            used: 0,
        }
    }

    fn take(&mut self, byte: u8) {
        if std::mem::replace(&mut self.has_return, byte == b'\r') && byte != b'\n' {
            self.take_converted(b'\n');
        }
        if byte != b'\r' {
            self.take_converted(byte);
        }
    }

    fn take_converted(&mut self, byte: u8) {
        let (column, is_first) = (self.column, self.is_blank && !byte.is_ascii_whitespace());
        if byte == b'\n' {
            (self.column, self.is_blank) = (0, true);
        } else {
            self.column += 1;
            self.is_blank &= byte.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(&byte);
        }
        if self.value.is_open() {
            let is_next = is_first && byte == self.opening && column == self.start;
            if is_next { self.begin(byte, column) } else { self.take_within(byte) }
        } else {
            self.take_between(byte, column, is_first);
        }
    }

    /// Processes a byte of a value.
    fn take_within(&mut self, byte: u8) {
        self.value.take(byte);
        self.ready.push(match byte {
            b'\n' => {
                self.breaks += 1;
                b'\r'
            }
            byte => byte,
        });
        self.has_ended = !self.value.is_open();
    }

    /// Processes a byte before or after a value.
    fn take_between(&mut self, byte: u8, column: usize, is_first: bool) {
        match byte {
            b'\n' => {
                self.ready.extend(std::iter::repeat_n(b'\n', 1 + std::mem::take(&mut self.breaks)));
                self.has_ended = false;
            }
            byte if byte.is_ascii_whitespace() => self.ready.push(byte),
            // Before a value on its line, a blank keeps the value's column.
            b',' if self.in_array && is_first => self.ready.push(b' '),
            b',' if self.in_array => self.has_ended = true,
            b']' if self.in_array => {
                self.in_array = false;
                self.ready.push(b' ');
            }
            b'[' if self.layout == JsonLayout::Array && !self.in_array && is_first => {
                self.in_array = true;
                self.ready.push(b' ');
            }
            b'[' | b'{' | b'"' if self.in_array => self.begin(byte, column),
            b'[' | b'{' if self.layout == JsonLayout::Values && (is_first || self.has_ended) => {
                self.begin(byte, column);
            }
            byte => {
                // Other values in an array become errors on separate lines.
                if std::mem::take(&mut self.has_ended) && self.in_array {
                    self.end_line();
                }
                self.ready.push(byte);
            }
        }
    }

    /// Begins a value on a new line.
    fn begin(&mut self, byte: u8, column: usize) {
        if self.has_ended || self.breaks > 0 {
            self.end_line();
        }
        (self.value, self.opening, self.start, self.has_ended) = (Nesting::default(), byte, column, false);
        self.value.take(byte);
        self.ready.push(byte);
    }

    fn end_line(&mut self) {
        self.ready.extend(std::iter::repeat_n(b'\n', std::mem::take(&mut self.breaks).max(1)));
    }
}

impl<R: BufRead> Read for JsonRecords<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.used == self.ready.len() {
            self.ready.clear();
            self.used = 0;
            let bytes = self.bytes.fill_buf()?.to_vec();
            self.bytes.consume(bytes.len());
            bytes.iter().for_each(|&byte| self.take(byte));
            if bytes.is_empty() {
                let lacks_end = std::mem::take(&mut self.in_array) && !self.value.is_open();
                if self.breaks == 0 && !lacks_end {
                    return Ok(0);
                }
                self.end_line();
                self.ready.extend_from_slice(if lacks_end { OPEN_ARRAY.as_bytes() } else { b"" });
            }
        }
        let length = buffer.len().min(self.ready.len() - self.used);
        buffer[..length].copy_from_slice(&self.ready[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines that are not blank, trimmed, with their numbers. Line breaks within a
    /// record are shown as `|`.
    fn records(text: &str) -> Vec<String> {
        let mut read = String::new();
        open(&Input::Text(text.to_owned())).unwrap().bytes.read_to_string(&mut read).unwrap();
        let lines =
            (1..).zip(read.trim_start_matches('\u{feff}').split('\n')).filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(number, line)| format!("{number}:{}", line.trim().replace('\r', "|").replace(' ', ""))).collect()
    }

    #[test]
    fn each_record_has_the_line_in_which_it_begins() {
        for (text, expected) in [
            ("[{\"a\":1}, {\"a\":[2,{}]}]\n", &["1:{\"a\":1}", "2:{\"a\":[2,{}]}"][..]),
            ("[\n{\"a\":1},\n{\"a\":2}\n]\n", &["2:{\"a\":1}", "3:{\"a\":2}"]),
            ("[\r\n {\r\n \"a\": 1\r\n },\r\n {\"a\": 2}\r\n]", &["2:{|\"a\":1|}", "5:{\"a\":2}"]),
            ("[{\n\"a\":1\n}, {\n\"a\":2\n}\n, {\"a\":3}]", &["1:{|\"a\":1|}", "3:{|\"a\":2|}", "6:{\"a\":3}"]),
            ("[\r {\r \"a\": 1\r },\r {\"a\": 2}\r]\r", &["2:{|\"a\":1|}", "5:{\"a\":2}"]),
            ("{\r\"a\":1\r}\r\r{\r\"a\":2}\r", &["1:{|\"a\":1|}", "5:{|\"a\":2}"]),
            ("{\r\"a\":1\r}\n{\r\n\"a\":2}", &["1:{|\"a\":1|}", "4:{|\"a\":2}"]),
            ("[\"f5d6\", \"f5\\\"f6,]\"]", &["1:\"f5d6\"", "2:\"f5\\\"f6,]\""]),
            ("\u{feff}[\n\"f5d6\",\n\"f5f6\"\n]\n", &["2:\"f5d6\"", "3:\"f5f6\""]),
            ("[[\"f5\",\"d6\"],[\"f5\"]]", &["1:[\"f5\",\"d6\"]", "2:[\"f5\"]"]),
            ("[{\"a\":1}, null, {\"a\":2}]", &["1:{\"a\":1}", "2:null", "3:{\"a\":2}"]),
            ("[{\"a\":1}]\n[{\"a\":2}]\n", &["1:{\"a\":1}", "2:{\"a\":2}"]),
            ("{\n\"a\":1\n}\n{\n\"a\":2}\nx\n", &["1:{|\"a\":1|}", "4:{|\"a\":2}", "6:x"]),
            ("# [{\n{\n\"a\":1}{\"a\":2}", &["1:#[{", "2:{|\"a\":1}", "3:{\"a\":2}"]),
            ("[\n\"f5\",\n\"d6\"\n]\n[\"f5\"]", &["1:[|\"f5\",|\"d6\"|]", "5:[\"f5\"]"]),
            // A value that is not closed does not hide the next one.
            ("{\n\"a\":\"x\n{\n\"a\":2\n}\n", &["1:{|\"a\":\"x|", "3:{|\"a\":2|}"]),
            ("[\n {\"a\":[1},\n {\"a\":2}\n]", &["2:{\"a\":[1},|", "3:{\"a\":2}"]),
            ("[\"f5d6", &["1:[\"f5d6"]),
            // The end of the file is missing.
            ("[{\"a\":1},\n{\"a\":2},\n", &["1:{\"a\":1}", "2:{\"a\":2}", "4:["]),
            ("[{\"a\":1}", &["1:{\"a\":1}", "2:["]),
            ("[{\"a\":1},\n{\"a\":", &["1:{\"a\":1}", "2:{\"a\":"]),
        ] {
            let found: Vec<_> = records(text).into_iter().map(|line| line.trim_end_matches('|').to_owned()).collect();
            let expected: Vec<_> = expected.iter().map(|line| line.trim_end_matches('|').to_owned()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn detects_the_layout() {
        for text in [
            "[{\"a\":1}",
            " [ {\"a\":{}},",
            "[[\"f5\"",
            "[\"f5d6\"]",
            "[\n\"f5d6\",\n",
            "[\"f5 d6\", \"c4\t e3\"]",
            "[\"f5\", \"f5d6\"",
        ] {
            assert_eq!(json_layout(text.as_bytes(), false), Some(Some(JsonLayout::Array)), "{text}");
        }
        for text in [
            "[{\"m\":\"f5\"},\n",
            "{\n\"a\"",
            "\n{ \"a\":\n",
            "[\n\"f5\"]",
            "[\"f5\",\n\"a7-a4xb6\"\n]",
            "[\n\"1. f5 d6\",\n\"2. c3\"]",
        ] {
            assert_eq!(json_layout(text.as_bytes(), false), Some(Some(JsonLayout::Values)), "{text}");
        }
        for text in
            ["[\"f5\"]\n", "[\"f5\", \"d6\"]\n[\"f5\"]", "{\"a\":1}\n{", "[Event \"x\"]\n", "f5d6", "{}\n", "{a", "[]"]
        {
            assert_eq!(json_layout(text.as_bytes(), false), Some(None), "{text}");
        }
        for text in ["", "[\n", "{", "[{", "[{\"m\":\"f5\"},", "[\"f5\",\n"] {
            assert_eq!(json_layout(text.as_bytes(), false), None, "{text}");
            assert!(json_layout(text.as_bytes(), true).is_some(), "{text}");
        }
    }
}
