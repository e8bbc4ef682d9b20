//! `morello man`: the manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man;

const EXAMPLES: &str = "\
Examples:
  morello man | man -l -
  morello man --out ~/.local/share/man/man1";

/// Write the manual: its first page, or all pages to a folder
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Write a page for each command to this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command; the other one is the whole command line.
pub(super) fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<ExitCode> {
    command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.out else {
        let mut output = io::stdout();
        output
            .write_all(&page(&command)?)
            .and_then(|()| output.flush())
            .context("cannot write to the standard output")?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let file = folder.join(Man::new(command.clone()).get_filename());
        fs::write(&file, page(&command)?).with_context(|| format!("cannot write `{}`", file.display()))?;
        commands.extend(command.get_subcommands().cloned());
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).context("cannot make the page")?;
    Ok(page)
}
