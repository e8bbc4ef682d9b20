//! The instructions of the processor: code that must be fast is compiled for each [`SimdLevel`] of them, and the best one that the processor has
//! is chosen when the program starts.
//!
//! A function that is worth it takes a level and has its body in [`compiled!`]: what is inlined there is compiled with the instructions of the
//! level, and what must be is marked `#[inline(always)]`. A value of a level is the proof that the processor has them, so all of this is safe to
//! use. Code that has no level yet gets one from [`at_level!`]. Levels must not differ in what they compute, only in how long it takes.

#![allow(unsafe_code)] // to call functions that need instructions which a level proves to be there

use std::sync::OnceLock;

use thiserror::Error;

/// The environment variable that names the level to use in place of the best one, for tests and measurements.
pub const ENVIRONMENT_VARIABLE: &str = "MORELLO_INSTRUCTIONS";

/// A level of instructions that the processor has; the type says which.
pub(crate) trait SimdLevel: Copy {
    /// Runs code that is compiled for the level, as far as it is inlined here.
    fn run<A, R>(self, argument: A, code: impl FnOnce(A) -> R) -> R;
}

/// The instructions that every processor of the target has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Baseline(());

impl SimdLevel for Baseline {
    #[inline(always)]
    fn run<A, R>(self, argument: A, code: impl FnOnce(A) -> R) -> R {
        code(argument)
    }
}

/// Makes the levels above the baseline from their names and instructions, the best first.
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
                    // SAFETY: values of this type are made by `detect` alone, where the processor has the instructions.
                    unsafe { compiled(argument, code) }
                }
            }
        )+

        /// A level of instructions that the processor has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum InstructionSet {
            $(
                $(#[$doc])*
                #[cfg(target_arch = "x86_64")]
                $level($level),
            )+
            /// The instructions that every processor of the target has.
            Baseline(Baseline),
        }

        impl InstructionSet {
            /// Returns the levels that the processor has, the best first.
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

/// The name of the level that every processor has.
const BASELINE: &str = if cfg!(target_arch = "aarch64") { "NEON" } else { "portable" };

levels! {
    /// The vectors of 512 bits of Intel's Ice Lake and AMD's Zen 4.
    Avx512 "AVX-512" [
        "avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "movbe" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vpopcntdq"
    ];
    /// The vectors of 256 bits and the bit instructions of Intel's Haswell and AMD's Zen.
    Avx2 "AVX2" ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "movbe"];
}

/// Evaluates code with a level, that of a value of [`InstructionSet`]: `at_level!(instructions, |level| code)`.
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

/// Compiles the body of a function for its level: `compiled!(level, { body })`. A `return` in it returns from the function.
///
/// A body that works on a board is given it in registers: `compiled!(level, |board| { body })`. All else goes through memory, and a processor
/// that writes a board in two parts and reads it in one waits for it.
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

pub(crate) use {at_level, compiled};

/// A name of instructions that [`ENVIRONMENT_VARIABLE`] asks for in vain.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{ENVIRONMENT_VARIABLE} is `{0}`, which is none of the instructions of this processor: {known}", known = Self::known())]
pub struct UnknownInstructionSet(String);

impl UnknownInstructionSet {
    fn known() -> String {
        InstructionSet::all().map(InstructionSet::name).collect::<Vec<_>>().join(", ")
    }
}

impl InstructionSet {
    /// Returns the level that the program uses: the best one, or the one that [`ENVIRONMENT_VARIABLE`] names.
    ///
    /// # Errors
    /// [`UnknownInstructionSet`] if the processor has none of that name.
    pub fn selected() -> Result<Self, UnknownInstructionSet> {
        match std::env::var_os(ENVIRONMENT_VARIABLE) {
            Some(name) => Self::all()
                .find(|level| name.eq_ignore_ascii_case(level.name()))
                .ok_or_else(|| UnknownInstructionSet(name.to_string_lossy().into_owned())),
            None => Ok(Self::best()),
        }
    }

    /// Returns the level in use; the best one if another is asked for in vain.
    #[inline]
    pub fn used() -> Self {
        static USED: OnceLock<InstructionSet> = OnceLock::new();
        *USED.get_or_init(|| Self::selected().unwrap_or_else(|_| Self::best()))
    }

    fn best() -> Self {
        Self::all().next().expect("every processor has the baseline")
    }
}
