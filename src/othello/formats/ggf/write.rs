//! Writes games.

use std::fmt::Write as _;

use crate::game::{AnnotatedGame, Color, Note, Position as _, Termination};
use crate::othello::formats::result;
use crate::othello::{Move, Position};

/// Writes a game with all that is told of it, but for what the result would have been.
///
/// A tag cannot hold square brackets here: round ones stand for them. Where no result is told, it is that of the board.
///
/// ```
/// use morello::game::{AnnotatedGame, Game, Position};
/// use morello::othello::{self, formats::ggf};
///
/// let mut game = Game::new(<othello::Position>::default());
/// game.play(game.position().parse_move("f5")?)?;
/// assert!(ggf::write(&AnnotatedGame::from(game)).ends_with(" *]B[F5];)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write<const N: usize>(annotated: &AnnotatedGame<Position<N>>) -> String {
    let AnnotatedGame { game, tags, notes } = annotated;
    let mut text = "(;GM[Othello]".to_owned();
    let mut tag = |name: &str, value: &str| {
        write!(text, "{name}[{}]", value.replace('[', "(").replace(']', ")")).expect(STRING);
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
    tag("RE", &result_text(annotated));
    tag("TY", &N.to_string());
    tag("BO", &format!("{N} {}", game.start().to_string().replace('X', "*")));
    let mut side = game.start().side_to_move();
    for (ply, m) in game.moves().iter().enumerate() {
        let side_letter = if side == Color::Black { 'B' } else { 'W' };
        let m = if *m == Move::PASS { "PA".to_owned() } else { m.to_string().to_uppercase() };
        let note = notes.get(ply).copied().unwrap_or_default();
        write!(text, "{side_letter}[{m}{}]", note_text(note)).expect(STRING);
        side = !side;
    }
    text + ";)"
}

const STRING: &str = "a string takes all that is written to it";

/// Returns the result that is told, else that of the board, `?` while the game goes on.
fn result_text<const N: usize>(annotated: &AnnotatedGame<Position<N>>) -> String {
    match (annotated.tags.result, result::board_result(&annotated.game)) {
        (Some(verdict), _) => {
            let ending = match verdict.termination {
                None => "",
                Some(Termination::Resignation) => ":r",
                Some(Termination::Timeout) => ":t",
                Some(Termination::Agreement) => ":s",
            };
            format!("{:+}{ending}", verdict.points)
        }
        (None, Some(points)) => format!("{points:+}"),
        (None, None) => "?".to_owned(),
    }
}

/// Writes what is noted of a move: `/eval/seconds`, and nothing for nothing.
fn note_text(note: Note) -> String {
    let eval = note.eval.map_or_else(String::new, |eval| eval.to_string());
    match note.seconds {
        Some(seconds) => format!("/{eval}/{seconds}"),
        None if eval.is_empty() => eval,
        None => format!("/{eval}"),
    }
}
