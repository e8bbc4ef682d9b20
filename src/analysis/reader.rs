//! [`Reader`]: lines with a position, out of files that may be long, broken or still being written.
//!
//! `%` and `#` start a comment that goes to the end of its line. Blank lines are skipped but counted. Lines may end in CR LF, and a
//! byte order mark may stand at the start. Whatever a line holds, it is one line: one that is too long or not UTF-8 is handed on as
//! bad, with where and why, and reading goes on behind it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

/// The longest line that is read, in bytes, its comment not counted; a line beyond is bad. Positions need a few hundred.
pub const MAX_LINE_BYTES: usize = 4 << 10;

/// How much of a line that is too long is shown, in characters.
const EXCERPT_CHARS: usize = 80;

/// Where lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The standard input, called `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Input {
    /// Returns the name by which rows call it: the path as it was given, or `-`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        Ok(match self {
            Self::Stdin => Box::new(BufReader::new(io::stdin())),
            Self::File(path) => Box::new(BufReader::new(File::open(path)?)),
        })
    }
}

/// A line that is neither blank nor a mere comment.
#[derive(Debug, Clone)]
pub struct Line {
    /// The name of its input.
    pub file: Arc<str>,
    /// Its number, from 1, in its input.
    pub number: u64,
    /// The bytes read, of all inputs together, up to its end.
    pub bytes_read: u64,
    /// The line as it stands, without its end; shortened if it is too long.
    pub raw: String,
    /// What it says.
    pub content: Result<Content, BadLine>,
}

/// What a line says, without its comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The text, without blanks around it.
    pub text: String,
    /// The characters that stand before the text.
    pub indent: usize,
}

/// A line that cannot be read as text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadLine {
    /// It is longer than [`MAX_LINE_BYTES`].
    #[error("the line is longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// It is not UTF-8.
    #[error("not UTF-8 text")]
    NotUtf8 {
        /// The column of the first byte that is wrong, in characters from 1.
        column: usize,
    },
}

impl BadLine {
    /// Returns the column, in characters from 1, of what is wrong.
    #[must_use]
    pub fn column(&self) -> usize {
        match self {
            Self::TooLong => 1,
            Self::NotUtf8 { column } => *column,
        }
    }
}

/// An input that cannot be read on.
#[derive(Debug, Error)]
#[error("cannot read `{file}`")]
pub struct ReadError {
    /// The name of the input.
    pub file: String,
    /// Why.
    pub source: io::Error,
}

/// Reads the lines of some inputs, one after the other; after an error it ends.
pub struct Reader {
    inputs: std::vec::IntoIter<Input>,
    current: Option<Current>,
    bytes_read: u64,
}

struct Current {
    file: Arc<str>,
    reader: Box<dyn BufRead + Send>,
    lines: u64,
}

impl Reader {
    /// Creates a reader; inputs are opened when their turn comes.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Self {
        Self { inputs: inputs.into_iter(), current: None, bytes_read: 0 }
    }

    fn try_next(&mut self) -> Result<Option<Line>, ReadError> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(input) = self.inputs.next() else { return Ok(None) };
                let reader = input.open().map_err(|source| ReadError { file: input.name(), source })?;
                self.current = Some(Current { file: input.name().into(), reader, lines: 0 });
                continue;
            };
            match current.next_line(&mut self.bytes_read) {
                Ok(Some(bytes)) => {
                    if let Some((raw, content)) = read_line(bytes) {
                        let (file, number) = (current.file.clone(), current.lines);
                        return Ok(Some(Line { file, number, bytes_read: self.bytes_read, raw, content }));
                    }
                }
                Ok(None) => self.current = None,
                Err(source) => return Err(ReadError { file: current.file.to_string(), source }),
            }
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Line, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.try_next();
        if result.is_err() {
            (self.inputs, self.current) = (Vec::new().into_iter(), None);
        }
        result.transpose()
    }
}

impl Current {
    /// Returns the bytes of the next line without its end (a few more than [`MAX_LINE_BYTES`] if it is too long), `None` at the end.
    fn next_line(&mut self, bytes_read: &mut u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        // Room for the longest line, its CR LF and a byte order mark, and one more to see that it is too long.
        let limit = MAX_LINE_BYTES as u64 + 6;
        let length = self.reader.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
        if length == 0 {
            return Ok(None);
        }
        self.lines += 1;
        *bytes_read += length as u64;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else {
            *bytes_read += self.skip_line()?;
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if self.lines == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        Ok(Some(bytes))
    }

    /// Skips the rest of a line in constant memory; returns its length in bytes.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            skipped += length as u64;
            self.reader.consume(length);
            if end.is_some() || length == 0 {
                return Ok(skipped);
            }
        }
    }
}

