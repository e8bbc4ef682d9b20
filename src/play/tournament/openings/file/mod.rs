//! Reads openings from files of positions and games in any supported [input](morello_files::input) format.
//!
//! The first invalid line is an error, because a match from an incomplete list of openings would be
//! a different match.

use std::collections::HashSet;

use morello_core::game::AnyGame;
use morello_files::input::{Input, ReadError, Reader, RecordError, RecordProblem};
use thiserror::Error;

use super::Opening;

/// The openings of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OpeningFile {
    /// The openings, in the order of the file; at least one.
    pub openings: Vec<Opening>,
    /// The line number of each opening, or its record number in a binary file, from 1.
    pub lines: Vec<u64>,
    /// The number of openings that lead to the same position as an earlier one, up to symmetry.
    pub duplicates: usize,
    /// The number of skipped games, which end before the opening is complete.
    pub left_out: usize,
    /// The number of names and remarks in the file, which are ignored.
    pub remarks: usize,
}

/// The maximum number of openings of a file.
const MAX_OPENINGS: usize = if cfg!(test) { 1_000 } else { 1_000_000 };

/// Why openings cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadOpeningsError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A line is not an opening.
    #[error("`{file}`, line {line}, column {column}: {problem}")]
    Line {
        /// The file.
        file: String,
        /// The number of the line, from 1.
        line: u64,
        /// The column of the error, in characters from 1.
        column: usize,
        /// The error.
        problem: RecordProblem,
    },
    /// The game is over after an opening.
    #[error("`{file}`, line {line}, column 1: the game is over after this opening; use fewer of its plies")]
    Over {
        /// The file.
        file: String,
        /// The number of the line, from 1.
        line: u64,
    },
    /// The file contains too many openings, which are all kept in memory.
    #[error("`{0}` contains more than {MAX_OPENINGS} openings; use a part of it")]
    TooMany(String),
    /// The file contains no openings.
    #[error("`{0}` contains no openings")]
    Empty(String),
}

/// Reads the openings of a file. With `plies`, at most that many plies of each game are used, so
/// that the file may contain complete games.
///
/// ```
/// use morello::input::Input;
/// use morello::games;
/// use morello::tournament::openings;
///
/// let othello = games::get("othello")?;
/// let read = |text: &str| openings::read(othello, Input::Text(text.to_owned()), None);
/// let file = read("% a comment\nf5d6c3\nc4e3f6 # a symmetric duplicate\n")?;
/// assert_eq!((file.openings.len(), file.lines, file.duplicates), (2, vec![2, 3], 1));
/// let error = read("f5a1").unwrap_err();
/// assert_eq!(error.to_string(), "`text`, line 1, column 3: illegal move `a1` at ply 2: it flips no disc");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadOpeningsError`] for the first invalid opening, or if the file has no openings.
pub fn read(game: &'static dyn AnyGame, input: Input, plies: Option<usize>) -> Result<OpeningFile, ReadOpeningsError> {
    let file = input.name();
    let mut found = OpeningFile { openings: Vec::new(), lines: Vec::new(), duplicates: 0, left_out: 0, remarks: 0 };
    let mut seen = HashSet::new();
    for record in Reader::of(game, input)? {
        let record = record?;
        let first_line = record.line;
        let games = record.into_games().map_err(|RecordError { line, column, problem, .. }| {
            ReadOpeningsError::Line { file: file.clone(), line, column, problem }
        })?;
        found.remarks += games.iter().map(|annotated| annotated.unread.len()).sum::<usize>();
        for mut game in games.into_iter().map(|annotated| annotated.game) {
            while plies.is_some_and(|plies| game.moves().len() > plies) {
                game.undo();
            }
            match (game.end(), plies) {
                // Among complete games, some may be short.
                (Some(_), Some(_)) => found.left_out += 1,
                (Some(_), None) => return Err(ReadOpeningsError::Over { file, line: first_line }),
                (None, _) if found.openings.len() == MAX_OPENINGS => return Err(ReadOpeningsError::TooMany(file)),
                (None, _) => {
                    found.duplicates += usize::from(!seen.insert(game.position().canonical()));
                    found.openings.push(Opening::of(&game));
                    found.lines.push(first_line);
                }
            }
        }
    }
    if found.openings.is_empty() { Err(ReadOpeningsError::Empty(file)) } else { Ok(found) }
}

#[cfg(test)]
mod tests;
