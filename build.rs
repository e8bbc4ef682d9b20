//! Finds the revision of the source, for the version and the provenance of outputs. Only this package is built again
//! after a commit.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    if let Some(revision) = of_repository(&folder).or_else(|| of_package(&folder)) {
        println!("cargo::rustc-env=MORELLO_REVISION={}", revision.get(..10).unwrap_or(&revision));
    }
}

/// Returns the revision of the repository of the package itself, not of one that merely contains it.
fn of_repository(folder: &str) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
        let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
        Some(text.trim().to_owned())
    };
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if fs::canonicalize(top).ok()? != fs::canonicalize(folder).ok()? {
        return None;
    }
    // The log of HEAD changes with every commit and checkout; without it, HEAD and its branch do. A watched file that
    // does not exist would build the package again each time.
    let branch = git(&["symbolic-ref", "-q", "HEAD"]);
    for name in ["logs/HEAD", "HEAD", branch.as_deref().unwrap_or("HEAD")] {
        let path = git(&["rev-parse", "--git-path", name]).map(|path| Path::new(folder).join(path));
        if let Some(path) = path.filter(|path| path.is_file()) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["rev-parse", "HEAD"])
}

/// Returns the revision that `cargo package` recorded.
fn of_package(folder: &str) -> Option<String> {
    let path = Path::new(folder).join(".cargo_vcs_info.json");
    let text = fs::read_to_string(path).ok()?;
    let (_, value) = text.split_once("\"sha1\"")?;
    value.split('"').nth(1).map(str::to_owned)
}
