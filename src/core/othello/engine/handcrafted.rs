//! A hand-crafted evaluation: mobility, potential mobility, corners and the squares next to them.

use crate::game::{Evaluator, Score};
use crate::othello::geometry::Geometry;
use crate::othello::{Board, Move, SizedPosition};

/// Evaluates a position by mobility, potential mobility, corners, X and C squares, and discs. The
/// result is in thousandths of a disc for the side to move.
///
/// ```
/// use morello::game::Evaluator;
/// use morello::othello::{SizedPosition, engine::HandcraftedEvaluation};
///
/// // In thousandths of a disc for the side to move. Black has the only corner.
/// let [black, white] = ["X----OX--XO----- X", "X----OX--XO----- O"];
/// let evaluate = |position: &SizedPosition<4>| HandcraftedEvaluation.evaluate(position);
/// assert_eq!(evaluate(&black.parse()?), 899);
/// assert_eq!(evaluate(&white.parse()?), -899);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct HandcraftedEvaluation;

impl<const N: usize> Evaluator<SizedPosition<N>> for HandcraftedEvaluation {
    fn evaluate(&self, position: &SizedPosition<N>) -> i32 {
        let board = position.board();
        let count = |squares: u64| squares.count_ones() as i32;
        let balance = |of: &dyn Fn(Board<N>) -> i32| of(board) - of(board.pass());
        let empties = board.empty_bits();
        let mobility = balance(&|b| count(b.move_bits()));
        let potential = balance(&|b| count(Geometry::<N>::around(b.opponent) & empties));
        let corners = balance(&|b| count(b.player & Geometry::<N>::CORNERS));
        // X and C squares matter only while their corner is empty.
        let open_corners = Geometry::<N>::around(empties & Geometry::<N>::CORNERS);
        let x_squares = balance(&|b| count(b.player & Geometry::<N>::X_SQUARES & open_corners));
        let c_squares = balance(&|b| count(b.player & Geometry::<N>::C_SQUARES & open_corners));
        let discs = board.disc_difference();
        // Discs matter more toward the end of the game.
        let late = (Board::<N>::AREA - board.empty_count()) as i32 * 1000 / Board::<N>::AREA as i32;
        let estimate = 700 * mobility + 350 * potential + 7000 * corners - 3500 * x_squares - 900 * c_squares
            + discs * (late * late / 1000 - 350);
        // The weights are for 64 squares. This keeps the estimate within the possible final scores.
        let max = (Board::<N>::AREA as i32 - 1) * Score::POINT;
        (estimate * Board::<N>::AREA as i32 / 64).clamp(-max, max)
    }

    fn score_move(&self, _position: &SizedPosition<N>, m: Move, next: &SizedPosition<N>) -> i32 {
        let board = next.board();
        let replies = board.move_bits();
        let mobility = replies.count_ones() + (replies & Geometry::<N>::CORNERS).count_ones();
        let potential = (Geometry::<N>::around(board.opponent) & board.empty_bits()).count_ones();
        let corner = m.square().is_some_and(|square| Geometry::<N>::CORNERS >> square.index() & 1 != 0);
        i32::from(corner) * 8_000 - 2_000 * mobility as i32 - 700 * potential as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position as _;
    use crate::othello::Position;

    #[test]
    fn the_evaluation_is_antisymmetric() {
        let mut position = Position::default();
        assert_eq!(HandcraftedEvaluation.evaluate(&position), 0);
        for _ in 0..12 {
            let m = position.legal_moves().last().expect("the game is not over");
            position.play_unchecked(m);
            let passed = Position::new(position.board().pass(), position.side_to_move());
            assert_eq!(HandcraftedEvaluation.evaluate(&position), -HandcraftedEvaluation.evaluate(&passed));
        }
    }
}
