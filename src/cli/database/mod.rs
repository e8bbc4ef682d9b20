//! `morello database`: builds and queries endgame databases of the mill games.

mod build;
pub(super) mod folder_arguments;
mod info;
mod openings;
mod pack;
mod probe;
mod puzzles;
mod starts;
mod stats;
mod verified_tables;
mod verify;

use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use morello_command::help;
use morello_command::row_arguments::RowArguments;
use morello_core::games;
use morello_core::morris::engine::database::{Metric, MillGame, Ruleset, StoredValues};
use morello_core::threads;
use morello_files::output::{Field, Output};

/// The time between two updates of the progress.
const TICK: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  morello database build nine-mens-morris-flying --max-men 8
  morello database probe nine-mens-morris-flying '0,0 c5,d7,g7 a7,f4,f6 W'
  morello database stats nine-mens-morris-flying --sectors 3-3,4-4 --example";

/// Build and query endgame databases of the mill games
///
/// An endgame database stores the result of every position under best play, and the number of plies
/// to the end of the game. It consists of tables, one file per sector. Sector 5-4 contains all
/// positions in which the side to move has five men on the board and the opponent has four; in
/// sector 5-4+3-2 they also have three and two men in hand. Small sectors take seconds to build;
/// large sectors need much memory and time.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: DatabaseCommand,
}

#[derive(Debug, Subcommand)]
enum DatabaseCommand {
    Build(build::Arguments),
    Info(info::Arguments),
    Verify(verify::Arguments),
    Probe(probe::Arguments),
    Stats(stats::Arguments),
    Puzzles(puzzles::Arguments),
    Openings(openings::Arguments),
    Starts(starts::Arguments),
    Pack(pack::Arguments),
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        DatabaseCommand::Build(arguments) => arguments.run(),
        DatabaseCommand::Info(arguments) => arguments.run(),
        DatabaseCommand::Verify(arguments) => arguments.run(),
        DatabaseCommand::Probe(arguments) => arguments.run(),
        DatabaseCommand::Stats(arguments) => arguments.run(),
        DatabaseCommand::Puzzles(arguments) => arguments.run(),
        DatabaseCommand::Openings(arguments) => arguments.run(),
        DatabaseCommand::Starts(arguments) => arguments.run(),
        DatabaseCommand::Pack(arguments) => arguments.run(),
    }
}

fn has_database(game: &str) -> bool {
    games::mill(game).is_ok_and(|game| game.ruleset().is_ok())
}

/// Returns the rules of the games that can have a database.
fn all_rules() -> impl Iterator<Item = Ruleset> {
    games::all().iter().filter_map(|game| games::mill(game.name()).ok()?.ruleset().ok())
}

/// Returns a parser of the name of a game. It accepts all games, so that the error can say why one
/// has no database, and lists those with one.
fn game_parser() -> impl TypedValueParser<Value = String> {
    help::game_parser_of(has_database)
}

/// Returns a mill game and its rules.
fn require_mill_game(name: &str) -> anyhow::Result<(&'static dyn MillGame, Ruleset)> {
    let Ok(game) = games::mill(name) else {
        let games: Vec<_> = all_rules().map(|rules| rules.name).collect();
        bail!("{name} has no endgame database; these games have one: {}", games.join(", "))
    };
    Ok((game, game.ruleset()?))
}

/// Rows in the output of a command, and the message for an output that failed.
struct RowOutput<R>(Output<'static, R>, String);

impl<R> RowOutput<R> {
    fn new(arguments: &RowArguments, fields: Vec<Field<R>>) -> anyhow::Result<Self> {
        Ok(Self(arguments.open(fields)?, arguments.cannot_write()))
    }

    fn write(&mut self, row: &R) -> anyhow::Result<()> {
        self.0.write(row).with_context(|| self.1.clone())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.0.flush().with_context(|| self.1.clone())
    }

    fn finish(self) -> anyhow::Result<()> {
        self.0.finish().context(self.1)
    }
}

/// Runs `work` on another thread. Calls `on_event` on this one with each event that the work sends,
/// and regularly with `None`.
fn run_with_events<E: Send, T: Send>(
    work: impl FnOnce(&Sender<E>) -> T + Send,
    mut on_event: impl FnMut(Option<E>),
) -> T {
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let worker = threads::spawn_joined(scope, move || work(&sender));
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(event) => on_event(Some(event)),
                Err(RecvTimeoutError::Timeout) => on_event(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Returns the name of a metric.
fn counted_to(metric: Metric) -> &'static str {
    match metric {
        Metric::End => "end",
        Metric::Capture => "capture",
    }
}

/// Returns the name of what a table stores.
fn stored_values(stored: StoredValues) -> &'static str {
    match stored {
        StoredValues::Distances => "distances",
        StoredValues::Results => "wdl",
    }
}

/// Formats bytes as hexadecimal digits.
fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Formats a size: `812 bytes`, `3.4 MiB`.
fn format_bytes(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = (bytes.max(1).ilog2() / 10).min(4);
    match unit {
        0 => format!("{bytes} bytes"),
        _ => format!("{:.1} {}", bytes as f64 / (1u64 << (10 * unit)) as f64, units[unit as usize]),
    }
}

/// Rounds to this many decimals.
fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_a_size() {
        let sizes = [0, 812, 1024, 3_565_158, 24 << 30, u64::MAX].map(format_bytes);
        assert_eq!(sizes, ["0 bytes", "812 bytes", "1.0 KiB", "3.4 MiB", "24.0 GiB", "16777216.0 TiB"]);
    }

    #[test]
    fn events_arrive_in_order() {
        let mut seen = Vec::new();
        let result = run_with_events(
            |sender| {
                (0..5).for_each(|i| sender.send(i).expect("the other end waits for it"));
                "done"
            },
            |event| seen.extend(event),
        );
        assert_eq!((result, seen), ("done", vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn all_mill_games_but_those_with_bans_have_databases() {
        let mills = games::all().iter().map(|game| game.name()).filter(|name| games::mill(name).is_ok());
        let (with, without): (Vec<_>, Vec<_>) = mills.partition(|game| has_database(game));
        assert_eq!(without, ["nine-mens-morris-flying-no-return", "morabaraba-no-return"]);
        assert_eq!(all_rules().map(|rules| rules.name).collect::<Vec<_>>(), with);
    }
}
