//! `morello serve`: serves the web page.

use std::io::{self, Write};
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::endgame_arguments::EndgameArguments;
use super::variety_arguments::VarietyArguments;
use super::{help, signals, values};
use crate::game::{AnyGame, EngineOptions};
use crate::session::EngineOptionsError;
use crate::web::{self, AppState, Hosts};

const EXAMPLES: &str = "\
Examples:
  morello serve
  morello serve --port 0 --hash 256
  morello serve --host 0.0.0.0 --threads 4     # reachable from the network";

/// Play and analyze games in the browser
///
/// Prints the address of the page and runs until it is interrupted. On the page you can play against any level or another person, set up
/// positions, import and export games, and see the engine's evaluation of the position, of every move and of the whole game.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Port; 0 selects a free port
    #[arg(long, default_value_t = 8080, help_heading = help::NETWORK)]
    port: u16,

    /// Address to listen on; the default is this machine only
    #[arg(long, default_value = "127.0.0.1", help_heading = help::NETWORK)]
    host: String,

    /// Time limit per search, up to 2m
    #[arg(long, value_name = "TIME", default_value = "10s", help_heading = help::SEARCH, value_parser = parse_time)]
    time: Duration,

    #[command(flatten)]
    endgames: EndgameArguments,

    #[command(flatten)]
    varieties: VarietyArguments,

    /// Number of simultaneous searches [default: all cores]
    ///
    /// Further searches wait for their turn.
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Size of the transposition tables in MiB, for each active game
    #[arg(long, value_name = "MIB", default_value_t = 64, help_heading = help::PERFORMANCE, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
}

/// The longest time limit: a search must not outlast its connection.
const MAX_TIME: Duration = Duration::from_secs(120);

fn parse_time(text: &str) -> Result<Duration, String> {
    match values::parse_time(text) {
        Ok(time) if time > MAX_TIME => Err("longer than 2m".to_owned()),
        parsed => parsed.map_err(|error| error.to_string()),
    }
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { port, host, threads, hash, time, endgames, varieties } = arguments;
    endgames.check()?;
    values::hash_bytes(hash, 1)?;
    let listener = TcpListener::bind((host.as_str(), port)).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "another program uses the port: choose another with --port, or --port 0 for a free one"
            }
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 require special privileges: choose another with --port"
            }
            _ => "--host must be a name or address of this machine",
        };
        anyhow!("cannot listen on {host}, port {port}: {remedy} ({error})")
    })?;
    let address = listener.local_addr().context("cannot determine the port")?;
    let searches = values::thread_count(threads);
    let stop = signals::cancel_on_signal()?;
    let setup = move |game| options(game, hash, &endgames, &varieties).map_err(EngineOptionsError::new);
    let site = AppState::new(Arc::new(setup), searches, time, stop.clone());
    let mut output = io::stdout();
    writeln!(output, "http://{address}/").and_then(|()| output.flush()).context("cannot write to standard output")?;
    web::serve(listener, web::router(site, Hosts::new(&host)), &stop).context("cannot serve")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the options of the searchers of a game.
fn options(
    game: &'static dyn AnyGame,
    hash: u32,
    endgames: &EndgameArguments,
    varieties: &VarietyArguments,
) -> anyhow::Result<EngineOptions> {
    let mut options = EngineOptions::new(values::hash_bytes(hash, 1)?);
    options.database = endgames.open_any(game)?;
    options.wrapper = varieties.wrapper(game, true)?;
    Ok(options)
}
