//! What thinks about the mill games: an evaluation by hand for the generic search.

pub mod database;
mod evaluate;
mod order;
mod searcher;
mod weights;

pub use evaluate::{Evaluate, TERMS, term, terms};
use order::Order;
pub use weights::Weights;
