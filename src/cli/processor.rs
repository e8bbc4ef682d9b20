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

#[cfg(target_arch = "x86_64")]
fn missing() -> Vec<&'static str> {
    macro_rules! missing {
        ($($feature:tt)+) => {
            [$(($feature, cfg!(target_feature = $feature) && !std::arch::is_x86_feature_detected!($feature))),+]
        };
    }
    missing!("popcnt" "lzcnt" "bmi1" "bmi2" "avx" "avx2" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl")
        .into_iter()
        .filter_map(|(feature, missing)| missing.then_some(feature))
        .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}
