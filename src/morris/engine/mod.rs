//! What thinks about the mill games: an evaluation by hand for the generic search.

pub mod database;
mod evaluate;
mod searcher;

pub use evaluate::Evaluate;
