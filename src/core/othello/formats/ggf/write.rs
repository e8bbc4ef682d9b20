//! Writes GGF.

use std::fmt::Write as _;

use crate::game::{AnnotatedGame, Color, Note, Position as _, Tags, Termination};
use crate::othello::formats::result;
use crate::othello::{Move, SizedPosition};
use crate::printable::in_a_line;

/// Writes a game with its tags and notes, except the theoretical result.
///
/// Tags cannot contain square brackets or line breaks; they are replaced by parentheses and spaces.
/// Without a recorded result, the result on the board is written.
///
/// ```
/// use morello::game::{AnnotatedGame, Game, Position};
/// use morello::othello::{self, formats::ggf};
///
/// let mut game = Game::new(othello::Position::default());
/// game.play(game.position().parse_move("f5")?)?;
/// assert!(ggf::write(&AnnotatedGame::from(game)).ends_with(" *]B[F5];)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write<const N: usize>(annotated: &AnnotatedGame<SizedPosition<N>>) -> String {
    let AnnotatedGame { game, tags, notes, .. } = annotated;
    let (start, side) = (game.start().to_string(), game.start().side_to_move());
    let result = result_text(tags, result::board_result(game));
    write_moves(write_tags(tags, &result, N, &start), side, game.moves(), notes)
}

fn write_tags(tags: &Tags, result: &str, size: usize, start: &str) -> String {
    let mut text = "(;GM[Othello]".to_owned();
    let mut tag = |name: &str, value: &str| {
        write!(text, "{name}[{}]", in_a_line(value).replace('[', "(").replace(']', ")")).expect(STRING);
    };
    if let Some(tournament) = &tags.tournament {
        tag("PC", tournament);
    }
    if let Some(date) = &tags.date {
        tag("DT", date);
    }
    for (name, color) in [("PB", Color::Black), ("PW", Color::White)] {
        tag(name, tags.names[color.index()].as_deref().unwrap_or_default());
    }
    for (name, color) in [("RB", Color::Black), ("RW", Color::White)] {
        if let Some(rating) = tags.ratings[color.index()] {
            tag(name, &rating.to_string());
        }
    }
    tag("RE", result);
    if let Some(termination) = tags.termination.filter(|&reason| tags.result.is_none() || !has_suffix(reason)) {
        tag("TE", termination.name());
    }
    tag("TY", &size.to_string());
    tag("BO", &format!("{size} {}", start.replace('X', "*")));
    text
}

/// Appends the moves to the tags. `side` makes the first move.
fn write_moves(mut text: String, mut side: Color, moves: &[Move], notes: &[Note]) -> String {
    for (ply, m) in moves.iter().enumerate() {
        let side_letter = if side == Color::Black { 'B' } else { 'W' };
        let m = if *m == Move::PASS { "PA".to_owned() } else { m.to_string().to_uppercase() };
        let note = notes.get(ply).copied().unwrap_or_default();
        write!(text, "{side_letter}[{m}{}]", note_text(note)).expect(STRING);
        side = !side;
    }
    text + ";)"
}

const STRING: &str = "writing to a string cannot fail";

/// Returns the recorded result, or else the result on the board, or `?` if the game is not over.
fn result_text(tags: &Tags, on_board: Option<i32>) -> String {
    match (tags.result, on_board) {
        (Some(result), _) => {
            format!("{:+}{}", result.points, tags.termination.map_or("", suffix))
        }
        (None, Some(points)) => format!("{points:+}"),
        (None, None) => "?".to_owned(),
    }
}

/// Returns the suffix of a result that marks an early end; empty for most reasons.
fn suffix(termination: Termination) -> &'static str {
    match termination {
        Termination::Resignation => ":r",
        Termination::Timeout => ":t",
        Termination::Agreement | Termination::Adjudication => ":s",
        Termination::IllegalMove | Termination::Crash | Termination::Other => "",
    }
}

/// Returns whether readers can tell the reason from the result.
fn has_suffix(termination: Termination) -> bool {
    !suffix(termination).is_empty() && termination != Termination::Adjudication
}

/// Returns the notes of a move as `/eval/seconds`, without missing parts.
fn note_text(note: Note) -> String {
    let eval = note.eval.map_or_else(String::new, |eval| eval.to_string());
    match note.seconds {
        Some(seconds) => format!("/{eval}/{seconds}"),
        None if eval.is_empty() => eval,
        None => format!("/{eval}"),
    }
}
