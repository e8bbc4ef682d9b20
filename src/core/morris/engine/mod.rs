//! The engine of the mill games: endgame databases, an evaluation, and a searcher that combines
//! both with the generic search.

#[cfg(feature = "database")]
pub mod database;
mod evaluation;
mod generic_search;
mod move_ordering;
mod patterns;
mod searcher;
mod terms;
mod weights;

pub use evaluation::{MillEvaluation, terms};
pub use evaluation::{men, of_next_mill};
use move_ordering::MoveScorer;
pub use patterns::LANES;
pub use patterns::Patterns;
pub use terms::{TERMS, term};
pub use weights::{CONFIGURATION_UNIT, MEN, STAGES, StageWeights, Weights};
