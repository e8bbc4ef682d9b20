//! [`Command`]: turns a game's name into its type.

use super::Playable;

/// Something to be done with a game whose name is known only at run time, and which must know the type: a test of the generic search. Everything
/// else takes an [`AnyGame`](super::AnyGame).
pub trait GameVisitor {
    /// What it results in.
    type Output;

    /// Does it, with the name turned into a type.
    fn visit<P: Playable>(self) -> Self::Output;
}
