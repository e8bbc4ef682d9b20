//! [`Playable`]: everything that a game offers to people and programs.

use super::{CountLeaves, Engine, Notation, Openings};

/// A game that can be named, shown, read, thought about and played. Every type that has the traits has this one; [`any_game`](super::any_game)
/// hides the type.
pub trait Playable: CountLeaves + Notation + Engine + Openings {}

impl<P: CountLeaves + Notation + Engine + Openings> Playable for P {}
