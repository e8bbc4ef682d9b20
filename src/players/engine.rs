//! [`Engine`]: plays what the game's searcher finds.

use crate::game::{Cancel, Choice, EngineOptions, Game, Limits, Playable, Player, PlayerError, Searcher};

/// A player that searches each move on one thread, with tables of its own.
pub struct Engine<P: Playable> {
    searcher: Box<dyn Searcher<P>>,
    limits: Limits,
}

impl<P: Playable> Engine<P> {
    /// Creates a player that searches each move within `limits`.
    #[must_use]
    pub fn new(options: &EngineOptions, limits: Limits) -> Self {
        Self { searcher: P::searcher(options).expect("the data are the game's"), limits }
    }
}

impl<P: Playable> Player<P> for Engine<P> {
    fn prepare(&mut self, _seed: u64, _cancel: &Cancel) -> Result<(), PlayerError> {
        self.searcher.clear();
        Ok(())
    }

    fn choose(&mut self, game: &Game<P>, cancel: &Cancel) -> Result<Choice<P>, PlayerError> {
        let report = self.searcher.search(game, &self.limits, cancel, &mut |_| ());
        let m = report.best_move().expect("the game goes on, so the report has a move");
        Ok(Choice { m, depth: Some(report.depth), nodes: Some(report.nodes), score: Some(report.best().score) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position as _, random_game};
    use crate::othello::Position;

    #[test]
    fn each_game_is_as_the_first() {
        let limits = Limits { exact_from: Some(10), ..Limits::depth(3) };
        let mut engine = Engine::<Position>::new(&EngineOptions::new(1 << 20), limits);
        let game = |empties: usize| random_game::<Position>(5, 60 - empties);
        let mut choose = |empties: usize| engine.choose(&game(empties), &Cancel::new()).unwrap();
        let first = [choose(12), choose(10)];
        assert_eq!(first.map(|choice| choice.depth), [Some(3), Some(10)]);
        assert!(game(12).position().is_legal(first[0].m) && first[0].nodes > Some(0));
        assert_ne!(choose(10), first[1], "the table knows the position");
        engine.prepare(0, &Cancel::new()).unwrap();
        let mut choose = |empties: usize| engine.choose(&game(empties), &Cancel::new()).unwrap();
        assert_eq!([choose(12), choose(10)], first);
    }
}
