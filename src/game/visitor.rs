//! [`GameVisitor`]: dispatches from a game's name to its type.

use super::Playable;

/// Generic code to run on the type of a game that is chosen by name. Prefer [`AnyGame`](super::AnyGame) where the type is not needed.
pub trait GameVisitor {
    /// The result of the visit.
    type Output;

    /// Runs the code with the type of the game.
    fn visit<P: Playable>(self) -> Self::Output;
}
