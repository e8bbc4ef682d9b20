//! Players for matches and for games against a human.
//!
//! ```
//! use morello::game::{Cancel, Game, Player, Position as _};
//! use morello::games;
//! use morello::players::{RandomPlayer, Spec};
//!
//! let othello = games::get("othello-4x4")?;
//! let engine = "depth=4,hash=1".parse::<Spec>()?.player(othello, None)?;
//! let mut players: [Box<dyn Player>; 2] = [engine, Box::new(RandomPlayer::new(1))];
//! for player in &mut players {
//!     player.prepare(1, &Cancel::new())?;
//! }
//! let mut game = Game::new(othello.start());
//! while game.end().is_none() {
//!     let side = game.position().side_to_move();
//!     let choice = players[side.index()].choose(&game, &Cancel::new())?;
//!     game.play(choice.m)?;
//! }
//! assert!(game.position().is_over());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | plays |
//! | --- | --- |
//! | [`random_player`] | a random legal move |
//! | [`engine`] | the best move that the game's searcher finds within its limits |
//! | [`external`] | the move of an external engine, over one of the [protocols](morello_core::game::Protocol) |
//!
//! A [`Spec`] describes a player in one line of text.

pub mod engine;
pub mod external;
mod process;
pub mod random_player;
mod spawn;
mod spec;

pub use engine::EnginePlayer;
pub use external::{ExternalPlayer, Timeouts};
pub(crate) use process::read_lines;
pub use process::{Program, ProgramOutput, kill_all_and_exit, run_program};
pub use random_player::RandomPlayer;
pub use spec::{ParseSpecError, PlayerConfig, Spec, SpecProblem, UnsupportedSpec};

/// The kinds of players, in the order in which the help lists their settings. The first is the
/// default.
const KINDS: [&spec::PlayerKind; 4] = [&engine::ENGINE, &engine::DATABASE, &random_player::RANDOM, &external::EXTERNAL];
