//! Players: what takes part in games, for matches and for faces.
//!
//! | file | plays |
//! | --- | --- |
//! | [`random`] | any legal move |
//! | [`engine`] | what the game's searcher finds within limits |
//! | [`external`] | what a program of others answers, over one of the [protocols](crate::game::Protocol) |
//!
//! [`Spec`] is a player as a user asks for it, in one line of text.

pub mod engine;
pub mod external;
mod process;
pub mod random;
mod spec;

pub use engine::Engine;
pub use external::{External, Orders, Timeouts};
#[cfg(feature = "play")]
pub(crate) use process::read_lines;
pub use process::{Program, exit};
pub use random::Random;
pub use spec::{ParseSpecError, Spec, SpecProblem, UnsuitableSpec};

/// The kinds of players, in the order in which the help lists their settings. The first plays where no other is asked for.
const KINDS: [&spec::Kind; 4] = [&engine::ENGINE, &engine::DATABASE, &random::RANDOM, &external::EXTERNAL];
