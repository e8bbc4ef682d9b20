//! Matches and tournaments: games of players from paired openings, and what their results say.
//!
//! ```text
//! openings -> schedule -> pool (threads, a referee each) -> records -> log
//!                                                            |
//!                                       in order -> tally -> sprt, elo, ratings -> summary
//! ```
//!
//! Which games are played follows from the seed alone, and our own engines play each as if it were the only one: bounded by depth or nodes
//! they give the same result for any number of threads. The players are [`Player`](crate::game::Player)s, whatever they are; a program of
//! others may remember earlier games.

mod adjudication;
mod course;
pub mod elo;
mod log;
pub mod openings;
pub mod plot;
mod pool;
pub mod ratings;
mod record;
mod referee;
mod schedule;
mod sprt;
mod summary;
mod tally;
mod watchdog;

pub use adjudication::{Adjudication, Agreement, ParseAgreementError};
pub use course::Course;
pub use log::{ReadLogError, ValueProblem, log_line, read_log};
pub use pool::{Match, Players, RunError, run};
pub use record::{Effort, EndReason, Record};
pub use referee::{LookUp, Rules, Unplayable, play};
pub use schedule::{Format, Pairing, Schedule};
pub use sprt::{Model, ParseSprtError, Sprt, Verdict};
pub use summary::{EncounterSummary, EngineSummary, OpeningSummary, SprtSummary, Standing, Summary};
pub use tally::Tally;
