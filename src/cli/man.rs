//! `morello man`: prints the manual.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::StyledStr;
use clap::{Args, Command};
use clap_mangen::Man;
use morello_command::{files, help};

const EXAMPLES: &str = "\
Examples:
  morello man | man -l -
  morello man --output ~/.local/share/man/man1";

/// Print the manual page, or write the pages of all commands to a directory
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Write a page for each command to this directory
    ///
    /// The directory is created if it does not exist.
    #[arg(short, long, value_name = "DIR", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,
}

/// Runs the command. `command` is the whole command line.
pub(super) fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<ExitCode> {
    // The processor of this machine has no place in a page.
    command = command.disable_help_subcommand(true).version(env!("CARGO_PKG_VERSION"));
    command.build();
    let Some(folder) = &arguments.output else {
        let mut output = io::stdout();
        output.write_all(&page(&command)?).and_then(|()| output.flush()).context("cannot write to standard output")?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create the directory `{}`", folder.display()))?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let file = folder.join(Man::new(command.clone()).get_filename());
        files::check_new(&file)?;
        fs::write(&file, page(&command)?).with_context(|| format!("cannot write `{}`", file.display()))?;
        commands.extend(command.get_subcommands().cloned());
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let text = |text: Option<&StyledStr>| text.map(ToString::to_string).unwrap_or_default();
    let notes = text(command.get_after_long_help());
    let examples = text(command.get_before_long_help());
    // `Man` would fill the lines of both.
    let command = command.clone().before_long_help(None::<&str>).after_help(None::<&str>).after_long_help(None::<&str>);
    // `Man` would leave out the text of options without a long help that `-h` hides.
    let command = command.mut_args(|option| option.hide_short_help(false));
    let mut page = Vec::new();
    Man::new(command).render(&mut page).context("cannot write the page")?;
    page.extend(section("NOTES", &notes).into_bytes());
    page.extend(section("EXAMPLES", examples.strip_prefix("Examples:\n").unwrap_or(&examples)).into_bytes());
    Ok(page)
}

/// Returns a section of a page, without filling its lines if it has several; nothing if the text is
/// empty.
fn section(title: &str, text: &str) -> String {
    let text = text.trim_end().replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.is_empty() {
        return String::new();
    }
    // A line that begins with a dot would be a request of roff.
    let lines: String = text.lines().map(|line| format!("\\&{line}\n")).collect();
    let (begin, end) = if text.contains('\n') { (".nf\n", ".fi\n") } else { ("", "") };
    format!(".SH {title}\n{begin}{lines}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_describe_options_that_the_short_help_hides() {
        let mut command = crate::cli::command();
        command.build();
        let analyze = command.find_subcommand("analyze").unwrap();
        assert!(analyze.get_arguments().any(|option| option.get_id() == "strict" && option.is_hide_short_help_set()));
        let page = String::from_utf8(page(analyze).unwrap()).unwrap();
        assert!(page.contains("Stop at the first invalid line"), "{page}");
        assert!(page.contains(".SH EXAMPLES\n.nf\n\\&  morello analyze"), "{page}");
    }
}
