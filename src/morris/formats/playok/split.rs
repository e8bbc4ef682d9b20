//! Splits a text into games.

use super::{ParsePlayOkError, PlayOkErrorKind, read};
use crate::game::pgn::{PgnScanner, starts_with_tag};
use crate::game::{AnnotatedGame, GameResult, RecordScanner};
use crate::morris::{Position, Variant};

/// Returns whether a line begins a game: it starts with a tag, or with `1.` and a digit.
#[must_use]
pub fn starts_game(line: &str) -> bool {
    let line = line.trim();
    let first = line.strip_prefix("1.").map(str::trim_start);
    starts_with_tag(line) || first.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns a scanner that finds the end of a game: after its result, or before a tag that follows its moves. Blank lines within a game
/// belong to it. An unclosed comment ends before a tag that follows a blank line, so that it does not swallow the next game.
#[must_use]
pub fn scanner() -> Box<dyn RecordScanner> {
    Box::new(game_scanner())
}

fn game_scanner() -> PgnScanner {
    PgnScanner::new(|word| GameResult::from_pgn(word).is_some())
}

/// An iterator over the games of a text; see [`games`].
#[derive(Debug, Clone)]
pub struct GameIterator<'a, V> {
    rest: &'a str,
    /// The line where the rest begins, from 1.
    line: usize,
    variant: std::marker::PhantomData<V>,
}

/// Returns the games of a text. After an invalid game iteration continues with the next; each line that is neither blank nor part of a
/// game is an error.
#[must_use]
pub fn games<V: Variant>(text: &str) -> GameIterator<'_, V> {
    GameIterator { rest: text, line: 1, variant: std::marker::PhantomData }
}

/// Reads all games of a text.
///
/// # Errors
/// The first [`ParsePlayOkError`], with its line in the text.
pub fn read_all<V: Variant>(text: &str) -> Result<Vec<AnnotatedGame<Position<V>>>, ParsePlayOkError> {
    games(text).collect()
}

impl<V: Variant> Iterator for GameIterator<'_, V> {
    type Item = Result<AnnotatedGame<Position<V>>, ParsePlayOkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut lines = self.rest.split_inclusive('\n');
        let (mut scanner, mut start, mut len, mut game_lines) = (game_scanner(), 0, 0, 0);
        for line in &mut lines {
            if len == start && line.trim().is_empty() {
                start += line.len();
                len = start;
                self.line += 1;
                continue;
            }
            if len > start && !scanner.accepts(line) {
                break;
            }
            len += line.len();
            game_lines += 1;
            if game_lines == 1 && !starts_game(line) {
                let column = line.chars().take_while(|c| c.is_whitespace()).count() + 1;
                self.rest = &self.rest[len..];
                let line = self.line;
                self.line += 1;
                return Some(Err(ParsePlayOkError { line, column, kind: PlayOkErrorKind::NoGame }));
            }
            scanner.add(line);
        }
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        if text[start..].is_empty() {
            return None;
        }
        let before = self.line - 1;
        self.line += game_lines;
        Some(read(&text[start..]).map_err(|error| ParsePlayOkError { line: error.line + before, ..error }))
    }
}
