//! What thinks about Othello: an evaluation for the midgame and an exact solver for the end.

mod endgame;
mod evaluate;
pub mod patterns;
mod searcher;

pub use endgame::{Solution, SolvedMove, Solver};
pub use evaluate::Evaluate;
pub use searcher::OthelloSearcher;
