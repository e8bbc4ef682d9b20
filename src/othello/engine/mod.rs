//! What thinks about Othello: an evaluation learnt from games, a selective search for the midgame, and an exact solver for the end.

mod handcrafted;
pub mod patterns;
pub mod probcut;
mod search;
mod searcher;
mod trained;

pub use handcrafted::HandcraftedEvaluation;
pub use search::{Iteration, SearchedLine, Solution, SolvedMove, Solver};
pub use searcher::OthelloSearcher;
pub use trained::TrainedEvaluation;
