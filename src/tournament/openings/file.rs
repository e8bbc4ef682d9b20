//! Openings out of a file, one a line, in whatever notation [the game reads](Playable::read_opening).
//!
//! Blank lines are skipped. `%` and `#` start a comment that goes to the end of its line, but not within square brackets, where games in
//! GGF keep names and remarks. Lines may end in CR LF, and a byte order mark may stand at the start. A line that is no opening ends the
//! reading: a match from half a list would be another match.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use super::Opening;
use crate::game::{Game, Placed, Playable, Position};

/// The longest line that is read, in bytes: whole games with their times and remarks have a few thousand.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The openings of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningFile<P: Position> {
    /// The openings, in the order of the lines; at least one.
    pub openings: Vec<Opening<P>>,
    /// The number of the line of each, from 1.
    pub lines: Vec<u64>,
    /// How many of them lead to a position that one before them leads to, up to symmetry.
    pub duplicates: usize,
    /// How many lines were left out: their games are over within the plies that are taken.
    pub left_out: usize,
}

/// Why openings cannot be read.
#[derive(Debug, Error)]
pub enum ReadOpeningsError {
    /// The file cannot be opened or read.
    #[error("cannot read `{file}`")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
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
        problem: LineProblem,
    },
    /// No line holds an opening.
    #[error("`{0}` holds no opening")]
    Empty(String),
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// It is longer than any opening.
    #[error("the line is longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// It is no text.
    #[error("not UTF-8 text")]
    NotUtf8,
    /// The game cannot read it.
    #[error("{0}")]
    Opening(Box<dyn Placed>),
    /// Nothing is left to be played.
    #[error("the game is over after this opening: nothing is left to be played; take fewer of its plies")]
    Over,
}

/// Reads the openings of a file: of each line at most the first `plies`, if there is such a bound, so that whole games serve too.
///
/// # Errors
/// [`ReadOpeningsError`], with the name of the file as it was given.
pub fn read_file<P: Playable>(path: &Path, plies: Option<usize>) -> Result<OpeningFile<P>, ReadOpeningsError> {
    let file = path.display().to_string();
    match File::open(path) {
        Ok(input) => read(BufReader::new(input), &file, plies),
        Err(source) => Err(ReadOpeningsError::Io { file, source }),
    }
}

/// Reads openings as [`read_file`] does; errors call the input `name`.
///
/// ```
/// use morello::othello;
/// use morello::tournament::openings;
///
/// let text = "% the beginning of many games\nf5d6c3\nc4e3f6 # the same, seen from elsewhere\n";
/// let file = openings::read::<othello::Position>(text.as_bytes(), "some", None)?;
/// assert_eq!((file.openings.len(), file.lines, file.duplicates), (2, vec![2, 3], 1));
/// let error = openings::read::<othello::Position>("f5a1".as_bytes(), "some", None).unwrap_err();
/// assert_eq!(error.to_string(), "`some`, line 1, column 3: illegal move `a1` in ply 2: it flips no disc");
/// # Ok::<(), openings::ReadOpeningsError>(())
/// ```
///
/// # Errors
/// [`ReadOpeningsError`] at the first line that is no opening, or if there is none.
pub fn read<P: Playable>(
    mut input: impl BufRead,
    name: &str,
    plies: Option<usize>,
) -> Result<OpeningFile<P>, ReadOpeningsError> {
    let mut found = OpeningFile { openings: Vec::new(), lines: Vec::new(), duplicates: 0, left_out: 0 };
    let mut seen = HashSet::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        // Room for a byte order mark and the end of the line, and one more to see that it is too long.
        let limit = MAX_LINE_BYTES as u64 + 6;
        let length = input.by_ref().take(limit).read_until(b'\n', &mut bytes);
        if length.map_err(|source| ReadOpeningsError::Io { file: name.to_owned(), source })? == 0 {
            break;
        }
        let text = if line == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
        let read = match read_line::<P>(text, plies) {
            // Of whole games, which are no list of openings, some may be short.
            Err((_, LineProblem::Over)) if plies.is_some() => {
                found.left_out += 1;
                continue;
            }
            read => read.map_err(|(column, problem)| ReadOpeningsError::Line {
                file: name.to_owned(),
                line,
                column,
                problem,
            })?,
        };
        if let Some(game) = read {
            found.duplicates += usize::from(!seen.insert(game.position().canonical()));
            found.openings.push(Opening::of(&game));
            found.lines.push(line);
        }
    }
    if found.openings.is_empty() { Err(ReadOpeningsError::Empty(name.to_owned())) } else { Ok(found) }
}

/// Reads a line as the game up to the end of its opening, `None` if it says nothing; fails with the column and the problem.
fn read_line<P: Playable>(bytes: &[u8], plies: Option<usize>) -> Result<Option<Game<P>>, (usize, LineProblem)> {
    let text = without_comment(bytes);
    if text.len() > MAX_LINE_BYTES {
        return Err((1, LineProblem::TooLong));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let valid = String::from_utf8_lossy(&text[..error.valid_up_to()]);
        (valid.chars().count() + 1, LineProblem::NotUtf8)
    })?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    let mut game =
        P::read_opening(text.trim()).map_err(|error| (indent + error.column(), LineProblem::Opening(error)))?;
    while plies.is_some_and(|plies| game.moves().len() > plies) {
        game.undo();
    }
    match game.end() {
        Some(_) => Err((indent + 1, LineProblem::Over)),
        None => Ok(Some(game)),
    }
}

/// Returns what stands before the comment of a line.
fn without_comment(line: &[u8]) -> &[u8] {
    let mut bracketed = false;
    let end = line.iter().position(|byte| {
        match byte {
            b'[' => bracketed = true,
            b']' => bracketed = false,
            _ => {}
        }
        !bracketed && b"%#".contains(byte)
    });
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests;
