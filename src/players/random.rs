//! [`Random`]: plays any legal move.

use crate::game::{Cancel, Choice, Game, GameRules, Player, PlayerError, RandomNumbers};

/// A player to whom all legal moves are equally likely.
#[derive(Debug, Clone)]
pub struct Random {
    numbers: RandomNumbers,
}

impl Random {
    /// Creates a player whose moves follow from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { numbers: RandomNumbers::new(seed) }
    }
}

impl<P: GameRules> Player<P> for Random {
    fn prepare(&mut self, seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.numbers = RandomNumbers::new(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game<P>, _cancel: &Cancel) -> Result<Choice<P>, PlayerError> {
        let position = game.position();
        let index = self.numbers.below(position.count_moves());
        let m = position.legal_moves().nth(index).expect("the index is below the number of moves");
        Ok(Choice { m, depth: None, nodes: None, score: None })
    }
}
