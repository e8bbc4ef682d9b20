//! A build for one processor says so on another, instead of dying of an illegal instruction.

use anyhow::bail;

/// Fails if this build uses instructions that this processor lacks.
pub(super) fn check() -> anyhow::Result<()> {
    let missing = missing();
    if !missing.is_empty() {
        bail!(
            "this build needs instructions that this processor lacks ({}); build on this machine, or for any with RUSTFLAGS='-C target-cpu=x86-64'",
            missing.join(", ")
        );
    }
    Ok(())
}

/// Asks the processor itself: the standard library's own check takes what the build assumes for granted.
#[cfg(target_arch = "x86_64")]
fn missing() -> Vec<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let basic = __cpuid(1).ecx;
    // Leaves that the processor does not have read as zero, and so as features that it lacks.
    let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let amd = if __cpuid(0x8000_0000).eax >= 0x8000_0001 { __cpuid(0x8000_0001).ecx } else { 0 };
    macro_rules! lacking {
        ($($feature:literal: $word:ident, $bit:literal;)+) => {
            [$((cfg!(target_feature = $feature) && $word >> $bit & 1 == 0).then_some($feature)),+]
        };
    }
    lacking! {
        "sse4.2": basic, 20;
        "popcnt": basic, 23;
        "fma": basic, 12;
        "avx": basic, 28;
        "lzcnt": amd, 5;
        "bmi1": extended, 3;
        "avx2": extended, 5;
        "bmi2": extended, 8;
        "avx512f": extended, 16;
        "avx512dq": extended, 17;
        "avx512cd": extended, 28;
        "avx512bw": extended, 30;
        "avx512vl": extended, 31;
    }
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}
