//! [`SessionCommand`]: the commands that users can type besides moves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use morello_core::game::{AnyGame, AnyMove, Position as _};
use thiserror::Error;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionCommand {
    /// Show this number of best moves.
    Hint(usize),
    /// Evaluate the position.
    Eval,
    /// List the legal moves.
    Moves,
    /// Undo a move.
    Undo,
    /// Redo a move.
    Redo,
    /// Save the game to a file.
    Save {
        /// The file.
        file: String,
        /// Whether an existing file may be overwritten.
        overwrite: bool,
    },
    /// Load a game or position from a file.
    Load(String),
    /// Start a new game.
    New,
    /// Name the opening.
    Opening,
    /// Draw the board.
    Board,
    /// Review the moves so far.
    Review,
    /// Resign.
    Resign,
    /// List the commands.
    Help,
    /// Quit the program.
    Quit,
}

/// A command with a missing or wrong argument.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("usage: `{0}`")]
pub struct CommandSyntaxError(&'static str);

/// The syntax and help of each command, and the command if it has no argument.
const COMMANDS: &[(&str, &str, Option<SessionCommand>)] = &[
    ("hint [COUNT]", "show the best move or moves, with scores and lines", None),
    ("eval", "evaluate the position and show the best line", Some(SessionCommand::Eval)),
    ("moves", "list the legal moves", Some(SessionCommand::Moves)),
    ("undo", "undo your last move and the reply", Some(SessionCommand::Undo)),
    ("redo", "redo it", Some(SessionCommand::Redo)),
    ("save FILE", "save the game; `save! FILE` overwrites an existing file", None),
    ("load FILE", "load a game or position", None),
    ("new", "start a new game", Some(SessionCommand::New)),
    ("opening", "name the opening", Some(SessionCommand::Opening)),
    ("board", "draw the board", Some(SessionCommand::Board)),
    ("review", "show the mistakes and the accuracy of both sides so far", Some(SessionCommand::Review)),
    ("resign", "resign the game", Some(SessionCommand::Resign)),
    ("help", "show this list", Some(SessionCommand::Help)),
    ("quit", "quit", Some(SessionCommand::Quit)),
];

impl SessionCommand {
    /// Parses a line; `None` if the first word is not a command.
    ///
    /// # Errors
    /// [`CommandSyntaxError`] if the argument of the command is missing or wrong.
    pub(super) fn read(line: &str) -> Result<Option<Self>, CommandSyntaxError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(Some(match (word.to_ascii_lowercase().as_str(), rest) {
            ("hint", "") => Self::Hint(1),
            ("hint", count) => match count.parse() {
                Ok(count @ 1..) => Self::Hint(count),
                _ => return Err(CommandSyntaxError("hint COUNT` with a positive integer, such as `hint 3")),
            },
            ("save", "") | ("save!", "") => return Err(CommandSyntaxError("save FILE")),
            ("save", file) => Self::Save { file: file.to_owned(), overwrite: false },
            ("save!", file) => Self::Save { file: file.to_owned(), overwrite: true },
            ("load", "") => return Err(CommandSyntaxError("load FILE")),
            ("load", file) => Self::Load(file.to_owned()),
            (word, rest) => {
                let word = match word {
                    "?" => "help",
                    "q" | "exit" => "quit",
                    word => word,
                };
                let Some((syntax, _, command)) = COMMANDS.iter().find(|(syntax, ..)| *syntax == word) else {
                    return Ok(None);
                };
                if !rest.is_empty() {
                    return Err(CommandSyntaxError(syntax));
                }
                return Ok(command.clone());
            }
        }))
    }
}

/// Returns the names of the commands.
///
/// ```
/// use morello::session::command_words;
///
/// assert!(command_words().any(|word| word == "undo"));
/// ```
pub fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(syntax, ..)| syntax.split(' ').next().unwrap_or(syntax))
}

