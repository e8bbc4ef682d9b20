//! [`read`]: reads a position or game from a CSV row or a JSON object, with the metadata in other
//! columns. Games in a `selfplay` log are spread over several columns.

use std::error::Error;

use morello_core::game::label::color_word;
use morello_core::game::{
    AnnotatedGame, AnyGame, Color, Game, IllegalMove, LocatedError, ParsedRecord, Position as _, UnreadText,
};
use thiserror::Error;

use super::columns::{RECORD_COLUMNS, is_of_games};
use super::game_columns;
use super::located_text::{LocatedText, Place};
use super::record::{RecordError, RecordProblem};
use super::text_formats::TextFormats;

/// A record whose values are in columns.
pub(super) trait ColumnRecord {
    /// Returns the value of a column as text.
    fn value(&self, column: &str) -> Option<String>;

    /// Returns the place of the value of a column.
    fn place(&self, column: &str) -> Place;

    /// Returns the seconds for the moves in a column, if the column contains them.
    fn seconds(&self, _column: &str) -> Vec<Option<f64>> {
        Vec::new()
    }
}

/// Reads a record whose position or game is in the `cell` of the column `name`.
pub(super) fn read(
    formats: TextFormats,
    record: &dyn ColumnRecord,
    name: &str,
    cell: Option<&LocatedText>,
    line: u64,
) -> Result<ParsedRecord, RecordError> {
    let is_empty = cell.is_none_or(|cell| cell.text.trim().is_empty());
    let other = if is_empty { other_cell(record, name) } else { None };
    let (name, cell) = other.as_ref().map_or((name, cell), |(name, cell)| (name, Some(cell)));
    let Some(cell) = cell.filter(|cell| is_of_games(name) || !cell.text.trim().is_empty()) else {
        return Err(RecordError { line, column: 1, problem: RecordProblem::MissingColumn(name.to_owned()) });
    };
    let mut parsed = parse(formats, record, name, cell)?;
    match &mut parsed {
        ParsedRecord::Games(games) if games.len() == 1 => {
            let left_out = game_columns::add(&mut games[0], |column| record.value(column));
            let left_out = left_out.map_err(|(column, error)| {
                error_in(record, column, RecordProblem::ImpossibleResult { column, error })
            })?;
            for (name, kind) in left_out {
                let (line, column) = record.place(name);
                games[0].unread.push(UnreadText { line, column, kind });
            }
            game_columns::add_seconds(&mut games[0], &record.seconds(name));
        }
        ParsedRecord::Position(entry) => {
            game_columns::add_scores(entry, &record.value(game_columns::SCORES).unwrap_or_default());
        }
        ParsedRecord::Games(_) => {}
    }
    Ok(parsed)
}

/// Returns another column with a position or game, if the row has none in the column `name`.
fn other_cell(record: &dyn ColumnRecord, name: &str) -> Option<(&'static str, LocatedText)> {
    let text = |column: &str| record.value(column).filter(|text| !text.trim().is_empty());
    if text(game_columns::OPENING_MOVES).is_some() {
        return None;
    }
    let mut others = RECORD_COLUMNS.into_iter().filter(|other| !other.eq_ignore_ascii_case(name));
    others.find_map(|other| Some((other, LocatedText::at(&text(other)?, record.place(other)))))
}

fn error_in(record: &dyn ColumnRecord, column: &str, problem: RecordProblem) -> RecordError {
    let (line, column) = record.place(column);
    RecordError { line, column, problem }
}

