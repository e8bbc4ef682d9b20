//! [`LineReader`]: reads numbered lines, using limited memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, Cursor, Read};
use std::ops::Range;

use super::links::is_link;
use super::record::{MAX_RECORD_BYTES, RecordError, RecordProblem};
use super::source::{Input, ReadError, Stream, fill};
use super::work;

/// The length to which an overlong line is shortened in errors, in characters.
const EXCERPT_CHARS: usize = 80;

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the lines of an input, using limited memory.
///
/// Lines longer than [`MAX_RECORD_BYTES`] and lines that are not UTF-8 are returned as errors, and
/// reading continues after them.
///
/// ```
/// use morello::input::{Input, LineReader};
///
/// let mut lines = LineReader::open(&Input::Bytes("a.txt".to_owned(), b"one\n\n\xff\nthree"[..].into()))?;
/// let (number, text) = lines.next_text()?.expect("a line");
/// assert_eq!((number, text.as_deref().ok()), (1, Some("one")));
/// let (number, text) = lines.next_text()?.expect("a line");
/// assert_eq!((number, text.unwrap_err().1.to_string()), (3, "not UTF-8 text".to_owned()));
/// assert_eq!(lines.next_text()?.expect("a line").0, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LineReader {
    stream: Stream,
    /// The number of the last line taken.
    pub(super) number: u64,
    used: u64,
    /// Whether the last line taken ends with CR LF.
    has_return: bool,
    /// The number of lines read, and their bytes.
    lines_read: u64,
    bytes_read: u64,
    /// The last byte of a line. It is a carriage return in files without line feeds, as old Macs
    /// wrote them.
    line_end: u8,
    /// Lines that were peeked at but not taken.
    ahead: VecDeque<Line>,
    /// The part of the lines to read; `None` for all.
    dealing: Option<Dealing>,
}

/// A line with its number, and the number of bytes up to its end.
struct Line {
    bytes: Vec<u8>,
    number: u64,
    used: u64,
    has_return: bool,
}

/// One of several equal parts of the lines.
struct Dealing {
    shard: (u64, u64),
    /// The number of lines so far that are neither blank nor comments.
    lines: u64,
}

impl Dealing {
    /// Returns whether the next line belongs to the part. `first` is its first byte. Blank lines
    /// and comments belong to the same part as the line after them.
    fn takes(&mut self, first: Option<u8>) -> bool {
        let (part, parts) = self.shard;
        let is_own = self.lines % parts == part;
        self.lines += u64::from(first.is_some_and(|first| !b"\r\n#%;/".contains(&first)));
        is_own
    }
}

morello_core::debug_fields!(LineReader { number });

/// A line as text, shortened if it is too long, and the range of its contents in bytes, without the
/// comment and surrounding spaces: `None` if it is blank or a comment. An error has its column.
pub(super) type ReadLine = (String, Result<Option<Range<usize>>, (usize, RecordProblem)>);

impl LineReader {
    /// Opens an input.
    ///
    /// # Errors
    /// If the input cannot be opened.
    pub fn open(input: &Input) -> Result<Self, ReadError> {
        input.open().map(Self::new)
    }

    pub(super) fn new(stream: Stream) -> Self {
        let number = stream.table.as_ref().map_or(0, |table| table.rows_before);
        Self {
            stream,
            number,
            used: 0,
            has_return: false,
            lines_read: number,
            bytes_read: 0,
            line_end: b'\n',
            ahead: VecDeque::new(),
            dealing: None,
        }
    }

