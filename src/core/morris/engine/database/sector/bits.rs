//! Parallel bit extract and deposit: convert between the points of the board and their indices
//! within a subset of the points.

#![allow(unsafe_code)] // for `pext` and `pdep`

#[cfg(target_arch = "x86_64")]
use crate::instructions::InstructionSet;

/// Gathers the bits of `points` at the points of `within`: the lowest point of `within` becomes bit
/// 0, the next one bit 1, and so on.
#[inline]
pub(crate) fn extract(points: u32, within: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if !matches!(InstructionSet::used(), InstructionSet::Baseline(_)) {
        #[target_feature(enable = "bmi2")]
        fn pext(points: u32, within: u32) -> u32 {
            std::arch::x86_64::_pext_u32(points, within)
        }
        // SAFETY: every level above the baseline has the instruction.
        return unsafe { pext(points, within) };
    }
    portable::extract(points, within)
}

/// Moves the lowest bits of `bits` to the points of `within`. The inverse of [`extract`].
#[inline]
pub(crate) fn deposit(bits: u32, within: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if !matches!(InstructionSet::used(), InstructionSet::Baseline(_)) {
        #[target_feature(enable = "bmi2")]
        fn pdep(bits: u32, within: u32) -> u32 {
            std::arch::x86_64::_pdep_u32(bits, within)
        }
        // SAFETY: every level above the baseline has the instruction.
        return unsafe { pdep(bits, within) };
    }
    portable::deposit(bits, within)
}

mod portable {
    pub(crate) fn extract(points: u32, within: u32) -> u32 {
        let (mut rest, mut bits) = (points & within, 0);
        while rest != 0 {
            let point = rest & rest.wrapping_neg();
            bits |= 1 << (within & (point - 1)).count_ones();
            rest ^= point;
        }
        bits
    }

    pub(crate) fn deposit(bits: u32, within: u32) -> u32 {
        let (mut rest, mut bits, mut points) = (within, bits, 0);
        while rest != 0 && bits != 0 {
            let point = rest & rest.wrapping_neg();
            points |= point * (bits & 1);
            bits >>= 1;
            rest ^= point;
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn deposit_inverts_extract(points: u32, within: u32) {
            prop_assert_eq!(deposit(extract(points, within), within), points & within);
            prop_assert_eq!(extract(points, within), portable::extract(points, within));
            prop_assert_eq!(deposit(points, within), portable::deposit(points, within));
        }
    }
}
