//! Move lists: moves from the start of the game, a position, or moves from a position.
//!
//! [`read`] accepts, for every game:
//!
//! ```text
//! d2 f4 d6                          moves, separated by white space, commas or semicolons
//! start moves d2 f4 d6              the same
//! 1. d2 f4 2. d6 f2 1-0             the same, with PGN move numbers and result
//! 1 d2 f4 2 d6 f2                   with other numbers: also `1)` and `1:`
//! d2f4d6; b4 xf4                    points without separators, and captures as separate words
//! d2! {a remark} f4 (f6)            with comments, variations and glyphs, which are skipped
//! 9,9 - - W                         a position, in any one-line format of the game
//! start                             the starting position of the game
//! 8,9 d2 - B; f4 d6                 moves from a position
//! 8,9 d2 - B moves f4 d6            the same
//! ```
//!
//! Move numbers are skipped, not checked. [`write()`] writes such lists; [`read_annotated`] also
//! returns the result.

use thiserror::Error;

use super::label::{LabelRules, add_labels, color_word, is_remark, remark_from, remark_in_parentheses};
use super::movetext::{Syntax, Token, Tokens, Unclosed, are_squares, moves_and_results};
use crate::game::{
    AnnotatedGame, AnyGame, AnyPosition, Game, GameError, GameResult, LocatedError, ParseError, ParsedRecord,
    PlayError, Position as _,
};

/// The keyword for the starting position of the game.
pub const START: &str = "start";

/// The text is not a move list.
pub type ReadOpeningError = ParseError<OpeningErrorKind>;

/// The kinds of errors in a move list. An error in its position has the error type of the
/// position's format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpeningErrorKind {
    /// The text begins with neither a position nor a move.
    #[error("not a move or a position: `{found}`; {accepted}")]
    Unknown {
        /// The first word.
        found: String,
        /// The expected text.
        accepted: String,
    },
    /// Text other than moves follows the [`START`] keyword.
    #[error("expected `moves`, `;` or nothing after `start`, found `{0}`")]
    AfterStart(String),
    /// Text follows the result.
    #[error("unexpected text `{0}` after the result")]
    AfterResult(String),
    /// A word is not a move.
    #[error("not a move: `{0}`")]
    NotAMove(String),
    /// A comment or variation is not closed.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// A move is illegal.
    #[error("illegal move `{text}` at ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        text: String,
        /// The ply of the move in the list, counted from 1.
        ply: usize,
        /// Why it is illegal.
        reason: GameError,
    },
}

/// Reads a move list in one of the forms of this [module](self).
///
/// # Errors
/// A [`ReadOpeningError`], or the error of the position.
pub fn read(game: &'static dyn AnyGame, line: &str) -> Result<Game, Box<dyn LocatedError>> {
    Ok(read_annotated(game, line)?.game)
}

/// Reads a move list like [`read`], and its result if there is one.
///
/// # Errors
/// A [`ReadOpeningError`], or the error of the position.
pub fn read_annotated(game: &'static dyn AnyGame, line: &str) -> Result<AnnotatedGame, Box<dyn LocatedError>> {
    let start = game.start();
    let first = first_move(line);
    let is_move = |word: &str| start.find_move(word).is_some() || start.explain_illegal(word).is_some();
    let begins_with_move = first.is_some_and(|word| is_move(word) || are_squares(word));
    let (position, moves) = split(line);
    // Semicolons may also separate moves.
    if let Some(position) = position.filter(|_| !begins_with_move) {
        return Ok(read_moves(read_position(game, position)?, line, moves)?);
    }
    let Some(word) = split_words(line).next() else { return Err(unknown(game, "")) };
    if word == START {
        return Ok(Game::new(read_position(game, line)?).into());
    }
    let Some(first) = first else { return Err(unknown(game, word)) };
    if !begins_with_move && GameResult::from_pgn(first).is_err() {
        if game.formats().iter().any(|format| !format.of_games && (format.detect)(line)) {
            return read_position(game, line).map(|position| Game::new(position).into());
        }
        return Err(unknown(game, word));
    }
    Ok(read_moves(start, line, line)?)
}

/// Writes a game as a list of moves on one line, preceded by the starting position if it is not the
/// usual one. A game without moves is written as its position.
#[must_use]
pub fn write(game: &Game) -> String {
    let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    match (game.start().is_start(), moves.is_empty()) {
        (true, true) => START.to_owned(),
        (true, false) => moves.join(" "),
        (false, true) => game.start().to_string(),
        (false, false) => format!("{} moves {}", game.start(), moves.join(" ")),
    }
}

/// Returns whether a line looks like a move list: it begins with [`START`] or a word for which
/// `is_move` returns true, or contains `;` or `moves` after a position.
#[must_use]
pub fn looks_like(line: &str, is_move: impl Fn(&str) -> bool) -> bool {
    // The header of a table, `name;moves`, begins with a word; a position does not.
    let is_position = |text: &str| {
        split_words(text).next().is_some_and(|word| word == START || !word.chars().all(char::is_alphabetic))
    };
    first_move(line).is_some_and(|word| word == START || is_move(word) || are_squares(word))
        || split(line).0.is_some_and(is_position)
}

/// Splits a line into the text of the position, if there is one before the moves, and the text of
/// the moves.
pub fn split(line: &str) -> (Option<&str>, &str) {
    let is_word = |&at: &usize| {
        line[..at].ends_with(char::is_whitespace)
            && line[at + "moves".len()..].chars().next().is_none_or(char::is_whitespace)
    };
    let semicolon = line.find(';').map(|at| (at, at + 1));
    let word = line.match_indices("moves").map(|(at, _)| at).find(is_word).map(|at| (at, at + "moves".len()));
    match semicolon.into_iter().chain(word).min() {
        None => (None, line),
        Some((end, next)) => (Some(&line[..end]), &line[next..]),
    }
}

