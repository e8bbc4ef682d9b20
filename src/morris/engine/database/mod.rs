//! Endgame databases: the values of all positions with given numbers of men. Users build the tables on their own machines.
//!
//! ```text
//! Sector -> plan -> WorkUnit -> solve -> write -> SectorTable (a file) -> Database -> probes by analyze, players and the search
//! ```
//!
//! A [`Sector`] is all positions with given numbers of men of each side on the board and in hand. [`plan`] orders sectors by their
//! dependencies. A [`Build`] solves one [`WorkUnit`] after the other (see `solve`) and writes a [`SectorTable`] for each sector. A
//! [`Database`] is a folder of tables; small sectors that are not on disk are part of the program (see [`packed_sectors`]) or solved in memory.
//! [`verify_in_memory`] derives the values of tables again, independently of the solver; [`verify()`] does so with the move generator of the
//! game.
//!
//! # Values
//!
//! A value is the result under best play and the number of plies to the end of the game: the winner chooses the shortest way, the loser the
//! longest. Positions in which neither side can force a win are drawn. Values ignore repetitions, move limits and Morabaraba's ten-move draw.
//! That rule applies if a side is down to three men; a second table then counts the plies to the next capture, and a win whose next capture
//! is further away than the clock allows is drawn.

mod bits;
mod build;
mod cache;
mod classes;
mod example;
mod expanded;
mod format;
mod index;
mod mill_game;
mod openings;
mod outcome_counts;
mod pack;
mod probe;
mod puzzles;
mod report;
mod rule_draws;
mod ruleset;
mod searcher;
mod sector;
mod solve;
mod starts;
mod store;
mod subsets;
mod table;
#[cfg(test)]
mod tests;
mod traps;
mod value;
mod value_buffer;
mod verify;
mod write;

pub use build::{Build, BuildError, BuildEstimate, BuildProgress, BuiltUnit};
pub use format::StoredValues;
pub use mill_game::{MillGame, mill_game};
pub use openings::{Opening, OpeningValue, openings};
pub use outcome_counts::OutcomeCounts;
pub use pack::{PackWriter, packed_sectors};
pub use probe::{HalfmoveClock, MoveValue, Probe};
pub use puzzles::Puzzle;
pub use report::Reply;
pub use rule_draws::RuleDraws;
pub use ruleset::{BansUnsupported, Ruleset};
pub(super) use searcher::{look_up, open, searcher};
pub use sector::{ParseSectorError, Sector, UnplayableSector, WorkUnit, plan, whole_game, with_men_up_to};
pub use solve::{SolveError, SolverMemory};
pub use starts::starts;
pub use store::{Database, DatabaseError, UnusableTable};
pub use table::{SectorTable, TableError};
pub use value::{Metric, PositionValue};
pub use verify::{Mismatch, VerifyError, verification_memory, verify, verify_in_memory};
