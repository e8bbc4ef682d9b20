//! The Othello engine: an evaluation trained on games, a selective midgame search and an exact
//! endgame solver.

mod handcrafted;
mod iterations;
pub mod network;
pub mod patterns;
pub mod probcut;
pub mod score_error;
mod search;
mod searcher;
mod trained;

pub use handcrafted::HandcraftedEvaluation;
pub use search::{Iteration, SearchedLine, Solution, SolvedMove, Solver};
pub use searcher::OthelloSearcher;
pub use trained::{FullEvaluation, TrainedEvaluation};
