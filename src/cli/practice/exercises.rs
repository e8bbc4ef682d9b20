//! `morello practice`: asks for the best moves of exercises in the terminal.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use morello_analysis::Exercise;
use morello_command::{eprint_line, files, help};
use morello_core::bounded_file::read_file;
use morello_core::game::{AnyPosition, Game, Position as _, Scoring};
use morello_core::games;
use morello_core::printable::in_a_line;
use morello_files::input::{MAX_LINE_INPUT_BYTES, read_line};
use morello_play::text::LineEditor;
use morello_play::text::draw::{Style, draw};

use super::board_style::{ColorMode, board_style};
use super::line_editor::Editor;
use super::review::text::loss_text;

/// The most points of a move.
const MAX_POINTS: f64 = 64.0;

/// The largest file of exercises.
const MAX_BYTES: u64 = 64 << 20;

const EXAMPLES: &str = "\
Examples:
  morello review othello games.pgn --exercises mistakes.jsonl
  morello practice mistakes.jsonl";

/// Find the best moves of exercises, such as your own mistakes
///
/// `morello review --exercises` writes such files. Each board is shown with the side to move: type a
/// move. `solution` shows the answer, `next` goes on, `quit` ends.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// File of exercises
    file: PathBuf,

    /// Whether to use colors
    ///
    /// With auto, colors are used on a terminal unless NO_COLOR is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = help::OUTPUT)]
    color: ColorMode,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    files::input(&arguments.file)?;
    let exercises = read(&arguments.file)?;
    let style = board_style(arguments.color);
    let mut lines = Lines { editor: Editor::of_terminal() };
    let (mut solved, mut tried) = (0, 0);
    for (number, (exercise, position)) in (1..).zip(&exercises) {
        say(&format!("\nExercise {number} of {}", exercises.len()))?;
        if let Some(source) = &exercise.source {
            say(&in_a_line(source))?;
        }
        match ask(exercise, position, style, &mut lines)? {
            None => break,
            Some(is_solved) => {
                tried += 1;
                solved += u32::from(is_solved);
            }
        }
    }
    say(&format!("\n{solved} of {tried} solved at the first try."))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the exercises with their positions.
fn read(file: &PathBuf) -> anyhow::Result<Vec<(Exercise, AnyPosition)>> {
    let name = file.display();
    let bytes = read_file(file, MAX_BYTES).with_context(|| format!("cannot read `{name}`"))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut exercises = Vec::new();
    for (line, text) in (1..).zip(String::from_utf8_lossy(bytes).lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let place = || format!("`{name}`, line {line}");
        let exercise: Exercise = serde_json::from_str(text).map_err(|error| {
            anyhow!("{}: not an exercise: {error}; `morello review --exercises` writes such files", place())
        })?;
        let position = games::get(&exercise.game).with_context(place)?.parse_position(&exercise.start);
        let position = position.map_err(|error| anyhow!("{}: {error}", place()))?;
        check(&exercise, &position).map_err(|error| anyhow!("{}: {error}", place()))?;
        exercises.push((exercise, position));
    }
    if exercises.is_empty() {
        eprint_line(format_args!("`{name}` has no exercises"));
    }
    Ok(exercises)
}

/// Rejects an exercise that cannot be solved, or contradicts itself.
fn check(exercise: &Exercise, position: &AnyPosition) -> Result<(), String> {
    let Some(best) = exercise.best.first() else { return Err("the exercise has no best move".to_owned()) };
    if let Some(m) = exercise.best.iter().chain(exercise.values.keys()).find(|m| position.find_move(m).is_none()) {
        return Err(format!("`{}` is not a legal move of the position", in_a_line(m)));
    }
    if exercise.side != position.side_to_move() {
        return Err(format!(
            "the side is {}, but {} is to move in the position",
            exercise.side,
            position.side_to_move()
        ));
    }
    let highest = exercise.values.values().copied().fold(f64::NEG_INFINITY, f64::max);
    match exercise.values.get(best) {
        Some(&value) if value < highest => Err(format!("`{}` has not the highest value", in_a_line(best))),
        _ if exercise.values.values().any(|value| value.abs() > MAX_POINTS) => {
            Err(format!("a value is not from -{MAX_POINTS} to {MAX_POINTS} points"))
        }
        _ => Ok(()),
    }
}

/// Asks for the best move until it is found; returns whether that was at the first try, or `None` to
/// end.
fn ask(exercise: &Exercise, position: &AnyPosition, style: Style, lines: &mut Lines) -> anyhow::Result<Option<bool>> {
    say(draw(&Game::new(*position), style).trim_end_matches('\n'))?;
    let task = match exercise.outcome.as_deref() {
        Some(outcome @ ("win" | "draw")) => format!("find the move that keeps the {outcome}"),
        _ => "find the best move".to_owned(),
    };
    say(&format!("{} to move: {task}.", exercise.side))?;
    let mut is_first = true;
    loop {
        let words = position.legal_moves().map(|m| m.to_string()).chain(["solution", "next", "quit"].map(Into::into));
        let Some(line) = lines.next("> ", words.collect())? else { return Ok(None) };
        match line.trim() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(None),
            "next" | "n" => return Ok(Some(false)),
            "solution" | "s" => {
                say(&format!("The best move is {}.", exercise.best.join(" or ")))?;
                return Ok(Some(false));
            }
            text => match position.find_move(text).map(|m| m.to_string()) {
                Some(m) if exercise.is_right(&m) => {
                    say(&format!("Right: {m}{}.", right(exercise, position, &m)))?;
                    return Ok(Some(is_first));
                }
                Some(m) => {
                    is_first = false;
                    say(&wrong(exercise, position, &m))?;
                }
                None => say("Type a legal move, `solution`, `next` or `quit`.")?,
            },
        }
    }
}

/// Returns how good a right move is.
fn right(exercise: &Exercise, position: &AnyPosition, m: &str) -> String {
    match exercise.values.get(m) {
        Some(points) if position.game().info().scoring == Scoring::Margin => format!(" ({points:+.1})"),
        _ => String::new(),
    }
}

/// Says what a wrong move loses.
fn wrong(exercise: &Exercise, position: &AnyPosition, m: &str) -> String {
    let scoring = position.game().info().scoring;
    let played = if exercise.played.as_deref() == Some(m) { ", as in the game" } else { "" };
    match exercise.loss(m) {
        Some(loss) => format!("{m} loses {}{played}. Try again.", loss_text(scoring, loss)),
        None => format!("{m} is not the move{played}. Try again."),
    }
}

/// The lines that the user types.
struct Lines {
    editor: Option<Editor>,
}

impl Lines {
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

/// Prints a line.
fn say(line: &str) -> anyhow::Result<()> {
    let mut output = io::stdout();
    writeln!(output, "{line}").and_then(|()| output.flush()).context("cannot write to standard output")
}
