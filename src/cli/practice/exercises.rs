//! `morello practice FILE`: asks for the best moves of exercises.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use morello_analysis::Exercise;
use morello_command::files;
use morello_core::bounded_file::read_file;
use morello_core::game::{AnyMove, AnyPosition, Game, Position as _};
use morello_core::games;
use morello_core::printable::in_a_line;
use morello_play::text::draw::Style;

use super::FilterArguments;
use super::prompt::{Answer, Prompt, Task, say};
use crate::cli::review::text::loss_text;

/// The most points of a move.
const MAX_POINTS: f64 = 64.0;

/// The largest file of exercises.
const MAX_BYTES: u64 = 64 << 20;

/// Asks for the best moves of the exercises of files that pass the filters.
pub(super) fn run(paths: &[PathBuf], filters: &FilterArguments, style: Style) -> anyhow::Result<ExitCode> {
    let mut exercises = Vec::new();
    for path in paths {
        exercises.extend(read(path)?);
    }
    let options = filters.options();
    exercises.retain(|(exercise, _)| options.accepts(exercise));
    let total = exercises.len();
    if total == 0 {
        bail!("no exercise of {} matches; choose another --difficulty or --theme", files::names(paths));
    }
    ask_all(exercises.into_iter().map(Ok), Some(total), style)
}

/// Asks for the best moves of exercises, of which there are `total` if that is known.
pub(super) fn ask_all(
    exercises: impl Iterator<Item = anyhow::Result<(Exercise, AnyPosition)>>,
    total: Option<usize>,
    style: Style,
) -> anyhow::Result<ExitCode> {
    let mut prompt = Prompt::new(style);
    let (mut solved, mut tried) = (0, 0);
    for (number, exercise) in (1..).zip(exercises) {
        let (exercise, position) = &exercise?;
        let of = total.map_or(String::new(), |total| format!(" of {total}"));
        let difficulty = exercise.difficulty.map_or(String::new(), |difficulty| format!(" ({})", difficulty.name()));
        say(&format!("\nExercise {number}{of}{difficulty}"))?;
        if let Some(source) = &exercise.source {
            say(&in_a_line(source))?;
        }
        let text = match exercise.outcome.as_deref() {
            Some(outcome @ ("win" | "draw")) => format!("find the move that keeps the {outcome}"),
            _ => "find the best move".to_owned(),
        };
        let task = Task { text, solution: "The best move is", shows_skipped: false };
        let mut on_wrong = |m: AnyMove| Ok(wrong(exercise, position, &m.to_string()));
        let answer = prompt.ask(&Game::new(*position), exercise, &task, &mut on_wrong)?;
        if matches!(answer, Answer::Quit) {
            break;
        }
        tried += 1;
        solved += u32::from(matches!(answer, Answer::Right(_, true)));
    }
    say(&format!("\n{solved} of {tried} solved at the first try."))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the exercises with their positions.
fn read(file: &Path) -> anyhow::Result<Vec<(Exercise, AnyPosition)>> {
    let name = file.display();
    let bytes = match read_file(file, MAX_BYTES) {
        Err(_) if !file.exists() => {
            let game = file.to_str().filter(|name| games::get(name).is_ok()).map(|game| format!(" {game}"));
            let game = game.unwrap_or_default();
            bail!(
                "`{name}` does not exist; `morello practice endgames{game}` and `morello practice openings{game}` need \
                    no file"
            )
        }
        bytes => bytes.with_context(|| format!("cannot read `{name}`"))?,
    };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut exercises = Vec::new();
    for (line, text) in (1..).zip(String::from_utf8_lossy(bytes).lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let place = || format!("`{name}`, line {line}");
        let exercise: Exercise = serde_json::from_str(text).map_err(|error| {
            anyhow!(
                "{}: not an exercise ({error}); `morello review --exercises` and `morello practice endgames -o` write \
                    such files",
                place()
            )
        })?;
        let position = games::get(&exercise.game).with_context(place)?.parse_position(&exercise.start);
        let position = position.map_err(|error| anyhow!("{}: {error}", place()))?;
        check(&exercise, &position).map_err(|error| anyhow!("{}: {error}", place()))?;
        exercises.push((exercise, position));
    }
    if exercises.is_empty() {
        bail!("`{name}` has no exercises");
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
        Some(&value) if value < highest => Err(format!("`{}` does not have the highest value", in_a_line(best))),
        _ if exercise.values.values().any(|value| value.abs() > MAX_POINTS) => {
            Err(format!("a value is not between -{MAX_POINTS} and {MAX_POINTS} points"))
        }
        _ => Ok(()),
    }
}

/// Says what a wrong move loses.
fn wrong(exercise: &Exercise, position: &AnyPosition, m: &str) -> String {
    let scoring = position.game().info().scoring;
    let played = if exercise.played.as_deref() == Some(m) { ", as in the game" } else { "" };
    match exercise.loss(m) {
        Some(loss) => format!("{m} loses {}{played}. Try again.", loss_text(scoring, loss)),
        None => match exercise.outcome.as_deref() {
            Some(outcome @ ("win" | "draw")) => format!("{m} does not keep the {outcome}{played}. Try again."),
            _ => format!("{m} is not the best move{played}. Try again."),
        },
    }
}
