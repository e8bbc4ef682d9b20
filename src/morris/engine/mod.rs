//! What thinks about the mill games: an evaluation by hand for the generic search.

pub mod database;
mod evaluate;
mod order;
mod searcher;

pub use evaluate::Evaluate;
use order::Order;
