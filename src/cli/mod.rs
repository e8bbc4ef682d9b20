//! The command line: one file per command.
//!
//! Results go to standard output, everything else to standard error. Exit codes:
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | success; also if the reader of the output closed it early, as `head` does |
//! | 1 | finished, but there were bad or disagreeing rows, or a check failed |
//! | 2 | wrong usage, or an error while reading or writing |
//! | 130 | interrupted; finished results are written |

mod analyze;
mod bench;
mod board_style;
mod book;
mod completions;
mod conversion_format;
mod convert;
mod csv_arguments;
mod database;
mod draw_arguments;
mod endgame_arguments;
mod engine;
mod files;
mod games;
mod help;
mod input_arguments;
mod line_editor;
mod man;
mod perft;
mod play;
mod progress;
mod referee;
mod search_arguments;
mod selfplay;
mod serve;
mod signals;
mod terminal_width;
mod thread_arguments;
mod train;
mod values;
mod variety_arguments;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::instructions::InstructionSet;
use crate::output::OutputFormat;
use crate::printable::printable_lines;

/// The exit code after bad or disagreeing rows, or a failed check.
pub const FAILED: u8 = 1;
/// The exit code after wrong usage, or an error while reading or writing.
pub const USAGE_OR_IO: u8 = 2;
/// The exit code after an interruption.
pub const INTERRUPTED: u8 = 130;

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (version, instructions) = (env!("CARGO_PKG_VERSION"), InstructionSet::used().name());
    format!("{version} ({instructions}; {}-{})", env::consts::ARCH, env::consts::OS)
});

/// Search and analysis for Othello and the mill games
///
/// The mill games are nine men's morris, Morabaraba and others.
#[derive(Debug, Parser)]
#[command(name = "morello", version = VERSION.as_str(), max_term_width = 100)]
#[command(before_long_help = EXAMPLES, after_long_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  morello play othello
  morello serve
  morello analyze othello positions.obf --exact";

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    finished, but there were bad or disagreeing rows, or a check failed
  2    wrong usage, or an error while reading or writing
  130  interrupted; finished results are written";

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(analyze::Arguments),
    Bench(bench::Arguments),
    Book(Box<book::Arguments>),
    Completions(completions::Arguments),
    Convert(convert::Arguments),
    Database(database::Arguments),
    Engine(engine::Arguments),
    Games(Box<games::Arguments>),
    Man(man::Arguments),
    Perft(perft::Arguments),
    Play(play::Arguments),
    Referee(referee::Arguments),
    Selfplay(selfplay::Arguments),
    Serve(serve::Arguments),
    Train(train::Arguments),
}

/// Returns the whole command line.
fn command() -> clap::Command {
    help::with_layout(Cli::command())
}

/// Runs a command line, which starts with the name of the program, and writes an error to standard
/// error.
///
/// Wrong usage and requests for help end the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_command(arguments).unwrap_or_else(|error| {
        // Stderr may be closed; the exit code still reports the failure.
        eprint_line(format_args!("error: {error:#}"));
        ExitCode::from(USAGE_OR_IO)
    })
}

