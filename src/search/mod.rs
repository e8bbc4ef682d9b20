//! The generic game-tree search: iterative deepening and principal-variation alpha-beta for every [`Position`](crate::game::Position).
//!
//! [`AlphaBeta`] is the [`Searcher`](crate::game::Searcher) of a game that has an [`Evaluator`](crate::game::Evaluator); its table of
//! transpositions is shared by its forks on other threads. [`CacheLines`] is the memory under every table of the crate.

mod alphabeta;
mod cache_lines;
mod control;
mod move_history;
mod selectivity;
mod table;
mod threads;

pub use alphabeta::AlphaBeta;
pub use cache_lines::CacheLines;
pub use control::SearchControl;
pub use selectivity::Selectivity;
use table::TranspositionTable;
pub use threads::search_on_threads;
#[cfg(test)]
pub(crate) use threads::with_helpers;
