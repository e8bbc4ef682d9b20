//! Matches: games of two players from paired openings, and what their results say.
//!
//! ```text
//! openings -> schedule -> pool (threads, a referee each) -> records -> log
//!                                                               -> tally -> summary
//! ```
//!
//! Which games are played follows from the seed alone, and our own engines play each as if it were the only one: bounded by depth or nodes
//! they give the same result for any number of threads. The players are [`Player`](crate::game::Player)s, whatever they are; a program of
//! others may remember earlier games.

pub mod elo;
mod log;
pub mod openings;
mod pool;
mod record;
mod referee;
mod schedule;
mod summary;
mod tally;

pub use log::log_line;
pub use pool::{Players, run};
pub use record::{Effort, EndReason, Record};
pub use referee::play;
pub use schedule::{Pairing, Schedule};
pub use summary::{EngineSummary, OpeningSummary, Summary};
pub use tally::Tally;
