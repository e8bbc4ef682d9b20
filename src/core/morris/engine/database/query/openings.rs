//! Openings: the positions after a number of plies, with their values and replies.

use std::collections::HashSet;

use super::super::{Database, Probe, TableError};
use super::report::{Reply, replies};
use super::traps::Traps;
use crate::game::{AnyMove, AnyPosition, Cancel, Game, Limits, Position as _};
use crate::search::SearchControl;

/// Moves that lead to a position. No other opening reaches the position or a symmetric image of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The moves from the starting position.
    pub moves: Vec<AnyMove>,
    /// The position after the moves.
    pub position: AnyPosition,
}

/// Returns the positions `plies` plies after `start`, up to symmetry. Each has the moves that first
/// lead to it. The openings are sorted by their moves.
///
/// ```
/// use morello::games;
/// use morello::morris::engine::database::openings;
///
/// // The nine first moves are three moves up to symmetry.
/// let openings = openings(games::get("three-mens-morris")?.start(), 1);
/// let moves: Vec<_> = openings.iter().map(|opening| opening.moves[0].to_string()).collect();
/// assert_eq!(moves, ["a3", "b3", "b2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn openings(start: AnyPosition, plies: usize) -> Vec<Opening> {
    let mut openings = vec![Opening { moves: Vec::new(), position: start }];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut longer = Vec::new();
        for Opening { moves, position } in openings {
            for m in position.legal_moves() {
                let next = position.after(m);
                if seen.insert(next.canonical()) {
                    longer.push(Opening { moves: moves.iter().copied().chain([m]).collect(), position: next });
                }
            }
        }
        openings = longer;
    }
    openings
}

/// The value of a position and its best replies.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OpeningValue {
    /// The value of the position.
    pub probe: Probe,
    /// The number of legal moves.
    pub moves: usize,
    /// The moves that keep the result of the position, best first. Among moves of equal value, the
    /// move that opponents most often answer badly comes first.
    pub keeping: Vec<Reply>,
    /// The estimated chance, from 0 to 1, that a player without the database gives the result away.
    pub difficulty: f32,
}

impl Database {
    /// Returns the value of a position and its replies; `None` if a position after one of its moves
    /// is not in the database.
    ///
    /// ```
    /// use morello::games;
    /// use morello::morris::ThreeMensMorris;
    /// use morello::morris::engine::database::{Database, Ruleset};
    ///
    /// let mut database = Database::new(Ruleset::of::<ThreeMensMorris>()?);
    /// database.solve_small_sectors()?;
    /// let start = games::get("three-mens-morris")?.start();
    /// let value = database.opening_value(&start)?.expect("the whole game is small");
    /// assert_eq!((value.moves, value.probe.plies()), (9, Some(9)));
    /// assert_eq!(value.keeping[0].value.m.to_string(), "b2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError`] if a block is damaged or cannot be read.
    ///
    /// # Panics
    /// If the database belongs to another game.
    pub fn opening_value(&self, position: &AnyPosition) -> Result<Option<OpeningValue>, TableError> {
        if position.is_over() {
            let probe = self.probe(position, 0)?;
            return Ok(probe.map(|probe| OpeningValue { probe, moves: 0, keeping: Vec::new(), difficulty: 0.0 }));
        }
        let evaluate = self.rules().game.evaluation();
        let mut stop = SearchControl::new(&Limits::default(), &Cancel::new());
        let Some(mut keeping) = replies(self, &evaluate, &Game::new(*position), 1, &mut stop)? else { return Ok(None) };
        let (probe, moves) = (keeping[0].value.probe, keeping.len());
        keeping.retain(|reply| reply.value.probe.outcome() == probe.outcome());
        let traps = Traps { database: self, evaluate: &evaluate };
        let difficulty = traps.chance(position, 0, 1, &mut stop)?.unwrap_or(0.0);
        Ok(Some(OpeningValue { probe, moves, keeping, difficulty }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::morris::engine::database::Ruleset;
    use crate::morris::{NineMensMorris, Position, ThreeMensMorris};

    #[test]
    fn openings_are_different_up_to_symmetry_and_complete() {
        // The counts were made with the rules and symmetries of `scripts/data/morris-forward.py`.
        let counts = (0..=3).map(|plies| openings(any_game::<Position<NineMensMorris>>().start(), plies).len());
        assert_eq!(counts.collect::<Vec<_>>(), [1, 4, 46, 428]);
        let start = any_game::<Position<ThreeMensMorris>>().start();
        let whole = openings(start, 4);
        let mut all = HashSet::new();
        let mut level = vec![start];
        for _ in 0..4 {
            level = level.iter().flat_map(|position| position.legal_moves().map(|m| position.after(m))).collect();
        }
        all.extend(level.iter().map(AnyPosition::canonical));
        let found: HashSet<_> = whole.iter().map(|opening| opening.position.canonical()).collect();
        assert_eq!((found.len(), whole.len()), (all.len(), all.len()));
        assert_eq!(found, all);
        for Opening { moves, position } in whole {
            let played = moves.iter().fold(start, |position, &m| position.play(m).unwrap());
            assert_eq!((played, moves.len()), (position, 4));
        }
    }

    #[test]
    fn replies_that_keep_the_result_agree_with_probes() {
        let mut database = Database::new(Ruleset::of::<ThreeMensMorris>().unwrap());
        database.solve_small_sectors().unwrap();
        let mut kept = HashSet::new();
        for Opening { position, .. } in openings(any_game::<Position<ThreeMensMorris>>().start(), 5) {
            let value = database.opening_value(&position).unwrap().unwrap();
            let probe = database.probe(&position, 0).unwrap().unwrap();
            assert_eq!(value.probe.value, probe.value, "{position}");
            let outcome = |m| database.probe(&position.after(m), 0).unwrap().unwrap().outcome().reverse();
            let moves: Vec<_> = position.legal_moves().collect();
            let expected: HashSet<u16> =
                moves.iter().filter(|&&m| outcome(m) == probe.outcome()).map(|&m| m.into()).collect();
            let found: HashSet<u16> = value.keeping.iter().map(|reply| reply.value.m.into()).collect();
            assert_eq!((value.moves, &found), (moves.len(), &expected), "{position}");
            assert_eq!(found.len(), value.keeping.len());
            assert_eq!(value.difficulty == 0.0, found.len() == moves.len(), "{position}: {}", value.difficulty);
            assert!(value.keeping.is_sorted_by(|a, b| a.value.probe.rank() >= b.value.probe.rank()));
            kept.insert((probe.outcome(), found.len() < moves.len()));
        }
        assert!(kept.len() >= 4, "{kept:?}");
        let nine = Database::new(Ruleset::of::<NineMensMorris>().unwrap());
        assert_eq!(nine.opening_value(&nine.rules().game.start()).unwrap(), None);
    }
}
