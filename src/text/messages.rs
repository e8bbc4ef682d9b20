//! What is told in words: whose move it is, what the engine thinks, how a game ended.

use std::path::Path;

use crate::game::{
    AnyGame, Choice, Color, Game, GameResult, MetadataKind, Outcome, Position as _, Scoring, Termination,
};
use crate::session::{LineView, ScoreView, SearchView};

/// The moves of a line that are told.
const MAX_LINE_PLIES: usize = 12;

/// Tells what each side has, and who is to move if the game goes on.
pub(super) fn status(game: &Game, is_over: bool) -> String {
    let side = game.position().side_to_move();
    let to_move = if is_over { String::new() } else { format!("; {side} to move") };
    format!("{}{to_move}", pieces(game))
}

/// Tells the pieces of the sides, of the one that began first.
fn pieces(game: &Game) -> String {
    let position = game.position();
    let rules = position.game();
    let (points, first, words) = (rules.layout().points.len(), rules.start().side_to_move(), rules.terminology());
    let of = |color: Color| {
        let count = (0..points).filter(|&point| position.piece_at(point) == Some(color)).count();
        match position.in_hand(color) {
            Some(hand) => {
                let pieces = if hand == 1 { words.piece } else { words.pieces };
                format!("{color}: {hand} {pieces} in hand, {count} on the board")
            }
            None if color == first => format!("{color} {count}"),
            None => format!("{color} {count} {}", words.pieces),
        }
    };
    let between = if position.in_hand(first).is_some() { "; " } else { ", " };
    [first, !first].map(of).join(between)
}

/// Tells how a game ended: the reason, what was on the board and, where that counts, by how much. `off_board` says that the board did
/// not decide it.
pub(super) fn result(game: &Game, outcome: Outcome, reason: &str, off_board: bool) -> String {
    let counts = game.position().game().scoring() == Scoring::Margin && !off_board;
    let margin = outcome.winner().filter(|_| counts);
    let margin = margin.and_then(|winner| game.points(winner)).map(|points| {
        let empties = if game.position().empties() == Some(0) { "" } else { ", with the empty squares" };
        format!("; won by {points}{empties}")
    });
    format!("{reason} ({}{})", pieces(game), margin.unwrap_or_default())
}

/// Tells that a game is in a file, and what of it is not.
pub(super) fn saved(path: &Path, lost: &[MetadataKind]) -> String {
    let mut text = format!("Saved as `{}`", path.display());
    if !lost.is_empty() {
        let lost: Vec<_> = lost.iter().map(ToString::to_string).collect();
        text += &format!(", without {}", lost.join(", "));
    }
    text
}

/// The most characters of what was typed that are shown.
const MAX_SHOWN: usize = 200;

/// Returns a text as it may be shown on a terminal: no control characters, and no more than is read.
pub(super) fn sanitize(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MAX_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Tells a result that is not on the board: `won by Black, by resignation`.
pub(super) fn verdict(verdict: GameResult) -> String {
    let how = match verdict.termination {
        None => "",
        Some(Termination::Resignation) => ", by resignation",
        Some(Termination::Timeout) => ", on time",
        Some(Termination::Agreement) => ", by agreement",
    };
    let result = match verdict.points {
        points if points > 0.0 => "won by Black",
        points if points < 0.0 => "won by White",
        _ => "a draw",
    };
    format!("{result}{how}")
}

/// Begins a sentence.
pub(super) fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// Tells what a player made known of its choice.
pub(super) fn choice(game: &dyn AnyGame, choice: &Choice) -> String {
    let told = [
        choice.score.map(|score| ScoreView::new(score, game.scoring()).text),
        choice.depth.filter(|&depth| depth > 0).map(|depth| format!("depth {depth}")),
        choice.nodes.filter(|&nodes| nodes > 0).map(|nodes| format!("{nodes} nodes")),
    ];
    let told: Vec<_> = told.into_iter().flatten().collect();
    if told.is_empty() { String::new() } else { format!("  ({})", told.join(", ")) }
}

/// Tells what a position is worth, and the best line.
pub(super) fn evaluation(game: &dyn AnyGame, thought: &SearchView) -> Vec<String> {
    let Some(best) = thought.lines.first() else { return Vec::new() };
    let unit = match game.scoring() {
        Scoring::Margin => format!(" {}", game.terminology().pieces),
        Scoring::Distance => String::new(),
    };
    let mut told = vec![
        format!("{}: {}{unit}, {}", thought.side, best.score.text, describe_certainty(thought, best)),
        format!("Best line: {}", line(best)),
    ];
    told.extend(thought.note.map(|note| format!("Note: {note}")));
    told
}

/// Tells the best moves, each with its line.
pub(super) fn lines(thought: &SearchView) -> Vec<String> {
    let scores = || thought.lines.iter().map(|line| line.score.text.chars().count());
    let width = scores().max().unwrap_or(0);
    let lines = thought.lines.iter().zip(1..);
    let mut told: Vec<_> =
        lines.map(|(of, number)| format!("{number}. {:<width$}  {}", of.score.text, line(of))).collect();
    told.extend(
        thought.lines.first().map(|best| format!("For {}: {}", thought.side, describe_certainty(thought, best))),
    );
    told
}

/// Tells how far a score can be trusted.
fn describe_certainty(thought: &SearchView, of: &LineView) -> String {
    let effort = format!("depth {}, {} nodes, {:.1} s", thought.depth, thought.nodes, thought.time_ms as f64 / 1000.0);
    if of.score.exact { format!("exact ({effort})") } else { format!("an estimate ({effort})") }
}

fn line(of: &LineView) -> String {
    let shown = of.moves.len().min(MAX_LINE_PLIES);
    let more = if shown < of.moves.len() { " ..." } else { "" };
    format!("{}{more}", of.moves[..shown].join(" "))
}
