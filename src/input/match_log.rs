//! Games in columns: those of a log of `selfplay` are in several.

use thiserror::Error;

use super::game_columns;
use super::record::{RecordError, RecordProblem};
use super::text_formats::TextFormats;
use crate::game::{AnnotatedGame, AnyGame, Game, IllegalMove, LocatedError, ParsedRecord, Position as _};

impl TextFormats {
    /// Parses the text in a column. In a log of `selfplay`, the position at the start and the moves of the opening come before it. `value` returns the
    /// text of another column, and `locate` its line and column. An error in the cell has its place there, and `true`; others have theirs in the line.
    pub fn parse_column(
        self,
        name: &str,
        cell: &str,
        line: u64,
        value: impl Fn(&str) -> Option<String>,
        locate: impl Fn(&str) -> (u64, usize),
    ) -> Result<ParsedRecord, (RecordError, bool)> {
        let is_of_log = name.eq_ignore_ascii_case(game_columns::MOVES);
        let start = value(game_columns::START).filter(|start| !start.trim().is_empty());
        // A converted log has the whole game in one column, and the others as they were.
        let is_rest = |opening: &String| is_of_log && !is_whole(cell, start.as_deref(), opening);
        let Some(opening) = value(game_columns::OPENING_MOVES).filter(is_rest) else {
            return self.parse_cell(cell, line).map_err(|error| (error, true));
        };
        if let Some(rules) = value(game_columns::RULES).filter(|rules| rules != self.game.name()) {
            let (line, column) = locate(game_columns::RULES);
            let problem = RecordProblem::Unreadable(Box::new(OtherRules { rules, game: self.game.name() }));
            return Err((RecordError { line, column, problem }, false));
        }
        let opening = opening + " ";
        if let Some(start) = start {
            let texts = [(game_columns::OPENING_MOVES, opening.as_str()), (game_columns::MOVES, cell)];
            return game_from(self.game, &start, texts).map_err(|(name, error)| {
                let (line, column) = locate(name);
                (RecordError { line, column, problem: RecordProblem::Unreadable(error) }, false)
            });
        }
        let parsed = self.parse_cell(&(opening.clone() + cell), line);
        parsed.map_err(|error| match error.column.checked_sub(opening.chars().count()) {
            Some(column) if column > 0 => (RecordError { column, ..error }, true),
            _ => (RecordError { column: locate(game_columns::OPENING_MOVES).1, ..error }, false),
        })
    }
}

/// Returns whether moves begin with the position at the start of the game or the moves of its opening.
fn is_whole(moves: &str, start: Option<&str>, opening: &str) -> bool {
    let mut moves = moves.split_whitespace();
    match start.and_then(|start| start.split_whitespace().next()) {
        Some(first) => moves.next() == Some(first),
        None => {
            let mut opening = opening.split_whitespace().peekable();
            opening.peek().is_some() && opening.all(|m| moves.next() == Some(m))
        }
    }
}

/// Reads a game of a log of `selfplay` from a position: the moves of the opening and the others. Returns the member with an error, and the error.
fn game_from(
    game: &dyn AnyGame,
    start: &str,
    texts: [(&'static str, &str); 2],
) -> Result<ParsedRecord, (&'static str, Box<dyn LocatedError>)> {
    let start = game.parse_position(start).map_err(|error| (game_columns::START, error))?;
    let mut found = Game::new(start);
    for (name, text) in texts {
        for text in text.split_whitespace() {
            let illegal = |error: IllegalMove| -> (_, Box<dyn LocatedError>) { (name, Box::new(IllegalInLog(error))) };
            let m = found.position().parse_move(text).map_err(illegal)?;
            found.play(m).expect("a game without draw rules takes every legal move");
        }
    }
    Ok(AnnotatedGame::from(found).into())
}

/// A game of a log has other rules.
#[derive(Debug, Error)]
#[error("a game of {rules}, not of {game}")]
struct OtherRules {
    rules: String,
    game: &'static str,
}

impl LocatedError for OtherRules {
    fn column(&self) -> usize {
        1
    }
}

/// An illegal move in a game of a log. Its place is the beginning of the moves.
#[derive(Debug, Error)]
#[error(transparent)]
struct IllegalInLog(IllegalMove);

impl LocatedError for IllegalInLog {
    fn column(&self) -> usize {
        1
    }
}
