//! [`Command`]: what a person types at the board beside moves.

use std::fmt::Write as _;

use thiserror::Error;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// The best moves, so many.
    Hint(usize),
    /// What the position is worth.
    Eval,
    /// The legal moves.
    Moves,
    /// Take a move back.
    Undo,
    /// Make it again.
    Redo,
    /// Write the game to a file, whatever the file holds if `over` is set.
    Save {
        /// The file.
        file: String,
        /// Whether what it holds may be lost.
        overwrite: bool,
    },
    /// Read a game from a file.
    Load(String),
    /// Begin a new game.
    New,
    /// Draw the board.
    Board,
    /// Give the game up.
    Resign,
    /// Tell the commands.
    Help,
    /// End the program.
    Quit,
}

/// A command that lacks something, or has something that it does not take.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("write `{0}`")]
pub struct CommandSyntaxError(&'static str);

/// How each command is written, and what it does.
const COMMANDS: &[(&str, &str)] = &[
    ("hint [COUNT]", "the best moves, one or so many, with their scores and lines"),
    ("eval", "what the position is worth, and the best line"),
    ("moves", "the legal moves"),
    ("undo", "take your last move back, and what was answered"),
    ("redo", "make it again"),
    ("save FILE", "write the game; `save! FILE` even over another file"),
    ("load FILE", "go on with a game or position of a file"),
    ("new", "begin a new game"),
    ("board", "draw the board"),
    ("resign", "give the game up"),
    ("help", "this list"),
    ("quit", "end"),
];

impl Command {
    /// Reads a line, without the blanks around it; `None` if it does not begin with the word of a command.
    ///
    /// # Errors
    /// [`WrongForm`] if it begins with the word of a command and does not go on as that does.
    pub(super) fn read(line: &str) -> Result<Option<Self>, CommandSyntaxError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let command = match (word.to_ascii_lowercase().as_str(), rest) {
            ("hint", "") => Self::Hint(1),
            ("hint", count) => match count.parse() {
                Ok(count @ 1..) => Self::Hint(count),
                _ => return Err(CommandSyntaxError("hint COUNT` with a whole number above 0, as `hint 3")),
            },
            ("save", "") | ("save!", "") => return Err(CommandSyntaxError("save FILE")),
            ("save", file) => Self::Save { file: file.to_owned(), overwrite: false },
            ("save!", file) => Self::Save { file: file.to_owned(), overwrite: true },
            ("load", "") => return Err(CommandSyntaxError("load FILE")),
            ("load", file) => Self::Load(file.to_owned()),
            (word, rest) => {
                let (form, command) = match word {
                    "eval" => ("eval", Self::Eval),
                    "moves" => ("moves", Self::Moves),
                    "undo" => ("undo", Self::Undo),
                    "redo" => ("redo", Self::Redo),
                    "new" => ("new", Self::New),
                    "board" => ("board", Self::Board),
                    "resign" => ("resign", Self::Resign),
                    "help" | "?" => ("help", Self::Help),
                    "quit" | "exit" => ("quit", Self::Quit),
                    _ => return Ok(None),
                };
                if !rest.is_empty() {
                    return Err(CommandSyntaxError(form));
                }
                command
            }
        };
        Ok(Some(command))
    }
}

/// Returns the list of commands, after moves such as these examples.
#[must_use]
pub fn help(examples: &str) -> String {
    let mut text = String::new();
    let example = format!("a move, such as {examples}");
    for (form, about) in [("MOVE", example.as_str())].iter().chain(COMMANDS) {
        let _ = writeln!(text, "  {form:<14}{about}");
    }
    text += "On the board `+` is where you may go, and brackets are around the points of the last move.";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_listed_command() {
        for (form, _) in COMMANDS {
            let (word, argument) = form.split_once(' ').unwrap_or((form, ""));
            let argument = argument.replace("[COUNT]", "3");
            assert!(matches!(Command::read(&format!(" {word}  {argument} ")), Ok(Some(_))), "{form}");
            assert!(matches!(Command::read(&word.to_uppercase()), Ok(Some(_)) | Err(CommandSyntaxError(_))), "{form}");
        }
    }

    #[test]
    fn distinguishes_moves_from_malformed_commands() {
        for text in ["  ", "B 4,5", "undone"] {
            assert_eq!(Command::read(text), Ok(None));
        }
        assert_eq!(Command::read("undo 2"), Err(CommandSyntaxError("undo")));
        assert_eq!(Command::read("save"), Err(CommandSyntaxError("save FILE")));
        assert_eq!(
            Command::read("save! my game.ggf"),
            Ok(Some(Command::Save { file: "my game.ggf".to_owned(), overwrite: true }))
        );
        for text in ["hint 0", "hint x", "hint -1"] {
            assert!(Command::read(text).unwrap_err().to_string().contains("as `hint 3`"));
        }
    }
}
