//! Splits text into games.

use crate::game::format::movetext::starts_with_tag;
use crate::game::format::pgn::PgnScanner;
use crate::game::{GameResult, RecordScanner};

/// Returns whether a line begins a game: it starts with a tag, or with `1.` and a digit.
#[must_use]
pub fn starts_game(line: &str) -> bool {
    let line = line.trim();
    let first = line.strip_prefix("1.").map(str::trim_start);
    starts_with_tag(line) || first.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns a scanner that finds the end of a game: after its result, or before a tag that follows
/// its moves. Blank lines within a game are allowed. An unclosed comment ends before a tag that
/// follows a blank line, so that it does not swallow the next game.
#[must_use]
pub fn scanner() -> Box<dyn RecordScanner> {
    Box::new(PgnScanner::new(|word| GameResult::from_pgn(word).is_ok()))
}