    /// Returns the number of bytes of the input up to the end of the last line taken.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.stream.bytes_read(self.used)
    }

    /// Takes the next line without its line ending; `None` at the end. At most slightly more than
    /// [`MAX_RECORD_BYTES`] of a longer line are kept.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.peek(0)?;
        let Some(line) = self.ahead.pop_front() else { return Ok(None) };
        (self.number, self.used, self.has_return) = (line.number, line.used, line.has_return);
        Ok(Some(line.bytes))
    }

    /// Returns the line that is `further` lines after the next line, without taking it; `None` if
    /// there is none.
    pub(super) fn peek(&mut self, further: usize) -> io::Result<Option<&[u8]>> {
        while self.ahead.len() <= further {
            let Some(line) = self.read()? else { return Ok(None) };
            self.ahead.push_back(line);
        }
        Ok(self.ahead.get(further).map(|line| line.bytes.as_slice()))
    }

    /// Returns the ending of the last line taken, or of the line that is `ahead` lines after it.
    pub(super) fn ending(&self, ahead: usize) -> &'static str {
        let line = ahead.checked_sub(1).and_then(|ahead| self.ahead.get(ahead));
        if line.map_or(self.has_return, |line| line.has_return) { "\r\n" } else { "\n" }
    }

    /// From now on, returns only the lines of one of several equal parts. The other lines are only
    /// counted.
    pub(super) fn deal(&mut self, shard: (u64, u64)) -> io::Result<()> {
        // The first line determines the line ending.
        self.peek(0)?;
        let mut dealing = Dealing { shard, lines: 0 };
        self.ahead.retain(|line| dealing.takes(line.bytes.first().copied()));
        self.dealing = Some(dealing);
        Ok(())
    }

    /// Skips the lines of other parts.
    fn skip_others(&mut self) -> io::Result<()> {
        while let Some(dealing) = &mut self.dealing
            && let Some(&first) = fill(&mut self.stream.bytes)?.first()
            && !dealing.takes(Some(first))
        {
            self.bytes_read += self.stream.bytes.skip_until(self.line_end)? as u64;
            self.lines_read += 1;
        }
        Ok(())
    }

    /// Returns the next line that is not blank.
    ///
    /// # Errors
    /// Any read error.
    pub fn next_text(&mut self) -> io::Result<Option<NumberedLine<String>>> {
        while let Some(bytes) = self.next()? {
            let line = self.number;
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let fail = |raw, column, problem| Err((raw, RecordError { line, column, problem }));
            let text = if bytes.len() > MAX_RECORD_BYTES {
                fail(excerpt(&bytes), 1, RecordProblem::TooLong)
            } else {
                String::from_utf8(bytes).or_else(|error| {
                    let column = column_of(error.as_bytes(), error.utf8_error());
                    fail(String::from_utf8_lossy(error.as_bytes()).into_owned(), column, RecordProblem::NotUtf8)
                })
            };
            return Ok(Some((line, text)));
        }
        Ok(None)
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        self.skip_others()?;
        let mut bytes = Vec::new();
        // Room for the longest line, CR LF and a byte order mark, and one byte more to detect that
        // it is too long.
        let limit = MAX_RECORD_BYTES as u64 + 6;
        let length = self.stream.bytes.by_ref().take(limit).read_until(self.line_end, &mut bytes)?;
        if length == 0 {
            return Ok(None);
        }
        work::note(length);
        let is_first = self.lines_read == 0;
        if is_first && self.line_end == b'\n' && has_bare_returns(&bytes) {
            self.line_end = b'\r';
            let rest = std::mem::replace(&mut self.stream.bytes, Box::new(io::empty()));
            self.stream.bytes = Box::new(Cursor::new(bytes).chain(rest));
            return self.read();
        }
        self.lines_read += 1;
        self.bytes_read += length as u64;
        if bytes.last() == Some(&self.line_end) {
            bytes.pop();
        } else {
            self.bytes_read += self.skip_line()?;
        }
        let has_return = bytes.last() == Some(&b'\r');
        if has_return {
            bytes.pop();
        }
        if is_first && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(Line { bytes, number: self.lines_read, used: self.bytes_read, has_return }))
    }

    /// Skips the rest of a line in constant memory. Returns its length in bytes.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let buffer = match self.stream.bytes.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            work::note(buffer.len());
            let end = buffer.iter().position(|&byte| byte == self.line_end);
            let length = end.map_or(buffer.len(), |end| end + 1);
            skipped += length as u64;
            self.stream.bytes.consume(length);
            if end.is_some() || length == 0 {
                return Ok(skipped);
            }
        }
    }
}

/// The number and the contents of a line, or its beginning and the error.
pub type NumberedLine<T> = (u64, Result<T, (String, RecordError)>);

/// Returns whether the lines of the text end with carriage returns alone.
pub(super) fn has_bare_returns(text: &[u8]) -> bool {
    !text.contains(&b'\n') && text.split_last().is_some_and(|(_, text)| text.contains(&b'\r'))
}

/// Decodes a line and strips its comment.
pub(super) fn read_line(bytes: &[u8]) -> ReadLine {
    // The length and the encoding of comments are not checked.
    let text = without_comment(bytes);
    if text.len() > MAX_RECORD_BYTES {
        return (excerpt(bytes), Err((1, RecordProblem::TooLong)));
    }
    let raw = String::from_utf8_lossy(bytes).into_owned();
    let content = match std::str::from_utf8(text) {
        Ok(text) if text.trim().is_empty() => Ok(None),
        Ok(text) => {
            let start = text.len() - text.trim_start().len();
            Ok(Some(start..text.trim_end().len()))
        }
        Err(error) => Err((column_of(text, error), RecordProblem::NotUtf8)),
    };
    (raw, content)
}

/// Returns the column of the first byte that is not UTF-8.
pub(super) fn column_of(bytes: &[u8], error: std::str::Utf8Error) -> usize {
    String::from_utf8_lossy(&bytes[..error.valid_up_to()]).chars().count() + 1
}

/// Returns the beginning of text that is too long.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(4 * EXCERPT_CHARS)];
    let mut text: String = String::from_utf8_lossy(start).chars().take(EXCERPT_CHARS).collect();
    text.push('…');
    text
}

/// Strips the comment from a line. A comment starts with `%`, `#` or `//` at the start of a word,
/// but not within square brackets or braces, where games have names and remarks. `#3`
/// is a game number, not a comment.
pub(super) fn without_comment(line: &[u8]) -> &[u8] {
    // Links may contain comment signs.
    if is_link(line) {
        return line;
    }
    // A semicolon within a line separates a position from the text after it, and may begin another
    // line of a game.
    if line.trim_ascii_start().starts_with(b";") || is_braced_comment(line) {
        &[]
    } else {
        without_comment_within(line, &mut None)
    }
}

