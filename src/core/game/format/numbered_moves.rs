//! Move lists with numbers, `1. f5 d6 2. c3`, which may continue over several lines.

use super::color_words::color_word;
use super::movetext::{OpenAnnotations, move_number};
use crate::game::{RecordScanner, is_pass_word};

/// The moves of a list before a line.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ListSoFar {
    /// The number of squares that the moves name.
    pub squares: usize,
    /// The last move number.
    pub number: Option<usize>,
    /// The number of squares since then.
    pub squares_since: usize,
}

impl ListSoFar {
    fn add(&mut self, squares: usize) {
        self.squares += squares;
        self.squares_since += squares;
    }

    /// Returns whether a number is the one after the last, which has a turn of both sides at most: one
    /// of them may have passed.
    pub fn is_next(&self, number: usize) -> bool {
        (1..=2).contains(&self.squares_since) && self.number.is_some_and(|last| number == last.saturating_add(1))
    }
}

/// Collects the lines of a numbered move list, until its result. A line continues the list if it is
/// a comment in braces or a result, or begins with a suitable number or with moves before one. An
/// unclosed comment or variation ends before a blank line or another list.
#[derive(Debug)]
pub(crate) struct NumberedMovesScanner {
    is_result: fn(&str) -> bool,
    /// Returns whether a number at the start of a line continues a list.
    continues: fn(list: ListSoFar, number: &str, line: &str) -> bool,
    has_started: bool,
    is_numbered: bool,
    /// Whether a result was read.
    ended: bool,
    list: ListSoFar,
    /// Whether the last word was a move number.
    ends_with_number: bool,
    annotations: OpenAnnotations,
}

impl NumberedMovesScanner {
    /// Creates a scanner for lists whose results are recognized by `is_result`. `continues` gets
    /// the list so far, the number at the start of the next line, and that line.
    pub fn new(is_result: fn(&str) -> bool, continues: fn(ListSoFar, &str, &str) -> bool) -> Self {
        Self {
            is_result,
            continues,
            has_started: false,
            is_numbered: false,
            ended: false,
            list: ListSoFar::default(),
            ends_with_number: false,
            annotations: OpenAnnotations::default(),
        }
    }
}

impl RecordScanner for NumberedMovesScanner {
    fn add(&mut self, line: &str) {
        let text = self.annotations.outside(line, false);
        self.ended |= text.split_whitespace().any(self.is_result);
        for word in text.split_whitespace() {
            let rest = &text[word.as_ptr() as usize - text.as_ptr() as usize..];
            if let Some(number) = move_number(rest) {
                (self.list.number, self.list.squares_since) = (number.parse().ok(), 0);
                // Before a number, there may be a label.
                let after = rest[number.len()..].trim_start_matches(|c: char| ".):".contains(c) || c.is_whitespace());
                self.is_numbered |= !self.has_started && begins_with_square(after);
            }
            self.list.add(count_squares(word));
        }
        if !self.has_started {
            self.is_numbered |= move_number(line.trim_start()).is_some() || begins_with_color(line);
        }
        self.has_started = true;
        let last = text.split_whitespace().next_back().unwrap_or_default();
        self.ends_with_number = last.ends_with('.') && move_number(last).is_some();
    }

    fn may_continue(&self) -> bool {
        self.is_numbered && (!self.ended || self.annotations.is_open())
    }

    fn accepts(&self, next: &str) -> bool {
        let next = next.trim();
        if !self.may_continue() {
            return false;
        }
        if self.annotations.is_open() {
            let begins_list = move_number(next) == Some("1") && !next.starts_with("1..");
            return !next.is_empty() && !begins_list;
        }
        let continues = |number| (self.continues)(self.list, number, next);
        let is_comment = next.starts_with('{') && (next.ends_with('}') || !next.contains('}'));
        let is_move = begins_with_color(next) || move_number(next).is_some_and(continues);
        is_comment || (self.is_result)(next) || is_move || self.is_wrapped(next)
    }
}

impl NumberedMovesScanner {
    /// Returns whether a line continues with moves after a number, or with moves before the next
    /// number.
    fn is_wrapped(&self, next: &str) -> bool {
        let is_move = |word: &&str| count_squares(word) > 0 && !word.starts_with(|c: char| c.is_ascii_digit());
        let moves: Vec<&str> = next.split_whitespace().take_while(is_move).collect();
        let Some(last) = moves.last() else { return false };
        let rest = next[last.as_ptr() as usize - next.as_ptr() as usize + last.len()..].trim_start();
        let mut list = self.list;
        moves.iter().for_each(|word| list.add(count_squares(word)));
        let continues = |number| (self.continues)(list, number, rest);
        self.ends_with_number || move_number(rest).is_some_and(continues)
    }
}

/// Returns whether a line is a move or a pass after the color of its side: `BLACK, e6`.
fn begins_with_color(line: &str) -> bool {
    let mut words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.next().is_some_and(|word| color_word(word).is_some())
        && words.next().is_some_and(|word| count_squares(word) > 0 || word == "--" || is_pass_word(word))
}

fn begins_with_square(text: &str) -> bool {
    text.get(..2).is_some_and(|start| count_squares(start) > 0)
}

/// Returns the number of squares named in the text.
fn count_squares(text: &str) -> usize {
    let is_square = |pair: &&[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    text.as_bytes().windows(2).filter(is_square).count()
}
