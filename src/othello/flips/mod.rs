//! Which discs turn over, and where a disc may be placed: the inner loops of everything.
//!
//! [`portable`] is the definition, for one board; [`lanes`] does the same for many boards side by side; [`last`] counts what the last move
//! turns over. All are plain integer arithmetic in the shape of vectors, of which compilers make AVX-512, AVX2 or NEON code. That is
//! what the choice of an instruction set comes to here: what was written by hand for one (gathering bits by PEXT, both counts of the last
//! move in one vector) was not faster. Should something be, it stands beside these, checked against them, and is chosen here.

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
