//! [`RandomPlayer`]: plays random legal moves.

use std::fmt;

use super::spec::settings::Setting;
use super::spec::{PlayerConfig, PlayerKind, UnsupportedSpec};
use crate::game::{AnyGame, Cancel, Choice, Game, GameData, Player, PlayerError, Position as _, RandomNumbers};

/// A player that chooses uniformly among the legal moves.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    numbers: RandomNumbers,
}

impl RandomPlayer {
    /// Creates a player whose moves are determined by `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { numbers: RandomNumbers::new(seed) }
    }
}

impl Player for RandomPlayer {
    fn prepare(&mut self, seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.numbers = RandomNumbers::new(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game, _cancel: &Cancel) -> Result<Choice, PlayerError> {
        let position = game.position();
        let index = self.numbers.below(position.count_moves());
        let m = position.legal_moves().nth(index).expect("the index is below the number of moves");
        Ok(Choice::new(m))
    }
}

/// The kind of a random player.
pub(super) const RANDOM: PlayerKind = PlayerKind {
    name: "the random player",
    key: Some("random"),
    settings: &[Setting::new("random", "", "random legal moves")],
    parse: |_| Ok(Box::new(RandomConfig)),
};

/// The settings of a random player: none.
#[derive(Debug)]
struct RandomConfig;

impl PlayerConfig for RandomConfig {
    fn player(&self, _: &'static dyn AnyGame, _: Option<&GameData>) -> Result<Box<dyn Player>, UnsupportedSpec> {
        Ok(Box::new(RandomPlayer::new(0)))
    }
}

impl fmt::Display for RandomConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("random moves")
    }
}
