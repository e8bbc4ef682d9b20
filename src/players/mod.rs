//! Players: what takes part in games, for matches and for faces.
//!
//! | file | plays |
//! | --- | --- |
//! | [`random_player`] | any legal move |
//! | [`engine`] | what the game's searcher finds within limits |
//! | [`external`] | what a program of others answers, over one of the [protocols](crate::game::Protocol) |
//!
//! [`Spec`] is a player as a user asks for it, in one line of text.

pub mod engine;
pub mod external;
mod process;
pub mod random_player;
mod spec;

pub use engine::EnginePlayer;
pub use external::{ExternalLimits, ExternalPlayer, Timeouts};
#[cfg(feature = "play")]
pub(crate) use process::read_lines;
pub use process::{Program, kill_all_and_exit};
pub use random_player::RandomPlayer;
pub use spec::{ParseSpecError, Spec, SpecProblem, UnsupportedSpec};

/// The kinds of players, in the order in which the help lists their settings. The first plays where no other is asked for.
const KINDS: [&spec::PlayerKind; 4] = [&engine::ENGINE, &engine::DATABASE, &random_player::RANDOM, &external::EXTERNAL];
