//! [`TextFormats`]: parses the text of a record.

use std::fmt;

use morello_core::game::label::{is_heading, is_lone_result};
use morello_core::game::opening;
use morello_core::game::{AnnotatedGame, AnnotatedPosition, AnyGame, Game, LineFormat, ParseError, ParsedRecord};
use morello_core::games;

use super::links;
use super::located_text::LocatedText;
use super::record::{OPEN_ARRAY, RecordError, RecordProblem, UnrecognizedText};
use super::work;

/// The maximum length of text quoted in an error, in characters.
const MAX_QUOTED_CHARS: usize = 40;

/// The text formats of a game, or the requested one.
#[derive(Clone, Copy)]
pub(super) struct TextFormats {
    pub game: &'static dyn AnyGame,
    pub requested: Option<&'static LineFormat>,
}

impl TextFormats {
    /// Returns the requested format, or the format detected for the text.
    pub fn of(self, text: &str) -> &'static LineFormat {
        self.requested.unwrap_or_else(|| self.game.format_of(text))
    }

    /// Returns whether a line is a heading: no format can read it.
    pub fn is_heading(self, format: &LineFormat, line: &str) -> bool {
        let is_tried = self.is_last(format) || self.requested.is_some() || is_lone_result(line);
        // If a format can read the first word, the line is meant to be in this format.
        let word = line.split_whitespace().next().map_or(0, |word| word.chars().count());
        is_tried && is_heading(line) && (format.parse)(line).is_err_and(|error| error.column() <= word + 1)
    }

    /// Returns whether a format is the last one, which is tried if no other format is detected.
    fn is_last(self, format: &LineFormat) -> bool {
        self.game.formats().last().is_some_and(|last| std::ptr::eq(last, format))
    }

    /// Returns whether the text can be parsed.
    pub fn can_parse(self, text: &str) -> bool {
        (self.of(text).parse)(text).is_ok()
    }

    /// Parses a text.
    pub fn parse(self, located: &LocatedText) -> Result<ParsedRecord, RecordError> {
        self.parse_part(self.of(&located.text), located, &located.text, 0)
    }

    /// Parses a part of the text. `before` is the number of characters before this part.
    pub fn parse_part(
        self,
        format: &LineFormat,
        located: &LocatedText,
        text: &str,
        before: usize,
    ) -> Result<ParsedRecord, RecordError> {
        work::note(text.len());
        if links::is_link(text.as_bytes()) {
            return self.parse_link(located, text, before);
        }
        // Not every format accepts the word for the starting position.
        let start = || (text == opening::START).then(|| AnnotatedPosition::from(self.game.start()));
        let parsed = (format.parse)(text).or_else(|error| start().map(ParsedRecord::Position).ok_or(error));
        let mut parsed = parsed.map_err(|error| {
            let (line, column) = located.place(before, &*error);
            // If a format is only a guess and fails at once, its error is not informative.
            let is_guess = self.requested.is_none() && self.is_last(format) && error.column() == 1;
            let problem = if is_guess { self.unrecognized(text) } else { RecordProblem::Unreadable(error) };
            RecordError { line, column, problem }
        })?;
        for unread in parsed.unread_mut() {
            unread.iter_mut().for_each(|part| (part.line, part.column) = located.place(before, part));
            unread.sort_by_key(|part| (part.line, part.column));
        }
        Ok(parsed)
    }

    /// Returns the name of another game whose moves a text contains; one move fits too many games.
    pub fn other_game(self, text: &str) -> Option<&'static str> {
        let fits = |game: &&&'static dyn AnyGame| match (game.format_of(text).parse)(text) {
            Ok(ParsedRecord::Games(games)) => games.iter().all(|game| game.game.moves().len() > 1),
            Ok(ParsedRecord::Position(_)) | Err(_) => false,
        };
        let others = games::all().iter().filter(|game| game.name() != self.game.name());
        others.into_iter().find(fits).map(|game| game.name())
    }

    /// Parses a link to a game if a part of the link contains the moves.
    fn parse_link(self, located: &LocatedText, link: &str, before: usize) -> Result<ParsedRecord, RecordError> {
        let has_moves = |text: &str| match (self.of(text).parse)(text) {
            Ok(ParsedRecord::Games(games)) => games.len() == 1 && games[0].game.moves().len() > 1,
            Ok(ParsedRecord::Position(_)) | Err(_) => false,
        };
        let at_link = |problem| {
            let (line, column) = located.place(before, &ParseError { column: 1, kind: fmt::Error });
            Err(RecordError { line, column, problem })
        };
        if link.split([' ', '\t', ',', ';']).skip(1).any(|word| links::is_link(word.as_bytes())) {
            return at_link(RecordProblem::SeveralLinks);
        }
        let parts = links::parts(link);
        let mut games = parts.iter().filter(|(_, text)| has_moves(text));
        match (games.next(), games.next()) {
            (Some((start, text)), None) => {
                let before = before + link[..*start].chars().count();
                self.parse_part(self.of(text), located, text, before)
            }
            _ => at_link(RecordProblem::LinkWithoutMoves(self.example())),
        }
    }

    /// Returns the moves of a short game.
    fn example(self) -> String {
        self.game.write_moves(&self.game.random_game(0, 3))
    }

    /// Parses the text in a column. Empty text is a game without moves.
    pub fn parse_cell(self, cell: &LocatedText) -> Result<ParsedRecord, RecordError> {
        let text = cell.text.trim();
        if text.is_empty() {
            return Ok(AnnotatedGame::from(Game::new(self.game.start())).into());
        }
        let before = cell.text.chars().take_while(|c| c.is_whitespace()).count();
        self.parse_part(self.of(text), cell, text, before)
    }

    /// Returns the error for text that is not in any format.
    fn unrecognized(self, text: &str) -> RecordProblem {
        if text == OPEN_ARRAY {
            return RecordProblem::OpenArray;
        }
        let quoted: String = text.lines().next().unwrap_or_default().chars().take(MAX_QUOTED_CHARS).collect();
        let is_whole = quoted.len() == text.len();
        let names: Vec<_> = self.game.formats().iter().map(|format| format.name).collect();
        RecordProblem::Unrecognized(Box::new(UnrecognizedText {
            text: if is_whole { quoted } else { quoted + "…" },
            game: self.game.name(),
            formats: names.join(", "),
            example: self.example(),
        }))
    }
}
