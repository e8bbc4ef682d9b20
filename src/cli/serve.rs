//! `morello serve`: the games in a browser.

use std::io::{self, Write};
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::endgames::Endgames;
use super::{interrupt, values};
use crate::game::{AnyGame, EngineOptions};
use crate::session::SetupError;
use crate::web::{self, Hosts, Site};

const EXAMPLES: &str = "\
Examples:
  morello serve
  morello serve --port 0 --hash 256
  morello serve --host 0.0.0.0 --threads 4     # for everyone in the network";

/// Play and look in a browser: all games, against any level or another person
///
/// Tells the address of the page, and answers until it is interrupted. The page sets up positions, reads and writes games, and shows what the
/// engine thinks: of the position, of every move, and of the whole game.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The port; 0 takes one that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,

    /// The name or address to listen at: by default this machine alone can reach it
    #[arg(long, default_value = "127.0.0.1")]
    host: String,

    /// How many searches may run at a time before others wait for their turn [default: all cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The memory of the search tables of each game that is played
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// The longest time of one search, 2m at most: a number with its unit, ms, s or m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    time: Duration,

    #[command(flatten)]
    endgames: Endgames,
}

/// The longest time that may be asked for: an answer is not to outlast its connection.
const MOST_TIME: Duration = Duration::from_secs(120);

fn parse_time(text: &str) -> Result<Duration, String> {
    match values::parse_time(text) {
        Ok(time) if time > MOST_TIME => Err("it is longer than 2m".to_owned()),
        parsed => parsed.map_err(|error| error.to_string()),
    }
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { port, host, threads, hash, time, endgames } = arguments;
    endgames.check()?;
    values::hash_bytes(hash, 1)?;
    let listener = TcpListener::bind((host.as_str(), port)).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::AddrInUse => "another program has the port: name one with --port, or --port 0 for any",
            io::ErrorKind::PermissionDenied => "ports below 1024 need special rights: name another with --port",
            _ => "--host is a name or address of this machine",
        };
        anyhow!(error).context(format!("cannot listen at {host}, port {port}; {remedy}"))
    })?;
    let address = listener.local_addr().context("cannot find out the port")?;
    let searches = threads.map_or_else(values::default_threads, |threads| threads as usize);
    let stop = interrupt::cancel_on_signal()?;
    let setup = move |game| options(game, hash, &endgames).map_err(SetupError::new);
    let site = Site::new(Arc::new(setup), searches, time, stop.clone());
    let mut output = io::stdout();
    writeln!(output, "http://{address}/")
        .and_then(|()| output.flush())
        .context("cannot write to the standard output")?;
    web::serve(listener, web::router(site, Hosts::new(&host)), &stop).context("cannot serve")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns what the searchers of a game are made with.
fn options(game: &'static dyn AnyGame, hash: u32, endgames: &Endgames) -> anyhow::Result<EngineOptions> {
    let mut options = EngineOptions::new(values::hash_bytes(hash, 1)?);
    options.database = endgames.open_any(game)?;
    Ok(options)
}
