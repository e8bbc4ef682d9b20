//! [`LocatedText`]: text with the places of its characters in the input.

use std::borrow::Cow;

use morello_core::game::{LocatedError, UnreadKind, UnreadText};

/// A line and a column, both counted from 1.
pub(super) type Place = (u64, usize);

/// Returns the place after a text that begins at a place. In JSON, lines within a record end with
/// carriage returns.
pub(super) fn advance(place: Place, text: &str) -> Place {
    text.chars().fold(place, |(line, column), c| if c == '\r' { (line + 1, 1) } else { (line, column + 1) })
}

/// Converts full-width letters, digits and marks, which East Asian keyboards type, to half width.
fn half_width(text: &str) -> Cow<'_, str> {
    const FULL_WIDTH: std::ops::RangeInclusive<char> = '\u{ff01}'..='\u{ff5e}';
    const OFFSET: u32 = 0xfee0;
    let narrow = |c: char| match c {
        '\u{3000}' => ' ',
        _ if FULL_WIDTH.contains(&c) => char::from_u32(u32::from(c) - OFFSET).unwrap_or(c),
        _ => c,
    };
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.chars().map(narrow).collect()) }
}

/// Text from an input, perhaps joined from several parts.
#[derive(Debug, Clone, Default)]
pub(super) struct LocatedText {
    /// The text.
    pub text: String,
    chars: usize,
    parts: Vec<Part>,
}

/// A part of the text on one line of the input.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The number of characters before the part in the text.
    start: usize,
    place: Place,
    /// Whether the characters are consecutive in the input; otherwise they all have the same place.
    is_exact: bool,
}

impl LocatedText {
    /// Creates a text that begins at a place. Each line break in it starts the next line of the
    /// input.
    pub fn new(text: &str, (line, column): Place) -> Self {
        let text = &half_width(text);
        let (mut parts, mut start) = (Vec::new(), 0);
        for (number, part) in (0..).zip(text.split('\n')) {
            let place = (line + number, if number == 0 { column } else { 1 });
            parts.push(Part { start, place, is_exact: true });
            start += part.chars().count() + 1;
        }
        Self { text: text.to_string(), chars: start - 1, parts }
    }

    /// Creates a text whose characters all have the same place.
    pub fn at(text: &str, place: Place) -> Self {
        let text = half_width(text);
        let part = Part { start: 0, place, is_exact: false };
        Self { chars: text.chars().count(), text: text.into_owned(), parts: vec![part] }
    }

    /// Returns whether the text has no parts, not even an empty one.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Appends another text after a separator.
    pub fn push(&mut self, separator: char, other: &Self) {
        let start = self.chars + 1;
        self.text.push(separator);
        self.text += &other.text;
        self.chars = start + other.chars;
        self.parts.extend(other.parts.iter().map(|part| Part { start: start + part.start, ..*part }));
    }

    /// Returns the whole text as ignored text.
    pub fn unread(&self, kind: UnreadKind) -> UnreadText {
        let (line, column) = self.place_of(0);
        UnreadText { line, column, kind }
    }

    /// Returns the place of an error in a part of the text. `before` is the number of characters
    /// before this part.
    pub fn place(&self, before: usize, error: &dyn LocatedError) -> Place {
        self.place_of(before + error.column() - 1)
    }

    /// Returns the place of the character at index `at`.
    pub fn place_of(&self, at: usize) -> Place {
        let part = self.parts[self.parts.partition_point(|part| part.start <= at).saturating_sub(1)];
        let (line, column) = part.place;
        (line, column + if part.is_exact { at - part.start } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::ParseError;

    use super::*;

    #[test]
    fn joined_texts_keep_their_places() {
        let mut text = LocatedText::new("äb\ncd", (3, 5));
        text.push(' ', &LocatedText::at("ef", (9, 2)));
        text.push(' ', &LocatedText::new("g", (10, 4)));
        assert_eq!(text.text, "äb\ncd ef g");
        assert_eq!(LocatedText::new("Ｆ５ｄ６\u{3000}é", (1, 1)).text, "F5d6 é");
        let place = |column| text.place(0, &ParseError { column, kind: std::fmt::Error });
        let expected = [(3, 5), (3, 6), (3, 7), (4, 1), (4, 2), (4, 3), (9, 2), (9, 2), (9, 2), (10, 4), (10, 5)];
        assert_eq!((1..=11).map(place).collect::<Vec<_>>(), expected);
        assert_eq!(text.place(3, &ParseError { column: 2, kind: std::fmt::Error }), (4, 2));
    }
}
