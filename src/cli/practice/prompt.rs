//! Asks for the move of a position.

use std::io::{self, Write as _};

use anyhow::Context;
use morello_analysis::Exercise;
use morello_command::signals;
use morello_core::game::{AnyMove, AnyPosition, Game, Position as _, Scoring};
use morello_core::printable::in_a_line;
use morello_files::input::{MAX_LINE_INPUT_BYTES, read_line};
use morello_play::session::read_move;
use morello_play::text::draw::{Style, draw};
use morello_play::text::{LineEditor as _, pieces};

use crate::cli::line_editor::Editor;

/// The lines that the user types, and how boards are drawn.
pub(super) struct Prompt {
    editor: Option<Editor>,
    style: Style,
}

/// What is asked of a position.
pub(super) struct Task {
    /// In the imperative: `find the best move`.
    pub text: String,
    /// The words before a solution: `The best move is`.
    pub solution: &'static str,
    /// Whether `next` shows the solution too.
    pub shows_skipped: bool,
}

/// The answer to a question.
pub(super) enum Answer {
    /// A right move, and whether it was the first one.
    Right(AnyMove, bool),
    /// The user has given up.
    None,
    /// The user ends the practice.
    Quit,
}

impl Prompt {
    pub fn new(style: Style) -> Self {
        let editor = Editor::of_terminal();
        if editor.is_some() {
            // Without it, signals still end the program, but leave the terminal as it is.
            let _ = signals::on_signal(|_| signals::exit());
        }
        Self { editor, style }
    }

    /// Asks for a move of the exercise at the end of a game until the user finds a right one or gives up. `on_wrong`
    /// returns why a move is wrong.
    pub fn ask(
        &mut self,
        game: &Game,
        exercise: &Exercise,
        task: &Task,
        on_wrong: &mut dyn FnMut(AnyMove) -> anyhow::Result<String>,
    ) -> anyhow::Result<Answer> {
        let position = game.position();
        say(draw(game, self.style).trim_end_matches('\n'))?;
        if position.in_hand(exercise.side).is_some() {
            say(&format!("{}.", pieces(game)))?;
        }
        say(&format!("{} to move: {}.", exercise.side, task.text))?;
        let mut is_first = true;
        loop {
            let words = position.legal_moves().map(|m| m.to_string());
            let words = words.chain(["solution", "next", "quit"].map(Into::into)).collect();
            let Some(line) = self.next("> ", words)? else { return Ok(Answer::Quit) };
            match line.trim() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Answer::Quit),
                word @ ("next" | "n" | "solution" | "s") => {
                    if word.starts_with('s') || task.shows_skipped {
                        say(&format!("{} {}.{}", task.solution, exercise.best.join(" or "), themes(exercise)))?;
                    }
                    return Ok(Answer::None);
                }
                text => match read_move(game, text) {
                    Ok(m) if exercise.is_right(&m.to_string()) => {
                        say(&format!("Right: {m}{}.{}", value(exercise, position, m), themes(exercise)))?;
                        return Ok(Answer::Right(m, is_first));
                    }
                    Ok(m) => {
                        is_first = false;
                        say(&on_wrong(m)?)?;
                    }
                    Err(error) => {
                        say(&format!("Invalid move: {}", in_a_line(&error.reason())))?;
                        say("Type a legal move, `solution`, `next` or `quit`.")?;
                    }
                },
            }
        }
    }

    fn next(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Option<String>> {
        let read = match &mut self.editor {
            Some(editor) => editor.read_line(prompt, words),
            None => read_line(&mut io::stdin().lock(), MAX_LINE_INPUT_BYTES),
        };
        match read {
            // Ctrl-C ends the practice.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            read => read.context("cannot read the answer"),
        }
    }
}

/// Returns how good a right move is.
fn value(exercise: &Exercise, position: &AnyPosition, m: AnyMove) -> String {
    match exercise.values.get(&m.to_string()) {
        Some(points) if position.game().info().scoring == Scoring::Margin => format!(" ({points:+.1})"),
        _ => String::new(),
    }
}

/// Returns the themes of an exercise, as a sentence.
fn themes(exercise: &Exercise) -> String {
    let names: Vec<_> = exercise.themes.iter().map(|theme| theme.name()).collect();
    if names.is_empty() { String::new() } else { format!(" Theme: {}.", names.join(", ")) }
}

/// Prints a line.
pub(super) fn say(line: &str) -> anyhow::Result<()> {
    let mut output = io::stdout();
    writeln!(output, "{line}").and_then(|()| output.flush()).context("cannot write to standard output")
}
