//! Flips and moves: the inner loops of search and perft.
//!
//! [`portable`] handles one board and [`lanes`] many boards at the same time. [`count_last`] counts
//! the discs that the last move flips. All use plain integer arithmetic on short arrays, which
//! compilers turn into AVX-512, AVX2 or NEON code when it is inlined into code compiled for such a
//! [level](crate::instructions). Hand-written variants (PEXT, both counts of the last move in one
//! vector) were not faster.

mod count_last;
pub(super) mod lanes;
mod portable;

pub(super) use count_last::count_last_flips;
pub(super) use portable::{flips, moves};
