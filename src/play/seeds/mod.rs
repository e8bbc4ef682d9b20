//! Programs after published documents, built on the rest of the crate.
//!
//! | module | document |
//! | --- | --- |
//! | `boardwalk` | the Python package *Boardwalk*: a platform for board games of any kind |
//! | [`coordinate_game`] | the Perl module *Games::Othello*: a game of Othello in (x, y) coordinates |
//! | `course` | the course project *The Tragedy of Othello*: a text program with rules of its own |
//!
//! `boardwalk` requires the feature `tournament`, and `course` the feature `files`.

pub mod boardwalk;
pub mod coordinate_game;
pub mod course;
