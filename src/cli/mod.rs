//! The command line: one file a command.
//!
//! Results go to the standard output, all else to the standard error. Exit codes:
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | done; also when whoever reads the output has gone away |
//! | 1 | done, with bad or disagreeing rows, or a check that failed |
//! | 2 | wrong usage, or an input or output that fails |
//! | 130 | interrupted; what was finished is written |

mod analyze;
mod bench;
mod completions;
mod convert;
mod database;
mod draws;
mod endgames;
mod engine;
mod files;
mod interrupt;
mod man;
mod perft;
mod play;
mod progress;
mod reading;
mod referee;
mod selfplay;
mod serve;
mod train;
mod values;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::instructions::Instructions;
use crate::output::Format;

/// The exit code after bad or disagreeing rows, or a check that failed.
pub const FAILED: u8 = 1;
/// The exit code after wrong usage, or an input or output that fails.
pub const USAGE_OR_IO: u8 = 2;
/// The exit code after an interruption.
pub const INTERRUPTED: u8 = 130;

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (version, instructions) = (env!("CARGO_PKG_VERSION"), Instructions::used().name());
    format!("{version} ({instructions}; {}-{})", std::env::consts::ARCH, std::env::consts::OS)
});

/// Search and analysis for Othello and the mill games.
#[derive(Debug, Parser)]
#[command(name = "morello", version = VERSION.as_str(), max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 done with bad or disagreeing rows or a failed check, 2 wrong usage or an input or output that \
fails, 130 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(analyze::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
    Convert(convert::Arguments),
    Database(database::Arguments),
    Engine(engine::Arguments),
    Man(man::Arguments),
    Perft(perft::Arguments),
    Play(play::Arguments),
    Referee(referee::Arguments),
    Selfplay(selfplay::Arguments),
    Serve(serve::Arguments),
    Train(train::Arguments),
}

/// Does what the command line of the process asks for.
///
/// # Errors
/// Wrong usage, or an input or output that fails; the caller is to end with [`USAGE_OR_IO`].
pub fn run() -> anyhow::Result<ExitCode> {
    Instructions::chosen()?;
    let result = match Cli::parse().command {
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Completions(arguments) => completions::run(&arguments, Cli::command()),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Database(arguments) => database::run(arguments),
        Command::Engine(arguments) => engine::run(arguments),
        Command::Man(arguments) => man::run(&arguments, Cli::command()),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Referee(arguments) => referee::run(arguments),
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Train(arguments) => train::run(arguments),
    };
    match result {
        // Whoever read the output has seen enough (`| head`).
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
        result => result,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes a line to the standard error; that nobody reads it is no reason to fail.
fn eprint_line(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Table, Self::Csv, Self::Jsonl, Self::Parquet]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Table => PossibleValue::new("table").help("Aligned columns, for people"),
            Self::Csv => PossibleValue::new("csv").help("Comma-separated values with a line of names"),
            Self::Jsonl => PossibleValue::new("jsonl").help("One JSON object a line"),
            Self::Lines => return None,
            Self::Parquet => PossibleValue::new("parquet").help("Typed columns, compressed; no text, for a file"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// Splits a line as a shell does, up to what the program is not told: a comment, a redirection, the next program.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for c in line.chars() {
            match (c, quote) {
                (c, Some(mark)) if c == mark => quote = None,
                (c, Some(_)) => word.get_or_insert_default().push(c),
                ('\'' | '"', None) => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                ('|' | '>' | '<', None) => break,
                ('#', None) if word.is_none() => break,
                (c, None) if c.is_whitespace() => words.extend(word.take()),
                (c, None) => word.get_or_insert_default().push(c),
            }
        }
        assert_eq!(quote, None, "{line}");
        words.extend(word);
        words
    }

    #[test]
    fn every_command_has_examples_and_they_are_commands() {
        let mut tree = Cli::command();
        tree.build();
        let mut commands: Vec<_> = tree.get_subcommands().cloned().collect();
        let mut examples = 0;
        while let Some(command) = commands.pop() {
            let path = command.get_bin_name().unwrap_or_default().to_owned();
            if path.split(' ').any(|word| word == "help") {
                continue;
            }
            // Not as it is shown, where long lines are broken.
            let help = command.get_after_long_help().or(command.get_after_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            let (_, list) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{path} has no examples"));
            let own = list.lines().take_while(|line| line.starts_with(' '));
            // The program may come behind others in a pipe.
            let lines: Vec<_> = own
                .filter_map(|line| line.split(" | ").map(str::trim).find(|part| part.starts_with("morello ")))
                .collect();
            assert!(lines.len() >= 2 && lines.iter().any(|line| line.starts_with(&path)), "{path}: {lines:?}");
            for line in lines {
                if let Err(error) = Cli::try_parse_from(words(line)) {
                    panic!("`{line}` in the help of {path}: {error}");
                }
                examples += 1;
            }
            commands.extend(command.get_subcommands().cloned());
        }
        assert!(examples > 40, "{examples}");
    }
}
