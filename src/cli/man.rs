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
    let (command, after) = without_after(command.clone());
    Man::new(command).render(&mut page).context("cannot make the page")?;
    if let Some(after) = after {
        page.extend(verbatim(&after).into_bytes());
    }
    Ok(page)
}

/// Takes away what stands after the help, which would be filled as if it were a text.
fn without_after(command: Command) -> (Command, Option<String>) {
    let after = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    (command.after_help(None::<&str>).after_long_help(None::<&str>), after)
}

/// Returns sections of a page: the examples as they are, and before them what else there is, as it is too where it has lines.
fn verbatim(text: &str) -> String {
    let (notes, examples) = match text.split_once("Examples:\n") {
        Some((notes, examples)) => (notes, Some(examples)),
        None => (text, None),
    };
    let section = |title: &str, text: &str| {
        let text = text.trim_end().replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
        // A line that begins with a dot would be an order.
        let lines: String = text.lines().map(|line| format!("\\&{line}\n")).collect();
        let (begin, end) = if text.contains('\n') { (".nf\n", ".fi\n") } else { ("", "") };
        format!(".SH {title}\n{begin}{lines}{end}")
    };
    let notes = Some(notes).filter(|notes| !notes.trim().is_empty());
    let sections = [("NOTES", notes), ("EXAMPLES", examples)];
    sections.into_iter().filter_map(|(title, text)| text.map(|text| section(title, text))).collect()
}
