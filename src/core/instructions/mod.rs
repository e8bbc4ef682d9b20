//! Instruction sets: hot code is compiled once for each [`SimdLevel`], and morello selects the best
//! level that the processor supports at startup.
//!
//! A hot function takes a level and wraps its body in [`compiled!`]. Code inlined there is compiled
//! for that level; mark callees that must be inlined `#[inline(always)]`. A level value can only be
//! created on a processor that supports it, so the interface is safe. Use [`at_level!`] to obtain a
//! level. Results must not depend on the level.

#![allow(unsafe_code)] // to call functions with target features; a level value proves that the processor has them

mod integer_products;

use std::sync::OnceLock;

pub use integer_products::{IntegerProducts, PackedRow, ROW, ROW_MAX, ROWS, SUMS};
use thiserror::Error;

/// The environment variable that overrides the level, for tests and measurements.
pub const ENVIRONMENT_VARIABLE: &str = "MORELLO_INSTRUCTIONS";

/// An instruction set that the processor supports.
pub trait SimdLevel: IntegerProducts {
    /// Runs `code`, compiled for this level where it is inlined.
    fn run<A, R>(self, argument: A, code: impl FnOnce(A) -> R) -> R;
}

/// The instructions that every processor of the target supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Baseline(());

impl SimdLevel for Baseline {
    #[inline(always)]
    fn run<A, R>(self, argument: A, code: impl FnOnce(A) -> R) -> R {
        code(argument)
    }
}

/// Defines the levels above the baseline, best first, from their names and target features.
macro_rules! levels {
    ($($(#[$doc:meta])* $level:ident $name:literal [$($feature:tt)+];)+) => {
        $(
            $(#[$doc])*
            #[cfg(target_arch = "x86_64")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $level(());

            #[cfg(target_arch = "x86_64")]
            impl $level {
                fn detect() -> Option<Self> {
                    let has = [$(std::arch::is_x86_feature_detected!($feature)),+];
                    has.iter().all(|&has| has).then_some(Self(()))
                }
            }

            #[cfg(target_arch = "x86_64")]
            impl SimdLevel for $level {
                #[inline(always)]
                fn run<A, R>(self, argument: A, code: impl FnOnce(A) -> R) -> R {
                    $(#[target_feature(enable = $feature)])+
                    fn compiled<A, R>(argument: A, code: impl FnOnce(A) -> R) -> R {
                        code(argument)
                    }
                    // SAFETY: only `detect` creates values of this type, after checking these
                    // target features.
                    unsafe { compiled(argument, code) }
                }
            }
        )+

        /// A [`SimdLevel`] that the processor supports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum InstructionSet {
            $(
                $(#[$doc])*
                #[cfg(target_arch = "x86_64")]
                $level($level),
            )+
            /// The instructions that every processor of the target supports.
            Baseline(Baseline),
        }

        impl InstructionSet {
            /// Returns the levels that the processor supports, best first.
            pub fn all() -> impl Iterator<Item = Self> {
                let above: &[Option<Self>] = &[
                    $(#[cfg(target_arch = "x86_64")] $level::detect().map(Self::$level),)+
                    Some(Self::Baseline(Baseline(()))),
                ];
                above.to_vec().into_iter().flatten()
            }

            /// Returns the name of the level.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(#[cfg(target_arch = "x86_64")] Self::$level(_) => $name,)+
                    Self::Baseline(_) => BASELINE,
                }
            }
        }
    };
}

/// The name of the baseline level.
const BASELINE: &str = if cfg!(target_arch = "aarch64") {
    "NEON"
} else if cfg!(target_feature = "simd128") {
    "SIMD128"
} else {
    "portable"
};

levels! {
    /// 512-bit vectors: Intel since Ice Lake, AMD since Zen 4.
    Avx512 "AVX-512" [
        "avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "movbe" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
        "avx512vpopcntdq"
    ];
    /// 256-bit vectors and bit manipulation: Intel since Haswell, AMD since Zen.
    Avx2 "AVX2" ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "movbe"];
}

/// Evaluates code with the level in an [`InstructionSet`]: `at_level!(instructions, |level| code)`.
#[doc(hidden)]
#[macro_export]
macro_rules! at_level {
    ($instructions:expr, |$level:ident| $code:expr) => {
        match $instructions {
            #[cfg(target_arch = "x86_64")]
            $crate::instructions::InstructionSet::Avx512($level) => $code,
            #[cfg(target_arch = "x86_64")]
            $crate::instructions::InstructionSet::Avx2($level) => $code,
            $crate::instructions::InstructionSet::Baseline($level) => $code,
        }
    };
}

/// Compiles a function body for its level: `compiled!(level, { body })`. The body becomes a
/// closure, so `return` leaves only the body.
///
/// `compiled!(level, |board| { body })` passes a board in registers. Captured values go through
/// memory, where writing a board in two halves and reading it as one value stalls (failed store
/// forwarding).
#[doc(hidden)]
#[macro_export]
macro_rules! compiled {
    ($level:expr, |$argument:ident| $body:block) => {
        $crate::instructions::SimdLevel::run(
            $level,
            $argument,
            #[inline(always)]
            move |$argument| $body,
        )
    };
    ($level:expr, $body:block) => {
        $crate::instructions::SimdLevel::run(
            $level,
            (),
            #[inline(always)]
            move |()| $body,
        )
    };
}

pub use crate::{at_level, compiled};

/// [`ENVIRONMENT_VARIABLE`] names a level that is unknown or not supported by the processor.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{ENVIRONMENT_VARIABLE}: `{0}` is not an instruction set of this processor; use one of {known}",
    known = Self::known())]
pub struct UnknownInstructionSet(String);

impl UnknownInstructionSet {
    fn known() -> String {
        InstructionSet::all().map(InstructionSet::name).collect::<Vec<_>>().join(", ")
    }
}

impl InstructionSet {
    /// Returns the level that [`ENVIRONMENT_VARIABLE`] names, or the best one if the variable is
    /// not set.
    ///
    /// # Errors
    /// [`UnknownInstructionSet`] if the processor supports no level of that name.
    pub fn selected() -> Result<Self, UnknownInstructionSet> {
        match std::env::var_os(ENVIRONMENT_VARIABLE) {
            Some(name) => Self::all()
                .find(|level| name.eq_ignore_ascii_case(level.name()))
                .ok_or_else(|| UnknownInstructionSet(name.to_string_lossy().into_owned())),
            None => Ok(Self::best()),
        }
    }

    /// Returns the level in use: the [selected](Self::selected) one, or the best one if the
    /// selected level is not supported.
    #[inline]
    pub fn used() -> Self {
        static USED: OnceLock<InstructionSet> = OnceLock::new();
        *USED.get_or_init(|| Self::selected().unwrap_or_else(|_| Self::best()))
    }

    fn best() -> Self {
        Self::all().next().expect("every processor has the baseline")
    }
}
