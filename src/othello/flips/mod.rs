//! Which discs turn over, and where a disc may be placed: the inner loops of everything.
//!
//! [`portable`] is the definition, and so far the only form: compilers make vector code of it for the instruction set that the crate
//! is built for. Code for one instruction set would stand beside it, checked against it, and be chosen here, at compile time.

pub(super) mod lanes;
mod last;
mod portable;

pub(super) use last::last_flips;
pub(super) use portable::{flips, moves};

/// The instruction set that the bitboard code of this build uses.
pub const INSTRUCTIONS: &str = if cfg!(all(target_feature = "avx512cd", target_feature = "avx512vl")) {
    "AVX-512"
} else if cfg!(target_feature = "avx2") {
    "AVX2"
} else if cfg!(target_arch = "aarch64") {
    "NEON"
} else {
    "portable"
};
