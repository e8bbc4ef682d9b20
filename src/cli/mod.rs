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

mod advice;
mod analyze;
mod bench;
mod board_style;
mod book;
mod completions;
mod conversion_format;
mod convert;
mod data_folder;
mod database;
mod draw_arguments;
mod elo;
mod endgame_arguments;
mod engine;
mod exercise_filters;
mod games;
mod line_editor;
mod man;
mod object_output;
mod perft;
mod play;
mod position_argument;
mod practice;
mod provenance;
mod referee;
mod review;
mod search_arguments;
mod selfplay;
mod serve;
mod tune;
mod variety_arguments;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use morello_command::{EXIT_CODES, files, finish, help, signals, usage};
use morello_core::instructions::InstructionSet;
use morello_play::players;

use self::advice::advised;

pub use morello_command::{FAILED, INTERRUPTED, USAGE_OR_IO};

/// Search and analysis for Othello and the mill games
///
/// The mill games are nine men's morris, Morabaraba and others.
#[derive(Debug, Parser)]
#[command(name = "morello", version = provenance::VERSION.as_str(), max_term_width = 100)]
#[command(before_long_help = EXAMPLES, after_long_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Replace existing output files
    #[arg(long, global = true, help_heading = help::OUTPUT)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  morello play othello
  morello serve
  morello analyze othello positions.obf --exact";

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(analyze::Arguments),
    Bench(bench::Arguments),
    Book(Box<book::Arguments>),
    Completions(completions::Arguments),
    Convert(convert::Arguments),
    Database(database::Arguments),
    Elo(Box<elo::Arguments>),
    Engine(engine::Arguments),
    Games(Box<games::Arguments>),
    Man(man::Arguments),
    Perft(perft::Arguments),
    Play(play::Arguments),
    Practice(practice::Arguments),
    Referee(referee::Arguments),
    Review(Box<review::Arguments>),
    #[command(visible_alias = "match")]
    Selfplay(selfplay::Arguments),
    Serve(serve::Arguments),
    Tune(Box<tune::Arguments>),
}

/// The commands by task.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "practice", "serve"]),
    ("Review and analyze", &["review", "analyze", "games", "convert", "book", "database"]),
    ("Engines", &["selfplay", "elo", "tune", "engine", "referee"]),
    ("Develop", &["perft", "bench"]),
    ("Shell", &["completions", "man"]),
];

/// Returns the whole command line.
fn command() -> clap::Command {
    help::with_groups(help::with_layout(Cli::command()), &GROUPS)
}

/// Runs a command line, which starts with the name of the program, and writes an error to standard
/// error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    finish(|| run_command(arguments))
}

fn run_command(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<ExitCode> {
    InstructionSet::selected()?;
    morello_core::provenance::set_source(provenance::of_program);
    signals::end_process_with(|code| {
        line_editor::restore_terminal();
        players::kill_all_and_exit(code)
    });
    let arguments: Vec<_> = arguments.into_iter().collect();
    let matches = match command().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            return usage::show(&advised(error, &command(), &words));
        }
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return usage::show(&error.format(&mut command())),
    };
    files::replace_files(cli.force);
    let result = match cli.command {
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Book(arguments) => book::run(*arguments),
        Command::Completions(arguments) => completions::run(&arguments, command()),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Database(arguments) => database::run(arguments),
        Command::Elo(arguments) => elo::run(&arguments),
        Command::Engine(arguments) => engine::run(arguments),
        Command::Games(arguments) => games::run(*arguments),
        Command::Man(arguments) => man::run(&arguments, command()),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Practice(arguments) => practice::run(&arguments),
        Command::Referee(arguments) => referee::run(arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Tune(arguments) => tune::run(*arguments),
    };
    endgame_arguments::warn_of_damaged_tables();
    result
}

#[cfg(test)]
mod tests {
    use morello_command::help_checks;

    use super::*;
    use crate::fuzz::{Target, texts};

    #[test]
    fn the_help_is_complete() {
        help_checks::check(&command());
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let command = command();
        let mut names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(grouped, names);
    }

    #[test]
    fn fuzz_command_lines() {
        let seeds = [
            "analyze othello games.pgn -o out.csv --depth 8 --hash 64 --lines 3 --time 5s",
            "analyze nine-mens-morris - --exact --format jsonl --threads 2 --database x",
            "review othello --moves f5d6c3 --player Anna --level club --language de",
            "play othello --black human --white level=3 --time-control 5+3 --position s8r20:3",
            "selfplay othello --engine depth=6 --engine cmd=./x,protocol=gtp --games 100 --sprt 0:5 -o g.pgn",
            "perft othello 9 --divide --hash 1G --convention passes --expect 3005288",
            "book build othello x.book --max-loss 4 --time 1h --openings a.txt",
            "database build lasker-morris --values wdl --max-men 8 --memory 4G",
            "convert othello a.sgf b.ggf --to pgn --column moves=x",
            "games othello a.wtb --between 2001..2010 --min-plies 20 --sort date",
            "serve --port 8080 --hash 32 --token abc --listen ::1",
            "practice exercises othello --empties 8..12 --difficulty hard",
        ];
        let words = &[
            "--",
            "-",
            "=",
            " ",
            ",",
            ":",
            "..",
            "99999999999999999999",
            "-1",
            "NaN",
            "1e400",
            "0",
            "--help",
            "\u{202e}",
        ];
        let program = command();
        Target { words, cost: 100, ..Target::new("command lines", texts(&seeds)) }.run(|input| {
            let text = String::from_utf8_lossy(input);
            let words: Vec<_> = std::iter::once("morello").chain(text.split(' ')).map(str::to_owned).collect();
            match program.clone().try_get_matches_from(&words) {
                Ok(matches) => _ = Cli::from_arg_matches(&matches),
                Err(error) => assert!(!advised(error, &program, &words).to_string().is_empty()),
            }
        });
    }
}
