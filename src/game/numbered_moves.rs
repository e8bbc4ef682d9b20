//! Move lists with numbers, `1. f5 d6 2. c3`, which may continue over several lines.

use super::{GameResult, RecordScanner};

/// Collects the lines of a numbered move list: a list continues in lines that start with a later number or are a result.
#[derive(Debug, Default)]
pub(crate) struct NumberedMovesScanner {
    is_open: bool,
    has_begun: bool,
}

impl RecordScanner for NumberedMovesScanner {
    fn add(&mut self, line: &str) {
        let is_numbered = if self.has_begun { self.is_open } else { move_number(line.trim_start()).is_some() };
        self.has_begun = true;
        self.is_open = is_numbered && !line.split_whitespace().any(is_result);
    }

    fn may_continue(&self) -> bool {
        self.is_open
    }

    fn accepts(&self, next: &str) -> bool {
        let next = next.trim();
        let starts_game = move_number(next) == Some("1") && !next.starts_with("1..");
        self.is_open && (is_result(next) || (move_number(next).is_some() && !starts_game))
    }
}

/// Returns the number of a move at the start of a text: `12` of `12. d2`. A dot must follow the number.
pub(crate) fn move_number(text: &str) -> Option<&str> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (digits > 0 && text[digits..].starts_with('.')).then(|| &text[..digits])
}

fn is_result(word: &str) -> bool {
    GameResult::from_pgn(word).is_some() || disc_counts(word).is_some()
}

/// Returns the two numbers of a result in discs, such as `40-24`.
pub(crate) fn disc_counts(word: &str) -> Option<[u32; 2]> {
    // The rest of a long line is not searched for a separator after each of its moves.
    if word.len() > "40-24".len() {
        return None;
    }
    let (black, white) = word.split_once(['-', ':'])?;
    let count = |text: &str| {
        (!text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse().ok())?
    };
    Some([count(black)?, count(white)?])
}
