//! A crate that depends on the smallest library.

use morello::game::Position as _;
use morello::{othello, perft};

/// Counts the leaves below the start of Othello.
///
/// ```
/// assert_eq!(dependent::leaves(4), 244);
/// ```
#[must_use]
pub fn leaves(depth: u32) -> u64 {
    perft::count(&othello::Position::default(), depth, perft::Convention::default())
}

/// Returns the first legal move of Othello: [`Move`](othello::Move).
#[must_use]
pub fn first_move() -> Option<othello::Move> {
    othello::Position::default().legal_moves().next()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_game_has_moves() {
        assert!(super::first_move().is_some());
        assert!(morello::games::all().iter().all(|game| morello::game::Position::legal_moves(&game.start()).count() > 0));
    }
}
