//! Endgame databases: the values of all positions with given numbers of men. Users build the tables
//! on their own machines.
//!
//! ```
//! use std::cmp::Ordering;
//!
//! use morello::game::Cancel;
//! use morello::morris::engine::database::{
//!     Build, BuildProgress, Database, Ruleset, StoredValues, whole_game,
//! };
//! use morello::morris::{Position, ThreeMensMorris};
//!
//! // Build the tables of the whole game in a directory.
//! let folder = tempfile::tempdir()?;
//! let rules = Ruleset::of::<ThreeMensMorris>()?;
//! let build = Build::open(folder.path(), rules, &whole_game(&rules), StoredValues::Distances)?;
//! build.run(&BuildProgress::default(), &Cancel::new(), |_| ())?;
//!
//! // Look up the value of a position and of its moves.
//! let database = Database::open(folder.path(), rules)?;
//! let start = Position::<ThreeMensMorris>::default().into();
//! let probe = database.probe(&start, 0)?.expect("all tables exist");
//! assert_eq!((probe.outcome(), probe.plies()), (Ordering::Greater, Some(9)));
//! let moves = database.probe_moves(&start, 0)?.expect("all tables exist");
//! assert_eq!(moves[0].m.to_string(), "b2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! Sector -> plan -> WorkUnit -> solve -> write -> SectorTable (a file) -> Database
//!     -> probes by analyze, players and the search
//! ```
//!
//! A [`Sector`] is the set of all positions with given numbers of men of each side on the board and
//! in hand. [`plan`] orders sectors by their dependencies. A [`Build`] solves one [`WorkUnit`]
//! after the other (see `solve`) and writes a [`SectorTable`] for each sector. A [`Database`] is a
//! directory of tables. Small sectors that are not on disk are built-in (see [`packed_sectors`]) or
//! solved in memory. [`verify_in_memory`] checks tables by deriving their values again,
//! independently of the solver. [`verify()`] does the same with the game's move generator.
//!
//! # Values
//!
//! A value is the result under best play and the number of plies to the end of the game: the winner
//! chooses the shortest way, and the loser chooses the longest. Positions in which neither side can
//! force a win are drawn. Values ignore repetitions, move limits and Morabaraba's ten-move draw.
//! The ten-move draw applies if a side is down to three men. A second table then counts the plies
//! to the next capture, and a win is drawn if its next capture comes later than the clock allows.

mod file;
mod mill_game;
mod outcome_counts;
mod query;
mod sector;
mod solve;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use file::format::StoredValues;
pub use file::pack::{PackWriter, packed_sectors};
pub use file::store::{Database, DatabaseError, UnusableTable};
pub use file::table::{SectorTable, TableError};
pub use mill_game::{MillGame, mill_game};
pub use outcome_counts::OutcomeCounts;
pub use query::openings::{Opening, OpeningValue, openings};
pub use query::probe::{HalfmoveClock, MoveValue, Place, Probe};
pub use query::puzzles::Puzzle;
pub use query::report::Reply;
pub use query::rule_draws::RuleDraws;
pub(super) use query::searcher::{look_up, open, searcher};
pub use sector::ruleset::{BansUnsupported, Ruleset};
pub use sector::starts::starts;
pub use sector::{ParseSectorError, Sector, UnplayableSector, WorkUnit, plan, whole_game, with_men_up_to};
pub use solve::build::{Build, BuildError, BuildEstimate, BuildProgress, BuiltUnit};
pub use solve::{SolveError, SolverMemory};
pub use value::{Metric, PositionValue};
pub use verify::{Mismatch, VerifyError, verification_memory, verify, verify_in_memory};
