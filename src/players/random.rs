//! [`Random`]: plays any legal move.

use std::fmt;

use super::spec::settings::Setting;
use super::spec::{Kind, Plan, UnsuitableSpec};
use crate::game::{AnyGame, Cancel, Choice, Game, GameData, Player, PlayerError, Position as _, RandomNumbers};

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

impl Player for Random {
    fn prepare(&mut self, seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.numbers = RandomNumbers::new(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game, _cancel: &Cancel) -> Result<Choice, PlayerError> {
        let position = game.position();
        let index = self.numbers.below(position.count_moves());
        let m = position.nth_move(index).expect("the index is below the number of moves");
        Ok(Choice::new(m))
    }
}

/// A random player in a spec.
pub(super) const RANDOM: Kind = Kind {
    name: "the random player",
    key: Some("random"),
    settings: &[Setting::new("random", "", "random legal moves")],
    plan: |_| Ok(Box::new(Chance)),
};

/// A random player as a user asks for it.
#[derive(Debug)]
struct Chance;

impl Plan for Chance {
    fn player(&self, _: &'static dyn AnyGame, _: Option<&GameData>) -> Result<Box<dyn Player>, UnsuitableSpec> {
        Ok(Box::new(Random::new(0)))
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("random moves")
    }
}
