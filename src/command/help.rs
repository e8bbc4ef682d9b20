//! The layout of the help, and texts shared by several commands.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, Command};
use morello_core::game::AnyGame;
use morello_core::games;

/// Declares the headings of the groups of options. An option has the same heading in each command.
macro_rules! headings {
    ($($name:ident $text:literal)+) => {
        $(#[doc = concat!("The heading \"", $text, "\".")] pub const $name: &str = $text;)+

        /// The headings, in the order of every command.
        const HEADINGS: &[&str] = &[$($name),+];
    };
}

headings! {
    PLAYERS "Players"
    GAMES "Games"
    OPENINGS "Openings"
    NETWORK "Network"
    INPUT "Input"
    FILTERS "Filters"
    SEARCH "Search"
    EVALUATION "Evaluation"
    BOOK "Opening book"
    DATABASE "Endgame database"
    END_OF_GAME "End of a game"
    TRAINING "Training"
    PERFORMANCE "Performance"
    REPRODUCIBILITY "Reproducibility"
    OUTPUT "Output"
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
    in_order_of_headings(command)
        .mut_args(with_short_list)
        .mut_args(with_negative_numbers)
        .help_template(TEMPLATE)
        .after_help(HINT)
        .after_long_help(notes)
        .disable_help_flag(true)
        .arg(help)
        .mut_subcommands(with_layout)
}

/// Lets a negative number reach the parser of the value, which tells what is wrong with it.
fn with_negative_numbers(argument: Arg) -> Arg {
    if argument.get_action().takes_values() { argument.allow_negative_numbers(true) } else { argument }
}

/// Leaves a long list of described values, such as that of the games, to `--help`.
fn with_short_list(argument: Arg) -> Arg {
    let values = argument.get_possible_values();
    let listed: Option<Vec<_>> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| Some((value.get_name(), value.get_help()?)))
        .collect();
    let Some(listed) = listed.filter(|listed| listed.len() > MOST_LISTED) else { return argument };
    let short = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let long = argument.get_long_help().map_or_else(|| short.clone(), ToString::to_string);
    let width = listed.iter().map(|(name, _)| name.len() + 1).max().unwrap_or_default();
    let lines = listed.iter().map(|(name, about)| format!("\n- {:<width$} {about}", format!("{name}:")));
    let list = lines.collect::<String>();
    // A default is an example.
    let short = if short.contains("[default") { short } else { format!("{short}, such as {}", listed[0].0) };
    argument.hide_possible_values(true).help(short).long_help(format!("{long}\n\nPossible values:{list}"))
}

/// Removes clap's tip to pass an unknown option as a value, which is never what the user means.
pub fn remove_value_tip(error: &mut clap::Error) {
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
    }
}

/// The most described values that `-h` lists.
const MOST_LISTED: usize = 10;

/// Sorts the options of a command by their headings.
fn in_order_of_headings(command: Command) -> Command {
    let rank =
        |argument: &Arg| argument.get_help_heading().map(|heading| HEADINGS.iter().position(|known| *known == heading));
    let mut sorted: Vec<Arg> = command.get_arguments().cloned().collect();
    sorted.sort_by_key(rank);
    let mut sorted = sorted.into_iter();
    command.mut_args(|_| sorted.next().expect("there are as many"))
}

/// Returns the layout of a program whose commands are in groups: their headings and names. A command
/// in no group is not listed.
pub fn with_groups(command: Command, groups: &[(&str, &[&str])]) -> Command {
    let width = command.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default();
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(Command::get_about).cloned().unwrap_or_default();
        format!("  {name:<width$}  {about}\n")
    };
    let group =
        |(heading, names): &(&str, &[&str])| format!("{heading}:\n{}\n", names.iter().map(line).collect::<String>());
    let commands: String = groups.iter().map(group).collect();
    let template = TEMPLATE.replace("{all-args}", &format!("{commands}Options:\n{{options}}"));
    command.help_template(template)
}

/// Returns a parser of the name of a game that describes each game.
pub fn game_parser() -> impl TypedValueParser<Value = String> {
    game_parser_of(|_| true)
}

/// Returns a parser of the name of a game that accepts every game and describes those that are
/// `shown`. Some games have other names.
pub fn game_parser_of(shown: fn(&str) -> bool) -> impl TypedValueParser<Value = String> {
    let value = |game: &&dyn AnyGame| {
        let aliases = OTHER_NAMES.iter().filter(|(_, name)| *name == game.name()).map(|(other, _)| *other);
        PossibleValue::new(game.name()).help(game.info().about).hide(!shown(game.name())).aliases(aliases)
    };
    PossibleValuesParser::new(games::all().iter().map(value).collect::<Vec<_>>()).map(|typed| {
        OTHER_NAMES.iter().find(|(other, _)| *other == typed).map_or(typed, |(_, name)| (*name).to_owned())
    })
}

/// Other names of games, and the names.
const OTHER_NAMES: [(&str, &str); 5] = [
    ("Othello", "othello"),
    ("reversi", "othello"),
    ("Reversi", "othello"),
    ("Morabaraba", "morabaraba"),
    ("nine-mens-morris-no-flying", "nine-mens-morris"),
];
