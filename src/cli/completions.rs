//! `morello completions`: prints completion scripts.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  morello completions bash > ~/.local/share/bash-completion/completions/morello
  morello completions zsh > ~/.zfunc/_morello
  morello completions fish > ~/.config/fish/completions/morello.fish";

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Shell to print the script for
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command. `command` is the whole command line.
pub(super) fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<ExitCode> {
    // `generate` panics if its output is a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "morello", &mut script);
    let mut output = io::stdout();
    output.write_all(&script).and_then(|()| output.flush()).context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}
