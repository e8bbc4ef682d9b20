//! Makes untrusted text from files, programs and requests harmless for the place where it is
//! written.
//!
//! In a terminal, escape sequences could move the cursor or change the title, and direction
//! overrides could display a different text. In a line-based format, a line break would end the
//! line.
//!
//! | target | function |
//! | --- | --- |
//! | one line of a terminal or a message | [`printable`] |
//! | several lines of a terminal | [`printable_lines`], or the writer [`PrintableWriter`] |
//! | a value in a line-based format | [`in_a_line`] |
//! | HTML and SVG | [`in_markup`] |
//!
//! JSON and CSV are escaped by their encoders.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Returns whether a terminal obeys a character instead of displaying it: control characters, line
/// separators, and marks and overrides of the writing direction.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes [hidden](is_hidden) characters, line breaks included: `\u{1b}`, `\n`.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Escapes [hidden](is_hidden) characters except line breaks.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\n' && is_hidden(c))
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if !is_escaped(c) {
            escaped.push(c);
        } else if c.is_ascii_control() && c.escape_debug().count() == 2 {
            escaped.extend(c.escape_debug());
        } else {
            write!(escaped, "\\u{{{:x}}}", c as u32).expect("writing to a string cannot fail");
        }
    }
    escaped.into()
}

/// Escapes hidden characters, and the characters that have a meaning in HTML and SVG.
pub fn in_markup(text: &str) -> String {
    let text = printable_lines(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Replaces control characters, line breaks included, by spaces, for a value in a line-based
/// format.
pub fn in_a_line(text: &str) -> Cow<'_, str> {
    if !text.contains(breaks_line) {
        return text.into();
    }
    text.replace(breaks_line, " ").into()
}

fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Writes [`printable_lines`] to a sink. Bytes that are not UTF-8 become replacement characters.
#[derive(Debug)]
pub struct PrintableWriter<W> {
    sink: W,
    /// The beginning of an incomplete character.
    partial: Vec<u8>,
}

impl<W: Write> PrintableWriter<W> {
    /// Creates a writer that writes to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, partial: Vec::new() }
    }
}

impl<W: Write> Write for PrintableWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.partial.extend_from_slice(bytes);
        let all = std::mem::take(&mut self.partial);
        let complete = match str::from_utf8(&all) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.sink.write_all(printable_lines(&String::from_utf8_lossy(&all[..complete])).as_bytes())?;
        self.partial.extend_from_slice(&all[complete..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_only_what_is_not_shown() {
        for plain in ["", "Müller – 東京 \u{1f600} e\u{301}", "a\\b \"c\" 'd'"] {
            assert!(matches!(printable(plain), Cow::Borrowed(text) if text == plain));
        }
        for (text, expected) in [
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
            ("a\nb\rc\td", "a\\nb\\rc\\td"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("abc\u{202e}def", "abc\\u{202e}def"),
            ("\u{2066}x\u{2069}\u{200f}", "\\u{2066}x\\u{2069}\\u{200f}"),
            ("\u{2028}\0\u{7f}", "\\u{2028}\\0\\u{7f}"),
        ] {
            assert_eq!(printable(text), expected);
            assert!(!printable(text).contains(is_hidden));
        }
        assert_eq!(printable_lines("a\nb\u{1b}[2J\n"), "a\nb\\u{1b}[2J\n");
        assert_eq!(in_a_line("a\r\nb\tc\u{85}d\u{202e}"), "a  b c d\u{202e}");
    }

    #[test]
    fn the_writer_keeps_lines() {
        let mut text = Vec::new();
        let mut writer = PrintableWriter::new(&mut text);
        write!(writer, "a\u{1b}\nb").unwrap();
        "\u{202e}".bytes().for_each(|byte| writer.write_all(&[byte]).unwrap());
        writer.write_all(b"\xff\n").unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "a\\u{1b}\nb\\u{202e}\u{fffd}\n");
    }
}
