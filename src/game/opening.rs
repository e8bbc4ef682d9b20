//! Move lists: moves from the start of the game, a position, or moves from a position.
//!
//! [`read`] accepts, for every game:
//!
//! ```text
//! d2 f4 d6                          moves, separated by white space, commas or semicolons
//! start moves d2 f4 d6              the same
//! 1. d2 f4 2. d6 f2 1-0             the same, with PGN move numbers and result
//! 1 d2 f4 2 d6 f2                   with other numbers: also `1)` and `1:`
//! d2f4d6; b4 xf4                    points without separators, and captures as words of their own
//! 9,9 - - W                         a position, in any one-line format of the game
//! start                             the starting position of the game
//! 8,9 d2 - B; f4 d6                 moves from a position
//! 8,9 d2 - B moves f4 d6            the same
//! ```
//!
//! Move numbers are skipped, not checked. [`write()`] writes such lists; [`read_annotated`] also returns the result.

use std::error::Error;

use thiserror::Error;

use super::{
    AnnotatedGame, Game, GameResult, GameRules, LocatedError, ParseError, ParsedRecord, PlayError, Playable,
    after_mark, move_number,
};

/// The keyword for the starting position of the game.
pub const START: &str = "start";

/// The text is not a move list.
pub type ReadOpeningError = ParseError<OpeningErrorKind>;

/// The kinds of errors in a move list. Errors in its position have the type of the position's format.
#[derive(Debug, Error)]
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
    /// Other text than moves follows the [`START`] keyword.
    #[error("expected `moves`, `;` or nothing after `start`, found `{0}`")]
    AfterStart(String),
    /// Text follows the result.
    #[error("unexpected text `{0}` after the result")]
    AfterResult(String),
    /// A word is not a move.
    #[error("not a move: `{0}`")]
    NotAMove(String),
    /// A move is illegal.
    #[error("illegal move `{text}` in ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        text: String,
        /// Its ply in the list, from 1.
        ply: usize,
        /// Why it is illegal.
        reason: Box<dyn Error + Send + Sync>,
    },
}

/// Reads a move list in one of the forms of this [module](self).
///
/// # Errors
/// A [`ReadOpeningError`], or the error of the position.
pub fn read<P: Playable>(line: &str) -> Result<Game<P>, Box<dyn LocatedError>> {
    Ok(read_annotated(line)?.game)
}

/// Reads a move list like [`read`], with the result if there is one.
///
/// # Errors
/// A [`ReadOpeningError`], or the error of the position.
pub fn read_annotated<P: Playable>(line: &str) -> Result<AnnotatedGame<P>, Box<dyn LocatedError>> {
    let start = P::default();
    let bare = begins_with_bare_number(line);
    let first = words(line, 1).find_map(|(column, word)| unnumbered(column, word, bare));
    let is_move = |word: &str| start.find_move(word).is_some() || start.explain_illegal(word).is_some();
    let begins_with_move = first.is_some_and(|(_, word)| is_move(word) || points_of(word).is_some());
    let (position, moves, column) = split(line);
    // Moves, too, may be separated by semicolons.
    if let Some(position) = position.filter(|_| !begins_with_move) {
        return read_moves(read_position::<P>(position)?, moves, column);
    }
    let Some((_, word)) = words(line, 1).next() else { return Err(unknown::<P>("")) };
    if word == START {
        return Ok(Game::new(read_position(line)?).into());
    }
    let Some((_, first)) = first else { return Err(unknown::<P>(word)) };
    if !begins_with_move && GameResult::from_pgn(first).is_none() {
        if P::formats().iter().any(|format| !format.of_games && (format.detect)(line)) {
            return read_position(line).map(|position| Game::new(position).into());
        }
        return Err(unknown::<P>(word));
    }
    read_moves(start, line, 1)
}

/// Writes a game as a list of moves on one line, preceded by the starting position if it is not the usual one. A game without moves becomes
/// its position.
#[must_use]
pub fn write<P: GameRules>(game: &Game<P>) -> String {
    let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    match (*game.start() == P::default(), moves.is_empty()) {
        (true, true) => START.to_owned(),
        (true, false) => moves.join(" "),
        (false, true) => game.start().to_string(),
        (false, false) => format!("{} moves {}", game.start(), moves.join(" ")),
    }
}

/// Returns whether a line looks like a move list: it begins with a move (according to `is_move`) or [`START`], or has `;` or `moves` after a
/// position.
#[must_use]
pub fn looks_like(line: &str, is_move: impl Fn(&str) -> bool) -> bool {
    let bare = begins_with_bare_number(line);
    let first = words(line, 1).find_map(|(column, word)| unnumbered(column, word, bare));
    first.is_some_and(|(_, word)| word == START || is_move(word) || points_of(word).is_some())
        || split(line).0.is_some()
}

/// Splits a line into the text of the position, if moves follow one, the text of the moves, and the column of the latter.
fn split(line: &str) -> (Option<&str>, &str, usize) {
    let is_word = |&at: &usize| {
        line[..at].ends_with(char::is_whitespace)
            && line[at + "moves".len()..].chars().next().is_none_or(char::is_whitespace)
    };
    let semicolon = line.find(';').map(|at| (at, at + 1));
    let word = line.match_indices("moves").map(|(at, _)| at).find(is_word).map(|at| (at, at + "moves".len()));
    match semicolon.into_iter().chain(word).min() {
        None => (None, line, 1),
        Some((end, next)) => (Some(&line[..end]), &line[next..], line[..next].chars().count() + 1),
    }
}

