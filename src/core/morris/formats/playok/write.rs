//! Writes PlayOK games.

use thiserror::Error;

use super::super::points_named;
use super::ORDER;
use crate::game::format::pgn;
use crate::game::format::tree_text::write_tree;
use crate::game::{AnnotatedGame, AnyMove, Color, GameResult, MovePoints, Outcome};
use crate::morris::rules::VariantConstants;
use crate::morris::{Position, Variant};

/// Why PlayOK's notation cannot represent a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WritePlayOkError {
    /// PlayOK does not support the board of the game.
    #[error("PlayOK does not support {0}: its board has 24 points")]
    UnsupportedBoard(&'static str),
    /// The game begins from a position other than the usual start.
    #[error("the game begins from `{0}`, but PlayOK games begin from an empty board; write it as a move list")]
    Start(String),
}

/// Writes a game with its tags; each line ends with a line break. If no result is recorded, writes
/// the result on the board.
///
/// ```
/// use morello::morris::NineMensMorris;
/// use morello::morris::formats::{moves, playok};
///
/// let game = moves::read::<NineMensMorris>("d6 e4 d2 b2 1-0")?;
/// assert!(playok::write(&game)?.ends_with("[Result \"1-0\"]\n\n1. 5 13 2. 20 19 1-0\n"));
/// let game = moves::read::<NineMensMorris>("7,8 a4,b4 g7 B; c4")?;
/// assert!(playok::write(&game).is_err(), "PlayOK's games have no other start");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WritePlayOkError`] if PlayOK does not support the board or the starting position.
pub fn write<V: Variant>(annotated: &AnnotatedGame<Position<V>>) -> Result<String, WritePlayOkError> {
    write_any(VariantConstants::of::<V>(), &annotated.any())
}

pub(super) fn write_any(variant: &VariantConstants, annotated: &AnnotatedGame) -> Result<String, WritePlayOkError> {
    let AnnotatedGame { game, tags, notes, tree, .. } = annotated;
    let points = points_named(variant.board, ORDER).ok_or(WritePlayOkError::UnsupportedBoard(variant.name))?;
    if !game.start().is_start() {
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
    let number = |point: usize| {
        let index = points.iter().position(|&p| p as usize == point);
        (index.expect("all points are numbered") + 1).to_string()
    };
    let name = |m: AnyMove| {
        let MovePoints { from, to, captured } = m.path();
        let from = from.map_or(String::new(), |from| number(from) + "-");
        let captured = captured.map_or(String::new(), |captured| format!("x{}", number(captured)));
        from + &to.map_or(String::new(), number) + &captured
    };
    let moves = match tree {
        Some(tree) => write_tree(tree, &name, false, result),
        None => pgn::write_moves(game.moves().iter().copied().map(name), notes, false, result),
    };
    Ok(pgn::write_tags(tags, Color::White, result) + &moves)
}
