//! Reproducible random numbers and games, for openings, measurements and tests.

use crate::game::{Game, GameRules, Position};
use crate::instructions::{InstructionSet, at_level, compiled};

/// A seeded random number generator (splitmix64) that gives the same sequence on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomNumbers(u64);

impl RandomNumbers {
    /// Creates a generator from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number, uniformly distributed over 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a nearly uniform number below `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// Returns a random legal move; `None` if there is none.
    #[inline(always)]
    pub fn legal_move<P: Position>(&mut self, position: &P) -> Option<P::Move> {
        let count = position.count_moves();
        if count == 0 { None } else { position.legal_moves().nth(self.below(count)) }
    }
}

/// Plays `plies` random moves from the start, or fewer if the game ends first.
///
/// ```
/// use morello::game::random_game;
/// use morello::othello::Position;
///
/// assert_eq!(random_game::<Position>(7, 10).moves(), random_game::<Position>(7, 10).moves());
/// ```
#[must_use]
pub fn random_game<P: GameRules>(seed: u64, plies: usize) -> Game<P> {
    let mut numbers = RandomNumbers::new(seed);
    let mut game = Game::new(P::default());
    while game.moves().len() < plies && game.end().is_none() {
        let m = numbers.legal_move(game.position()).expect("the game is not over");
        game.play(m).expect("the move is legal, and the game is not over");
    }
    game
}

/// Plays `plies` random moves from a position and appends them to `moves`. The game ends when there
/// is no legal move, or when its own rules declare a draw for lack of progress since that position.
/// Additional draw rules are ignored.
///
/// ```
/// use morello::game::{Position as _, RandomNumbers, play_random_moves};
/// use morello::othello::Position;
///
/// let (mut position, mut moves) = (Position::default(), Vec::new());
/// play_random_moves(&mut position, &mut RandomNumbers::new(1), usize::MAX, &mut moves);
/// assert!(position.is_over() && moves.len() >= 9);
/// ```
pub fn play_random_moves<P: Position>(
    position: &mut P,
    numbers: &mut RandomNumbers,
    plies: usize,
    moves: &mut Vec<P::Move>,
) {
    at_level!(InstructionSet::used(), |level| compiled!(level, {
        let mut halfmove_clock = 0;
        for _ in 0..plies {
            if position.no_progress_limit().is_some_and(|limit| halfmove_clock >= limit) {
                break;
            }
            let Some(m) = numbers.legal_move(position) else { break };
            halfmove_clock = if position.is_irreversible(m) { 0 } else { halfmove_clock + 1 };
            position.play_unchecked(m);
            moves.push(m);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{morris, othello};

    fn check<P: GameRules>(seed: u64) {
        let game = random_game::<P>(seed, 300);
        let (mut position, mut moves) = (P::default(), Vec::new());
        play_random_moves(&mut position, &mut RandomNumbers::new(seed), 300, &mut moves);
        assert_eq!((&moves[..], &position), (game.moves(), game.position()));
        for position in game.positions() {
            let legal: Vec<_> = position.legal_moves().collect();
            for n in 0..=legal.len() {
                let mut rest = position.legal_moves();
                assert_eq!(rest.nth(n), legal.get(n).copied(), "move {n} of {position}");
                assert_eq!(rest.len(), legal.len().saturating_sub(n + 1), "after move {n} of {position}");
                assert_eq!(
                    rest.collect::<Vec<_>>(),
                    legal.get(n + 1..).unwrap_or_default(),
                    "after move {n} of {position}"
                );
            }
        }
    }

    #[test]
    fn random_moves_are_those_of_random_games_and_counted_from_the_first() {
        for seed in 0..40 {
            check::<othello::Position>(seed);
            check::<othello::SizedPosition<4>>(seed);
            check::<morris::Position<morris::NineMensMorris>>(seed);
            check::<morris::Position<morris::NineMensMorrisFlying>>(seed);
            check::<morris::Position<morris::LaskerMorris>>(seed);
            check::<morris::Position<morris::MorabarabaNoReturn>>(seed);
        }
    }
}
