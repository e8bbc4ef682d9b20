//! `morello engine`: runs as an engine over a protocol.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use morello_command::{help, numbers, values};
use morello_core::game::{AnyGame, EngineOptions, Level, Limits, Protocol};
use morello_core::games;
use morello_play::protocol::{self, ServeError, Strength};
use morello_play::session::EngineOptionsError;

use super::endgame_arguments::EndgameArguments;
use super::variety_arguments::VarietyArguments;

const EXAMPLES: &str = "\
Examples:
  printf 'nboard 2\\nset depth 8\\nhint 3\\n' | morello engine --protocol nboard
  printf 'play black f5\\ngenmove white\\nshowboard\\n' | morello engine --protocol gtp --level 12
  printf 'position 0,0 a7,d7,g4 a1,b2,c3 W\\ngo depth 8\\n' | morello engine --protocol morris-text";

/// Run as an engine over NBoard, GTP or morris-text
///
/// Other programs, such as graphical boards and servers, send commands to standard input and read
/// the replies from standard output. NBoard and GTP are protocols for Othello; morris-text is a
/// protocol for the mill games. A session ends with the command `quit` or at the end of the input;
/// a search in progress then continues to its limit, for at most 10 seconds. The reply to an
/// invalid command is an error. The API documentation describes the protocols under
/// morello::protocol.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game [default: othello, or nine-mens-morris-flying with morris-text]
    #[arg(value_parser = help::game_parser())]
    game: Option<String>,

    /// Protocol
    #[arg(long, value_name = "NAME", help_heading = help::INPUT, value_parser = protocols())]
    protocol: Protocol,

    /// Playing level, 1 to 60 or a name such as casual, instead of a depth
    ///
    /// The connected program can set another limit. Without any limit, the level is 5. The names,
    /// beginning with the weakest, are novice, newcomer, beginner, learner, casual, hobbyist,
    /// amateur, improver, skilled, club, strong and expert.
    #[arg(long, value_name = "LEVEL", conflicts_with = "depth", help_heading = help::SEARCH)]
    level: Option<Level>,

    /// Search depth
    ///
    /// The connected program can set another depth.
    #[arg(long, value_name = "PLIES", help_heading = help::SEARCH,
        value_parser = numbers::whole(1..=Limits::MAX_DEPTH))]
    depth: Option<u32>,

    /// Node limit per move
    #[arg(long, value_name = "N", help_heading = help::SEARCH, value_parser = numbers::whole(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Time limit per move, such as 500ms, 10s or 2m
    #[arg(long, value_name = "TIME", help_heading = help::SEARCH, value_parser = values::parse_time)]
    time: Option<Duration>,

    /// Evaluate with the weights in this file [default: built-in weights]
    ///
    /// `morello-train network` and `morello-train fit` write such files.
    #[arg(long, value_name = "FILE", help_heading = help::EVALUATION, hide_short_help = true)]
    weights: Option<PathBuf>,

    #[command(flatten)]
    endgames: EndgameArguments,

    #[command(flatten)]
    varieties: VarietyArguments,

    /// Size in MiB of the transposition tables
    #[arg(long, value_name = "MIB", default_value = "64", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u32::MAX))]
    hash: u32,
}

/// Returns a parser of the name of a protocol.
fn protocols() -> impl clap::builder::TypedValueParser<Value = Protocol> {
    use clap::builder::TypedValueParser as _;
    let value = |protocol: Protocol| PossibleValue::new(protocol.name()).help(protocol.about());
    PossibleValuesParser::new(Protocol::ALL.map(value)).try_map(|name| name.parse::<Protocol>())
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { game, protocol, level, depth, nodes, time, hash, weights, endgames, varieties } = arguments;
    let game = game.map_or_else(|| Ok(protocol::default_game(protocol)), |name| games::get(&name))?;
    let strength = Strength { level, depth, nodes, time };
    let mut output = io::stdout();
    let setup =
        move |game| options(game, hash, weights.as_deref(), &endgames, &varieties).map_err(EngineOptionsError::new);
    let served = protocol::serve(protocol, game, &setup, strength, io::stdin(), &mut output);
    output.flush().context("cannot write to standard output")?;
    match served {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error @ ServeError::Unsuitable { .. }) => {
            let suited = Protocol::ALL.into_iter().filter(|&protocol| game.dialect(protocol).is_some());
            let suited: Vec<_> = suited.map(|protocol| format!("--protocol {protocol}")).collect();
            Err(anyhow!("{error}; use {}", suited.join(" or ")))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the options of the searchers of a game.
fn options(
    game: &'static dyn AnyGame,
    hash: u32,
    weights: Option<&Path>,
    endgames: &EndgameArguments,
    varieties: &VarietyArguments,
) -> anyhow::Result<EngineOptions> {
    let mut options = EngineOptions::new(values::hash_bytes(hash, 1)?);
    options.weights = weights.map(|file| game.read_weights(file)).transpose()?;
    options.database = endgames.open(game)?;
    options.wrapper = varieties.wrapper(game, false)?;
    Ok(options)
}
