//! `morello play`: plays a game in the terminal.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id, ValueEnum};
use morello_command::files::Target;
use morello_command::signals::Signal;
use morello_command::usage::PositionParser;
use morello_command::{FAILED, INTERRUPTED, eprint_line, files, help, numbers, signals, values};
use morello_core::game::{AnyGame, Color, EngineOptions, GameData, Level, PlayerError, Position as _};
use morello_core::games;
use morello_play::seeds::course;
use morello_play::session::SearcherPool;
use morello_play::text::{
    self, DEFAULT_ENGINE, Interrupt, Participant, ParticipantSpec, TerminalError, TerminalGame, TerminalOptions,
};

use super::board_style::{ColorMode, board_style};
use super::draw_arguments::DrawArguments;
use super::endgame_arguments::EndgameArguments;
use super::line_editor::Editor;
use super::variety_arguments::VarietyArguments;

const EXAMPLES: &str = "\
Examples:
  morello play othello
  morello play othello --level club --name Anna --save game.ggf
  morello play nine-mens-morris-flying --white engine:level=9 --black human
  morello play morabaraba --white random --black engine:time=100ms --seed 7
  morello play othello --style course
  printf 'f5\\neval\\nhint 3\\nundo\\nquit\\n' | morello play othello --black human";

/// Play in the terminal against a human, an engine or an external program
///
/// Type moves or commands: hint, eval, moves, undo, redo, save, load, new, board, resign, quit;
/// `help` lists them all. A side without a legal move passes automatically. While the engine
/// thinks, Ctrl-C makes it move at once; a second Ctrl-C exits. A game without humans is played to
/// its end and printed.
///
/// A PLAYER is human, random, database, engine:SETTINGS or external:SETTINGS, such as
/// engine:level=9 or external:cmd="./program",protocol=nboard. `morello selfplay --help` lists the
/// settings.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    // The first field, because each of the others takes its values away.
    #[command(flatten)]
    given: GivenOptions,

    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Player for White, such as human or engine:level=9
    ///
    /// By default, a human plays against engine:level=beginner and moves first.
    #[arg(long, value_name = "PLAYER", help_heading = help::PLAYERS)]
    white: Option<ParticipantSpec>,

    /// Player for Black, such as random or engine:time=1s
    #[arg(long, value_name = "PLAYER", help_heading = help::PLAYERS)]
    black: Option<ParticipantSpec>,

    /// Level of the engine that you play against [default: beginner]
    ///
    /// The names, beginning with the weakest, are novice, newcomer, beginner, learner, casual,
    /// hobbyist, amateur, improver, skilled, club, strong and expert. The levels 1 to 60 are all
    /// stronger.
    #[arg(long, value_name = "LEVEL", help_heading = help::SEARCH)]
    level: Option<Level>,

    /// Your name in saved games
    #[arg(long, value_name = "NAME", help_heading = help::PLAYERS)]
    name: Option<String>,

    /// Start position in any format, moves that lead to it, or an opening
    #[arg(long, value_name = "POSITION", conflicts_with = "load", allow_hyphen_values = true,
        value_parser = PositionParser, help_heading = help::INPUT)]
    position: Option<String>,

    /// Continue the game, or play from the position, in this file
    #[arg(long, value_name = "FILE", help_heading = help::INPUT)]
    load: Option<PathBuf>,

    /// Write the game to this file after every move
    ///
    /// The extension selects the format, such as .ggf or .playok. With any other extension, the
    /// format is the simplest lossless one, usually the move list.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    save: Option<PathBuf>,

    /// Whether to use colors
    ///
    /// With auto, colors are used on a terminal unless NO_COLOR is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = help::OUTPUT)]
    color: ColorMode,

    /// User interface
    ///
    /// The style course accepts no other options.
    #[arg(long, value_enum, default_value = "board", help_heading = help::OUTPUT)]
    style: InterfaceStyle,

    #[command(flatten)]
    draws: DrawArguments,

    #[command(flatten)]
    endgames: EndgameArguments,

    #[command(flatten)]
    varieties: VarietyArguments,

    /// Size in MiB of the transposition tables for hints and evaluations
    ///
    /// The setting hash= of a player sets the size of its own tables.
    #[arg(long, value_name = "MIB", default_value = "64", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u32::MAX))]
    hash: u32,

    /// Seed of random choices [default: 1; random against a human]
    #[arg(long, value_name = "N", help_heading = help::REPRODUCIBILITY, value_parser = numbers::whole(0..=u64::MAX))]
    seed: Option<u64>,
}

