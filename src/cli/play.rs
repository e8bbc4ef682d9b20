//! `morello play`: a game at the terminal.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::draws::Draws;
use super::endgames::Endgames;
use super::interrupt::Signal;
use super::{FAILED, INTERRUPTED, eprint_line, files, interrupt, values};
use crate::game::{AnyGame, Color, EngineOptions, GameData, PlayerError, Position as _};
use crate::games;
use crate::session::Searchers;
use crate::text::draw::Style;
use crate::text::{
    self, DEFAULT_ENGINE, Interrupt, Participant, ParticipantSpec, TerminalError, TerminalGame, TerminalOptions, course,
};

const EXAMPLES: &str = "\
Examples:
  morello play othello
  morello play nine-mens-morris --white engine:level=9 --black human
  morello play morabaraba --white random --black engine:time=100ms --seed 7
  morello play othello --white human --save game.ggf
  morello play othello --style course
  printf 'f5\\neval\\nhint 3\\nundo\\nquit\\n' | morello play othello --black human";

/// Play at the terminal: people, engines of any level, chance, and programs of others, at each side
///
/// Who is at the keyboard types moves, or commands: hint, eval, moves, undo, redo, save, load, new, board, resign, quit; `help` lists them.
/// Whoever has no move passes without being asked. While the engine thinks, Ctrl-C makes it move at once, and once more ends the program.
/// Two players that need nobody play one game, which is printed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// Who plays White: human, random, database, engine:SETTINGS or external:SETTINGS, as engine:level=9 or
    /// external:cmd="./program",protocol=nboard; the settings are those of `morello selfplay --engine` [default: a human plays
    /// engine:level=5, and moves first]
    #[arg(long, value_name = "PLAYER")]
    white: Option<ParticipantSpec>,

    /// Who plays Black, likewise
    #[arg(long, value_name = "PLAYER")]
    black: Option<ParticipantSpec>,

    /// Begin at this position, in any text format of the game
    #[arg(long, value_name = "TEXT", conflicts_with = "load", allow_hyphen_values = true)]
    position: Option<String>,

    /// Go on with the game, or at the position, of this file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,

    /// Write the game to this file after every move, in the format that its name ends in (`.ggf`, `.playok`), else as its moves or, where
    /// more is told of it, in one that has a place for that
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Colours on the board: on a terminal unless NO_COLOR is set, or always, or never
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    color: When,

    /// The program: that of this toolkit, or of Othello the text program of a course, with rules of its own
    #[arg(long, value_enum, default_value_t = Program::Board, conflicts_with_all = ["white", "black", "position", "load", "save", "color", "seed", "hash", "Draws", "Endgames"])]
    style: Program,

    /// The seed of random players
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// The memory of the tables for hints and evaluations; players have theirs by hash= among their settings
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    #[command(flatten)]
    draws: Draws,

    #[command(flatten)]
    endgames: Endgames,
}

