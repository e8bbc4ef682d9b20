//! The messages of a terminal game: status, evaluations and results.

use std::error::Error;
use std::path::Path;

use morello_core::causes::with_causes;
use morello_core::game::{AnyGame, Choice, Color, Game, MetadataKind, Outcome, Position as _, Scoring, Tags};
use morello_core::printable::{is_hidden, printable_lines};

use crate::session::{LineView, OpeningView, ScoreView, SearchView};

/// The maximum number of moves shown for a line.
const MAX_LINE_PLIES: usize = 12;

/// Introduces a game: its sides and what to type. `names` are the players of Black and White.
pub(super) fn welcome(game: &Game, names: [&str; 2]) -> String {
    let position = game.position();
    let (rules, first) = (position.game(), position.side_to_move());
    let player = |side: Color| match names[side.index()] {
        "you" => format!("you are {side}"),
        name => format!("{side} is {name}"),
    };
    let example = position.legal_moves().next().map_or_else(String::new, |m| format!(" `{m}` or"));
    format!("{}: {}, {}. Type{example} `help`.", rules.info().title, player(first), player(!first))
}

/// Describes the pieces of both sides and, in a running game, the side to move.
pub(super) fn status(game: &Game, is_over: bool) -> String {
    let side = game.position().side_to_move();
    let to_move = if is_over { String::new() } else { format!("; {side} to move") };
    format!("{}{to_move}", pieces(game))
}

/// Names the opening of a game, for the command `opening`.
pub(super) fn opening(game: &Game) -> String {
    let rules = game.position().game();
    match OpeningView::new(game) {
        Some(opening) => describe_opening(&opening),
        None if rules.opening_names().is_none() => format!("The openings of {} have no names", rules.name()),
        None => "The game has not reached a named opening".to_owned(),
    }
}

/// Names the opening that a game has just reached, if any.
pub(super) fn new_opening(game: &Game) -> Option<String> {
    OpeningView::new(game).filter(|opening| opening.ply == game.moves().len()).map(|opening| describe_opening(&opening))
}

fn describe_opening(opening: &OpeningView) -> String {
    let also =
        if opening.other_names.is_empty() { String::new() } else { format!(" ({})", opening.other_names.join(", ")) };
    format!("Opening: {}{also}", opening.name)
}

/// Describes the pieces of both sides, on the board and in hand, starting with the side that moved first.
#[must_use]
pub fn pieces(game: &Game) -> String {
    let position = game.position();
    let rules = position.game();
    let (points, first, words) = (rules.layout().points.len(), rules.start().side_to_move(), rules.info().terminology);
    let of = |color: Color| {
        let count = (0..points).filter(|&point| position.piece_at(point) == Some(color)).count();
        match position.in_hand(color) {
            Some(hand) => format!("{color}: {hand} in hand, {count} on board"),
            None if color == first => format!("{color} {count}"),
            None => format!("{color} {count} {}", if count == 1 { words.piece } else { words.pieces }),
        }
    };
    let between = if position.in_hand(first).is_some() { "; " } else { ", " };
    [first, !first].map(of).join(between)
}

/// Describes the end of a game: the reason, the pieces and, in games with a margin, the margin.
/// `off_board` means that the result was not decided on the board.
pub(super) fn result(game: &Game, outcome: Outcome, reason: &str, off_board: bool) -> String {
    let counts = game.position().game().info().scoring == Scoring::Margin && !off_board;
    let margin = outcome.winner().filter(|_| counts);
    let margin = margin.and_then(|winner| game.points(winner)).map(|points| {
        let empties = if game.position().empty_count() == Some(0) { "" } else { ", counting the empty squares" };
        format!("; won by {points}{empties}")
    });
    format!("{reason} ({}{})", pieces(game), margin.unwrap_or_default())
}

