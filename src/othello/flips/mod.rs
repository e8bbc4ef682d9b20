//! Which discs turn over, and where a disc may be placed: the inner loops of everything.
//!
//! `portable` is the definition, and is always compiled and tested. The one dispatch is here, at compile time, by the instruction set the crate
//! is built for.

mod portable;

pub(super) use portable::{flips, moves};

/// The instruction set that the bitboard code of this build uses.
pub const INSTRUCTIONS: &str = "portable";
