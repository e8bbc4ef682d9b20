//! Openings out of files of positions and games, in any format that the [input](crate::input) knows.
//!
//! What cannot be read ends the reading: a match from half a list would be another match.

use std::collections::HashSet;

use thiserror::Error;

use super::Opening;
use crate::game::{AnyGame, Game, ParsedRecord};
use crate::input::{Input, InputFormat, ReadError, Reader, RecordError, RecordProblem};

/// The openings of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningFile {
    /// The openings, in the order of the file; at least one.
    pub openings: Vec<Opening>,
    /// The number of the line of each, or of its record in a binary file, from 1.
    pub lines: Vec<u64>,
    /// How many of them lead to a position that one before them leads to, up to symmetry.
    pub duplicates: usize,
    /// How many were left out: their games are over within the plies that are taken.
    pub left_out: usize,
}

/// Why openings cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadOpeningsError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A line is no opening.
    #[error("`{file}`, line {line}, column {column}: {problem}")]
    Line {
        /// The file.
        file: String,
        /// The number of the line, from 1.
        line: u64,
        /// The column, in characters from 1, of the first that is wrong.
        column: usize,
        /// What is wrong there.
        problem: RecordProblem,
    },
    /// A game is over where it should begin.
    #[error(
        "`{file}`, line {line}, column 1: the game is over after this opening: nothing is left to be played; take fewer of its plies"
    )]
    Over {
        /// The file.
        file: String,
        /// The number of the line, from 1.
        line: u64,
    },
    /// The file holds no opening.
    #[error("`{0}` holds no opening")]
    Empty(String),
}

/// Reads the openings of a file: of each game at most the first `plies`, if there is such a bound, so that whole games serve too.
///
/// ```
/// use morello::input::Input;
/// use morello::games;
/// use morello::tournament::openings;
///
/// let othello = games::get("othello")?;
/// let read = |text: &str| openings::read(othello, Input::Text(text.to_owned()), None);
/// let file = read("% the beginning of many games\nf5d6c3\nc4e3f6 # the same, seen from elsewhere\n")?;
/// assert_eq!((file.openings.len(), file.lines, file.duplicates), (2, vec![2, 3], 1));
/// let error = read("f5a1").unwrap_err();
/// assert_eq!(error.to_string(), "`text`, line 1, column 3: illegal move `a1` in ply 2: it flips no disc");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadOpeningsError`] at the first place that holds no opening, or if there is none.
pub fn read(game: &'static dyn AnyGame, input: Input, plies: Option<usize>) -> Result<OpeningFile, ReadOpeningsError> {
    let file = input.name();
    let mut found = OpeningFile { openings: Vec::new(), lines: Vec::new(), duplicates: 0, left_out: 0 };
    let mut seen = HashSet::new();
    for record in Reader::open(game, vec![input], &InputFormat::default())? {
        let record = record?;
        let games = match record.content {
            Ok(ParsedRecord::Position(entry)) => vec![Game::new(entry.position)],
            Ok(ParsedRecord::Games(games)) => games.into_iter().map(|annotated| annotated.game).collect(),
            Err(RecordError { line, column, problem, .. }) => {
                return Err(ReadOpeningsError::Line { file, line, column, problem });
            }
        };
        for mut game in games {
            while plies.is_some_and(|plies| game.moves().len() > plies) {
                game.undo();
            }
            match (game.end(), plies) {
                // Of whole games, which are no list of openings, some may be short.
                (Some(_), Some(_)) => found.left_out += 1,
                (Some(_), None) => return Err(ReadOpeningsError::Over { file, line: record.line }),
                (None, _) => {
                    found.duplicates += usize::from(!seen.insert(game.position().canonical()));
                    found.openings.push(Opening::of(&game));
                    found.lines.push(record.line);
                }
            }
        }
    }
    if found.openings.is_empty() { Err(ReadOpeningsError::Empty(file)) } else { Ok(found) }
}

#[cfg(test)]
mod tests;