/// Reports that a game was saved, and lists the details that the format cannot store.
pub(super) fn saved(path: &Path, lost: &[MetadataKind]) -> String {
    let mut text = format!("Saved as `{}`", path.display());
    if !lost.is_empty() {
        let lost: Vec<_> = lost.iter().map(ToString::to_string).collect();
        text += &format!(", without {}", lost.join(", "));
    }
    text
}

/// The maximum number of characters of user input that are shown.
const MAX_SHOWN: usize = 200;

/// Makes text safe to show on a terminal: shortens it and removes control characters.
pub(super) fn sanitize(text: &str) -> String {
    let shown = text.chars().take(MAX_SHOWN).map(|c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c });
    let mut shown: String = shown.collect();
    if text.chars().nth(MAX_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Describes a recorded result: `won by Black, by resignation`; `None` if neither the result nor
/// the reason for the end is known.
pub(super) fn recorded_result(tags: &Tags) -> Option<String> {
    let how = tags.termination.map_or_else(String::new, |termination| format!(", {termination}"));
    let result = match tags.result.map(|result| result.points) {
        Some(points) if points > 0.0 => "won by Black",
        Some(points) if points < 0.0 => "won by White",
        Some(_) => "a draw",
        None if how.is_empty() => return None,
        None => "ended",
    };
    Some(format!("{result}{how}"))
}

/// Capitalizes the first letter.
pub(super) fn capitalize(text: &str) -> String {
    let text = printable_lines(text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// Describes an error and its causes.
pub(super) fn failure(error: &(dyn Error + 'static)) -> String {
    capitalize(&with_causes(error))
}

/// Describes the search behind a player's move.
pub(super) fn choice(game: &dyn AnyGame, choice: &Choice) -> String {
    let facts = [
        choice.score.map(|score| ScoreView::new(score, game.info().scoring).text),
        choice.depth.filter(|&depth| depth > 0).map(|depth| format!("depth {depth}")),
        choice.nodes.filter(|&nodes| nodes > 0).map(|nodes| format!("{nodes} nodes")),
    ];
    let facts: Vec<_> = facts.into_iter().flatten().collect();
    if facts.is_empty() { String::new() } else { format!("  ({})", facts.join(", ")) }
}

/// Describes the evaluation of a position in one or more lines.
pub(super) fn evaluation(game: &dyn AnyGame, thought: &SearchView) -> String {
    let Some(best) = thought.lines.first() else { return String::new() };
    let unit = match game.info().scoring {
        Scoring::Margin => format!(" {}", game.info().terminology.pieces),
        Scoring::Distance => String::new(),
    };
    let note = thought.note.map_or_else(String::new, |note| format!("\nNote: {note}"));
    let (side, score, certainty) = (thought.side, &best.score.text, describe_certainty(thought, best));
    format!("{side}: {score}{unit}, {certainty}\nBest line: {}{note}", line_text(best))
}

/// Describes the best moves, one per line.
pub(super) fn lines(thought: &SearchView) -> String {
    let Some(best) = thought.lines.first() else { return String::new() };
    let width = thought.lines.iter().map(|line| line.score.text.chars().count()).max().unwrap_or(0);
    let line =
        |(line, number): (&LineView, u32)| format!("{number}. {:<width$}  {}\n", line.score.text, line_text(line));
    let lines: String = thought.lines.iter().zip(1..).map(line).collect();
    format!("{lines}For {}: {}", thought.side, describe_certainty(thought, best))
}

/// Describes whether a score is exact, and the effort of the search.
fn describe_certainty(thought: &SearchView, line: &LineView) -> String {
    let effort = format!("depth {}, {} nodes, {:.1} s", thought.depth, thought.nodes, thought.time_ms as f64 / 1000.0);
    if line.score.exact { format!("exact ({effort})") } else { format!("an estimate ({effort})") }
}

fn line_text(line: &LineView) -> String {
    let shown = line.moves.len().min(MAX_LINE_PLIES);
    let more = if shown < line.moves.len() { " ..." } else { "" };
    format!("{}{more}", line.moves[..shown].join(" "))
}