/// When there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Which program is played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Program {
    /// A board with coordinates, and commands
    Board,
    /// The course project, of Othello: any empty square may be chosen, and two passes end the game
    Course,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if arguments.style == Program::Course {
        if arguments.game != "othello" {
            bail!("--style course: that program is for othello, not for {}", arguments.game);
        }
        course::play(io::stdin().lock(), io::stdout().lock()).context("cannot play")?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = games::get(&arguments.game)?;
    let thinking = Interrupt::default();
    interrupt::on_signal({
        let thinking = thinking.clone();
        move |signal| {
            if signal == Signal::Terminate || !thinking.stop() {
                eprint_line(format_args!("\ninterrupted"));
                interrupt::exit();
            }
        }
    })?;
    let hash_bytes = values::hash_bytes(arguments.hash, 1)?;
    let database = arguments.endgames.open(game)?;
    let asked = participants(game.start().side_to_move(), [arguments.black.clone(), arguments.white.clone()])?;
    let [black, white] = asked.map(|spec| participant(game, &spec, database.as_ref()));
    if let Some(path) = arguments.save.as_deref().filter(|&path| arguments.load.as_deref() != Some(path)) {
        files::check_is_new(path, "--save")?;
    }
    if arguments.save.as_deref().is_some_and(|path| path.as_os_str() == "-") {
        bail!("--save: the standard output has the board on it: name a file");
    }

    let options = EngineOptions { database, ..EngineOptions::new(hash_bytes) };
    let searchers = Searchers::new(game, Arc::new(move |_| Ok(options.clone())));
    let options = TerminalOptions {
        style: style(arguments.color),
        settings: arguments.draws.settings(game.customary_settings()),
        seed: arguments.seed,
        autosave: arguments.save.clone(),
        echo: !io::stdin().is_terminal(),
        interrupt: thinking,
    };
    let mut terminal = TerminalGame::new(searchers, [black?, white?], options);
    if let Some(position) = &arguments.position {
        terminal.set_up(position).context("--position")?;
    }
    if let Some(path) = &arguments.load {
        terminal.load(path).with_context(|| format!("--load `{}`", path.display()))?;
    }
    // A name that nothing could be loaded from leaves no empty file.
    arguments.save.as_deref().map_or(Ok(()), files::check_writable)?;
    match terminal.prepare() {
        Err(TerminalError::Player { source: PlayerError::Cancelled, .. }) => return Ok(ExitCode::from(INTERRUPTED)),
        prepared => prepared?,
    }
    let mut output = io::stdout().lock();
    text::play(&mut terminal, io::stdin().lock(), &mut output).context("cannot play on")?;
    output.flush().context("cannot write to the standard output")?;
    Ok(if terminal.is_unsaved() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}
/// Returns who plays which side, Black first: a person plays an engine unless something else is asked for, and moves first.
fn participants(first: Color, asked: [Option<ParticipantSpec>; 2]) -> anyhow::Result<[ParticipantSpec; 2]> {
    let engine = || DEFAULT_ENGINE.parse::<ParticipantSpec>().context("the default player");
    Ok(match asked {
        [Some(black), Some(white)] => [black, white],
        [Some(ParticipantSpec::Human), None] => [ParticipantSpec::Human, engine()?],
        [None, Some(ParticipantSpec::Human)] => [engine()?, ParticipantSpec::Human],
        [Some(black), None] => [black, ParticipantSpec::Human],
        [None, Some(white)] => [ParticipantSpec::Human, white],
        [None, None] if first == Color::Black => [ParticipantSpec::Human, engine()?],
        [None, None] => [engine()?, ParticipantSpec::Human],
    })
}

fn participant(
    game: &'static dyn AnyGame,
    spec: &ParticipantSpec,
    database: Option<&GameData>,
) -> anyhow::Result<Participant> {
    Ok(match spec {
        ParticipantSpec::Human => Participant::Human,
        ParticipantSpec::Computer(spec) => {
            values::hash_bytes(spec.hash().max(1), 1)?;
            let player = spec.player(game, database).with_context(|| format!("the player `{}`", spec.text()))?;
            Participant::Computer(spec.name().to_owned(), player)
        }
    })
}

/// Returns how the board is drawn: plain on what is no terminal, or a dumb one.
fn style(when: When) -> Style {
    let variable = |name| env::var(name).unwrap_or_default();
    let is_capable = || io::stdout().is_terminal() && !["", "dumb"].contains(&variable("TERM").as_str());
    let color = match when {
        When::Auto => is_capable() && variable("NO_COLOR").is_empty(),
        When::Always => true,
        When::Never => false,
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).into_iter().find(|value| !value.is_empty());
    let is_utf8 = locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    Style { color, unicode: is_utf8 && is_capable() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_plays_an_engine_unless_something_else_is_asked_for() {
        let engine: ParticipantSpec = DEFAULT_ENGINE.parse().unwrap();
        let random: ParticipantSpec = "random".parse().unwrap();
        let human = ParticipantSpec::Human;
        let sit = |first, black: Option<&ParticipantSpec>, white: Option<&ParticipantSpec>| {
            participants(first, [black.cloned(), white.cloned()]).unwrap()
        };
        assert_eq!(sit(Color::Black, None, None), [human.clone(), engine.clone()]);
        assert_eq!(sit(Color::White, None, None), [engine.clone(), human.clone()]);
        assert_eq!(sit(Color::Black, None, Some(&human)), [engine.clone(), human.clone()]);
        assert_eq!(sit(Color::Black, Some(&human), None), [human.clone(), engine.clone()]);
        assert_eq!(sit(Color::Black, None, Some(&random)), [human.clone(), random.clone()]);
        assert_eq!(sit(Color::White, Some(&random), None), [random.clone(), human.clone()]);
        assert_eq!(sit(Color::White, Some(&random), Some(&engine)), [random, engine]);
        assert_eq!(sit(Color::White, Some(&human), Some(&human)), [human.clone(), human]);
    }
}
