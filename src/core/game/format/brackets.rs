//! The structure that GGF and SGF share: games in parentheses with properties, `(;NAME[value]...)`.

use crate::game::{Failure, RecordScanner};

/// A property, as slices of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Property<'a> {
    /// The text that starts with the property.
    pub start: &'a str,
    pub name: &'a str,
    /// The first value. Others may follow.
    pub value: &'a str,
}

/// Why the text does not begin with a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PropertyError<'a> {
    /// The name or the value is missing.
    Missing,
    /// The value of the property with this name has no closing bracket.
    Unclosed(&'a str),
}

/// Takes a property from the start of the text. If `escapes` is true, a backslash prevents the next
/// character from closing the value.
pub(crate) fn take_property<'a>(
    rest: &mut &'a str,
    escapes: bool,
) -> Result<Property<'a>, Failure<'a, PropertyError<'a>>> {
    let start = *rest;
    let after = start.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let name = &start[..start.len() - after.len()];
    *rest = after.trim_start();
    if name.is_empty() || !rest.starts_with('[') {
        return Err((rest, PropertyError::Missing));
    }
    let value = take_value(rest, escapes).ok_or((start, PropertyError::Unclosed(name)))?;
    Ok(Property { start, name, value })
}

/// Takes a value in brackets from the start of the text; `None` if there is none or it has no
/// closing bracket.
pub(crate) fn take_value<'a>(rest: &mut &'a str, escapes: bool) -> Option<&'a str> {
    let inner = rest.trim_start().strip_prefix('[')?;
    let mut escaped = false;
    let end = inner.find(|c: char| {
        let is_end = c == ']' && !escaped;
        escaped = escapes && c == '\\' && !escaped;
        is_end
    })?;
    *rest = &inner[end + 1..];
    Some(&inner[..end])
}

/// Returns the first value of the property with this name in the first game of the text, ignoring
/// case.
pub(crate) fn find_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let begin = format!("{name}[");
    let at = text.as_bytes().windows(begin.len()).position(|part| part.eq_ignore_ascii_case(begin.as_bytes()))?;
    text[at + begin.len()..].split_once(']').map(|(value, _)| value)
}

/// Finds the end of a game: the line in which its parentheses are closed, or the line before
/// another game begins.
pub(crate) struct BracketScanner {
    escapes: bool,
    /// Returns whether a game begins on this line.
    begins: fn(&str) -> bool,
    /// The number of open parentheses.
    depth: usize,
    in_value: bool,
    ended: bool,
}

impl BracketScanner {
    pub fn new(escapes: bool, begins: fn(&str) -> bool) -> Self {
        Self { escapes, begins, depth: 0, in_value: false, ended: false }
    }
}

impl RecordScanner for BracketScanner {
    fn add(&mut self, line: &str) {
        let mut escaped = false;
        for byte in line.bytes() {
            match (byte, self.in_value) {
                _ if std::mem::take(&mut escaped) => {}
                (b'\\', true) => escaped = self.escapes,
                (b']', true) => self.in_value = false,
                (b'[', false) => self.in_value = true,
                (b'(', false) => self.depth += 1,
                (b')', false) => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        // Without escapes, the end of a game is certain even if a value is not closed.
        let is_end = self.depth == 0 && !self.in_value;
        self.ended = is_end || !self.escapes && line.trim_end().ends_with(";)");
    }

    fn may_continue(&self) -> bool {
        !self.ended
    }

    fn accepts(&self, next: &str) -> bool {
        !self.ended && !(self.begins)(next)
    }
}
