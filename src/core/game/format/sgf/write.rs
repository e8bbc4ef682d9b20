//! Writes SGF.

use std::fmt::Write as _;

use crate::game::format::pgn;
use crate::game::{
    AnnotatedGame, AnyMove, AnyPosition, Color, GameError, MoveTree, Note, Position as _, Scoring, Tags, Termination,
    WriteResult,
};
use crate::printable::in_a_line;

const STRING: &str = "writing to a string cannot fail";

/// Writes a game on one line, given its SGF number. Without a recorded result, the result on the
/// board is written.
pub(super) fn write(annotated: &AnnotatedGame, number: usize) -> WriteResult {
    let AnnotatedGame { game, tags, notes, tree, .. } = annotated;
    let (start, rules) = (game.start(), game.start().game());
    let mut text = format!("(;FF[4]GM[{number}]CA[UTF-8]AP[morello:{}]", env!("CARGO_PKG_VERSION"));
    match rules.info().scoring {
        Scoring::Margin => property(&mut text, "SZ", &rules.layout().columns.to_string()),
        Scoring::Distance => property(&mut text, "RU", rules.name()),
    }
    write_tags(&mut text, tags, rules.info().scoring, game.points(Color::Black));
    if !start.is_start() {
        write_start(&mut text, start)?;
    }
    if let Some(tree) = tree {
        write_comment(&mut text, &tree.node(0).comment);
        write_line(&mut text, tree, 0);
    } else {
        for (ply, m) in game.moves().iter().enumerate() {
            let note = notes.get(ply).copied().unwrap_or_default();
            write_move(&mut text, *m, note, game.positions()[ply].side_to_move());
        }
    }
    Ok(text + ")")
}

/// Adds a property.
fn property(text: &mut String, name: &str, value: &str) {
    let value = in_a_line(value).replace('\\', "\\\\").replace(']', "\\]");
    write!(text, "{name}[{value}]").expect(STRING);
}

fn letter(color: Color) -> char {
    color.letter().to_ascii_uppercase()
}

fn write_tags(text: &mut String, tags: &Tags, scoring: Scoring, board: Option<i32>) {
    let [black, white] = &tags.names;
    let ratings = tags.ratings.map(|rating| rating.map(|rating| rating.to_string()));
    let [black_rating, white_rating] = &ratings;
    let (event, date) = (&tags.tournament, tags.date.as_deref().map(pgn::iso_date_and_time));
    let values =
        [("EV", event), ("DT", &date), ("PB", black), ("PW", white), ("BR", black_rating), ("WR", white_rating)];
    for (name, value) in values {
        if let Some(value) = value {
            property(text, name, value);
        }
    }
    let points = tags.points_or(board);
    let ending = tags.termination.filter(|_| points.is_some_and(|points| points != 0.0)).and_then(ending);
    property(text, "RE", &points.map_or("?".to_owned(), |points| result(points, scoring, ending)));
    // The letters do not distinguish all reasons.
    let is_told = |reason: &Termination| matches!(reason, Termination::Resignation | Termination::Timeout);
    if let Some(reason) = tags.termination.filter(|reason| !is_told(reason) || ending.is_none()) {
        property(text, "TE", reason.name());
    }
    if let Some(points) = points.filter(|_| ending.is_some() && scoring == Scoring::Margin) {
        property(text, "SCORE", &format!("{points:+}"));
    }
}

/// Returns the letter for a reason for an early end.
fn ending(termination: Termination) -> Option<&'static str> {
    match termination {
        Termination::Resignation => Some("R"),
        Termination::Timeout => Some("T"),
        Termination::IllegalMove | Termination::Crash => Some("F"),
        Termination::Adjudication | Termination::Agreement | Termination::Other => None,
    }
}

/// Returns the result as text, from the points for Black.
fn result(points: f64, scoring: Scoring, ending: Option<&str>) -> String {
    let winner = if points > 0.0 { 'B' } else { 'W' };
    match (ending, scoring) {
        _ if points == 0.0 => "0".to_owned(),
        (Some(ending), _) => format!("{winner}+{ending}"),
        (None, Scoring::Margin) => format!("{winner}+{}", points.abs()),
        (None, Scoring::Distance) => format!("{winner}+"),
    }
}

/// Writes a start position.
fn write_start(text: &mut String, start: &AnyPosition) -> Result<(), GameError> {
    let layout = start.game().layout();
    let pieces: Vec<_> = (0..layout.points.len()).map(|point| start.piece_at(point)).collect();
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let points = layout.points.iter().zip(&pieces).filter(|(_, piece)| **piece == Some(color));
        let points: String = points.map(|(point, _)| format!("[{}]", point.name)).collect();
        if !points.is_empty() {
            *text += name;
            *text += &points;
        }
    }
    property(text, "PL", &letter(start.side_to_move()).to_string());
    let in_hand = Color::ALL.map(|color| start.in_hand(color));
    for (name, color) in [("HB", Color::Black), ("HW", Color::White)] {
        if let Some(men) = in_hand[color.index()] {
            property(text, name, &men.to_string());
        }
    }
    // Without pieces on the usual squares, the usual pieces would be added.
    let usual = start.game().start();
    let mut starts = (0..pieces.len()).filter(|&point| usual.piece_at(point).is_some()).peekable();
    let is_whole = starts.peek().is_none() || starts.any(|point| pieces[point].is_some());
    let arranged = start.game().arrange(&pieces, in_hand.map(Option::unwrap_or_default), start.side_to_move());
    if is_whole && arranged.is_ok_and(|arranged| arranged == *start) {
        return Ok(());
    }
    Err(GameError::new(format!("SGF cannot represent the start position `{start}`; write the game as a move list")))
}

/// Writes the moves after a node: the whole line first, then its variations, starting with the
/// last.
fn write_line(text: &mut String, tree: &MoveTree, mut at: usize) {
    let mut variations = Vec::new();
    while let [first, others @ ..] = tree.children(at) {
        if !others.is_empty() {
            text.push('(');
            variations.push(others);
        }
        write_node(text, tree, *first);
        at = *first;
    }
    for others in variations.into_iter().rev() {
        text.push(')');
        for &other in others {
            text.push('(');
            write_node(text, tree, other);
            write_line(text, tree, other);
            text.push(')');
        }
    }
}

fn write_node(text: &mut String, tree: &MoveTree, at: usize) {
    let node = tree.node(at);
    if let (Some(m), Some(parent)) = (node.played, tree.parent(at)) {
        write_move(text, m, node.note, tree.node(parent).position.side_to_move());
    }
    write_comment(text, &node.comment);
}

fn write_move(text: &mut String, m: AnyMove, note: Note, color: Color) {
    let name = if AnyPosition::is_pass(m) { String::new() } else { m.to_string() };
    write!(text, ";{}[{name}]", letter(color)).expect(STRING);
    write_note(text, note, color);
}

fn write_comment(text: &mut String, comment: &str) {
    if !comment.is_empty() {
        property(text, "C", comment);
    }
}

fn write_note(text: &mut String, note: Note, color: Color) {
    // The difference is never -0.
    let for_black = note.eval.map(|eval| if color == Color::Black { eval } else { 0.0 - eval });
    for (name, value) in [("V", for_black), ("ET", note.seconds)] {
        if let Some(value) = value {
            property(text, name, &value.to_string());
        }
    }
}
