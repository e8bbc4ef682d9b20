//! [`ArrayElements`]: the elements of a JSON array, one per line, so that an array of any size is read like JSON lines.

use std::io::{self, BufRead, Read};

use super::json;

/// Returns whether a text that may go on is an array of records: of objects, of arrays, or of texts with more than one move. An array of moves,
/// `["f5", "d6"]`, is a record of its own.
pub(super) fn is_array_of_records(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let Some(first) = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) else { return false };
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    match first.first() {
        // A line of moves; other lists may follow in their own lines.
        Some(b'"') => match std::str::from_utf8(line).ok().and_then(json::texts) {
            Some(texts) => !texts.is_empty() && texts.iter().all(|text| !is_one_move(text)),
            None => true,
        },
        Some(b'{') => true,
        Some(b'[') => true,
        // A tag, as in `[Event "x"]`, begins with a letter.
        Some(_) => false,
        None => true,
    }
}

/// Returns whether a text can be only one move: `f5`, `pass`, `a7-a4xb6`.
fn is_one_move(text: &str) -> bool {
    let text = text.trim();
    let is_square =
        |pair: &[u8]| matches!(pair, [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit());
    let is_several = text.len() > 2 && text.len().is_multiple_of(2) && text.as_bytes().chunks(2).all(is_square);
    text.len() <= 12 && !text.contains(char::is_whitespace) && !is_several
}

/// Reads a JSON array and returns its elements, each in a line. A text becomes an array of one text.
///
/// An element begins in the line in which it began in the array, if elements have lines of their own.
pub(super) struct ArrayElements<R> {
    bytes: R,
    /// The brackets and braces open within the array.
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// Whether the array has begun, and whether it has ended.
    has_begun: bool,
    has_ended: bool,
    /// Whether the current element is a text, or none has begun.
    is_text: bool,
    has_content: bool,
    /// The line breaks within the current element.
    breaks: usize,
    /// Whether the line of the last element has no end yet.
    is_open_line: bool,
    /// Bytes to return.
    ready: Vec<u8>,
    used: usize,
}

impl<R: BufRead> ArrayElements<R> {
    pub(super) fn new(bytes: R) -> Self {
        Self {
            bytes,
            depth: 0,
            in_text: false,
            is_escaped: false,
            has_begun: false,
            has_ended: false,
            is_text: false,
            has_content: false,
            breaks: 0,
            is_open_line: false,
            ready: Vec::new(),
            used: 0,
        }
    }

    fn take(&mut self, byte: u8) {
        if self.in_text {
            self.in_text = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            self.put(byte);
            return;
        }
        match byte {
            // Before the array there may be a byte order mark.
            _ if !self.has_begun => {
                self.has_begun = byte == b'[';
                if byte == b'\n' {
                    self.ready.push(byte);
                }
            }
            b'\n' if self.has_content => {
                self.breaks += 1;
                self.put(b' ');
            }
            b'\n' => {
                self.is_open_line = false;
                self.ready.push(byte);
            }
            // Text after the array is an error of its own line.
            _ if self.has_ended => self.ready.push(byte),
            b',' if self.depth == 0 => self.end_element(),
            b']' if self.depth == 0 => {
                self.end_element();
                self.has_ended = true;
            }
            _ if byte.is_ascii_whitespace() => {
                if self.has_content {
                    self.put(byte);
                }
            }
            _ => {
                match byte {
                    b'"' => self.in_text = true,
                    b'[' | b'{' => self.depth += 1,
                    b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                if std::mem::take(&mut self.is_open_line) {
                    self.ready.push(b'\n');
                }
                if !self.has_content && byte == b'"' {
                    self.is_text = true;
                    self.ready.push(b'[');
                }
                self.put(byte);
            }
        }
    }

    fn put(&mut self, byte: u8) {
        self.has_content = true;
        self.ready.push(byte);
    }

    /// Ends an element. Its own line breaks follow, so that the next element keeps its line number.
    fn end_element(&mut self) {
        if self.is_text {
            self.ready.push(b']');
        }
        self.is_open_line = self.has_content && self.breaks == 0;
        self.ready.extend(std::iter::repeat_n(b'\n', std::mem::take(&mut self.breaks)));
        (self.is_text, self.has_content) = (false, false);
    }
}

impl<R: BufRead> Read for ArrayElements<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.used == self.ready.len() {
            self.ready.clear();
            self.used = 0;
            let bytes = self.bytes.fill_buf()?.to_vec();
            self.bytes.consume(bytes.len());
            bytes.iter().for_each(|&byte| self.take(byte));
            if bytes.is_empty() {
                return Ok(0);
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

    fn elements(text: &str) -> String {
        let mut read = String::new();
        ArrayElements::new(text.as_bytes()).read_to_string(&mut read).unwrap();
        read
    }

    #[test]
    fn each_element_has_a_line() {
        for (text, lines) in [
            ("[{\"a\":1}, {\"a\":[2,{}]}]\n", "{\"a\":1}\n{\"a\":[2,{}]}\n"),
            ("[\n{\"a\":1},\n{\"a\":2}\n]\n", "\n{\"a\":1}\n{\"a\":2} \n\n"),
            ("[\n  {\n    \"a\": 1\n  },\n  {\"a\": 2}\n]", "\n{     \"a\": 1   }\n\n\n{\"a\": 2} \n"),
            ("[\"f5d6\", \"f5\\\"f6,]\"]", "[\"f5d6\"]\n[\"f5\\\"f6,]\"]\n"),
            ("[\n\"f5d6\",\n\"f5f6\"\n]\n", "\n[\"f5d6\"]\n[\"f5f6\" ]\n\n"),
            ("[[\"f5\",\"d6\"],[\"f5\"]]", "[\"f5\",\"d6\"]\n[\"f5\"]\n"),
            ("[]", ""),
            ("[\"f5", "[\"f5"),
        ] {
            let found = elements(text);
            let trimmed = |text: &str| text.lines().map(|line| line.trim().replace(" ]", "]")).collect::<Vec<_>>();
            assert_eq!(trimmed(&found), trimmed(lines), "{text}: {found:?}");
        }
        // An element keeps its line number.
        let found = elements("[\n{\n\"a\":1},\n{\"a\":2},\n\n{\"a\":3}]");
        let lines: Vec<_> =
            found.lines().enumerate().filter(|(_, line)| line.contains('a')).map(|(at, _)| at + 1).collect();
        assert_eq!(lines, [2, 4, 6], "{found:?}");
    }

    #[test]
    fn detects_arrays_of_records() {
        for text in ["[\n", "[{", " [ {\"a\"", "[[\"f5\"", "[\"f5d6\"]", "[\"f5d6\",\n", "[\"f5 d6\", \"c4\t e3\"]\n"] {
            assert!(is_array_of_records(text.as_bytes()), "{text}");
        }
        for text in
            ["[\"f5\"]\n", "[\"f5\", \"d6\"]\n[\"f5\"]", "[\"a7-a4xb6\"]", "[Event \"x\"]\n", "f5d6", "{}", "", "[]"]
        {
            assert!(!is_array_of_records(text.as_bytes()), "{text}");
        }
    }
}
