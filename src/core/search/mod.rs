//! The generic game-tree search: iterative deepening and principal-variation alpha-beta for every
//! [`Position`](crate::game::Position).
//!
//! ```
//! use morello::game::{Game, Limits, Searcher};
//! use morello::othello::{SizedPosition, engine::HandcraftedEvaluation};
//! use morello::search::AlphaBeta;
//!
//! let mut search = AlphaBeta::<SizedPosition<6>, _>::new(HandcraftedEvaluation, 1 << 20);
//! let report = search.best(&Game::default(), &Limits::depth(5));
//! let moves: Vec<_> = report.best().pv.iter().map(ToString::to_string).collect();
//! assert_eq!((report.depth, moves.join(" ").as_str()), (5, "c2 b4 d5 c1 b3"));
//! ```
//!
//! [`AlphaBeta`] is the [`Searcher`](crate::game::Searcher) for any game with an
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
