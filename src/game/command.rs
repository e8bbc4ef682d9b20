//! [`Command`]: turns a game's name into its type.

use super::Playable;

/// Something to be done with a game that is known by name only at run time.
pub trait Command {
    /// What it results in.
    type Output;

    /// Does it, with the name turned into a type.
    fn run<P: Playable>(self) -> Self::Output;
}
