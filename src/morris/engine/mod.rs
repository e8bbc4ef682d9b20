//! What thinks about the mill games: the [database], an evaluation by weighted counts, and a searcher of both on the generic search.

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
