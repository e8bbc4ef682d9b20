//! Move lists with numbers, `1. f5 d6 2. c3`, which may continue over several lines.

use super::color_words::color_word;
use super::movetext::{OpenAnnotations, move_number};
use crate::game::RecordScanner;

/// Collects the lines of a numbered move list, until its result. A line continues the list if it is
/// a comment in braces or a result, or begins with a suitable number or with moves before one. An
/// unclosed comment or variation ends before a blank line or another list.
#[derive(Debug)]
pub(crate) struct NumberedMovesScanner {
    is_result: fn(&str) -> bool,
    /// Returns whether a number at the start of a line continues a list whose moves name this many
    /// squares so far.
    continues: fn(squares: usize, number: &str, line: &str) -> bool,
    has_started: bool,
    is_numbered: bool,
    /// Whether a result was read.
    ended: bool,
    squares: usize,
    /// Whether the last word was a move number.
    ends_with_number: bool,
    annotations: OpenAnnotations,
}

impl NumberedMovesScanner {
    /// Creates a scanner for lists whose results are recognized by `is_result`. `continues` gets
    /// the number of squares in the moves so far, the number at the start of the next line, and
    /// that line.
    pub fn new(is_result: fn(&str) -> bool, continues: fn(usize, &str, &str) -> bool) -> Self {
        Self {
            is_result,
            continues,
            has_started: false,
            is_numbered: false,
            ended: false,
            squares: 0,
            ends_with_number: false,
            annotations: OpenAnnotations::default(),
        }
    }
}

impl RecordScanner for NumberedMovesScanner {
    fn add(&mut self, line: &str) {
        if !self.has_started {
            self.is_numbered = move_number(line.trim_start()).is_some() || begins_with_color(line);
        }
        self.has_started = true;
        let text = self.annotations.outside(line, false);
        self.ended |= text.split_whitespace().any(self.is_result);
        self.squares += count_squares(&text);
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
        let continues = |number| (self.continues)(self.squares, number, next);
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
        let squares = self.squares + moves.iter().map(|word| count_squares(word)).sum::<usize>();
        let continues = |number| (self.continues)(squares, number, rest);
        self.ends_with_number || move_number(rest).is_some_and(continues)
    }
}

/// Returns whether a line is a move after the color of its side: `BLACK, e6`.
fn begins_with_color(line: &str) -> bool {
    let mut words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.next().is_some_and(|word| color_word(word).is_some())
        && words.next().is_some_and(|word| count_squares(word) > 0)
}

/// Returns the number of squares named in the text.
fn count_squares(text: &str) -> usize {
    let is_square = |pair: &&[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    text.as_bytes().windows(2).filter(is_square).count()
}
