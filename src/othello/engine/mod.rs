//! What thinks about Othello: an evaluation learnt from games, a selective search for the midgame, and an exact solver for the end.

mod evaluate;
mod evaluation;
pub mod patterns;
pub mod probcut;
mod search;
mod searcher;

pub use evaluate::Evaluate;
pub use evaluation::Evaluation;
pub use search::{Iteration, SearchedLine, Solution, SolvedMove, Solver};
pub use searcher::OthelloSearcher;
