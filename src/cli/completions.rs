//! `morello completions`: what shells complete the commands with.

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

/// Write what a shell completes the commands and options with, to its own file of it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command; the other one is the whole command line.
pub(super) fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<ExitCode> {
    // What writes to a pipe that nobody reads would panic.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "morello", &mut script);
    let mut output = io::stdout();
    output.write_all(&script).and_then(|()| output.flush()).context("cannot write to the standard output")?;
    Ok(ExitCode::SUCCESS)
}
