//! Opening books: positions with scored moves, in one file.
//!
//! ```
//! use morello::book::{Book, BookWriter, Breadth, BuildOptions, Builder};
//! use morello::game::{Cancel, EngineOptions, Limits, Position as _};
//! use morello::games;
//!
//! let othello = games::get("othello")?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("mine.book");
//!
//! // Search the moves in the first two plies that lose at most one disc.
//! let mut writer = BookWriter::open(&path, othello)?;
//! let breadth = Breadth { plies: 2, error: 1.0, budget: f64::INFINITY, best_plies: 0 };
//! let options = BuildOptions::new(othello, Limits::depth(2), breadth);
//! let mut searchers = [othello.searcher(&EngineOptions::new(1 << 20))?];
//! let built = Builder::new(&mut writer, options)?.run(&mut searchers, &Cancel::new(), &mut |_| ())?;
//! assert!(built.is_complete);
//!
//! // Read the book while the writer is open, or later.
//! let book = Book::open(&path, othello)?;
//! let entry = book.get(&othello.start())?.expect("the start is in the book");
//! let best = entry.best().expect("it has moves");
//! assert!(othello.start().is_legal(best.m) && best.is_linked);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Scores are in points for the side to move: discs in Othello, and fractions of a win in the mill
//! games.
//!
//! A book has an [entry](BookEntry) for each of its positions, which are unique up to symmetry. The
//! entry contains scored moves with their [provenance](Provenance), an upper limit for the other
//! moves, and game counts. A move is *linked* if the position after it is also in the book. The
//! score of a linked move is the score of that position, so the score of every position is the
//! negamax score of the book below it.
//!
//! ```text
//! Builder, learn, import -> BookWriter -> file <- Book <- levels of play, analyze, matches, the page
//! ```
//!
//! Only one [`BookWriter`] at a time can change a file. Meanwhile, any number of processes can read
//! it with [`Book`] or [`BookFile`]. A process may be killed at any moment: the file stays valid,
//! and only the last changes are lost. The guide describes the format.

mod builder;
mod bytes;
mod entry;
mod file;
pub mod foreign;
mod graph;
mod lines;
mod moves;
mod opening_table;
mod played;
mod record;
mod rows;
mod searcher;
mod segment;
mod shared;
#[cfg(test)]
mod tests;
mod writer;

pub use builder::{BookProgress, BuildOptions, BuildResult, Builder, learn};
pub use entry::{
    BookEntry, BookMove, BookScore, ENGINE_REVISION, GameCounts, Provenance, Source, canonical_move, certainty_name,
    distinct_moves, least_image, own_symmetries,
};
pub use file::{BookError, BookFile};
pub use graph::{BookGraph, Breadth, Successor, Visit, successor};
pub use lines::{BookLine, MemorizedLines, lines, memorized_lines, move_images};
pub use moves::KnownMove;
pub use played::PlayedReplies;
pub use rows::{BookRow, BookRowError, read_rows};
pub use searcher::{BookAnswers, BookUse, known_values, with_book};
pub use shared::{Book, canonical};
pub use writer::{BookWriter, today};
