//! `morello referee`: adjudicates a game between others.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::FAILED;
use super::draws::Draws;
use crate::game::Settings;
use crate::games;
use crate::text::referee::{Form, Referee, adjudicate};

const EXAMPLES: &str = "\
Examples:
  morello referee nine-mens-morris game.txt
  morello referee nine-mens-morris --moves 'd2 f4 d6 d2'
  printf 'f5\\nd6\\nc3\\n' | morello referee othello --format json
  morello referee morabaraba --position '0,0 a7,d7,g4 a1,b2,c3,e3 W' --moves 'g4-g7xe3' --repetition 3

Numbers of moves, results, commas and comments (#) are passed over. A position before the first move, alone or with `;` behind it, is \
where the game starts. Exit codes: 0 all moves were legal, 1 one was refused, 2 wrong usage.";

/// Adjudicate a game between others: each move is answered with the position, or refused with the reason
///
/// Keeps the position, refuses what the rules do not allow, which then changes nothing, and notices when the game is over, and why. The moves
/// are those of a file or, one by one, of the standard input. Repetition and length draw a game only if that is asked for; what the rules of
/// the game say themselves always holds, as the ten moves of morabaraba.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// The file of the moves; the standard input if there is none, or it is `-`
    #[arg(conflicts_with = "moves")]
    file: Option<PathBuf>,

    /// The moves themselves
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Begin at this position, as the answers write them
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,

    /// How to answer
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    /// Stop at the first move that is refused
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    draws: Draws,
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Text, Self::Json]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        use clap::builder::PossibleValue;
        Some(match self {
            Self::Text => PossibleValue::new("text").help("Lines for people"),
            Self::Json => PossibleValue::new("json").help("A JSON object a line"),
        })
    }
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let game = games::get(&arguments.game)?;
    let start = match &arguments.position {
        None => game.start(),
        Some(text) => game.parse_position(text.trim()).map_err(|error| {
            anyhow!("--position, column {}: {error}; the start is written `{}`", error.column(), game.start())
        })?,
    };
    let referee = Referee::new(start, arguments.draws.settings(Settings::default()));
    let input: Box<dyn BufRead> =
        match (&arguments.moves, arguments.file.as_deref().filter(|file| file.as_os_str() != "-")) {
            (Some(moves), _) => Box::new(io::Cursor::new(moves.clone())),
            (None, None) => Box::new(io::stdin().lock()),
            (None, Some(file)) => {
                let failed = || format!("cannot read `{}`", file.display());
                if file.metadata().with_context(failed)?.is_dir() {
                    bail!("cannot read `{}`: it is a directory", file.display());
                }
                Box::new(BufReader::new(File::open(file).with_context(failed)?))
            }
        };
    let told =
        adjudicate(referee, input, io::stdout().lock(), arguments.format, arguments.strict).context("cannot go on")?;
    Ok(if told.refused > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}
