//! [`TextFormats`]: parses the text of a record, and locates errors in its input.

use super::json;
use super::line_reader::LineContent;
use super::record::{RecordError, RecordProblem, UnrecognizedText};
use super::work;
use crate::game::{AnnotatedGame, AnnotatedPosition, AnyGame, Game, LineFormat, ParsedRecord, opening};

/// The longest text that an error quotes, in characters.
const MAX_QUOTED_CHARS: usize = 40;

/// The text formats of a game, or the requested one.
#[derive(Clone, Copy)]
pub(super) struct TextFormats {
    pub game: &'static dyn AnyGame,
    pub requested: Option<&'static LineFormat>,
}

impl TextFormats {
    /// Returns the requested format, or the one detected for a text.
    pub fn of(self, text: &str) -> &'static LineFormat {
        self.requested.unwrap_or_else(|| self.game.format_of(text))
    }

    /// Parses a text that begins in `line` after `indent` characters, in a format that is its own or the one asked for.
    pub fn parse(self, format: &LineFormat, text: &str, indent: usize, line: u64) -> Result<ParsedRecord, RecordError> {
        work::note(text.len());
        // Not every format has the word for the starting position.
        let start = || (text == opening::START).then(|| AnnotatedPosition::from(self.game.start()));
        let parsed = (format.parse)(text).or_else(|error| start().map(ParsedRecord::Position).ok_or(error));
        parsed.map_err(|error| {
            // A line break counts as a character.
            let before: String = text.chars().take(error.column() - 1).collect();
            let (line, column) = match before.rsplit_once('\n') {
                None => (line, indent + error.column()),
                Some((lines, last)) => (line + lines.matches('\n').count() as u64 + 1, last.chars().count() + 1),
            };
            // The last format is tried where no other is detected: if it fails at once, its error says little.
            let is_last = self.game.formats().last().is_some_and(|last| std::ptr::eq(last, format));
            let is_guess = self.requested.is_none() && is_last && error.column() == 1;
            let problem = if is_guess { self.unrecognized(text) } else { RecordProblem::Unreadable(error) };
            RecordError { line, column, problem }
        })
    }

    /// Parses the text in a column. An empty text is a game without moves.
    pub fn parse_cell(self, cell: &str, line: u64) -> Result<ParsedRecord, RecordError> {
        if cell.trim().is_empty() {
            return Ok(AnnotatedGame::from(Game::new(self.game.start())).into());
        }
        let indent = cell.chars().take_while(|c| c.is_whitespace()).count();
        self.parse(self.of(cell.trim()), cell.trim(), indent, line)
    }

    /// Parses the texts of a JSON array as one game or position. The place of an error is in the array.
    pub fn parse_array(
        self,
        texts: &json::Texts<'_>,
        content: &LineContent,
        line: u64,
    ) -> Result<ParsedRecord, RecordError> {
        let text = texts.join();
        self.parse(self.of(&text), &text, 0, line).map_err(|error| {
            let lines: usize =
                text.split('\n').take((error.line - line) as usize).map(|line| line.chars().count() + 1).sum();
            let (further, column) = json::place(&content.text, texts.locate(&content.text, lines + error.column - 1));
            let indent = if further == 0 { content.indent } else { 0 };
            RecordError { line: line + further, column: indent + column, problem: error.problem }
        })
    }

    /// Returns the error of a text that resembles no format.
    fn unrecognized(self, text: &str) -> RecordProblem {
        let quoted: String = text.lines().next().unwrap_or_default().chars().take(MAX_QUOTED_CHARS).collect();
        let is_whole = quoted.len() == text.len();
        let names: Vec<_> = self.game.formats().iter().map(|format| format.name).collect();
        RecordProblem::Unrecognized(Box::new(UnrecognizedText {
            text: if is_whole { quoted } else { quoted + "…" },
            game: self.game.name(),
            formats: names.join(", "),
            example: self.game.write_moves(&self.game.random_game(0, 3)),
        }))
    }
}

/// Returns an error in a value of a JSON object, which is a part of `text`, with its place in the object.
pub(super) fn located_in(text: &str, value: &str, error: RecordError, line: u64) -> RecordError {
    match json::texts(value) {
        Some(texts) if error.line == line => {
            let (further, column) = json::place(text, texts.locate(text, error.column - 1));
            RecordError { line: line + further, column, ..error }
        }
        _ => error,
    }
}