/// Returns the words of a text that begins in `column`, each with its column.
fn words(text: &str, column: usize) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').scan(column, |next, word| {
        let column = *next;
        *next += word.chars().count() + 1;
        Some((column, word))
    });
    words.filter(|(_, word)| !word.is_empty())
}

/// Returns whether a text begins with a move number without a mark: `1 d2 f4 2 d6`.
pub(crate) fn begins_with_bare_number(text: &str) -> bool {
    let text = text.trim_start();
    move_number(text).is_some_and(|number| text[number.len()..].starts_with(' '))
}

/// Strips a move number, such as `12.`, `12)` or `12:`, from a word in `column`; `None` if nothing is left. With `bare`, words of digits are numbers.
fn unnumbered(column: usize, word: &str, bare: bool) -> Option<(usize, &str)> {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = after_mark(after);
    if after.len() == word.len() || (rest.len() == after.len() && !(bare && after.is_empty())) {
        return Some((column, word));
    }
    (!rest.is_empty()).then_some((column + word.len() - rest.len(), rest))
}

/// Returns the points of a word of several points without a separator, `d2f4d6`; `None` for other words.
pub(crate) fn points_of(word: &str) -> Option<impl Iterator<Item = &str>> {
    let is_point =
        |pair: &[u8]| matches!(pair, [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit());
    let is_list = word.len() > 2 && word.len().is_multiple_of(2) && word.as_bytes().chunks(2).all(is_point);
    is_list.then(|| (0..word.len()).step_by(2).map(move |at| &word[at..at + 2]))
}

fn read_position<P: Playable>(text: &str) -> Result<P, Box<dyn LocatedError>> {
    let mut words = words(text, 1);
    if words.next().is_some_and(|(_, word)| word == START) {
        return match words.next() {
            None => Ok(P::default()),
            Some((column, word)) => {
                Err(ReadOpeningError { column, kind: OpeningErrorKind::AfterStart(word.to_owned()) }.into())
            }
        };
    }
    let formats = P::formats();
    // Game formats call this function for their first positions: trying them here would recurse forever.
    let format = formats.iter().find(|format| !format.of_games && (format.detect)(text)).or(formats.last());
    match (format.expect("a game has at least one format").parse)(text.trim_end())? {
        ParsedRecord::Position(entry) => Ok(entry.position.known()),
        ParsedRecord::Games(games) => Ok(games[0].game.start().known()),
    }
}

fn read_moves<P: Playable>(start: P, text: &str, column: usize) -> Result<AnnotatedGame<P>, Box<dyn LocatedError>> {
    let mut annotated = AnnotatedGame::from(Game::new(start));
    let bare = begins_with_bare_number(text);
    let points = |(column, word)| match points_of(word) {
        Some(points) => points.enumerate().map(|(at, point)| (column + 2 * at, point)).collect(),
        None => vec![(column, word)],
    };
    let words = words(text, column).filter_map(|(column, word)| unnumbered(column, word, bare));
    let mut words = words.flat_map(points).peekable();
    while let Some((column, word)) = words.next() {
        let game = &mut annotated.game;
        let ply = game.moves().len() + 1;
        let position = game.position();
        // A capture may be a word of its own.
        let capture =
            words.peek().filter(|(_, next)| next.starts_with(['x', 'X'])).map(|(_, next)| format!("{word}{next}"));
        let joined = capture.filter(|joined| position.find_move(joined).is_some());
        if joined.is_some() {
            words.next();
        }
        let word = joined.as_deref().unwrap_or(word);
        let illegal = |reason| OpeningErrorKind::IllegalMove { text: word.to_owned(), ply, reason };
        if let Some(result) = GameResult::from_pgn(word) {
            annotated.tags.result = result;
            return match words.next() {
                None => Ok(annotated),
                Some((column, word)) => {
                    Err(ReadOpeningError { column, kind: OpeningErrorKind::AfterResult(word.to_owned()) }.into())
                }
            };
        }
        let problem = match (position.parse_move(word), game.end()) {
            (_, Some(end)) => illegal(Box::new(PlayError::Over(end.reason))),
            (Err(_), None) => {
                position.explain_illegal(word).map_or(OpeningErrorKind::NotAMove(word.to_owned()), illegal)
            }
            (Ok(m), None) => match game.play(m) {
                Ok(()) => continue,
                Err(error) => illegal(Box::new(error)),
            },
        };
        return Err(ReadOpeningError { column, kind: problem }.into());
    }
    Ok(annotated)
}

fn unknown<P: Playable>(found: &str) -> Box<dyn LocatedError> {
    let example = P::default().legal_moves().next().map_or_else(String::new, |m| format!(" such as `{m} ...`"));
    let formats = P::formats().iter().filter(|format| !format.of_games).map(|format| format.name);
    let accepted = format!(
        "expected moves from the start of the game{example}, or a position such as `{}` ({})",
        P::default(),
        formats.collect::<Vec<_>>().join(", ")
    );
    Box::new(ReadOpeningError { column: 1, kind: OpeningErrorKind::Unknown { found: found.to_owned(), accepted } })
}
