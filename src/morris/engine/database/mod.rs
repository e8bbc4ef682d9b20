//! Endgame databases: the value of every position with so many men, built where they are used.
//!
//! ```text
//! Sector -> plan -> Unit -> solve -> pack -> Table (a file) -> Database -> probes of analyze, players and the search
//! ```
//!
//! A [`Sector`] is all positions with so many men of either side on the board and in hand. [`plan`] puts sectors into the order in which
//! they depend on each other, a [`Build`] solves them one [`WorkUnit`] after the other (`solve` tells how) and writes a [`SectorTable`] for each,
//! and a [`Database`] is a folder of tables, with the smallest made in memory where they are not on disk. [`verify()`] derives the values of
//! a table again from the rules of the game and not from the solver's.
//!
//! # What a value says
//!
//! The result under best play and the plies to the end of the game: the winner takes the quickest way, the loser the longest. Where no side
//! can force a win the position is drawn. Values know neither repetitions nor limits of moves, and not Morabaraba's ten-move draw. Where that
//! rule may strike, with three men on a side, a second table counts the plies to the next capture: a win that is further from
//! it than the clock allows is none.

mod bits;
mod build;
mod classes;
mod example;
mod index;
mod mill_game;
mod pack;
mod probe;
mod ruleset;
mod searcher;
mod sector;
mod solve;
mod store;
mod subsets;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod value_buffer;
mod verify;

pub use build::{Build, BuildError, BuildEstimate, BuildProgress, BuiltUnit};
pub use mill_game::{MillGame, mill_game};
pub use probe::{HalfmoveClock, MoveValue, Probe};
pub use ruleset::{BansUnsupported, Ruleset};
pub(super) use searcher::{look_up, open, searcher};
pub use sector::{ParseSectorError, Sector, UnplayableSector, WorkUnit, plan, whole_game, with_men_up_to};
pub use solve::SolveError;
pub use store::{Database, DatabaseError, UnusableTable};
pub use table::{OutcomeCounts, SectorTable, TableError};
pub use value::{Metric, PositionValue};
pub use verify::{Mismatch, VerifyError, verify};
