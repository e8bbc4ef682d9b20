//! Openings as people and files write them: moves from the start of the game, a position, or moves from a position.
//!
//! [`read`] is how [`Playable::read_opening`] reads them for every game that has no notation of its own for whole games:
//!
//! ```text
//! d2 f4 d6                          moves, with blanks or commas between them
//! 9,9 - - W                         a position, in any of the game's formats of one line
//! 8,9 d2 - B; f4 d6                 moves from a position
//! 8,9 d2 - B moves f4 d6            the same
//! ```

use std::error::Error;

use thiserror::Error;

use super::{Game, Held, ParseError, Placed, PlayError, Playable};

/// A text that is no opening.
pub type ReadOpeningError = ParseError<OpeningProblem>;

/// What is wrong with the text of an opening, but for its position.
#[derive(Debug, Error)]
pub enum OpeningProblem {
    /// The text begins neither as a position nor with a move.
    #[error("`{found}` begins no opening: {accepted}")]
    Unknown {
        /// The first word.
        found: String,
        /// What would begin one.
        accepted: String,
    },
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
pub fn read<P: Playable>(line: &str) -> Result<Game<P>, Box<dyn Placed>> {
    let (position, moves, column) = split(line);
    if let Some(position) = position {
        return read_moves(read_position::<P>(position)?, moves, column);
    }
    let Some((_, first)) = words(line, 1).next() else { return Err(unknown::<P>("")) };
    let start = P::default();
    if start.parse_move(first).is_err() {
        if P::formats().iter().any(|format| (format.detect)(line)) {
            return read_position(line).map(Game::new);
        }
        if start.why_illegal(first).is_none() {
            return Err(unknown::<P>(first));
        }
    }
    read_moves(start, line, 1)
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

fn read_position<P: Playable>(text: &str) -> Result<P, Box<dyn Placed>> {
    let formats = P::formats();
    let format = formats.iter().find(|format| (format.detect)(text)).or(formats.last());
    match (format.expect("a game has at least one format").parse)(text.trim_end())? {
        Held::Position(entry) => Ok(entry.position),
        Held::Games(games) => Ok(*games[0].game.start()),
    }
}

fn read_moves<P: Playable>(start: P, text: &str, column: usize) -> Result<Game<P>, Box<dyn Placed>> {
    let mut game = Game::new(start);
    for (column, word) in words(text, column) {
        let ply = game.moves().len() + 1;
        let illegal = |reason| OpeningProblem::IllegalMove { text: word.to_owned(), ply, reason };
        let position = game.position();
        let problem = match (position.parse_move(word), game.end()) {
            (_, Some(end)) => illegal(Box::new(PlayError::Over(end.reason))),
            (Err(_), None) => position.why_illegal(word).map_or(OpeningProblem::NotAMove(word.to_owned()), illegal),
            (Ok(m), None) => match game.play(m) {
                Ok(()) => continue,
                Err(error) => illegal(Box::new(error)),
            },
        };
        return Err(ReadOpeningError { column, problem }.into());
    }
    Ok(game)
}

fn unknown<P: Playable>(found: &str) -> Box<dyn Placed> {
    let example = P::default().legal_moves().next().map_or_else(String::new, |m| format!(" such as `{m} ...`"));
    let formats: Vec<_> = P::formats().iter().map(|format| format.about).collect();
    let accepted = format!(
        "expected moves from the start of the game{example}, or a position ({}), after which `;` and moves may follow",
        formats.join("; or ")
    );
    Box::new(ReadOpeningError { column: 1, problem: OpeningProblem::Unknown { found: found.to_owned(), accepted } })
}
