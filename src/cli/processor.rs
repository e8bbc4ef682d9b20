//! A build for one processor says so on another, instead of dying of an illegal instruction.

use anyhow::bail;

/// Fails if this build uses instructions that this processor lacks.
pub(super) fn check() -> anyhow::Result<()> {
    let missing = missing();
    if !missing.is_empty() {
        bail!(
            "this build needs instructions that this processor lacks ({}); build on this machine, \
             or for any with RUSTFLAGS='-C target-cpu=x86-64'",
            missing.join(", ")
        );
    }
    Ok(())
}

/// Asks the processor itself: the standard library's own check takes what the build assumes for granted.
#[cfg(target_arch = "x86_64")]
fn missing() -> Vec<&'static str> {
    FEATURES
        .iter()
        .filter(|feature| feature.needed && read(feature.leaf) >> feature.bit & 1 == 0)
        .map(|feature| feature.name)
        .collect()
}

/// Where a processor says that it has a feature.
#[cfg(target_arch = "x86_64")]
struct Feature {
    name: &'static str,
    /// Whether this build may use it.
    needed: bool,
    leaf: Leaf,
    bit: u32,
}

/// A word of the processor's description of itself.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
enum Leaf {
    Ecx1,
    Ebx7,
    Ecx7,
    AmdEcx1,
}

/// Returns a word of the description; a word that the processor lacks reads as zero, and so as no feature.
#[cfg(target_arch = "x86_64")]
fn read(leaf: Leaf) -> u32 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    match leaf {
        Leaf::Ecx1 => __cpuid(1).ecx,
        Leaf::Ebx7 if __cpuid(0).eax >= 7 => __cpuid_count(7, 0).ebx,
        Leaf::Ecx7 if __cpuid(0).eax >= 7 => __cpuid_count(7, 0).ecx,
        Leaf::AmdEcx1 if __cpuid(0x8000_0000).eax >= 0x8000_0001 => __cpuid(0x8000_0001).ecx,
        _ => 0,
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! features {
    ($($name:literal $leaf:ident $bit:literal;)+) => {
        &[$(Feature { name: $name, needed: cfg!(target_feature = $name), leaf: Leaf::$leaf, bit: $bit }),+]
    };
}

/// What a compiler may make use of on its own, in the order of the processors that brought it.
#[cfg(target_arch = "x86_64")]
const FEATURES: &[Feature] = features! {
    "sse3" Ecx1 0;
    "ssse3" Ecx1 9;
    "sse4.1" Ecx1 19;
    "sse4.2" Ecx1 20;
    "popcnt" Ecx1 23;
    "pclmulqdq" Ecx1 1;
    "aes" Ecx1 25;
    "avx" Ecx1 28;
    "f16c" Ecx1 29;
    "fma" Ecx1 12;
    "movbe" Ecx1 22;
    "lzcnt" AmdEcx1 5;
    "bmi1" Ebx7 3;
    "avx2" Ebx7 5;
    "bmi2" Ebx7 8;
    "adx" Ebx7 19;
    "sha" Ebx7 29;
    "avx512f" Ebx7 16;
    "avx512dq" Ebx7 17;
    "avx512cd" Ebx7 28;
    "avx512bw" Ebx7 30;
    "avx512vl" Ebx7 31;
    "avx512ifma" Ebx7 21;
    "avx512vbmi" Ecx7 1;
    "avx512vbmi2" Ecx7 6;
    "gfni" Ecx7 8;
    "vaes" Ecx7 9;
    "vpclmulqdq" Ecx7 10;
    "avx512vnni" Ecx7 11;
    "avx512bitalg" Ecx7 12;
    "avx512vpopcntdq" Ecx7 14;
};

#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_processor_agrees_with_the_standard_library() {
        // Only features that this build does not assume are asked of the processor by the macro, but it is right about all.
        macro_rules! compare {
            ($($name:tt)+) => {
                $({
                    let feature = FEATURES.iter().find(|feature| feature.name == $name).expect("it is in the list");
                    let has = read(feature.leaf) >> feature.bit & 1 != 0;
                    assert!(has || !std::arch::is_x86_feature_detected!($name), "{} is there, and not seen", $name);
                })+
            };
        }
        compare!("popcnt" "lzcnt" "movbe" "bmi1" "bmi2" "fma" "avx" "avx2" "avx512f" "avx512cd" "avx512vl" "avx512bw" "avx512dq"
            "gfni" "vaes" "avx512vbmi" "avx512vbmi2" "avx512bitalg" "avx512vpopcntdq");
        assert_eq!(missing(), [""; 0]);
    }
}
