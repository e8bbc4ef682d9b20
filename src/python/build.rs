//! Refuses builds for the processor of the builder alone: a wheel must run on every processor of
//! its kind.

use std::env;

fn main() {
    println!("cargo::rerun-if-env-changed=MORELLO_NATIVE");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_native = features.split(',').any(|feature| feature == "avx" || feature == "sve");
    if is_native && env::var_os("MORELLO_NATIVE").is_none() {
        println!(
            "cargo::error=the compiler is set to instructions that not every processor has, such as by \
                target-cpu=native in RUSTFLAGS or in a \
             configuration of cargo. Remove them, since hot code selects its instructions at run time; or set \
             MORELLO_NATIVE=1 for a build that \
             only runs on such processors."
        );
    }
}