/// Returns whether a line is a comment in braces, `{round 1}`, and not a JSON object, even an
/// invalid one such as `{moves: 1}`.
fn is_braced_comment(line: &[u8]) -> bool {
    let inner = line.trim_ascii().strip_prefix(b"{").and_then(|line| line.strip_suffix(b"}"));
    let Some(inner) = inner.map(<[u8]>::trim_ascii) else { return false };
    let is_key = |name: &[u8]| name.trim_ascii().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut fields = inner.split(|&byte| byte == b':');
    let is_value = |value: &[u8]| value.trim_ascii().first().is_some_and(|byte| b"\"'[-0123456789".contains(byte));
    let has_key = fields.next().is_some_and(is_key) && fields.next().is_some_and(is_value);
    let is_object = has_key || inner.first().is_none_or(|byte| b"\"'".contains(byte));
    !is_object && !inner.iter().any(|byte| b"{}".contains(byte))
}

/// Strips the comment from a line. `open` is the bracket that is still open from previous lines,
/// given as its closing byte (`]` or `}`). It is updated to the state at the end of the line.
pub(super) fn without_comment_within<'a>(line: &'a [u8], open: &mut Option<u8>) -> &'a [u8] {
    // Most lines have no comment. Without an early exit, this processes many bytes at a time.
    let has_sign = |line: &[u8]| line.iter().fold(false, |found, byte| found | b"[{%#/".contains(byte));
    if open.is_none() && !has_sign(line) {
        return line;
    }
    // The value of a tag, `[White "a]#b"]`, may contain closing brackets.
    let is_tag = open.is_none() && line.trim_ascii_start().starts_with(b"[");
    let tag = line.windows(2).rposition(|two| two == b"\"]").filter(|_| is_tag).map_or(0, |at| at + 2);
    let rest = &line[tag..];
    let end = rest.iter().enumerate().position(|(at, &byte)| {
        match (byte, *open) {
            // SGF values may contain escaped brackets.
            (b']', Some(b']')) if rest[..at].ends_with(b"\\") => {}
            (_, Some(end)) if byte == end => *open = None,
            (b'[', None) => *open = Some(b']'),
            (b'{', None) => *open = Some(b'}'),
            _ => {}
        }
        let is_sign = match rest[at..] {
            [b'#', next, ..] => !next.is_ascii_digit(),
            [b'%' | b'#', ..] | [b'/', b'/', ..] => true,
            _ => false,
        };
        // Not within a word: `50%`, `f5%20d6`, `c3#`.
        let last = line[..tag + at].last();
        let is_after = last.is_none_or(|byte| byte.is_ascii_whitespace() || b"]};)".contains(byte));
        open.is_none() && is_sign && is_after
    });
    &line[..end.map_or(line.len(), |end| tag + end)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_start_only_outside_brackets() {
        let text = |line: &str| String::from_utf8(without_comment(line.as_bytes()).to_vec()).unwrap();
        for (line, expected) in [
            ("f5 # a", "f5 "),
            ("f5f4 %diagonal", "f5f4 "),
            ("f5%20d6 % a", "f5%20d6 "),
            ("f5! c3# d3", "f5! c3# d3"),
            ("f5d6//a", "f5d6//a"),
            ("won 50% f5", "won 50% f5"),
            ("(;PB[a}#b]PW[c[d#e];) % f", "(;PB[a}#b]PW[c[d#e];) "),
            ("[White \"a]#b\"] # c", "[White \"a]#b\"] "),
            ("1. 5 {a]#b} 13 # c", "1. 5 {a]#b} 13 "),
            ("{a # b", "{a # b"),
            ("f5d6 // a", "f5d6 "),
            ("// a", ""),
            ("(;C[a\\] # b]) # c", "(;C[a\\] # b]) "),
            ("https://a/#f5d6c3", "https://a/#f5d6c3"),
            (" ; a", ""),
            ("--- X; f5", "--- X; f5"),
            (" {round 1} ", ""),
            ("{final: a - b}", ""),
            ("{moves: \"f5\"}", "{moves: \"f5\"}"),
            ("{the final: a - b}", ""),
            ("{a} f5 {b}", "{a} f5 {b}"),
            ("{\"a\":1}", "{\"a\":1}"),
            ("{}", "{}"),
            ("{moves: 1}", "{moves: 1}"),
            ("[Site \"https://a\"] // b", "[Site \"https://a\"] "),
        ] {
            assert_eq!(text(line), expected);
        }
        let mut open = None;
        let texts: Vec<_> = ["1. 5 {a # b", "c # d} 13 # e", "# f"]
            .map(|line| without_comment_within(line.as_bytes(), &mut open).len())
            .into();
        assert_eq!((texts, open), (vec![11, 10, 0], None));
    }
}