/// Returns the first part of a move list that is not a number.
fn first_move(line: &str) -> Option<&str> {
    let mut tokens = Tokens::new(line, Syntax::of_words(line));
    let token = tokens.find(|token| !token.is_ok_and(is_before_move))?;
    token.ok().map(|token| token.text)
}

/// Returns whether a token precedes a move: its number, or the color of its side.
pub(crate) fn is_before_move(token: Token<'_>) -> bool {
    token.number.is_some() || color_word(token.text).is_some()
}

/// Returns the words of the text, numbers included.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty())
}

fn read_position(game: &dyn AnyGame, text: &str) -> Result<AnyPosition, Box<dyn LocatedError>> {
    let mut words = split_words(text);
    if words.next() == Some(START) {
        return match words.next() {
            None => Ok(game.start()),
            Some(word) => Err(ReadOpeningError::at(text, word, OpeningErrorKind::AfterStart(word.to_owned())).into()),
        };
    }
    let formats = game.formats();
    // Game formats call this function for their starting positions, so trying them here would
    // recurse forever.
    let format = formats.iter().find(|format| !format.of_games && (format.detect)(text)).or(formats.last());
    match (format.expect("a game has at least one format").parse)(text.trim_end())? {
        ParsedRecord::Position(entry) => Ok(entry.position),
        ParsedRecord::Games(games) => Ok(*games[0].game.start()),
    }
}

/// Reads moves; `moves` is a slice of `line`.
pub(crate) fn read_moves(start: AnyPosition, line: &str, moves: &str) -> Result<AnnotatedGame, ReadOpeningError> {
    let mut annotated = AnnotatedGame::from(Game::new(start));
    let mut words = moves_and_results(moves).peekable();
    while let Some(part) = words.next() {
        let part = part.map_err(|(rest, unclosed)| ReadOpeningError::at(line, rest, unclosed))?;
        let is_before_move = words.peek().is_some_and(|next| next.is_ok_and(|next| !is_remark(from(line, next))));
        if is_before_move && color_word(part) == Some(annotated.game.position().side_to_move()) {
            continue;
        }
        if let Ok(result) = GameResult::from_pgn(part) {
            annotated.tags.result = result;
            return match words.next() {
                None => Ok(annotated),
                Some(Ok(word)) if is_remark(remark_from(line, word)) => {
                    Ok(with_remark(annotated, line, remark_from(line, word)))
                }
                Some(Ok(word)) => Err(ReadOpeningError::at(line, word, OpeningErrorKind::AfterResult(word.to_owned()))),
                Some(Err((rest, unclosed))) => Err(ReadOpeningError::at(line, rest, unclosed)),
            };
        }
        // A capture may be a separate word.
        let game = &mut annotated.game;
        let capture = words.peek().and_then(|next| next.ok()).filter(|next| next.starts_with(['x', 'X']));
        let joined = capture.map(|next| format!("{part}{next}"));
        let joined = joined.filter(|joined| game.position().find_move(joined).is_some());
        if joined.is_some() {
            words.next();
        }
        match play(game, joined.as_deref().unwrap_or(part)) {
            Err(OpeningErrorKind::NotAMove(_)) if !game.moves().is_empty() && is_remark(remark_from(line, part)) => {
                return Ok(with_remark(annotated, line, remark_from(line, part)));
            }
            played => played.map_err(|kind| ReadOpeningError::at(line, part, kind))?,
        }
    }
    Ok(with_remark(annotated, line, remark_in_parentheses(moves)))
}

/// Returns whether a word is a result.
pub(crate) fn is_result(word: &str) -> bool {
    GameResult::from_pgn(word).is_ok()
}

/// Returns the rest of a line, starting at `part`, a slice of it.
fn from<'a>(line: &'a str, part: &str) -> &'a str {
    &line[part.as_ptr() as usize - line.as_ptr() as usize..]
}

/// Adds the information in a label or a remark, which is a slice of the line.
pub(crate) fn with_remark(mut annotated: AnnotatedGame, line: &str, remark: &str) -> AnnotatedGame {
    let rules = LabelRules::of(annotated.game.position().game());
    add_labels(&mut annotated, rules, line, &[remark]);
    annotated
}

fn play(game: &mut Game, text: &str) -> Result<(), OpeningErrorKind> {
    let ply = game.moves().len() + 1;
    let illegal = |reason| OpeningErrorKind::IllegalMove { text: text.to_owned(), ply, reason };
    if let Some(end) = game.end() {
        return Err(illegal(GameError::new(PlayError::<AnyPosition>::Over(end.reason))));
    }
    let Ok(m) = game.position().parse_move(text) else {
        let reason = game.position().explain_illegal(text);
        return Err(reason.map_or_else(|| OpeningErrorKind::NotAMove(text.to_owned()), illegal));
    };
    game.play(m).map_err(|error| illegal(GameError::new(error)))
}

fn unknown(game: &dyn AnyGame, found: &str) -> Box<dyn LocatedError> {
    let example = game.start().legal_moves().next().map_or_else(String::new, |m| format!(" such as `{m} ...`"));
    let formats = game.formats().iter().filter(|format| !format.of_games).map(|format| format.name);
    let accepted = format!(
        "expected moves from the start of the game{example}, or a position such as `{}` ({})",
        game.start(),
        formats.collect::<Vec<_>>().join(", ")
    );
    Box::new(ReadOpeningError { column: 1, kind: OpeningErrorKind::Unknown { found: found.to_owned(), accepted } })
}
