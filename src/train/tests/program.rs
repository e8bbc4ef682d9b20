//! The program can be run. The tests of its commands are in `tests/suite/cli_train.rs` of the
//! repository.

use std::process::Command;

#[test]
fn prints_its_version_and_commands() {
    let output = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_morello-train")).args(arguments).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(output(&["--version"]).starts_with(concat!("morello-train ", env!("CARGO_PKG_VERSION"), " (")));
    let help = output(&["--help"]);
    for command in ["generate", "label", "fit", "network", "mills", "balance", "probcut", "errors", "report"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
}
