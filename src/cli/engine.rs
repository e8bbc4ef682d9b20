//! `morello engine`: the program as an engine for others, over a protocol.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::endgames::Endgames;
use super::values;
use crate::game::{AnyGame, EngineOptions, LEVELS, Protocol};
use crate::games;
use crate::protocol::{self, ServeError, Strength};
use crate::session::SetupError;

const EXAMPLES: &str = "\
Examples:
  printf 'nboard 2\\nset depth 8\\nhint 3\\n' | morello engine --protocol nboard
  printf 'play black f5\\ngenmove white\\nshowboard\\n' | morello engine --protocol gtp --level 12
  printf 'position 0,0 a7,d7,g4 a1,b2,c3 W\\ngo depth 8\\n' | morello engine --protocol morris-text

At the end of its input a search goes on to its bound, for ten seconds at most. `cargo doc` describes the protocols: morello::protocol.";

/// Serve others as an engine: graphical boards, servers and matches, over a protocol on the standard input and output
///
/// nboard and gtp are for Othello, morris-text for the mill games. Each session goes on until it is told to quit or its input ends; what it
/// cannot heed is answered with an error. Without another bound it plays at level 10, and the other side may ask for more or less.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game [default: othello, or nine-mens-morris over morris-text]
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: Option<String>,

    /// The protocol
    #[arg(long, value_name = "NAME", value_parser = protocols())]
    protocol: Protocol,

    /// Play at this level, 1 to 60, unless told otherwise [default: 10 if no other bound is given]
    #[arg(long, value_name = "LEVEL", conflicts_with = "depth",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LEVELS)))]
    level: Option<u32>,

    /// Search to this depth in plies, unless told otherwise
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Search at most this many nodes a move
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search at most this long a move: a number with its unit, ms, s or m
    #[arg(long, value_parser = values::parse_time)]
    time: Option<Duration>,

    /// The memory of the search tables
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// Judge positions by the weights in this file, as `morello train fit` writes them [default: the game's own]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(flatten)]
    endgames: Endgames,
}

/// Reads the name of a protocol.
fn protocols() -> impl clap::builder::TypedValueParser<Value = Protocol> {
    use clap::builder::TypedValueParser as _;
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::name)).try_map(|name| name.parse::<Protocol>())
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { game, protocol, level, depth, nodes, time, hash, weights, endgames } = arguments;
    let game = game.map_or_else(|| Ok(protocol::default_game(protocol)), |name| games::get(&name))?;
    let strength = Strength { level, depth, nodes, time };
    let mut output = io::stdout();
    let setup = move |game| options(game, hash, weights.as_deref(), &endgames).map_err(SetupError::new);
    let served = protocol::serve(protocol, game, &setup, strength, io::stdin(), &mut output);
    output.flush().context("cannot write to the standard output")?;
    match served {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error @ ServeError::Unsuitable { .. }) => {
            let suited = Protocol::ALL.into_iter().filter(|&protocol| game.dialect(protocol).is_some());
            let suited: Vec<_> = suited.map(|protocol| format!("--protocol {protocol}")).collect();
            Err(anyhow!(error).context(format!("try {}", suited.join(" or "))))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns what the searchers of a game are made with.
fn options(
    game: &'static dyn AnyGame,
    hash: u32,
    weights: Option<&Path>,
    endgames: &Endgames,
) -> anyhow::Result<EngineOptions> {
    let mut options = EngineOptions::new(values::hash_bytes(hash, 1)?);
    options.weights = weights.map(|file| game.read_weights(file)).transpose()?;
    options.database = endgames.open(game)?;
    Ok(options)
}
