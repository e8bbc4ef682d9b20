//! `morello serve`: serves the web page.

use std::io::{self, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use morello_command::{help, numbers, signals, values};
use morello_core::game::{AnyGame, EngineOptions};
use morello_play::session::EngineOptionsError;
use morello_web as web;
use morello_web::{AccessToken, AppState, Hosts};

use super::endgame_arguments::EndgameArguments;
use super::variety_arguments::VarietyArguments;

const EXAMPLES: &str = "\
Examples:
  morello serve
  morello serve --port 0 --hash 256
  morello serve --host 0.0.0.0 --token         # reachable from the network, with a random token
  morello serve --host 0.0.0.0 --public        # open to everyone on the network
  morello serve --static target/web/page       # the browser edition";

/// Play and analyze games in the browser
///
/// Prints the address of the page and runs until it is interrupted. On the page you can play
/// against any level or another person, set up positions, import and export games, and see the
/// engine's evaluation of the position, of every move and of the whole game.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Port; 0 selects a free port
    #[arg(long, default_value = "8080", help_heading = help::NETWORK, value_parser = numbers::whole(0..=u16::MAX))]
    port: u16,

    /// Address to listen on; the default is this machine only
    ///
    /// An address that can be reached from the network requires --token or --public.
    #[arg(long, default_value = "127.0.0.1", help_heading = help::NETWORK)]
    host: String,

    /// Require this token, or a random one, in the address of the page
    ///
    /// The server prints the whole address. The browser keeps the token in a cookie; programs send
    /// `Authorization: Bearer TOKEN`. The connection is not encrypted: use a reverse proxy with TLS
    /// on a network that you do not trust.
    #[arg(long, value_name = "TOKEN", num_args = 0..=1, conflicts_with = "public", help_heading = help::NETWORK,
        value_parser = parse_token)]
    token: Option<Option<AccessToken>>,

    /// Let anyone who can reach the address use the page
    ///
    /// Visitors can start searches, which use the processor and memory of this machine, but cannot
    /// read or write files.
    #[arg(long, help_heading = help::NETWORK)]
    public: bool,

    /// Serve the static files of this directory instead of the page
    ///
    /// Use this for the browser edition, whose engine runs in the browser. Restart the server after
    /// the files change. Links and hidden files are not served.
    #[arg(long = "static", value_name = "DIR", help_heading = help::NETWORK,
        conflicts_with_all = ["time", "threads", "hash", "database", "no_database", "variety", "book"])]
    folder: Option<PathBuf>,

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
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,

    /// Size in MiB of the transposition tables of each active game
    ///
    /// The two games that were used last keep their tables; quick moves use others, of 1 MiB.
    #[arg(long, value_name = "MIB", default_value = "32", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u32::MAX))]
    hash: u32,
}

/// The longest time limit: a search must not outlast its connection.
const MAX_TIME: Duration = Duration::from_secs(120);

fn parse_time(text: &str) -> Result<Duration, String> {
    match values::parse_time(text) {
        Ok(time) if time > MAX_TIME => Err("must be at most 2m".to_owned()),
        parsed => parsed.map_err(|error| error.to_string()),
    }
}

fn parse_token(text: &str) -> Result<AccessToken, String> {
    AccessToken::new(text).map_err(|error| error.to_string())
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { port, host, token, public, folder, threads, hash, time, endgames, varieties } = arguments;
    endgames.check()?;
    varieties.check_file()?;
    values::hash_bytes(hash, 1)?;
    let listener = TcpListener::bind((host.as_str(), port)).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "another program uses the port; choose another with --port, or --port 0 for a free one"
            }
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 require special privileges; choose another with --port"
            }
            _ => "--host must be a name or address of this machine",
        };
        anyhow!("cannot listen on {host}, port {port}: {remedy} ({error})")
    })?;
    let address = listener.local_addr().context("cannot determine the port")?;
    let searches = values::thread_count(threads);
    let token = match token {
        Some(token) => Some(token.unwrap_or_else(AccessToken::random)),
        None if public || address.ip().to_canonical().is_loopback() => None,
        None if folder.is_some() => bail!(
            "--host {host} can be reached from the network, where everyone could read the files of --static; add \
                --token to require a token, or --public to allow it"
        ),
        None => bail!(
            "--host {host} can be reached from the network, where everyone could run {} at a time, \
                of up to {} s each (but not read or write files); add --token to require a token, or --public to \
                allow it",
            if searches == 1 { "1 search".to_owned() } else { format!("{searches} searches") },
            time.as_secs_f64()
        ),
    };
    let query = token.as_ref().map(|token| format!("?token={}", token.as_str())).unwrap_or_default();
    let stop = signals::cancel_on_signal()?;
    let hosts = Hosts::new(&host);
    let routes = match folder {
        Some(folder) => web::folder_router(&folder, hosts, token)
            .with_context(|| format!("--static `{}`: cannot read the files", folder.display()))?,
        None => {
            let setup = move |game| options(game, hash, &endgames, &varieties).map_err(EngineOptionsError::new);
            web::router(AppState::new(Arc::new(setup), searches, time, stop.clone()), hosts, token)
        }
    };
    let mut output = io::stdout();
    writeln!(output, "http://{address}/{query}")
        .and_then(|()| output.flush())
        .context("cannot write to standard output")?;
    web::serve(listener, routes, &stop).context("cannot serve")?;
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