/// Reads a line: as it stands, and what it says; `None` if it says nothing.
fn read_line(bytes: Vec<u8>) -> Option<(String, Result<Content, BadLine>)> {
    // Comments may be of any length and encoding: people write them.
    let end = bytes.iter().position(|byte| b"%#".contains(byte)).unwrap_or(bytes.len());
    if end > MAX_LINE_BYTES {
        let mut raw: String =
            String::from_utf8_lossy(&bytes[..4 * EXCERPT_CHARS]).chars().take(EXCERPT_CHARS).collect();
        raw.push('…');
        return Some((raw, Err(BadLine::TooLong)));
    }
    let raw = String::from_utf8_lossy(&bytes).into_owned();
    let content = match std::str::from_utf8(&bytes[..end]) {
        Ok(text) if text.trim().is_empty() => return None,
        Ok(text) => {
            let indent = text.chars().take_while(|c| c.is_whitespace()).count();
            Ok(Content { text: text.trim().to_owned(), indent })
        }
        Err(error) => {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            Err(BadLine::NotUtf8 { column: valid.chars().count() + 1 })
        }
    };
    Some((raw, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of a line, and its indent and text, or the column of its error.
    type Read = (u64, Result<(usize, String), usize>);

    fn lines(bytes: &[u8]) -> Vec<Read> {
        let current = Current { file: "x".into(), reader: Box::new(io::Cursor::new(bytes.to_vec())), lines: 0 };
        let reader = Reader { inputs: Vec::new().into_iter(), current: Some(current), bytes_read: 0 };
        let lines: Vec<_> = reader.map(Result::unwrap).collect();
        assert!(lines.iter().map(|line| line.bytes_read).is_sorted());
        if let Some(last) = lines.last() {
            assert!(last.bytes_read <= bytes.len() as u64);
        }
        let content = |line: Line| line.content.map(|c| (c.indent, c.text)).map_err(|e| e.column());
        lines.into_iter().map(|line| (line.number, content(line))).collect()
    }

    fn text(number: u64, indent: usize, text: &str) -> Read {
        (number, Ok((indent, text.to_owned())))
    }

    #[test]
    fn skips_blanks_and_comments_but_counts_them() {
        let expected = [text(2, 2, "b X;"), text(5, 0, "c")];
        assert_eq!(lines(b"% a\n  b X; # said\n\n \t\nc"), expected);
        assert_eq!(lines(b"% a\r\n  b X; % said\r\n\r\n \t\r\nc\r\n"), expected);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn skips_a_byte_order_mark_at_the_start_alone() {
        assert_eq!(lines(b"\xef\xbb\xbf% a\nb\n"), [text(2, 0, "b")]);
        assert_eq!(lines(b"\xef\xbb\xbfa\n"), [text(1, 0, "a")]);
        assert_eq!(lines(b"a\n\xef\xbb\xbfb\n")[1], text(2, 0, "\u{feff}b"));
    }

    #[test]
    fn goes_on_behind_lines_that_are_no_text() {
        let mut bytes = b"ab\xff\n\xe9 % comment\nc % caf\xe9\n".to_vec();
        assert_eq!(lines(&bytes), [(1, Err(3)), (2, Err(1)), text(3, 0, "c")]);
        bytes = vec![b'x'; MAX_LINE_BYTES];
        bytes.extend(b"\r\n");
        bytes.extend(vec![b'y'; 5 * MAX_LINE_BYTES]);
        bytes.extend(b"\nz % ");
        bytes.extend(vec![b'y'; 5 * MAX_LINE_BYTES]);
        let lines = lines(&bytes);
        assert!(matches!(&lines[0], (1, Ok((0, text))) if text.len() == MAX_LINE_BYTES));
        assert_eq!(lines[1..], [(2, Err(1)), text(3, 0, "z")]);
    }

    #[test]
    fn names_the_input_that_cannot_be_read_and_ends() {
        let mut reader = Reader::new(vec![Input::File("/no/such/file".into()), Input::File("/none".into())]);
        assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "cannot read `/no/such/file`");
        assert!(reader.next().is_none());
    }
}
