//! [`Playable`]: all traits of a concrete game.

use super::{CountLeaves, Engine, Notation, Openings};

/// A game with rules, notation, engine and openings. It is implemented for every type with these traits; [`any_game`](super::any_game) erases
/// the type.
pub trait Playable: CountLeaves + Notation + Engine + Openings {}

impl<P: CountLeaves + Notation + Engine + Openings> Playable for P {}
