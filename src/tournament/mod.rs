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