/// Parses the text in a column. In a `selfplay` log, the starting position and the opening moves
/// come before it.
fn parse(
    formats: TextFormats,
    record: &dyn ColumnRecord,
    name: &str,
    cell: &LocatedText,
) -> Result<ParsedRecord, RecordError> {
    let game = formats.game;
    let is_of_log = name.eq_ignore_ascii_case(game_columns::MOVES);
    let start = record.value(game_columns::START).filter(|start| !start.trim().is_empty());
    // A converted log has the whole game in one column, and the other columns unchanged.
    let is_rest = |opening: &String| is_of_log && !is_whole(&cell.text, start.as_deref(), opening);
    let Some(opening) = record.value(game_columns::OPENING_MOVES).filter(is_rest) else {
        let parsed = formats.parse_cell(cell).or_else(|error| with_side(formats, record, cell).ok_or(error))?;
        return check_side(record, &parsed).map(|()| parsed);
    };
    if let Some(rules) = record.value(game_columns::RULES).filter(|rules| rules != game.name()) {
        let error = Box::new(OtherRules { rules, game: game.name() });
        return Err(error_in(record, game_columns::RULES, RecordProblem::Unreadable(error)));
    }
    if let Some(start) = start {
        let texts = [(game_columns::OPENING_MOVES, opening.as_str()), (game_columns::MOVES, &cell.text)];
        return game_from(game, &start, texts)
            .map_err(|(column, error)| error_in(record, column, RecordProblem::Unreadable(error)));
    }
    let mut moves = LocatedText::at(&opening, record.place(game_columns::OPENING_MOVES));
    // A game may end after its opening if a player fails at once.
    if !cell.text.trim().is_empty() {
        moves.push(' ', cell);
    }
    formats.parse_cell(&moves)
}

/// The columns that may contain the side to move.
const SIDES: [&str; 6] = ["side", "player", "turn", "to_move", "side_to_move", "color"];

/// Parses a board in one column, with the side to move in another column.
fn with_side(formats: TextFormats, record: &dyn ColumnRecord, cell: &LocatedText) -> Option<ParsedRecord> {
    // A name is not a side, even if it begins like one.
    let is_side =
        |side: &String| color_word(side.trim()).is_some() || side.trim().chars().count() == 1 || side.trim() == "-1";
    let side = SIDES.into_iter().find_map(|name| record.value(name)).filter(is_side)?;
    let has_squares = formats.game.layout().lines.is_empty();
    // The letters for the sides work in every game; the words do not.
    let letter: String = match side.trim() {
        "1" if has_squares => "X".to_owned(),
        "2" | "-1" if has_squares => "O".to_owned(),
        side => side.chars().take(1).flat_map(char::to_uppercase).collect(),
    };
    [side.trim(), &letter].into_iter().find_map(|side| {
        let mut board = cell.clone();
        board.push(' ', &LocatedText::at(side, (1, 1)));
        formats.parse_cell(&board).ok().filter(|parsed| matches!(parsed, ParsedRecord::Position(_)))
    })
}

/// Checks that a column with the side to move does not contradict the board.
fn check_side(record: &dyn ColumnRecord, parsed: &ParsedRecord) -> Result<(), RecordError> {
    let ParsedRecord::Position(entry) = parsed else { return Ok(()) };
    let side = entry.position.side_to_move();
    // A column `player` or `color` may describe something else.
    let says_other = |column: &&str| {
        let value = record.value(column);
        value.and_then(|value| color_word(value.trim())).is_some_and(|color| color != side)
    };
    match ["side", "turn", "to_move", "side_to_move"].into_iter().find(says_other) {
        Some(column) => Err(error_in(record, column, RecordProblem::Unreadable(Box::new(OtherSide { side })))),
        None => Ok(()),
    }
}

/// Returns whether a move list begins with the starting position of the game or with its opening
/// moves.
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

/// Reads a game of a `selfplay` log from a position: the opening moves and the other moves. Returns
/// the name of the column with an error, and the error.
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

/// A game in a log has the rules of another game.
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

    fn without_place(&self) -> &(dyn Error + 'static) {
        self
    }
}

/// A column contradicts the side to move on a board.
#[derive(Debug, Error)]
#[error("in the board, {} is to move; change one of the two", side.name())]
struct OtherSide {
    side: Color,
}

impl LocatedError for OtherSide {
    fn column(&self) -> usize {
        1
    }

    fn without_place(&self) -> &(dyn Error + 'static) {
        self
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

    fn without_place(&self) -> &(dyn Error + 'static) {
        self
    }
}
