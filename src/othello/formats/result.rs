//! The result that the board of a finished game shows, and whether what a file tells agrees with it.

use thiserror::Error;

use crate::game::{AnnotatedGame, Color, Game, Position as _};
use crate::othello::Position;

/// Returns the discs by which Black has won, the empty squares given to the winner; `None` while the game goes on.
#[must_use]
pub fn board_result<const N: usize>(game: &Game<Position<N>>) -> Option<i32> {
    game.points(Color::Black)
}

/// Returns what [`on_board`] would, were the game over with the discs that lie there.
pub(super) fn result_if_over<const N: usize>(game: &Game<Position<N>>) -> i32 {
    let last = game.position();
    let sign = if last.side_to_move() == Color::Black { 1 } else { -1 };
    sign * last.final_score()
}

/// A told result that is not the one on the board.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the result is recorded as {recorded:+} for Black, and is {board:+} on the board")]
pub struct ResultMismatch {
    /// The discs by which Black is told to have won.
    pub recorded: f64,
    /// Those by which Black won, the empty squares given to the winner.
    pub board: i32,
}

/// Compares the result that is told of a finished game with the one on the board. Where the game goes on, or nothing is told, there is
/// nothing to compare.
///
/// ```
/// use morello::othello::formats::{ggf, result};
///
/// // White has lost its last disc, and all 16 squares are Black's.
/// let game = ggf::read::<4>("(;RE[+14]BO[4 *O-------------- O]B[c1];)")?;
/// let error = result::check_result(&game).unwrap_err();
/// assert_eq!(error.to_string(), "the result is recorded as +14 for Black, and is +16 on the board");
/// # Ok::<(), ggf::ParseGgfError>(())
/// ```
///
/// # Errors
/// [`ResultMismatch`] if they differ.
pub fn check_result<const N: usize>(annotated: &AnnotatedGame<Position<N>>) -> Result<(), ResultMismatch> {
    match (annotated.tags.result, board_result(&annotated.game)) {
        (Some(verdict), Some(board)) if verdict.points != f64::from(board) => {
            Err(ResultMismatch { recorded: verdict.points, board })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::othello::formats::transcript;

    fn told(text: &str, points: f64) -> AnnotatedGame<Position<4>> {
        let mut annotated = AnnotatedGame::from(transcript::read::<4>(text).unwrap());
        annotated.tags.result = Some(GameResult { points, termination: None });
        annotated
    }

    #[test]
    fn the_winner_gets_the_empty_squares_whoever_is_to_move() {
        let board = |text| board_result(&transcript::read::<4>(text).unwrap());
        assert_eq!((board("XO-------------- O; c1"), board("OX-------------- O; c1")), (Some(16), Some(-16)));
        assert_eq!((board("X--O------------ X;"), board("")), (Some(0), None));
    }

    #[test]
    fn only_recorded_results_of_finished_games_can_disagree() {
        let finished = "XO-------------- O; c1";
        assert_eq!(check_result(&told(finished, 16.0)), Ok(()));
        assert_eq!(check_result(&told(finished, 3.0)), Err(ResultMismatch { recorded: 3.0, board: 16 }));
        assert_eq!(check_result(&told("", 3.0)), Ok(()));
        assert_eq!(check_result(&AnnotatedGame::from(transcript::read::<4>(finished).unwrap())), Ok(()));
    }
}
