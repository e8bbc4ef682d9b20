//! Matches and tournaments: games between players from paired openings, and the statistics of their results.
//!
//! ```text
//! openings -> schedule -> runner (threads, one game each) -> finished games -> log
//!                                                                  |
//!                                             in order -> tally -> sprt, elo, ratings -> summary
//! ```
//!
//! The seed determines the schedule, and our own engines keep nothing from earlier games. With limits of depth or nodes they therefore give the
//! same result for any number of threads. Any [`Player`](crate::game::Player) can take part; an external engine may remember earlier games.

mod adjudication;
pub mod elo;
mod finished_game;
mod game_runner;
mod log;
mod match_progress;
pub mod openings;
pub mod plot;
pub mod ratings;
mod runner;
mod schedule;
mod sprt;
mod summary;
mod tally;
mod watchdog;

pub use adjudication::{Adjudication, ParseScoreRuleError, ScoreRule};
pub use finished_game::{Effort, EndReason, FinishedGame};
pub use game_runner::{DatabaseLookup, MatchRules, Unplayable, play};
pub use log::{ReadLogError, ValueProblem, log_line, read_log};
pub use match_progress::MatchProgress;
pub use runner::{Match, Players, RunError, run};
pub use schedule::{Pairing, Schedule, TournamentFormat};
pub use sprt::{EloModel, ParseSprtError, Sprt, SprtDecision};
pub use summary::{EncounterSummary, EngineSummary, MatchSummary, OpeningSummary, SprtSummary, Standing};
pub use tally::Tally;
