//! Matches and tournaments: games between players from paired openings, and the statistics of their
//! results.
//!
//! ```
//! use morello::games;
//! use morello::players::Spec;
//! use morello::tournament::MatchPlan;
//!
//! // The first player answers with a search, the second plays random moves.
//! let entrants = vec!["name=new,depth=2,hash=1".parse::<Spec>()?.into(), "random".parse::<Spec>()?.into()];
//! let plan = MatchPlan { threads: 2, ..MatchPlan::new(games::get("three-mens-morris")?, entrants, 20) };
//! let result = plan.play_all()?;
//! println!("{}", result.summary);
//! let standing = result.summary.standing.as_ref().expect("a match of two");
//! assert_eq!(standing.wins + standing.draws + standing.losses, 20);
//! assert!(standing.wins > standing.losses);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Wins, scores and Elo differences are from the point of view of the first player. Move scores are
//! in points for the side that made the move.
//!
//! ```text
//! plan -> openings -> runner (threads, one game each) -> finished games -> log
//!                                                              |
//!                                         in order -> tally -> sprt, elo, ratings -> summary
//! ```
//!
//! A [`MatchPlan`] describes a match, and [`MatchRunner`] plays it. The seed determines the
//! schedule, and the built-in engine keeps nothing from earlier games. With depth or node limits, a
//! match of built-in engines therefore has the same result for any number of threads. Any
//! [`Player`](morello_core::game::Player) can take part; an external engine may remember earlier
//! games.

mod adjudication;
pub mod elo;
mod finished_game;
mod game_runner;
mod log;
mod match_progress;
mod match_runner;
pub mod openings;
mod plan;
mod plot;
mod pool;
pub mod ratings;
mod runner;
mod schedule;
mod sprt;
mod spsa;
mod standings;
mod summary;
mod tally;
mod watchdog;

pub use adjudication::{Adjudication, ParseScoreRuleError, ScoreRule};
pub use finished_game::{Effort, EndReason, FinishedGame};
pub use game_runner::{MatchRules, Unplayable, play};
pub use log::{ReadLogError, log_line, read_log};
pub use match_progress::{MatchEvent, OnMatchEvent};
pub use match_runner::{MatchResult, MatchRunner};
pub use plan::{CreateEntrant, Entrant, MatchError, MatchPlan};
pub use pool::{LoggedGame, Pool, PoolPlayer, PoolSummary};
pub use runner::RunError;
pub use schedule::{Pairing, Schedule, TournamentFormat};
pub use sprt::{EloModel, ParseSprtError, Sprt, SprtDecision};
pub use spsa::{Parameter, ParseParameterError, TunedParameter, Tuning, TuningError, TuningStep, TuningSummary};
pub use standings::{EncounterSummary, SprtSummary, Standing};
pub use summary::{EngineSummary, MatchSummary};
pub use tally::Tally;
