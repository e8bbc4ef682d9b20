//! Perft: how many positions (leaves, counted with repetition) lie a number of plies below a position. The field's check of a move generator.
//!
//! A number means nothing without its [`Convention`]. The last ply is counted without playing it ([`Position::count_moves`]); subtrees run in
//! parallel on rayon's current thread pool; a [`Table`] of whole positions, if given, saves the transpositions.

mod reference;
mod table;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use thiserror::Error;

pub use reference::{ParseReferenceError, Reference};
pub use table::Table;

use crate::game::{Cancel, Position};

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

    /// Returns what the convention counts, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::PassesCount => "a forced pass is a ply; a game that ended earlier is not counted",
            Self::EndedOnce => "a forced pass is a ply; a game that ended earlier counts once",
            Self::FreePass => "a forced pass costs no ply; a game that ended earlier counts once",
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
/// A count beyond 2^64 - 1 is reported as [`TOO_MANY`]. Recursion is `depth` deep.
///
/// ```
/// use morello::{othello, perft};
///
/// assert_eq!(perft::count(&<othello::Position>::default(), 5, perft::Convention::PassesCount), 1396);
/// ```
#[must_use]
pub fn count<P: Position>(position: &P, depth: u32, convention: Convention) -> u64 {
    Counter::<P> { convention, table: None, cancel: &Cancel::new() }.count(position, depth)
}

/// The count that stands for itself and all that do not fit into 64 bits.
pub const TOO_MANY: u64 = u64::MAX;

/// The leaves below one root move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division<M> {
    /// The root move.
    pub root: M,
    /// The leaves below it.
    pub nodes: u64,
}

/// Counts the leaves below each root move, the subtrees in parallel on rayon's current thread pool; the sum over all moves is the perft ([`total`]).
///
/// `on_progress` is told, from any thread, how many of how many subtrees are done. Returns `None` if cancelled. A position without a move
/// has no division; [`ended`] counts it.
///
/// # Panics
/// If `depth` is 0: the only leaf is the position itself, below no move.
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    convention: Convention,
    table: Option<&Table<P>>,
    cancel: &Cancel,
    on_progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<Vec<Division<P::Move>>> {
    assert!(depth > 0, "only a position with a ply below it can be divided");
    let counter = Counter { convention, table, cancel };
    let roots: Vec<P::Move> = position.legal_moves().collect();
    let mut tasks: Vec<Task<P>> = roots
        .iter()
        .enumerate()
        .map(|(root, &m)| Task { root, position: position.after(m), depth: counter.depth_after(m, depth) })
        .collect();
    let mut sums = vec![0u64; roots.len()];
    // Enough subtrees to keep all threads busy to the end, each still large enough to be worth handing out.
    while tasks.len() < 64 * rayon::current_num_threads() && tasks.iter().any(|task| task.depth > 4) {
        tasks = tasks.into_iter().flat_map(|task| task.split(&counter, &mut sums)).collect();
    }
    let done = AtomicUsize::new(0);
    let total = tasks.len();
    let counts: Vec<u64> = tasks
        .par_iter()
        .map(|task| {
            let nodes = counter.count(&task.position, task.depth);
            on_progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            nodes
        })
        .collect();
    for (task, nodes) in tasks.iter().zip(counts) {
        sums[task.root] = sums[task.root].saturating_add(nodes);
    }
    let divisions = roots.into_iter().zip(sums).map(|(root, nodes)| Division { root, nodes }).collect();
    (!cancel.is_cancelled()).then_some(divisions)
}

/// Returns the leaves below all root moves together, or [`TOO_MANY`].
#[must_use]
pub fn total<M>(divisions: &[Division<M>]) -> u64 {
    divisions.iter().fold(0, |sum, division| sum.saturating_add(division.nodes))
}

/// Returns what a position without a legal move counts for, `depth` plies before the leaves.
#[must_use]
pub fn ended(depth: u32, convention: Convention) -> u64 {
    u64::from(depth == 0 || convention != Convention::PassesCount)
}

/// A subtree below one of the root moves.
struct Task<P> {
    root: usize,
    position: P,
    depth: u32,
}

impl<P: Position> Task<P> {
    /// Splits a subtree by one ply; what ends here is added to the sum of its root move.
    fn split(self, counter: &Counter<P>, sums: &mut [u64]) -> Vec<Self> {
        if self.depth <= 4 {
            return vec![self];
        }
        let tasks: Vec<_> = self
            .position
            .legal_moves()
            .map(|m| Self { position: self.position.after(m), depth: counter.depth_after(m, self.depth), ..self })
            .collect();
        if tasks.is_empty() {
            sums[self.root] = sums[self.root].saturating_add(ended(self.depth, counter.convention));
        }
        tasks
    }
}

struct Counter<'a, P: Position> {
    convention: Convention,
    table: Option<&'a Table<P>>,
    cancel: &'a Cancel,
}

impl<P: Position> Counter<'_, P> {
    fn depth_after(&self, m: P::Move, depth: u32) -> u32 {
        if self.convention == Convention::FreePass && P::is_pass(m) { depth } else { depth - 1 }
    }

    fn count(&self, position: &P, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let entry = self.table.filter(|_| depth >= BULK).map(|table| {
            let position = if depth >= 5 { position.canonical() } else { *position };
            (table, position)
        });
        if let Some(nodes) = entry.and_then(|(table, position)| table.get(&position, depth)) {
            return nodes;
        }
        if depth >= 5 && self.cancel.is_cancelled() {
            return 0;
        }
        let mut nodes = 0u64;
        if depth <= BULK {
            let mut below_stuck = 0;
            nodes = position.count_leaves(depth, &mut |stuck, depth| below_stuck += self.count_stuck(stuck, depth));
            nodes += below_stuck;
        } else {
            let mut over = true;
            for m in position.legal_moves() {
                over = false;
                nodes = nodes.saturating_add(self.count(&position.after(m), self.depth_after(m, depth)));
            }
            if over {
                return ended(depth, self.convention);
            }
        }
        if let Some((table, position)) = entry
            && !self.cancel.is_cancelled()
        {
            table.insert(position, depth, nodes);
        }
        nodes
    }

    /// Counts below a position whose only move is a pass, or that ends the game.
    fn count_stuck(&self, position: &P, depth: u32) -> u64 {
        match position.legal_moves().next() {
            Some(pass) => self.count(&position.after(pass), self.depth_after(pass, depth)),
            None => ended(depth, self.convention),
        }
    }
}

/// The last plies of a count, which a position counts at once.
const BULK: u32 = 4;
