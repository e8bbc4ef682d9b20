//! Perft: the number of leaf positions at a given depth, counted with repetition. It is the
//! standard test of move generators.
//!
//! ```
//! use morello::game::{AnyPosition, Cancel};
//! use morello::perft::{self, Convention};
//! use morello::{games, othello};
//!
//! let start = othello::Position::default();
//! assert_eq!(perft::count(&start, 6, Convention::default()), 8200);
//!
//! // The counts below each move.
//! let (perft, root) = (perft::perft_of::<othello::Position>(), AnyPosition::new(start));
//! let divisions = perft.divide(&root, 6, Convention::default());
//! assert_eq!((divisions[0].root.to_string().as_str(), divisions[0].nodes), ("d3", 2050));
//!
//! // The same on all threads, for a game known by its name, with symmetric positions counted once.
//! let (perft, cancel) = (games::perft("othello")?, Cancel::new());
//! let divisions = perft.divide_with(&root, 6, Convention::default(), 1 << 20, &cancel, &|_, _| ());
//! let divisions = divisions.expect("not cancelled");
//! assert_eq!(perft::total(&divisions), 8200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Counts depend on the [`Convention`]. Three techniques make them fast:
//!
//! * The last plies are counted in bulk ([`count_leaves`](crate::game::CountLeaves::count_leaves)),
//!   the last ply without playing its moves ([`count`]).
//! * The positions of an intermediate ply are generated breadth first, and symmetric and transposed
//!   positions are merged ([`AnyFrontier`]). The subtrees below them are counted in parallel on
//!   rayon's current thread pool.
//! * If transpositions are frequent, tables of exact positions also merge them below the
//!   intermediate ply.
//!
//! A [`PerftCheckpoint`] stores the finished parts of a long count. [`Reference`]s are known counts
//! in files, and a [`PrintedDivision`] contains counts printed by another program.

mod any;
mod checkpoint;
mod count_table;
mod counter;
mod division;
mod frontier;
mod reference;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use any::{AnyPerft, perft_of};
pub use checkpoint::{PerftCheckpoint, PerftCheckpointError};
use count_table::CountTable;
use counter::Counter;
pub use division::{ComparedMove, PrintedDivision, compare_divisions, read_divisions};
pub use frontier::{AnyFrontier, FrontierInfo, frontier};
pub use reference::{MAX_DEPTH, ParseReferenceError, Reference, ReferenceErrorKind, ReferenceReader};

use crate::game::{AnyMove, Cancel, CountLeaves};

/// How to count forced passes and games that end before the last ply. If neither occurs, all
/// conventions agree.
///
/// ```
/// use morello::othello::SizedPosition;
/// use morello::perft::{Convention, count};
///
/// // On the 4x4 board games end, and sides pass, before the tenth ply.
/// let start = SizedPosition::<4>::default();
/// let counts = Convention::ALL.map(|by| (by.name(), count(&start, 10, by)));
/// assert_eq!(counts, [("passes-count", 36412), ("ended-once", 36540), ("free-pass", 41636)]);
/// assert_eq!("free-pass".parse(), Ok(Convention::FreePass));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
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
    /// All conventions. The default comes first.
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

    /// Returns a one-line description.
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

/// No convention has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown perft convention `{0}` (known: passes-count, ended-once, free-pass)")]
pub struct UnknownConvention(String);

impl FromStr for Convention {
    type Err = UnknownConvention;

    fn from_str(text: &str) -> Result<Self, UnknownConvention> {
        Self::ALL.into_iter().find(|c| c.name() == text).ok_or_else(|| UnknownConvention(text.to_owned()))
    }
}

/// Counts the leaves `depth` plies below a position, on one thread, without a table.
///
/// Returns [`OVERFLOWED`] if the count exceeds 64 bits. The recursion depth is `depth`.
///
/// ```
/// use morello::{othello, perft};
///
/// assert_eq!(perft::count(&othello::Position::default(), 5, perft::Convention::PassesCount), 1396);
/// ```
#[must_use]
pub fn count<P: CountLeaves>(position: &P, depth: u32, convention: Convention) -> u64 {
    count_with(position, depth, convention, &Cancel::new()).expect("nothing cancels it")
}

/// Counts like [`count()`]; `None` if cancelled.
#[must_use]
pub fn count_with<P: CountLeaves>(position: &P, depth: u32, convention: Convention, cancel: &Cancel) -> Option<u64> {
    let nodes = Counter::<P> { convention, table: None, cancel }.count(position, depth);
    (!cancel.is_cancelled()).then_some(nodes)
}

/// Counts the leaves below each legal move of a position, in the order of the moves. If the
/// position has moves, the sum is its [count](count()).
///
/// ```
/// use morello::othello::Position;
/// use morello::perft::{self, Convention};
///
/// let divided = perft::divide(&"f5".parse::<Position>()?, 3, Convention::PassesCount);
/// let texts: Vec<_> = divided.iter().map(|(m, nodes)| format!("{m}: {nodes}")).collect();
/// assert_eq!(texts, ["f4: 22", "d6: 21", "f6: 18"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `depth` is 0.
#[must_use]
pub fn divide<P: CountLeaves>(position: &P, depth: u32, convention: Convention) -> Vec<(P::Move, u64)> {
    assert!(depth > 0, "a division has a depth of at least 1");
    position.legal_moves().map(|m| (m, count(&position.after(m), depth - 1, convention))).collect()
}

/// The result of counts that do not fit in 64 bits.
pub const OVERFLOWED: u64 = u64::MAX;

/// The count of a root move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Division {
    /// The root move.
    pub root: AnyMove,
    /// The number of leaves below it.
    pub nodes: u64,
}

/// Returns the sum over all root moves, or [`OVERFLOWED`].
///
/// ```
/// use morello::perft::{Convention, total};
/// use morello::games;
///
/// let (othello, perft) = (games::get("othello")?, games::perft("othello")?);
/// let convention = Convention::PassesCount;
/// let divisions = perft.divide(&othello.start(), 5, convention);
/// assert_eq!(total(&divisions), perft.count(&othello.start(), 5, convention));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn total(divisions: &[Division]) -> u64 {
    divisions.iter().fold(0, |sum, division| sum.saturating_add(division.nodes))
}

/// Returns the count for a position without legal moves, `depth` plies before the leaves.
///
/// ```
/// use morello::perft::{Convention, ended};
///
/// assert_eq!(ended(3, Convention::PassesCount), 0);
/// assert_eq!(ended(3, Convention::EndedOnce), 1);
/// assert_eq!(ended(0, Convention::PassesCount), 1, "a leaf");
/// ```
#[must_use]
pub fn ended(depth: u32, convention: Convention) -> u64 {
    u64::from(depth == 0 || convention != Convention::PassesCount)
}
