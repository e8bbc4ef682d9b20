//! Games and their openings as people and files write them: moves from the start of the game, a position, or moves from a position.
//!
//! [`read`] reads what every game can be told in that has no notation of its own for whole games:
//!
//! ```text
//! d2 f4 d6                          moves, with blanks or commas between them
//! start moves d2 f4 d6              the same
//! 1. d2 f4 2. d6 f2 1-0             the same with the numbers of moves and the result, as PGN has them
//! 9,9 - - W                         a position, in any of the game's formats of one line
//! start                             that of the start of the game
//! 8,9 d2 - B; f4 d6                 moves from a position
//! 8,9 d2 - B moves f4 d6            the same
//! ```
//!
//! The numbers of moves are not looked at. [`write()`] writes games so, and [`read_annotated`] tells the result too.

use std::error::Error;

use thiserror::Error;

use super::{AnnotatedGame, Game, GameResult, GameRules, LocatedError, ParseError, ParsedRecord, PlayError, Playable};

/// The word that stands for the start of the game.
pub const START: &str = "start";

/// A text that is no opening.
pub type ReadOpeningError = ParseError<OpeningErrorKind>;

/// What is wrong with the text of an opening, but for its position.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningErrorKind {
    /// The text begins neither as a position nor with a move.
    #[error("`{found}` begins no opening: {accepted}")]
    Unknown {
        /// The first word.
        found: String,
        /// What would begin one.
        accepted: String,
    },
    /// Something else than moves follows the word that stands for the start.
    #[error("expected `moves`, `;` or nothing after `start`, found `{0}`")]
    AfterStart(String),
    /// The text goes on after the result.
    #[error("unexpected text `{0}` after the result")]
    AfterResult(String),
    /// A word among the moves is none.
    #[error("`{0}` is no move")]
    NotAMove(String),
    /// A move is not legal where it is played.
    #[error("illegal move `{text}` in ply {ply}: {reason}")]
    IllegalMove {
        /// The move.
        text: String,
        /// Its number, from 1 at the first move of the opening.
        ply: usize,
        /// Why it is not legal.
        reason: Box<dyn Error + Send + Sync>,
    },
}

/// Reads an opening as the game up to its end. See the module for what is accepted.
///
/// # Errors
/// The error of the position, or a [`ReadOpeningError`].
pub fn read<P: Playable>(line: &str) -> Result<Game<P>, Box<dyn LocatedError>> {
    Ok(read_annotated(line)?.game)
}

/// Reads a game with its result, if that is told. See the module for what is accepted.
///
/// # Errors
/// The error of the position, or a [`ReadOpeningError`].
pub fn read_annotated<P: Playable>(line: &str) -> Result<AnnotatedGame<P>, Box<dyn LocatedError>> {
    let (position, moves, column) = split(line);
    if let Some(position) = position {
        return read_moves(read_position::<P>(position)?, moves, column);
    }
    let Some((_, word)) = words(line, 1).next() else { return Err(unknown::<P>("")) };
    if word == START {
        return Ok(Game::new(read_position(line)?).into());
    }
    let start = P::default();
    let Some((_, first)) = words(line, 1).find_map(|(column, word)| unnumbered(column, word)) else {
        return Err(unknown::<P>(word));
    };
    if start.parse_move(first).is_err() && GameResult::from_pgn(first).is_none() {
        if P::formats().iter().any(|format| !format.of_games && (format.detect)(line)) {
            return read_position(line).map(|position| Game::new(position).into());
        }
        if start.explain_illegal(first).is_none() {
            return Err(unknown::<P>(word));
        }
    }
    read_moves(start, line, 1)
}

/// Writes a game as its moves in a line, after the position that it starts from if that is not the start of the game. A game without a
/// move is its position alone.
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

/// Returns whether a line begins as a game does that goes on after its first position: with a move, with [`START`], or with a position and
/// `;` or `moves`. `is_move` knows what moves look like.
#[must_use]
pub fn looks_like(line: &str, is_move: impl Fn(&str) -> bool) -> bool {
    let first = words(line, 1).find_map(|(column, word)| unnumbered(column, word));
    first.is_some_and(|(_, word)| word == START || is_move(word)) || split(line).0.is_some()
}

/// Returns the text of the position, if moves follow one, and the text of the moves with its column.
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

/// Returns the words of a text that stands in `column`, each with its column.
fn words(text: &str, column: usize) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').scan(column, |next, word| {
        let column = *next;
        *next += word.chars().count() + 1;
        Some((column, word))
    });
    words.filter(|(_, word)| !word.is_empty())
}

/// Takes the number of a move, such as `12.`, off a word that stands in `column`; `None` if nothing else is left.
fn unnumbered(column: usize, word: &str) -> Option<(usize, &str)> {
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = number.trim_start_matches('.');
    if number.len() == word.len() || rest.len() == number.len() {
        return Some((column, word));
    }
    (!rest.is_empty()).then_some((column + word.len() - rest.len(), rest))
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
    // Formats of games read their first positions by this: to ask them would not end.
    let format = formats.iter().find(|format| !format.of_games && (format.detect)(text)).or(formats.last());
    match (format.expect("a game has at least one format").parse)(text.trim_end())? {
        ParsedRecord::Position(entry) => Ok(entry.position.known()),
        ParsedRecord::Games(games) => Ok(games[0].game.start().known()),
    }
}

fn read_moves<P: Playable>(start: P, text: &str, column: usize) -> Result<AnnotatedGame<P>, Box<dyn LocatedError>> {
    let mut annotated = AnnotatedGame::from(Game::new(start));
    let mut words = words(text, column).filter_map(|(column, word)| unnumbered(column, word));
    while let Some((column, word)) = words.next() {
        let game = &mut annotated.game;
        let ply = game.moves().len() + 1;
        let illegal = |reason| OpeningErrorKind::IllegalMove { text: word.to_owned(), ply, reason };
        let position = game.position();
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
    let formats: Vec<_> = P::formats().iter().map(|format| format.about).collect();
    let accepted = format!(
        "expected moves from the start of the game{example}, or a position ({}), after which `;` and moves may follow",
        formats.join("; or ")
    );
    Box::new(ReadOpeningError { column: 1, kind: OpeningErrorKind::Unknown { found: found.to_owned(), accepted } })
}
