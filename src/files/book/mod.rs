//! Opening books: positions with scored moves, in one file.
//!
//! A book has an [entry](BookEntry) for each of its positions, which are unique up to symmetry:
//! scored moves with their [provenance](Provenance), an upper limit for the other moves, and counts
//! of games. A move is *linked* if the position after it is in the book, too; its score is then
//! that of the position, so the score of every position is the negamax score of the book below it.
//!
//! ```text
//! Builder, learn, import -> BookWriter -> file <- Book <- levels of play, analyze, matches, the page
//! ```
//!
//! One [`BookWriter`] at a time changes a file. Any number of processes read it meanwhile, with
//! [`Book`] or [`BookFile`]. A process may be killed at any moment: the file stays valid, and only
//! the last changes are lost. The guide describes the format.

mod builder;
mod entry;
mod file;
pub mod foreign;
mod graph;
mod lines;
mod opening_table;
mod record;
mod rows;
mod searcher;
mod segment;
mod shared;
#[cfg(test)]
mod tests;
mod writer;

pub use builder::{BookProgress, BuildOptions, BuildResult, Builder, learn};
pub(crate) use entry::canonical_move;
pub use entry::{
    BookEntry, BookMove, BookScore, ENGINE_REVISION, GameCounts, Provenance, Source, certainty_name, distinct_moves,
    least_image, own_symmetries,
};
pub use file::{BookError, BookFile};
pub use graph::{BookGraph, Breadth, Successor, Visit, successor};
pub use lines::{BookLine, MemorizedLines, lines, memorized_lines, move_images};
pub use rows::{BookRow, BookRowError, read_rows};
pub use searcher::{BookUse, FROM_BOOK, with_book};
pub use shared::{Book, canonical};
pub use writer::{BookWriter, today};
