//! Programs that follow published documents, built on the rest of the crate.
//!
//! ```
//! use morello::games;
//! use morello::seeds::boardwalk::{GameAdapter, LoopEnd, game_loop};
//! use morello::session::Session;
//!
//! // Two people play at one keyboard; here the input ends after two moves.
//! let mut game = GameAdapter::new(Session::new(games::get("othello-4x4")?));
//! let mut output = Vec::new();
//! let end = game_loop(&mut game, "b1\na1\n".as_bytes(), &mut output)?;
//! assert_eq!(end, LoopEnd::InputEnded);
//! assert_eq!(game.game().moves().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | document |
//! | --- | --- |
//! | [`boardwalk`] | the Python package *Boardwalk*: a platform for board games of any kind |
//! | [`coordinate_game`] | the Perl module *Games::Othello*: a game of Othello in (x, y) coordinates |
//! | [`course`] | the course project *The Tragedy of Othello*: a text program with its own rules |

pub mod boardwalk;
pub mod coordinate_game;
pub mod course;
