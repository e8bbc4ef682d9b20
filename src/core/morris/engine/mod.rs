//! The engine of the mill games: endgame databases, an evaluation, and a searcher that combines
//! both with the generic search.
//!
//! ```
//! use morello::game::{Engine, EngineOptions, Game, Limits};
//! use morello::morris::{NineMensMorris, Position};
//!
//! // Three men against three: small endgames need no tables on disk.
//! let game = Game::new("0,0 c5,d7,g7 a7,f4,f6 W".parse::<Position<NineMensMorris>>()?);
//! let database = Position::<NineMensMorris>::open_database(None)?;
//! let options = EngineOptions { database, ..EngineOptions::new(1 << 20) };
//! let mut searcher = Position::searcher(&options)?;
//! let report = searcher.best(&game, &Limits::exact());
//! assert_eq!(report.best().score.to_string(), "+1#39"); // White wins in 39 plies
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

#[cfg(feature = "database")]
pub mod database;
mod evaluation;
mod generic_search;
mod move_ordering;
mod patterns;
mod searcher;
mod terms;
mod weights;

pub use evaluation::MillEvaluation;
#[doc(hidden)]
pub use evaluation::{men, of_next_mill, terms};
use move_ordering::MoveScorer;
#[doc(hidden)]
pub use patterns::{LANES, Patterns};
#[doc(hidden)]
pub use terms::{TERMS, term};
#[doc(hidden)]
pub use weights::{CONFIGURATION_UNIT, MEN, STAGES, StageWeights, Weights};
