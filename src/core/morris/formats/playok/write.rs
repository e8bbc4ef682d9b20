//! Writes PlayOK games.

use thiserror::Error;

use super::super::points_named;
use super::ORDER;
use crate::game::format::pgn;
use crate::game::{AnnotatedGame, Color, GameResult, Outcome};
use crate::morris::{Position, Variant};

/// A game that PlayOK's notation cannot represent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WritePlayOkError {
    /// PlayOK does not support the board of the game.
    #[error("PlayOK does not support {0}: its board has 24 points")]
    UnsupportedBoard(&'static str),
    /// The game begins from another position.
    #[error("the game begins from `{0}`, but PlayOK games begin from an empty board: write it as a move list")]
    Start(String),
}

/// Writes a game with its tags; each line ends with a line break. If no result is recorded, writes
/// the result on the board.
///
/// # Errors
/// [`WritePlayOkError`] if PlayOK does not support the board or the start position.
pub fn write<V: Variant>(annotated: &AnnotatedGame<Position<V>>) -> Result<String, WritePlayOkError> {
    let AnnotatedGame { game, tags, .. } = annotated;
    let points = points_named::<V>(ORDER).ok_or(WritePlayOkError::UnsupportedBoard(V::NAME))?;
    if *game.start() != Position::default() {
        return Err(WritePlayOkError::Start(game.start().to_string()));
    }
    let result = GameResult::to_pgn(tags.result.or_else(|| {
        let points = match game.end()?.outcome {
            Outcome::Win(Color::Black) => 1.0,
            Outcome::Win(Color::White) => -1.0,
            Outcome::Draw => 0.0,
        };
        Some(GameResult { points })
    }));
    let number = |point: u32| points.iter().position(|&p| p == point).expect("all points are numbered") + 1;
    let moves = game.moves().iter().map(|m| {
        let from = m.from().map_or(String::new(), |from| format!("{}-", number(from)));
        let captured = m.captured().map_or(String::new(), |captured| format!("x{}", number(captured)));
        format!("{from}{}{captured}", number(m.to()))
    });
    Ok(pgn::write_tags(tags, Color::White, result) + &pgn::write_moves(moves, false, result))
}
