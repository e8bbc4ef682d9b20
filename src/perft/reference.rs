//! Tables of known perft values, kept as text in `data/perft/`.
//!
//! A line is `source TEXT`, `position TEXT` (or `position start`), `convention NAME` or `perft DEPTH NODES`. The first three apply to all
//! following values until they are changed. Blank lines and lines that begin with `#` are skipped.

use thiserror::Error;

use super::Convention;
use crate::game::{AnyGame, AnyPosition, opening};

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

/// A line of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceLine<'a> {
    /// The source of the following values.
    Source(&'a str),
    /// The text of the position of the following values.
    Position(&'a str),
    /// The convention of the following values.
    Convention(Convention),
    /// A value.
    Perft {
        /// The depth in plies.
        depth: u32,
        /// The number of leaves.
        nodes: u64,
    },
}

impl<'a> ReferenceLine<'a> {
    /// Reads a line without surrounding spaces.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub(crate) fn read(text: &'a str) -> Result<Self, &'static str> {
        let (word, rest) = text.split_once(' ').ok_or("a keyword without a value")?;
        let rest = rest.trim_start();
        Ok(match word {
            "source" => Self::Source(rest),
            "position" => Self::Position(rest),
            "convention" => Self::Convention(rest.parse().map_err(|_| "unknown convention")?),
            "perft" => rest
                .split_once(' ')
                .and_then(|(depth, nodes)| {
                    Some(Self::Perft { depth: depth.parse().ok()?, nodes: nodes.trim_start().parse().ok()? })
                })
                .ok_or("expected `perft DEPTH NODES`")?,
            _ => return Err("unknown keyword"),
        })
    }
}

impl Reference {
    /// Returns the known values of a game.
    #[must_use]
    pub fn known(game: &dyn AnyGame) -> Vec<Self> {
        Self::parse_table(game, game.info().known_perft).expect("a test reads the table of each game")
    }

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
            match ReferenceLine::read(text).map_err(fail)? {
                ReferenceLine::Source(text) => text.clone_into(&mut source),
                ReferenceLine::Position(opening::START) => position = game.start(),
                ReferenceLine::Position(text) => {
                    position = game.parse_position(text).map_err(|_| fail("not a position of this game"))?;
                }
                ReferenceLine::Convention(name) => convention = name,
                ReferenceLine::Perft { depth, nodes } => {
                    values.push(Self { position, convention, depth, nodes, source: source.clone() });
                }
            }
        }
        Ok(values)
    }
}
