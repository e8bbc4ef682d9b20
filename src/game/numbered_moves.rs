//! Move lists with numbers, `1. f5 d6 2. c3`, which may continue over several lines.

use super::RecordScanner;

/// Collects the lines of a numbered move list: a list continues in lines that are a comment in braces or a result, or
/// start with a suitable number, until its result. An unclosed comment or variation ends before a blank line or another list.
#[derive(Debug)]
pub(crate) struct NumberedMovesScanner {
    is_result: fn(&str) -> bool,
    /// Returns whether a number at the start of a line continues a list that named so many squares in its moves.
    continues: fn(squares: usize, number: &str, line: &str) -> bool,
    has_started: bool,
    is_numbered: bool,
    /// Whether there was a result.
    ended: bool,
    squares: usize,
    in_comment: bool,
    /// The number of open parentheses.
    open_variations: usize,
}

impl NumberedMovesScanner {
    /// Creates a scanner for lists whose results are recognized by `is_result`. `continues` gets the number of squares in the moves so far, the
    /// number at the start of the next line, and that line.
    pub fn new(is_result: fn(&str) -> bool, continues: fn(usize, &str, &str) -> bool) -> Self {
        Self {
            is_result,
            continues,
            has_started: false,
            is_numbered: false,
            ended: false,
            squares: 0,
            in_comment: false,
            open_variations: 0,
        }
    }
}

impl NumberedMovesScanner {
    /// Returns the text of a line outside of comments and variations, which may continue from the lines before.
    fn outside_annotations(&mut self, line: &str) -> String {
        let is_outside = |&c: &char| {
            let was_inside = self.in_comment || self.open_variations > 0;
            match c {
                '{' => self.in_comment = true,
                '}' => self.in_comment = false,
                '(' if !self.in_comment => self.open_variations += 1,
                ')' if !self.in_comment => self.open_variations = self.open_variations.saturating_sub(1),
                _ => {}
            }
            !was_inside && !self.is_in_annotation()
        };
        line.chars().filter(is_outside).collect()
    }

    fn is_in_annotation(&self) -> bool {
        self.in_comment || self.open_variations > 0
    }
}

impl RecordScanner for NumberedMovesScanner {
    fn add(&mut self, line: &str) {
        if !self.has_started {
            self.is_numbered = move_number(line.trim_start()).is_some();
        }
        self.has_started = true;
        let text = self.outside_annotations(line);
        self.ended |= text.split_whitespace().any(self.is_result);
        self.squares += count_squares(&text);
    }

    fn may_continue(&self) -> bool {
        self.is_numbered && (!self.ended || self.is_in_annotation())
    }

    fn accepts(&self, next: &str) -> bool {
        let next = next.trim();
        if !self.may_continue() {
            return false;
        }
        if self.is_in_annotation() {
            let begins_list = move_number(next) == Some("1") && !next.starts_with("1..");
            return !next.is_empty() && !begins_list;
        }
        let continues = |number| (self.continues)(self.squares, number, next);
        let is_comment = next.starts_with('{') && (next.ends_with('}') || !next.contains('}'));
        is_comment || (self.is_result)(next) || move_number(next).is_some_and(continues)
    }
}