fn run_command(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<ExitCode> {
    InstructionSet::selected()?;
    let cli = Cli::from_arg_matches(&command().get_matches_from(arguments));
    let result = match cli.unwrap_or_else(|error| error.format(&mut command()).exit()).command {
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Book(arguments) => book::run(*arguments),
        Command::Completions(arguments) => completions::run(&arguments, command()),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Database(arguments) => database::run(arguments),
        Command::Engine(arguments) => engine::run(arguments),
        Command::Games(arguments) => games::run(*arguments),
        Command::Man(arguments) => man::run(&arguments, command()),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Referee(arguments) => referee::run(arguments),
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Train(arguments) => train::run(arguments),
    };
    endgame_arguments::warn_of_damaged_tables();
    match result {
        // The reader of the output has closed it (`| head`).
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
        result => result,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes a line, or several, to standard error and ignores errors. Escape sequences and the like,
/// which may come from a file, are shown as text.
fn eprint_line(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", printable_lines(&line.to_string()));
}

impl ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Table, Self::Csv, Self::Jsonl, Self::Parquet]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Table => PossibleValue::new("table").help("Aligned columns"),
            Self::Csv => PossibleValue::new("csv").help("Comma-separated values with a header line"),
            Self::Jsonl => PossibleValue::new("jsonl").help("One JSON object per line"),
            Self::SafeCsv | Self::Lines => return None,
            Self::Parquet => PossibleValue::new("parquet").help("Apache Parquet (binary; write it to a file)"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    /// Returns all commands but `help`, built, each with its path.
    fn all_commands() -> Vec<(String, clap::Command)> {
        let mut tree = command().term_width(100);
        tree.build();
        let (mut waiting, mut all) = (vec![tree], Vec::new());
        while let Some(command) = waiting.pop() {
            waiting.extend(command.get_subcommands().filter(|command| command.get_name() != "help").cloned());
            all.push((command.get_bin_name().unwrap_or("morello").to_owned(), command));
        }
        assert!(all.len() > 20, "{}", all.len());
        all
    }

    #[test]
    fn the_short_help_of_every_command_fits_a_screen() {
        for (path, mut command) in all_commands() {
            let help = command.render_help().to_string();
            assert!(help.lines().count() <= 40, "{path} -h has {} lines:\n{help}", help.lines().count());
            assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
            assert!(help.contains("--help"), "{help}");
            let about = command.get_about().unwrap_or_else(|| panic!("{path} has no help")).to_string();
            assert!(about.len() <= 90 && !about.contains('\n') && !about.ends_with('.'), "{path}: {about}");
        }
    }

    #[test]
    fn every_option_has_one_line_of_help_and_a_heading() {
        for (path, command) in all_commands() {
            for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
                let name = format!("{path} {option}");
                let help = option.get_help().unwrap_or_else(|| panic!("{name} has no help")).to_string();
                assert!(help.len() <= 75 && !help.contains('\n') && !help.ends_with('.'), "{name}: {help}");
                assert!(help.starts_with(|c: char| c.is_ascii_uppercase() || c == '\''), "{name}: {help}");
                let is_grouped = option.get_help_heading().is_some() || option.is_positional();
                assert!(is_grouped || ["help", "version"].contains(&option.get_id().as_str()), "{name}");
            }
        }
    }

    #[test]
    fn an_option_has_the_same_heading_in_every_command() {
        let mut headings = std::collections::BTreeMap::new();
        for (path, command) in all_commands() {
            for option in command.get_opts().filter(|option| option.get_long() != Some("help")) {
                // An option with another value is another option: `--games FILE` and `--games N`.
                let heading = option.get_help_heading().map(str::to_owned);
                let (first, known) =
                    headings.entry(option.to_string()).or_insert_with(|| (path.clone(), heading.clone()));
                assert_eq!(heading, *known, "{option} of {path} and {first}");
            }
        }
    }

    /// Splits a line as a shell does, up to a comment, a redirection or a pipe.
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
        let mut examples = 0;
        for (path, command) in all_commands() {
            // The help itself has long lines broken.
            let help = command.get_before_long_help().map(ToString::to_string).unwrap_or_default();
            let list = help.strip_prefix("Examples:\n").unwrap_or_else(|| panic!("{path} has no examples"));
            assert!(list.lines().all(|line| line.starts_with("  ") && line.chars().count() <= 100), "{list}");
            // The program may come after others in a pipe.
            let lines: Vec<_> = list
                .lines()
                .filter_map(|line| line.split(" | ").map(str::trim).find(|part| part.starts_with("morello ")))
                .collect();
            assert!(lines.len() >= 2 && lines.iter().any(|line| line.starts_with(&path)), "{path}: {lines:?}");
            for line in lines {
                if let Err(error) = super::command().try_get_matches_from(words(line)) {
                    panic!("`{line}` in the help of {path}: {error}");
                }
                examples += 1;
            }
        }
        assert!(examples > 40, "{examples}");
    }
}