/// Returns the help text: an example of each kind of move in the game, then the commands.
/// `examples` are moves in the current position.
///
/// ```
/// use morello::games;
/// use morello::session::help;
///
/// let help = help(games::get("nine-mens-morris")?, "`d2`");
/// assert!(help.lines().any(|line| line.trim_start().starts_with("undo ")));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[must_use]
pub fn help(game: &dyn AnyGame, examples: &str) -> String {
    let mut text = String::new();
    let example = format!("a move, such as {examples}");
    let kinds: Vec<_> = move_examples(game).into_iter().map(|(kind, m)| (m, kind)).collect();
    for (m, kind) in &kinds {
        let _ = writeln!(text, "  {m:<14}{kind}");
    }
    let commands = COMMANDS.iter().map(|&(syntax, about, _)| (syntax, about));
    for (syntax, about) in [("MOVE", example.as_str())].into_iter().chain(commands) {
        let _ = writeln!(text, "  {syntax:<14}{about}");
    }
    text += "On the board, `+` marks where you can move, and brackets mark the last move.";
    text
}

/// Returns an example of each kind of move of a game, with a description.
fn move_examples(game: &dyn AnyGame) -> Vec<(String, String)> {
    let words = game.info().terminology;
    let kind_of = |m: AnyMove| {
        let (path, piece) = (m.path(), words.piece);
        let removes = path.captured.map(|_| format!(" and remove a {piece}")).unwrap_or_default();
        let does = match path.from {
            _ if m.is_pass() => "pass: no other move is legal".to_owned(),
            Some(_) => format!("move a {piece} along a line (flying: anywhere){removes}"),
            None => format!("place a {piece}{removes}"),
        };
        (m.is_pass(), path.from.is_some(), path.captured.is_some(), does)
    };
    let mut kinds = BTreeMap::new();
    for seed in 0..EXAMPLE_GAMES {
        let record = game.random_game(seed, EXAMPLE_PLIES);
        for position in record.positions() {
            for m in position.legal_moves() {
                kinds.entry(kind_of(m)).or_insert_with(|| m.to_string());
            }
        }
    }
    kinds.into_iter().map(|((.., does), m)| (does, m)).collect()
}

/// The number of random games searched for example moves.
const EXAMPLE_GAMES: u64 = 12;
const EXAMPLE_PLIES: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_an_example_of_each_kind_of_move() {
        for (game, examples) in
            [("othello", 2), ("nine-mens-morris", 4), ("three-mens-morris", 2), ("lasker-morris", 4)]
        {
            let game = morello_core::games::get(game).unwrap();
            let help = help(game, "`x`");
            let kinds: Vec<_> = help.lines().take_while(|line| !line.contains("MOVE")).collect();
            assert_eq!(kinds.len(), examples, "{help}");
            assert_eq!(
                kinds.iter().filter(|line| line.contains("and remove a man")).count(),
                if examples == 4 { 2 } else { 0 }
            );
        }
    }

    #[test]
    fn parses_every_listed_command() {
        for (syntax, ..) in COMMANDS {
            let (word, argument) = syntax.split_once(' ').unwrap_or((syntax, ""));
            let argument = argument.replace("[COUNT]", "3");
            assert!(matches!(SessionCommand::read(&format!(" {word}  {argument} ")), Ok(Some(_))), "{syntax}");
            assert!(
                matches!(SessionCommand::read(&word.to_uppercase()), Ok(Some(_)) | Err(CommandSyntaxError(_))),
                "{syntax}"
            );
        }
    }

    #[test]
    fn distinguishes_moves_from_malformed_commands() {
        for text in ["  ", "B 4,5", "undone"] {
            assert_eq!(SessionCommand::read(text), Ok(None));
        }
        assert_eq!(SessionCommand::read("undo 2"), Err(CommandSyntaxError("undo")));
        assert_eq!(SessionCommand::read("save"), Err(CommandSyntaxError("save FILE")));
        assert_eq!(
            SessionCommand::read("save! my game.ggf"),
            Ok(Some(SessionCommand::Save { file: "my game.ggf".to_owned(), overwrite: true }))
        );
        for text in ["hint 0", "hint x", "hint -1"] {
            assert!(SessionCommand::read(text).unwrap_err().to_string().contains("such as `hint 3`"));
        }
    }
}
