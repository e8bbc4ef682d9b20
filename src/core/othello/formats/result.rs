//! The result of a finished game on the board, and its comparison with the recorded result.

use thiserror::Error;

use crate::game::{AnnotatedGame, Color, Game, Position as _};
use crate::othello::SizedPosition;

/// Returns Black's disc difference on the final board, with the empty squares added to the winner's
/// discs; `None` if the game is not over.
///
/// ```
/// use morello::othello::formats::{ggf, result::board_result};
///
/// // Black flips the last white disc, with two of 16 squares occupied.
/// let read = ggf::read::<4>("(;RE[?]BO[4 *O-------------- *]B[c1];)")?;
/// assert_eq!(board_result(&read.game), Some(16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn board_result<const N: usize>(game: &Game<SizedPosition<N>>) -> Option<i32> {
    game.points(Color::Black)
}

/// Returns the value that [`board_result`] would return if the game were over in its last position.
pub(super) fn result_if_over<const N: usize>(game: &Game<SizedPosition<N>>) -> i32 {
    let last = game.position();
    let sign = if last.side_to_move() == Color::Black { 1 } else { -1 };
    sign * last.final_score()
}

/// A recorded result that contradicts the board.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the recorded result for Black is {recorded:+}, but the result on the board is {board:+}")]
#[non_exhaustive]
pub struct ResultMismatch {
    /// The recorded result: Black's disc difference.
    pub recorded: f64,
    /// Black's disc difference on the board, with the empty squares added to the winner's discs.
    pub board: i32,
}

/// Checks the recorded result of a finished game against the board. Succeeds if the game is not
/// over or has no recorded result.
///
/// ```
/// use morello::othello::formats::{ggf, result};
///
/// // White has lost its last disc, and all 16 squares count for Black.
/// let game = ggf::read::<4>("(;RE[+14]BO[4 *O-------------- O]B[c1];)")?;
/// let error = result::check_result(&game).unwrap_err();
/// assert_eq!(error.to_string(), "the recorded result for Black is +14, but the result on the board is +16");
/// # Ok::<(), ggf::ParseGgfError>(())
/// ```
///
/// # Errors
/// [`ResultMismatch`] if they differ.
pub fn check_result<const N: usize>(annotated: &AnnotatedGame<SizedPosition<N>>) -> Result<(), ResultMismatch> {
    match (annotated.tags.result, board_result(&annotated.game)) {
        (Some(result), Some(board)) if result.points != f64::from(board) => {
            Err(ResultMismatch { recorded: result.points, board })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::othello::formats::transcript;

    fn with_result(text: &str, points: f64) -> AnnotatedGame<SizedPosition<4>> {
        let mut annotated = AnnotatedGame::from(transcript::read::<4>(text).unwrap());
        annotated.tags.result = Some(GameResult { points });
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
        assert_eq!(check_result(&with_result(finished, 16.0)), Ok(()));
        assert_eq!(check_result(&with_result(finished, 3.0)), Err(ResultMismatch { recorded: 3.0, board: 16 }));
        assert_eq!(check_result(&with_result("", 3.0)), Ok(()));
        assert_eq!(check_result(&AnnotatedGame::from(transcript::read::<4>(finished).unwrap())), Ok(()));
    }
}
