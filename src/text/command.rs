//! [`Typed`]: what a person types at the board: a move, or one of the commands.

use std::fmt::Write as _;

use thiserror::Error;

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// Nothing.
    Nothing,
    /// Whatever is no command: a move, it is hoped.
    Move(String),
    /// A command.
    Command(Command),
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
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
        over: bool,
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
pub struct WrongForm(&'static str);

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

impl Typed {
    /// Reads a line, without the blanks around it.
    ///
    /// # Errors
    /// [`WrongForm`] if it begins with the word of a command and does not go on as that does.
    pub fn read(line: &str) -> Result<Self, WrongForm> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let command = match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => return Ok(Self::Nothing),
            ("hint", "") => Command::Hint(1),
            ("hint", count) => match count.parse() {
                Ok(count @ 1..) => Command::Hint(count),
                _ => return Err(WrongForm("hint COUNT` with a whole number above 0, as `hint 3")),
            },
            ("save", "") | ("save!", "") => return Err(WrongForm("save FILE")),
            ("save", file) => Command::Save { file: file.to_owned(), over: false },
            ("save!", file) => Command::Save { file: file.to_owned(), over: true },
            ("load", "") => return Err(WrongForm("load FILE")),
            ("load", file) => Command::Load(file.to_owned()),
            (word, rest) => {
                let (form, command) = match word {
                    "eval" => ("eval", Command::Eval),
                    "moves" => ("moves", Command::Moves),
                    "undo" => ("undo", Command::Undo),
                    "redo" => ("redo", Command::Redo),
                    "new" => ("new", Command::New),
                    "board" => ("board", Command::Board),
                    "resign" => ("resign", Command::Resign),
                    "help" | "?" => ("help", Command::Help),
                    "quit" | "exit" => ("quit", Command::Quit),
                    _ => return Ok(Self::Move(line.to_owned())),
                };
                if !rest.is_empty() {
                    return Err(WrongForm(form));
                }
                command
            }
        };
        Ok(Self::Command(command))
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
    fn every_command_of_the_list_is_one() {
        for (form, _) in COMMANDS {
            let (word, argument) = form.split_once(' ').unwrap_or((form, ""));
            let argument = argument.replace("[COUNT]", "3");
            assert!(matches!(Typed::read(&format!(" {word}  {argument} ")), Ok(Typed::Command(_))), "{form}");
            assert!(matches!(Typed::read(&word.to_uppercase()), Ok(Typed::Command(_)) | Err(WrongForm(_))), "{form}");
        }
    }

    #[test]
    fn moves_and_wrong_forms_are_told_apart() {
        assert_eq!(Typed::read("  "), Ok(Typed::Nothing));
        assert_eq!(Typed::read("B 4,5"), Ok(Typed::Move("B 4,5".to_owned())));
        assert_eq!(Typed::read("undone"), Ok(Typed::Move("undone".to_owned())));
        assert_eq!(Typed::read("undo 2"), Err(WrongForm("undo")));
        assert_eq!(Typed::read("save"), Err(WrongForm("save FILE")));
        assert_eq!(
            Typed::read("save! my game.ggf"),
            Ok(Typed::Command(Command::Save { file: "my game.ggf".to_owned(), over: true }))
        );
        for text in ["hint 0", "hint x", "hint -1"] {
            assert!(Typed::read(text).unwrap_err().to_string().contains("as `hint 3`"));
        }
    }
}
