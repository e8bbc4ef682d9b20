//! The result that the board of a finished game shows, and whether what a file tells agrees with it.

use thiserror::Error;

use crate::game::{Annotated, Color, Game, Position as _};
use crate::othello::Position;

/// Returns the discs by which Black has won, the empty squares given to the winner; `None` while the game goes on.
#[must_use]
pub fn on_board<const N: usize>(game: &Game<Position<N>>) -> Option<i32> {
    game.points(Color::Black)
}

/// Returns what [`on_board`] would, were the game over with the discs that lie there.
pub(super) fn if_ended<const N: usize>(game: &Game<Position<N>>) -> i32 {
    let last = game.position();
    let sign = if last.side_to_move() == Color::Black { 1 } else { -1 };
    sign * last.final_score()
}

/// A told result that is not the one on the board.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the result is told as {told:+} for Black, and is {board:+} on the board")]
pub struct Disagreement {
    /// The discs by which Black is told to have won.
    pub told: f64,
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
/// let error = result::compare(&game).unwrap_err();
/// assert_eq!(error.to_string(), "the result is told as +14 for Black, and is +16 on the board");
/// # Ok::<(), ggf::ParseGgfError>(())
/// ```
///
/// # Errors
/// [`Disagreement`] if they differ.
pub fn compare<const N: usize>(annotated: &Annotated<Position<N>>) -> Result<(), Disagreement> {
    match (annotated.tags.result, on_board(&annotated.game)) {
        (Some(verdict), Some(board)) if verdict.points != f64::from(board) => {
            Err(Disagreement { told: verdict.points, board })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Verdict;
    use crate::othello::formats::transcript;

    fn told(text: &str, points: f64) -> Annotated<Position<4>> {
        let mut annotated = Annotated::from(transcript::read::<4>(text).unwrap());
        annotated.tags.result = Some(Verdict { points, ending: None });
        annotated
    }

    #[test]
    fn the_empty_squares_go_to_the_winner_whoever_is_to_move() {
        let board = |text| on_board(&transcript::read::<4>(text).unwrap());
        assert_eq!((board("XO-------------- O; c1"), board("OX-------------- O; c1")), (Some(16), Some(-16)));
        assert_eq!((board("X--O------------ X;"), board("")), (Some(0), None));
    }

    #[test]
    fn only_what_is_told_of_finished_games_can_disagree() {
        let finished = "XO-------------- O; c1";
        assert_eq!(compare(&told(finished, 16.0)), Ok(()));
        assert_eq!(compare(&told(finished, 3.0)), Err(Disagreement { told: 3.0, board: 16 }));
        assert_eq!(compare(&told("", 3.0)), Ok(()));
        assert_eq!(compare(&Annotated::from(transcript::read::<4>(finished).unwrap())), Ok(()));
    }
}
