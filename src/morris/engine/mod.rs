//! What thinks about the mill games: the [database], an evaluation by weighted counts, and a searcher of both on the generic search.

#[cfg(feature = "database")]
pub mod database;
mod evaluate;
mod generic;
mod order;
mod searcher;
mod terms;
mod weights;

pub use evaluate::{Evaluate, terms};
use order::Order;
pub use terms::{TERMS, term};
pub use weights::Weights;
