//! The Othello engine: an evaluation trained on games, a selective midgame search and an exact
//! endgame solver.
//!
//! ```
//! use morello::game::Limits;
//! use morello::othello::Position;
//! use morello::othello::engine::{Solver, TrainedEvaluation};
//!
//! // FFO #40, with 20 empty squares: Black, to move, wins by 38 discs. This finds only who wins.
//! let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
//! let mut solver = Solver::with_evaluation(1 << 20, TrainedEvaluation::built_in());
//! let solution = solver.solution(text.parse::<Position>()?.board(), &Limits::window(-1, 1));
//! assert!(solution.complete && solution.lower >= 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod handcrafted;
mod iterations;
#[doc(hidden)]
pub mod network;
#[doc(hidden)]
pub mod patterns;
#[doc(hidden)]
pub mod probcut;
#[doc(hidden)]
pub mod score_error;
mod search;
mod searcher;
mod trained;

pub use handcrafted::HandcraftedEvaluation;
pub use search::{Iteration, SearchedLine, Solution, SolvedMove, Solver};
pub use searcher::OthelloSearcher;
pub use trained::{FullEvaluation, TrainedEvaluation};
