//! The engine of the mill games: endgame databases, an evaluation, and a searcher that combines both with the generic search.

#[cfg(feature = "database")]
pub mod database;
mod evaluation;
mod generic_search;
mod move_ordering;
mod searcher;
mod terms;
mod weights;

pub use evaluation::{MillEvaluation, terms};
use move_ordering::MoveScorer;
pub use terms::{TERMS, term};
pub use weights::Weights;
