//! [`RandomPlayer`]: plays random legal moves.

use morello_core::game::{Cancel, Choice, Game, Player, PlayerError, Position as _, RandomNumbers};

use super::spec::settings::Setting;
use super::spec::{PlayerConfig, PlayerKind};

/// A player that chooses uniformly among the legal moves.
///
/// ```
/// use morello::game::{Cancel, Game, Player, Position as _};
/// use morello::games;
/// use morello::players::RandomPlayer;
///
/// let start = games::get("othello")?.start();
/// let mut player = RandomPlayer::new(7);
/// let choice = player.choose(&Game::new(start), &Cancel::new())?;
/// assert!(start.is_legal(choice.m) && choice.score.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The player kind of a random player.
pub(super) const RANDOM: PlayerKind = PlayerKind {
    name: "the random player",
    key: Some("random"),
    settings: &[Setting::new("random", "", "random legal moves")],
    parse: |_| Ok(PlayerConfig::new("random moves", |_, _| Ok(Box::new(RandomPlayer::new(0))))),
};
