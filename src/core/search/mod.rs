//! The generic game-tree search: iterative deepening and principal-variation alpha-beta for every
//! [`Position`](crate::game::Position).
//!
//! [`AlphaBeta`] is the [`Searcher`](crate::game::Searcher) of any game with an
//! [`Evaluator`](crate::game::Evaluator). Its forks on other threads share the transposition table.
//! All transposition tables of the crate are built on [`CacheLines`].

mod alphabeta;
mod cache_lines;
mod control;
mod move_history;
mod selectivity;
mod table;
mod threads;

pub use alphabeta::AlphaBeta;
pub use cache_lines::{CacheLines, share_between_threads};
pub use control::{FORCED_MOVE_SHARE, SearchControl, has_room_for_another};
pub use selectivity::Selectivity;
use table::TranspositionTable;
pub use threads::search_on_threads;
#[cfg(test)]
pub(crate) use threads::with_helpers;