/// Tells about the default opponent.
const EASY: &str = "The engine plays at the easy level beginner; use --level novice for an easier game, or --level \
                    club or --level 5 for a harder one.";

/// The default of `--seed` in games without a human.
const DEFAULT_SEED: u64 = 1;

/// The user interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InterfaceStyle {
    /// A board with coordinates, and commands
    Board,
    /// The text interface of a programming course, with its own rules (Othello only)
    Course,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if arguments.style == InterfaceStyle::Course {
        let is_other = |name: &&String| !["game", "style"].contains(&name.as_str());
        if let Some(option) = arguments.given.0.iter().find(is_other) {
            bail!("--style course accepts no other option; remove --{option}");
        }
        if arguments.game != "othello" {
            bail!("--style course supports only othello, not {}", arguments.game);
        }
        course::play(io::stdin().lock(), io::stdout().lock()).context("cannot continue the game")?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = games::get(&arguments.game)?;
    let thinking = Interrupt::default();
    signals::on_signal({
        let thinking = thinking.clone();
        move |signal| {
            if signal == Signal::Terminate || !thinking.stop() {
                eprint_line(format_args!("\ninterrupted"));
                signals::exit();
            }
        }
    })?;
    let mut terminal = arguments.terminal(game, thinking)?;
    // After `load`, so that a wrong name does not leave an empty file.
    arguments.save.as_deref().map_or(Ok(()), files::check_writable)?;
    match terminal.prepare() {
        Err(TerminalError::Player { source: PlayerError::Cancelled, .. }) => return Ok(ExitCode::from(INTERRUPTED)),
        prepared => prepared?,
    }
    let mut output = io::stdout().lock();
    if arguments.has_default_opponent() {
        writeln!(output, "{EASY}").context("cannot write to standard output")?;
    }
    match text::play(&mut terminal, io::stdin().lock(), &mut output) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(ExitCode::from(INTERRUPTED)),
        played => played.context("cannot continue the game")?,
    }
    output.flush().context("cannot write to standard output")?;
    Ok(if terminal.is_unsaved { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

impl Arguments {
    /// Sets up the game.
    fn terminal(&self, game: &'static dyn AnyGame, interrupt: Interrupt) -> anyhow::Result<TerminalGame> {
        let hash_bytes = values::hash_bytes(self.hash, 1)?;
        let database = self.endgames.open(game)?;
        let asked = [self.black.clone(), self.white.clone()];
        let specs = participants(game.start().side_to_move(), asked, self.level)?;
        let has_human = specs.contains(&ParticipantSpec::Human);
        self.varieties.check()?;
        let specs = specs.map(|spec| spec.with_settings(&self.varieties.settings()));
        let [black, white] = specs.map(|spec| participant(game, &spec, database.as_ref()));
        self.check_save(game)?;
        let options = EngineOptions { database, ..EngineOptions::new(hash_bytes) };
        let searchers = SearcherPool::new(game, Arc::new(move |_| Ok(options.clone())));
        let options = TerminalOptions {
            style: board_style(self.color),
            name: self.name.clone(),
            settings: self.draws.settings(game.standard_draw_rules()),
            seed: self.seed.unwrap_or_else(|| if has_human { values::random_seed() } else { DEFAULT_SEED }),
            autosave: self.save.clone(),
            echo: !io::stdin().is_terminal(),
            interrupt,
            is_terminal: io::stdout().is_terminal(),
        };
        let mut terminal = TerminalGame::new(searchers, [black?, white?], options);
        terminal.editor = Editor::of_terminal().map(|editor| Box::new(editor) as _);
        if let Some(position) = &self.position {
            terminal.set_up(position).context("--position")?;
        }
        if let Some(path) = &self.load {
            terminal.load(path).with_context(|| format!("--load `{}`", path.display()))?;
        }
        Ok(terminal)
    }

    /// Returns whether a human plays against the default engine, a new player perhaps.
    fn has_default_opponent(&self) -> bool {
        let is_engine = |player: &Option<ParticipantSpec>| matches!(player, Some(ParticipantSpec::Computer(_)));
        let is_human = |player: &Option<ParticipantSpec>| *player == Some(ParticipantSpec::Human);
        let players = [&self.black, &self.white];
        self.level.is_none() && !players.into_iter().any(is_engine) && !players.into_iter().all(is_human)
    }

    /// Rejects a file that the game cannot be saved to.
    fn check_save(&self, game: &'static dyn AnyGame) -> anyhow::Result<()> {
        let Some(path) = &self.save else { return Ok(()) };
        if Target::from(path.as_path()) == Target::Stdout {
            bail!("--save: standard output shows the board; use a file");
        }
        if self.load.as_ref() != Some(path) {
            files::check_new(path).context("--save")?;
        }
        text::check_extension(path, game).with_context(|| format!("--save: cannot write `{}`", path.display()))
    }
}

/// The options on the command line, by their names without dashes.
#[derive(Debug)]
struct GivenOptions(Vec<String>);

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        // The identifiers of groups are the names of types.
        let is_option = |id: &&Id| id.as_str().starts_with(|c: char| c.is_ascii_lowercase());
        let is_given = |id: &&Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        let names = matches.ids().filter(is_option).filter(is_given).map(|id| id.as_str().replace('_', "-"));
        Ok(Self(names.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|given| *self = given)
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Returns the players, Black first. By default a human plays an engine and moves first.
fn participants(
    first: Color,
    asked: [Option<ParticipantSpec>; 2],
    level: Option<Level>,
) -> anyhow::Result<[ParticipantSpec; 2]> {
    let engine = || match level {
        Some(level) => format!("engine:level={level}").parse::<ParticipantSpec>().context("--level"),
        None => DEFAULT_ENGINE.parse().context("the default player"),
    };
    if level.is_some()
        && !matches!(asked, [None | Some(ParticipantSpec::Human), None] | [None, Some(ParticipantSpec::Human)])
    {
        bail!("--level sets the engine that you play against; remove --black or --white");
    }
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
            values::hash_bytes(spec.config.hash.max(1), 1)?;
            let player = spec.player(game, database).with_context(|| format!("the player `{}`", spec.text()))?;
            Participant::Computer(spec.name().to_owned(), player)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_human_plays_an_engine_by_default() {
        let engine: ParticipantSpec = DEFAULT_ENGINE.parse().unwrap();
        let random: ParticipantSpec = "random".parse().unwrap();
        let human = ParticipantSpec::Human;
        let sit = |first, black: Option<&ParticipantSpec>, white: Option<&ParticipantSpec>| {
            participants(first, [black.cloned(), white.cloned()], None).unwrap()
        };
        assert_eq!(sit(Color::Black, None, None), [human.clone(), engine.clone()]);
        assert_eq!(sit(Color::White, None, None), [engine.clone(), human.clone()]);
        assert_eq!(sit(Color::Black, None, Some(&human)), [engine.clone(), human.clone()]);
        assert_eq!(sit(Color::Black, Some(&human), None), [human.clone(), engine.clone()]);
        assert_eq!(sit(Color::Black, None, Some(&random)), [human.clone(), random.clone()]);
        assert_eq!(sit(Color::White, Some(&random), None), [random.clone(), human.clone()]);
        assert_eq!(sit(Color::White, Some(&random), Some(&engine)), [random.clone(), engine]);
        assert_eq!(sit(Color::White, Some(&human), Some(&human)), [human.clone(), human.clone()]);
        let level = "club".parse().unwrap();
        let club: ParticipantSpec = "engine:level=club".parse().unwrap();
        assert_eq!(participants(Color::Black, [None, Some(human.clone())], Some(level)).unwrap(), [club, human]);
        assert!(participants(Color::Black, [Some(random), None], Some(level)).is_err());
    }
}
