//! Perft: how many positions (leaves, counted with repetition) lie a number of plies below a position. The field's check of a move generator.
//!
//! A number means nothing without its [`Convention`]. Three things make it fast, each usable alone:
//!
//! * the last plies are counted in bulk ([`count_leaves`](crate::game::CountLeaves::count_leaves)), the last without being played ([`count`]);
//! * the positions of a middle ply are found breadth first, symmetric and transposed ones merged, and counted once each ([`Frontier`]), the
//!   subtrees below them in parallel on rayon's current thread pool;
//! * where transpositions are many, tables of whole positions save those below the middle ply as well.
//!
//! A long count keeps its finished parts in a [`PerftCheckpoint`].

mod any;
mod checkpoint;
mod count_table;
mod counter;
mod frontier;
mod reference;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use any::{AnyFrontier, AnyPerft, perft_of};
pub use checkpoint::{PerftCheckpoint, PerftCheckpointError};
use count_table::Table;
use counter::Counter;
pub use frontier::{Frontier, FrontierInfo};
pub use reference::{ParseReferenceError, Reference};

use crate::game::{Cancel, CountLeaves};

/// What is counted where a side must pass or the game ends early. They agree wherever neither happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Convention {
    /// A forced pass is a ply; a game that ended earlier is not counted (OEIS A124004).
    #[default]
    PassesCount,
    /// A forced pass is a ply; a game that ended earlier counts once.
    EndedOnce,
    /// A forced pass costs no ply; a game that ended earlier counts once.
    FreePass,
}

impl Convention {
    /// All conventions, the default first.
    pub const ALL: [Self; 3] = [Self::PassesCount, Self::EndedOnce, Self::FreePass];

    /// Returns the name of the convention.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PassesCount => "passes-count",
            Self::EndedOnce => "ended-once",
            Self::FreePass => "free-pass",
        }
    }

    /// Returns a description of the convention in one line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::PassesCount => "A forced pass is a ply; games that ended earlier are not counted",
            Self::EndedOnce => "A forced pass is a ply; a game that ended earlier counts once",
            Self::FreePass => "A forced pass is not a ply; a game that ended earlier counts once",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no convention's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown perft convention `{0}` (known: passes-count, ended-once, free-pass)")]
pub struct UnknownConvention(String);

impl FromStr for Convention {
    type Err = UnknownConvention;

    fn from_str(text: &str) -> Result<Self, UnknownConvention> {
        Self::ALL.into_iter().find(|c| c.name() == text).ok_or_else(|| UnknownConvention(text.to_owned()))
    }
}

/// Counts the leaves `depth` plies below a position, on one thread and without a table.
///
/// A count beyond 2^64 - 1 is reported as [`OVERFLOWED`]. Recursion is `depth` deep.
///
/// ```
/// use morello::{othello, perft};
///
/// assert_eq!(perft::count(&<othello::Position>::default(), 5, perft::Convention::PassesCount), 1396);
/// ```
#[must_use]
pub fn count<P: CountLeaves>(position: &P, depth: u32, convention: Convention) -> u64 {
    Counter::<P> { convention, table: None, cancel: &Cancel::new() }.count(position, depth)
}

/// The count that stands for itself and all that do not fit into 64 bits.
pub const OVERFLOWED: u64 = u64::MAX;

/// The leaves below one root move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division<M> {
    /// The root move.
    pub root: M,
    /// The leaves below it.
    pub nodes: u64,
}

/// Counts the leaves below each root move, in parallel on rayon's current thread pool; the sum over all moves is the perft ([`total`]).
///
/// `bytes` are those of a [`Frontier`]: unless they are 0, root moves that lead to the same, but for a symmetry, are counted once. `on_move`
/// is told how many of how many root moves are done. Returns `None` if cancelled. A position without a move has no division; [`ended`]
/// counts it.
///
/// # Panics
/// If `depth` is 0: the only leaf is the position itself, below no move.
pub fn divide<P: CountLeaves>(
    position: &P,
    depth: u32,
    convention: Convention,
    bytes: usize,
    cancel: &Cancel,
    on_move: &dyn Fn(usize, usize),
) -> Option<Vec<Division<P::Move>>> {
    assert!(depth > 0, "only a position with a ply below it can be divided");
    let roots: Vec<P::Move> = position.legal_moves().collect();
    let merges = bytes > 0;
    let mut known: Vec<(P, u64)> = Vec::new();
    let mut divisions = Vec::new();
    for &root in &roots {
        let child = position.after(root);
        let child = if merges { child.canonical() } else { child };
        let nodes = match known.iter().find(|(position, _)| *position == child) {
            Some(&(_, nodes)) if merges => nodes,
            _ => {
                // A pass is the only move, so all children are as far from the leaves.
                let left = if convention == Convention::FreePass && P::is_pass(root) { depth } else { depth - 1 };
                let frontier = Frontier::new(&child, left, convention, bytes, cancel, &|_, _| ())?;
                let nodes = frontier.count(&[], cancel, &|_, _| ())?;
                known.push((child, nodes));
                nodes
            }
        };
        divisions.push(Division { root, nodes });
        on_move(divisions.len(), roots.len());
    }
    Some(divisions)
}

/// Returns the leaves below all root moves together, or [`OVERFLOWED`].
#[must_use]
pub fn total<M>(divisions: &[Division<M>]) -> u64 {
    divisions.iter().fold(0, |sum, division| sum.saturating_add(division.nodes))
}

/// Returns what a position without a legal move counts for, `depth` plies before the leaves.
#[must_use]
pub fn ended(depth: u32, convention: Convention) -> u64 {
    u64::from(depth == 0 || convention != Convention::PassesCount)
}
