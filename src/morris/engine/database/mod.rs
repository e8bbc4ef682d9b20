//! Endgame databases: the value of every position with so many men, built where they are used.
//!
//! ```text
//! Sector -> plan -> Unit -> solve -> pack -> Table (a file) -> Database -> probes of analyze, players and the search
//! ```
//!
//! A [`Sector`] is all positions with so many men of either side on the board and in hand. [`plan`] puts sectors into the order in which
//! they depend on each other, a [`Build`] solves them one [`Unit`] after the other (`solve` tells how) and writes a [`Table`] for each,
//! and a [`Database`] is a folder of tables, with the smallest made in memory where they are not on disk. [`verify()`] derives the values of
//! a table again from the rules of the game and not from the solver's.
//!
//! # What a value says
//!
//! The result under best play and the plies to the end of the game: the winner takes the quickest way, the loser the longest. Where no side
//! can force a win the position is drawn. Values know neither repetitions nor limits of moves, and not Morabaraba's ten-move draw. Where that
//! rule may strike, with three men on a side, a second table counts the plies to the next capture: a win that is further from
//! it than the clock allows is none.

mod any;
mod bits;
mod build;
mod cells;
mod classes;
mod example;
mod folder;
mod index;
mod pack;
mod probe;
mod ruleset;
mod searcher;
mod sector;
mod solve;
mod subsets;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use any::{MillGame, mill_game};
pub use build::{Build, BuildError, Built, Monitor, Need};
pub use folder::{Database, DatabaseError, Refused};
pub use probe::{Clock, MoveValue, Probe};
pub use ruleset::{BansInForce, Ruleset};
pub(super) use searcher::{look_up, open, searcher};
pub use sector::{ParseSectorError, Sector, Unit, UnplayableSector, plan, whole_game, with_men_up_to};
pub use solve::SolveError;
pub use table::{Counts, Table, TableError};
pub use value::{Metric, Value};
pub use verify::{Mismatch, VerifyError, verify};
