//! [`Engine`]: plays what the game's searcher finds.

use crate::game::{Cancel, Choice, EngineOptions, Game, Limits, Playable, Player, PlayerError, Searcher};

/// A player that searches each move on one thread, with tables of its own.
pub struct Engine<P: Playable> {
    searcher: Box<dyn Searcher<P>>,
    limits: Limits,
    exact_from: u32,
}

impl<P: Playable> Engine<P> {
    /// Creates a player that searches within `limits`, and exactly once no more than `exact_from` moves can be [left](Playable::moves_left):
    /// then without a bound of depth, but still with those of nodes and time.
    #[must_use]
    pub fn new(options: &EngineOptions, limits: Limits, exact_from: u32) -> Self {
        Self { searcher: P::searcher(options), limits, exact_from }
    }

    fn limits(&self, position: &P) -> Limits {
        if position.moves_left().is_some_and(|left| left <= self.exact_from) {
            Limits { depth: None, exact: true, ..self.limits }
        } else {
            self.limits
        }
    }
}

impl<P: Playable> Player<P> for Engine<P> {
    fn prepare(&mut self, _seed: u64) -> Result<(), PlayerError> {
        self.searcher.clear();
        Ok(())
    }

    fn choose(&mut self, game: &Game<P>, cancel: &Cancel) -> Result<Choice<P>, PlayerError> {
        let report = self.searcher.search(game, &self.limits(game.position()), cancel, &mut |_| ());
        let m = report.best_move().expect("the game goes on, so the report has a move");
        Ok(Choice { m, depth: Some(report.depth), nodes: Some(report.nodes) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position as _, random_game};
    use crate::othello::Position;

    #[test]
    fn the_end_is_solved_from_the_square_asked_for() {
        let mut engine = Engine::<Position>::new(&EngineOptions { hash_bytes: 1 << 20 }, Limits::depth(2), 10);
        for (empties, depth) in [(11, 2), (10, 10)] {
            let game = random_game::<Position>(5, 60 - empties);
            assert_eq!(game.position().moves_left(), Some(empties as u32));
            engine.prepare(0).unwrap();
            let choice = engine.choose(&game, &Cancel::new()).unwrap();
            assert_eq!(choice.depth, Some(depth));
            assert!(game.position().is_legal(choice.m) && choice.nodes > Some(0));
        }
    }
}