/// Returns the number of squares named in a text.
fn count_squares(text: &str) -> usize {
    let is_square = |pair: &&[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    text.as_bytes().windows(2).filter(is_square).count()
}

/// Returns the move number at the start of a text, `12` for `12. d2`. A dot, a parenthesis, a colon or a space must follow it.
pub(crate) fn move_number(text: &str) -> Option<&str> {
    let (number, rest) = text.split_at(text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    let is_marked = rest.starts_with(['.', ')', ':']);
    // A number may be an evaluation or a result: without a mark, a letter must follow.
    let is_bare = || rest.starts_with(' ') && rest.trim_start().starts_with(|c: char| c.is_ascii_alphabetic());
    (!number.is_empty() && (is_marked || is_bare())).then_some(number)
}

/// Returns the text after the mark of a move number.
pub(crate) fn after_mark(text: &str) -> &str {
    match text.strip_prefix([')', ':']) {
        Some(rest) => rest,
        None => text.trim_start_matches('.'),
    }
}

/// Splits a label, such as the names of the players in `Anna - Bob: f5d6`, from the moves after its colon. `begins` is whether a text begins like
/// moves.
pub(crate) fn split_label(text: &str, begins: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    // A colon between digits may belong to a result, as in `Anna 40:24 Bob: f5d6`.
    let is_within_result = |at: usize| {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        digit(text.as_bytes()[..at].last()) && digit(text.as_bytes().get(at + 1))
    };
    for (at, _) in text.match_indices(':') {
        let (label, moves) = (&text[..at], &text[at + 1..]);
        let is_number = label.trim().bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && begins(moves) {
            let is_label = !label.contains([';', '{', '[']) && !label.trim_start().starts_with('(');
            return is_label.then_some((label, moves));
        }
        if !is_within_result(at) {
            return None;
        }
    }
    None
}

/// The content of a label such as `Anna - Bob`, `12. Anna - Bob` or `Anna 40-24 Bob`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Label<'a> {
    /// The names in their order.
    pub names: [Option<String>; 2],
    /// The result, and the number of characters before it.
    pub result: Option<(&'a str, usize)>,
}

/// Reads a label. `is_result` recognizes results.
pub(crate) fn read_label(label: &str, is_result: fn(&str) -> bool) -> Label<'_> {
    let split = |text: &str| {
        let between = [" - ", " \u{2013} ", " vs. ", " vs ", " v "];
        let names = between.into_iter().find_map(|between| text.split_once(between));
        names.map_or([None, None], |(first, second)| [first, second].map(|name| Some(name.trim().to_owned())))
    };
    // A number counts games only if it has a mark: `3 Kings` is a name.
    let text = label.trim();
    let number = move_number(text).map_or("", |number| number);
    let text = if text[number.len()..].starts_with(' ') { text } else { after_mark(&text[number.len()..]) };
    let Some(result) = text.split_whitespace().find(|word| is_result(word)) else {
        return Label { names: split(text), result: None };
    };
    let start = result.as_ptr() as usize - text.as_ptr() as usize;
    let [before, after] = [&text[..start], &text[start + result.len()..]].map(str::trim);
    let names = if before.is_empty() || after.is_empty() {
        split(&[before, after].concat())
    } else {
        [before, after].map(|name| Some(name.to_owned()))
    };
    let offset = result.as_ptr() as usize - label.as_ptr() as usize;
    Label { names, result: Some((result, label[..offset].chars().count())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_names_and_results() {
        let is_result = |word: &str| ["40-24", "40:24", "1-0"].contains(&word);
        let read = |label: &'static str| {
            let label = read_label(label, is_result);
            (label.names.map(Option::unwrap_or_default), label.result)
        };
        let names = |first: &str, second: &str| [first, second].map(str::to_owned);
        assert_eq!(read("Anna - Bob"), (names("Anna", "Bob"), None));
        assert_eq!(read(" 3. É A 40-24 Bob"), (names("É A", "Bob"), Some(("40-24", 8))));
        assert_eq!(read("Anna vs Bob 1-0 "), (names("Anna", "Bob"), Some(("1-0", 12))));
        assert_eq!(read("40-24 Anna - Bob"), (names("Anna", "Bob"), Some(("40-24", 0))));
        assert_eq!(read("final 40-24"), (names("", ""), Some(("40-24", 6))));
    }

    #[test]
    fn a_colon_in_a_result_does_not_end_a_label() {
        let begins = |text: &str| text.trim_start().starts_with("f5");
        assert_eq!(split_label("Anna 40:24 Bob: f5d6", begins), Some(("Anna 40:24 Bob", " f5d6")));
        assert_eq!(split_label("round 1: f5d6", begins), Some(("round 1", " f5d6")));
        for text in ["1: f5 2: f5", "a:b: f5", "f5", "{a: f5", "1:2"] {
            assert_eq!(split_label(text, begins), None, "{text}");
        }
    }
}
