//! The provenance of the outputs of the program.

use std::env;
use std::sync::LazyLock;

use morello_core::instructions::InstructionSet;
use morello_core::provenance::{self, Provenance};
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// The revision of the source, if the program was built from a repository.
const REVISION: Option<&str> = option_env!("MORELLO_REVISION");

/// The option with which outputs are the same on every run, on any machine.
const DETERMINISTIC: &str = "--deterministic";

/// The version, the revision, the instruction set in use, and the system.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| morello_command::version(REVISION));

/// Returns the provenance of the outputs of this process.
pub(super) fn of_program() -> Provenance {
    static PROGRAM: LazyLock<Provenance> = LazyLock::new(|| {
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        let varies = !arguments.iter().any(|argument| argument == DETERMINISTIC);
        let words = ["morello".to_owned()].into_iter().chain(arguments);
        Provenance {
            program: "morello".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: REVISION.map(str::to_owned),
            command: varies.then(|| shell_words::join(words)),
            machine: varies.then(machine),
            date: varies.then(provenance::now),
            ..Provenance::default()
        }
    });
    PROGRAM.clone()
}

/// Describes the system and the processor.
fn machine() -> String {
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    let processor = system.ok().and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()));
    let processor = processor.filter(|brand| !brand.is_empty());
    let (os, arch, instructions) = (env::consts::OS, env::consts::ARCH, InstructionSet::used().name());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = processor.map_or_else(String::new, |processor| format!("{processor}, "));
    format!("{os} {arch}, {processor}{threads} threads, {instructions}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_made_an_output() {
        let made_by = of_program();
        assert_eq!((made_by.program.as_str(), made_by.version.as_str()), ("morello", env!("CARGO_PKG_VERSION")));
        assert!(made_by.command.unwrap().starts_with("morello"));
        assert!(made_by.machine.unwrap().contains("threads") && made_by.date.unwrap().len() == 19);
        assert!(VERSION.starts_with(env!("CARGO_PKG_VERSION")));
        assert!(REVISION.is_none_or(|revision| VERSION.contains(revision)));
    }
}
