//! Tables of known perft values, kept as text in `data/perft/`.
//!
//! A line is `source TEXT`, `position TEXT` (or `position start`), `convention NAME` or `perft DEPTH NODES`. The first three apply to all
//! following values until they are changed. Blank lines and lines that begin with `#` are skipped.

use thiserror::Error;

use super::Convention;
use crate::game::{AnyGame, AnyPosition};

/// A known perft value and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The root position.
    pub position: AnyPosition,
    /// The convention of the count.
    pub convention: Convention,
    /// The depth in plies.
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
    /// The source of the value.
    pub source: String,
}

/// An invalid line of a table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}: `{text}`")]
pub struct ParseReferenceError {
    /// The line number, from 1.
    pub line: usize,
    /// The error.
    pub problem: &'static str,
    /// The line.
    pub text: String,
}

impl Reference {
    /// Reads the table of a game.
    ///
    /// # Errors
    /// [`ParseReferenceError`] for the first invalid line.
    pub fn parse_table(game: &dyn AnyGame, text: &str) -> Result<Vec<Self>, ParseReferenceError> {
        let mut values = Vec::new();
        let mut source = String::new();
        let mut convention = Convention::default();
        let mut position = game.start();
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let fail = |problem| ParseReferenceError { line, problem, text: text.to_owned() };
            let (word, rest) = text.split_once(' ').ok_or_else(|| fail("a keyword without a value"))?;
            match word {
                "source" => rest.clone_into(&mut source),
                "position" if rest == "start" => position = game.start(),
                "position" => position = game.parse_position(rest).map_err(|_| fail("not a position of this game"))?,
                "convention" => convention = rest.parse().map_err(|_| fail("unknown convention"))?,
                "perft" => {
                    let (depth, nodes) = rest
                        .split_once(' ')
                        .and_then(|(depth, nodes)| Some((depth.parse().ok()?, nodes.parse().ok()?)))
                        .ok_or_else(|| fail("expected `perft DEPTH NODES`"))?;
                    values.push(Self { position, convention, depth, nodes, source: source.clone() });
                }
                _ => return Err(fail("unknown keyword")),
            }
        }
        Ok(values)
    }
}
