//! The layout of the help, and texts shared by several commands.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, Command};
use morello_core::game::AnyGame;
use morello_core::games;

/// Declares the headings of the groups of options. An option has the same heading in each command.
macro_rules! headings {
    ($($name:ident $text:literal)+) => {
        $(#[doc = concat!("The heading \"", $text, "\".")] pub const $name: &str = $text;)+
    };
}

headings! {
    INPUT "Input"
    FILTERS "Filters"
    SEARCH "Search"
    EVALUATION "Evaluation"
    DATABASE "Endgame database"
    PLAYERS "Players"
    GAMES "Games"
    OPENINGS "Openings"
    BOOK "Opening book"
    END_OF_GAME "End of a game"
    TRAINING "Training"
    NETWORK "Network"
    OUTPUT "Output"
    PERFORMANCE "Performance"
    REPRODUCIBILITY "Reproducibility"
}

/// The layout of the help of a command. `before_long_help` holds the examples, which come before
/// the options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// The last line of `-h`.
const HINT: &str = "Use --help for all options and examples.";

/// Gives a command and its subcommands the layout above and an option `--help`.
pub fn with_layout(command: Command) -> Command {
    let notes = command.get_after_long_help().cloned().unwrap_or_default();
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help = help.help("Print this help; -h prints a summary").hide_short_help(true);
    command
        .help_template(TEMPLATE)
        .after_help(HINT)
        .after_long_help(notes)
        .disable_help_flag(true)
        .arg(help)
        .mut_subcommands(with_layout)
}

/// Returns a parser of the name of a game that describes each game.
pub fn game_parser() -> PossibleValuesParser {
    game_parser_of(|_| true)
}

/// Returns a parser of the name of a game that accepts every game and describes those that are
/// `shown`.
pub fn game_parser_of(shown: impl Fn(&str) -> bool) -> PossibleValuesParser {
    let value = |game: &&dyn AnyGame| PossibleValue::new(game.name()).help(game.info().about).hide(!shown(game.name()));
    PossibleValuesParser::new(games::all().iter().map(value).collect::<Vec<_>>())
}
