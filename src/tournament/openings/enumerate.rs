//! All openings of a number of plies, each once up to symmetry.
//!
//! The plies are gone through breadth first. Of the positions that a symmetry makes equal the first is kept, as it arose and not as the
//! symmetry has it, with the one before it and the move between: so the line that leads to it is read off at the end. All of it happens in one
//! order on one thread; only the searches for the balance are shared out, and the result is the same for any number of threads.

use std::collections::HashSet;

use thiserror::Error;

use super::Opening;
use super::balance::{Balance, BalanceChecker};
use crate::game::{AnyGame, AnyMove, AnyPosition, Cancel, Game, Position as _, RandomNumbers};

/// The most positions of a ply: Othello has 3.0 million after ten plies, nine men's morris 3.1 million after eight. To find those of Othello takes
/// 660 MB.
pub const MAX_POSITIONS: usize = 4_000_000;

/// So many openings are judged between two reports of progress.
const BATCH: usize = 256;

/// There are more openings than fit into memory, or than anybody would play.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there are more than {most} positions after ply {ply}, counted up to symmetry: ask for fewer plies")]
pub struct TooManyPositions {
    /// The first ply with too many.
    pub ply: u32,
    /// How many may be.
    pub most: usize,
}

/// Returns all openings of `plies` plies (a pass is one) after which the game goes on, that are balanced, each position once up to symmetry.
///
/// Their order follows from the seed alone, and is the same whatever the balance leaves out. There may be none. `None` if cancelled.
/// `on_progress` is told how many were judged and how many positions there are so far.
///
/// # Errors
/// [`TooManyPositions`] if a ply has more than [`MAX_POSITIONS`].
///
/// # Panics
/// If `threads` is 0.
pub fn all_openings(
    game: &'static dyn AnyGame,
    plies: u32,
    balance: Balance,
    seed: u64,
    threads: usize,
    cancel: &Cancel,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<Vec<Opening>>, TooManyPositions> {
    let Some(tree) = OpeningTree::new(game, plies, MAX_POSITIONS, cancel, on_progress)? else { return Ok(None) };
    let mut order: Vec<usize> = (0..tree.last().len()).collect();
    shuffle(&mut order, seed);
    let mut judges = BalanceChecker::new(game, balance, threads);
    let mut openings = Vec::new();
    for (batch, indices) in order.chunks(BATCH).enumerate() {
        let candidates: Vec<_> = indices.iter().filter_map(|&index| tree.game(index)).collect();
        let balanced = judges.are_balanced(&candidates, cancel);
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let balanced = candidates.iter().zip(balanced).filter(|&(_, balanced)| balanced);
        openings.extend(balanced.map(|(game, _)| Opening::of(game)));
        on_progress(batch * BATCH + indices.len(), order.len());
    }
    Ok(Some(openings))
}

/// A position, and where it came from.
struct OpeningNode {
    position: AnyPosition,
    /// The number of the position before it among those of its ply, and the move; `None` at the start.
    before: Option<(u32, AnyMove)>,
}

/// The positions of each ply, each once up to symmetry.
struct OpeningTree {
    plies: Vec<Vec<OpeningNode>>,
}

impl OpeningTree {
    /// `None` if cancelled.
    fn new(
        game: &dyn AnyGame,
        plies: u32,
        most: usize,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<Self>, TooManyPositions> {
        let mut tree = Self { plies: vec![vec![OpeningNode { position: game.start(), before: None }]] };
        for ply in 1..=plies {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for (number, node) in tree.last().iter().enumerate() {
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                for m in node.position.legal_moves() {
                    let position = node.position.after(m);
                    if !seen.insert(position.canonical()) {
                        continue;
                    }
                    if next.len() == most {
                        return Err(TooManyPositions { ply, most });
                    }
                    next.push(OpeningNode { position, before: Some((number as u32, m)) });
                }
            }
            on_progress(0, next.len());
            // Beyond the end of all games there is nothing, however many plies are asked for.
            let ended = next.is_empty();
            tree.plies.push(next);
            if ended {
                break;
            }
        }
        Ok(Some(tree))
    }

    /// Returns the positions of the last ply.
    fn last(&self) -> &[OpeningNode] {
        self.plies.last().expect("the ply of the start is never removed")
    }

    /// Returns the game that leads to a position of the last ply; `None` if it ends there or before.
    fn game(&self, index: usize) -> Option<Game> {
        let mut moves = Vec::with_capacity(self.plies.len());
        let mut index = index;
        for ply in self.plies.iter().rev() {
            if let Some((before, m)) = ply[index].before {
                moves.push(m);
                index = before as usize;
            }
        }
        let mut game = Game::new(self.plies[0][0].position);
        moves.iter().rev().try_for_each(|&m| game.play(m)).ok()?;
        game.end().is_none().then_some(game)
    }
}

/// Puts numbers into an order that follows from the seed (Fisher and Yates).
fn shuffle(numbers: &mut [usize], seed: u64) {
    let mut random = RandomNumbers::new(seed);
    for left in (2..=numbers.len()).rev() {
        numbers.swap(left - 1, random.below(left));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::game::any_game;
    use crate::{morris, othello};

    fn othello() -> &'static dyn AnyGame {
        any_game::<othello::Position>()
    }

    fn openings(game: &'static dyn AnyGame, plies: u32, balance: Balance, seed: u64, threads: usize) -> Vec<Opening> {
        all_openings(game, plies, balance, seed, threads, &Cancel::new(), &mut |_, _| ()).unwrap().unwrap()
    }

    /// Returns the texts of all positions after some plies in which the game goes on, each as the least of what the symmetries make of it,
    /// found by going through every line of moves.
    fn by_every_line(position: AnyPosition, plies: u32, found: &mut BTreeSet<String>) {
        if plies > 0 {
            position.legal_moves().for_each(|m| by_every_line(position.after(m), plies - 1, found));
        } else if position.legal_moves().next().is_some() {
            found.extend((0..position.game().symmetries()).map(|k| position.transform(k).to_string()).min());
        }
    }

    /// Checks that all are found, once, and returns how many there are.
    fn check(game: &'static dyn AnyGame, plies: u32) -> usize {
        let mut expected = BTreeSet::new();
        by_every_line(game.start(), plies, &mut expected);
        let found = openings(game, plies, Balance::ANY, 1, 1);
        let texts: BTreeSet<_> = found
            .iter()
            .map(|opening| {
                let played = opening.game(crate::game::DrawRules::default()).unwrap();
                assert_eq!((played.moves().len(), played.end()), (plies as usize, None));
                (0..game.symmetries()).map(|k| played.position().transform(k).to_string()).min().unwrap()
            })
            .collect();
        assert_eq!((found.len(), texts), (expected.len(), expected));
        found.len()
    }

    #[test]
    fn finds_every_opening_once_up_to_symmetry() {
        for (plies, count) in [(0, 1), (1, 1), (2, 3), (3, 14), (4, 60), (5, 322)] {
            assert_eq!(check(othello(), plies), count);
        }
        // Four kinds of points: corners and middles, of the squares that the symmetries exchange and of the one between.
        assert_eq!(check(any_game::<morris::Position<morris::NineMensMorris>>(), 1), 4);
        for plies in [2, 3] {
            check(any_game::<morris::Position<morris::NineMensMorris>>(), plies);
        }
        for plies in 0..=6 {
            check(any_game::<morris::Position<morris::ThreeMensMorris>>(), plies);
        }
        for plies in [6, 8] {
            check(any_game::<othello::Position<4>>(), plies);
        }
    }

    #[test]
    fn finds_nothing_beyond_the_longest_game() {
        assert_eq!(openings(any_game::<othello::Position<4>>(), 40, Balance::ANY, 1, 1), []);
    }

    #[test]
    fn the_order_follows_from_the_seed_alone() {
        let balance = Balance { depth: 2, most_points: 3.0 };
        let found = openings(othello(), 4, balance, 7, 1);
        assert_eq!(found, openings(othello(), 4, balance, 7, 3));
        let other = openings(othello(), 4, balance, 8, 2);
        assert_ne!(found, other);
        assert!(found.len() < 60 && found.iter().all(|opening| other.contains(opening)));
        // What is left out leaves the rest in its order.
        let mut every = openings(othello(), 4, Balance::ANY, 7, 1);
        every.retain(|opening| found.contains(opening));
        assert_eq!(every, found);
    }

    #[test]
    fn rejects_too_many_positions_and_stops_when_cancelled() {
        let tree =
            |most| OpeningTree::new(othello(), 5, most, &Cancel::new(), &mut |_, _| ()).map(|tree| tree.is_some());
        assert_eq!((tree(59), tree(322)), (Err(TooManyPositions { ply: 4, most: 59 }), Ok(true)));
        assert_eq!(
            tree(321).unwrap_err().to_string(),
            "there are more than 321 positions after ply 5, counted up to symmetry: ask for fewer plies"
        );
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(all_openings(othello(), 4, Balance::ANY, 1, 1, &cancel, &mut |_, _| ()), Ok(None));
    }
}
