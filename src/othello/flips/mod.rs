//! Which discs turn over, and where a disc may be placed: the inner loops of everything.
//!
//! [`portable`] is the definition, for one board; [`lanes`] does the same for many boards side by side; [`last`] counts what the last move
//! turns over. All are plain integer arithmetic in the shape of vectors, of which compilers make AVX-512, AVX2 or NEON code, wherever these
//! are inlined into code that is compiled for such a [level](crate::instructions). What was written by hand for one (gathering bits by PEXT,
//! both counts of the last move in one vector) was not faster.

mod count_last;
pub(super) mod lanes;
mod portable;

pub(super) use count_last::count_last_flips;
pub(super) use portable::{flips, moves};
