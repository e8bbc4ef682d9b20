//! The generic game-tree search: iterative deepening and principal-variation alpha-beta for every [`Position`](crate::game::Position).
//!
//! [`AlphaBeta`] is the [`Searcher`](crate::game::Searcher) of a game that has an [`Evaluator`](crate::game::Evaluator); its table of
//! transpositions is shared by its forks on other threads. [`CacheLines`] is the memory under every table of the crate.

mod alphabeta;
mod memory;
mod ordering;
mod selectivity;
mod stop;
mod table;
mod threads;

pub use alphabeta::AlphaBeta;
pub use memory::CacheLines;
pub use selectivity::Selectivity;
pub use stop::Stop;
use table::Table;
pub use threads::search_on_threads;
#[cfg(test)]
pub(crate) use threads::while_assisted;
