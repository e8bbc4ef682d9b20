//! Enumerates all openings with a number of plies, each position once up to symmetry.
//!
//! The enumeration is breadth first. Of positions that are equal up to symmetry, only the first is
//! kept, with its predecessor and the move between them. The moves of an opening are reconstructed
//! from these.  The enumeration runs on one thread. Only the balance searches run in parallel, so
//! the result is the same for any number of threads.

use std::collections::HashSet;

use morello_core::game::{AnyGame, AnyMove, AnyPosition, Cancel, Game, Position as _, RandomNumbers};
use thiserror::Error;

use super::Opening;
use super::balance::{Balance, BalanceChecker};

/// The maximum number of positions at one ply. Othello has 3.0 million after ten plies, which take
/// 660 MB; nine men's morris has 3.1 million after eight.
pub const MAX_POSITIONS: usize = 4_000_000;

/// The number of openings checked between two progress reports.
const BATCH: usize = 256;

/// A ply has too many positions.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("more than {most} positions after {ply} plies (up to symmetry); use fewer opening plies")]
#[non_exhaustive]
pub struct TooManyPositions {
    /// The first ply with too many positions.
    pub ply: u32,
    /// The maximum number of positions.
    pub most: usize,
}

/// Returns all balanced openings with `plies` plies (a pass counts as one) that do not end the
/// game. Each position occurs once up to symmetry.
///
/// The order depends only on the seed; the balance criterion removes openings without reordering
/// the rest. The list may be empty. Returns `None` if cancelled. `on_progress` receives the number
/// of openings checked and the number of positions so far.
///
/// ```
/// use morello::game::Cancel;
/// use morello::games;
/// use morello::tournament::openings::{Balance, all_openings};
///
/// let othello = games::get("othello")?;
/// let openings = all_openings(othello, 4, Balance::ANY, 1, 1, &Cancel::new(), &mut |_, _| ())?;
/// assert_eq!(openings.expect("it was not cancelled").len(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    assert!(threads > 0, "at least one thread is required");
    let Some(tree) = OpeningTree::new(game, plies, MAX_POSITIONS, cancel, on_progress)? else { return Ok(None) };
    let mut order: Vec<usize> = (0..tree.last().len()).collect();
    shuffle(&mut order, seed);
    let checker = BalanceChecker::new(game, balance);
    let mut openings = Vec::new();
    for (batch, indices) in order.chunks(BATCH).enumerate() {
        let candidates: Vec<_> = indices.iter().filter_map(|&index| tree.game(index)).collect();
        let balanced = checker.are_balanced(&candidates, threads, cancel);
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let balanced = candidates.iter().zip(balanced).filter(|&(_, balanced)| balanced);
        openings.extend(balanced.map(|(game, _)| Opening::of(game)));
        on_progress(batch * BATCH + indices.len(), order.len());
    }
    Ok(Some(openings))
}

/// A position with its predecessor.
struct OpeningNode {
    position: AnyPosition,
    /// The index of the predecessor in its ply, and the move; `None` at the start.
    before: Option<(u32, AnyMove)>,
}

/// The positions at each ply, each once up to symmetry.
struct OpeningTree {
    plies: Vec<Vec<OpeningNode>>,
}

impl OpeningTree {
    /// Returns `None` if cancelled.
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
            // All games have ended, so there are no positions at later plies.
            let ended = next.is_empty();
            tree.plies.push(next);
            if ended {
                break;
            }
        }
        Ok(Some(tree))
    }

    /// Returns the positions at the last ply.
    fn last(&self) -> &[OpeningNode] {
        self.plies.last().expect("the ply of the start is never removed")
    }

    /// Returns the game that leads to a position at the last ply; `None` if the game is over.
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

/// Shuffles a list by a seed (Fisher-Yates).
pub(super) fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut random = RandomNumbers::new(seed);
    for left in (2..=list.len()).rev() {
        list.swap(left - 1, random.below(left));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use morello_core::game::any_game;
    use morello_core::{morris, othello};

    use super::*;

    fn othello() -> &'static dyn AnyGame {
        any_game::<othello::Position>()
    }

    fn openings(game: &'static dyn AnyGame, plies: u32, balance: Balance, seed: u64, threads: usize) -> Vec<Opening> {
        all_openings(game, plies, balance, seed, threads, &Cancel::new(), &mut |_, _| ()).unwrap().unwrap()
    }

    /// Adds all unfinished positions after `plies` plies as text, each as the smallest text among
    /// its symmetric images. Visits every line of moves.
    fn add_canonical_texts(position: AnyPosition, plies: u32, found: &mut BTreeSet<String>) {
        if plies > 0 {
            position.legal_moves().for_each(|m| add_canonical_texts(position.after(m), plies - 1, found));
        } else if position.legal_moves().next().is_some() {
            found.extend((0..position.game().info().symmetries).map(|k| position.transform(k).to_string()).min());
        }
    }

    /// Checks that each opening is found exactly once, and returns their number.
    fn check(game: &'static dyn AnyGame, plies: u32) -> usize {
        let mut expected = BTreeSet::new();
        add_canonical_texts(game.start(), plies, &mut expected);
        let found = openings(game, plies, Balance::ANY, 1, 1);
        let texts: BTreeSet<_> = found
            .iter()
            .map(|opening| {
                let played = opening.game(morello_core::game::DrawRules::default()).unwrap();
                assert_eq!((played.moves().len(), played.end()), (plies as usize, None));
                (0..game.info().symmetries).map(|k| played.position().transform(k).to_string()).min().unwrap()
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
        // There are four classes of points: the corners and the midpoints of the middle square, and
        // the corners and the midpoints of the outer and inner squares, which symmetries exchange.
        assert_eq!(check(any_game::<morris::Position<morris::NineMensMorris>>(), 1), 4);
        for plies in [2, 3] {
            check(any_game::<morris::Position<morris::NineMensMorris>>(), plies);
        }
        for plies in 0..=6 {
            check(any_game::<morris::Position<morris::ThreeMensMorris>>(), plies);
        }
        for plies in [6, 8] {
            check(any_game::<othello::SizedPosition<4>>(), plies);
        }
    }

    #[test]
    fn finds_nothing_beyond_the_longest_game() {
        assert_eq!(openings(any_game::<othello::SizedPosition<4>>(), 40, Balance::ANY, 1, 1), []);
    }

    #[test]
    fn the_order_follows_from_the_seed_alone() {
        let balance = Balance { depth: 2, most_points: 3.0 };
        let found = openings(othello(), 4, balance, 7, 1);
        assert_eq!(found, openings(othello(), 4, balance, 7, 3));
        let other = openings(othello(), 4, balance, 8, 2);
        assert_ne!(found, other);
        assert!(found.len() < 60 && found.iter().all(|opening| other.contains(opening)));
        // Removing unbalanced openings keeps the order of the rest.
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
            "more than 321 positions after 5 plies (up to symmetry); use fewer opening plies"
        );
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(all_openings(othello(), 4, Balance::ANY, 1, 1, &cancel, &mut |_, _| ()), Ok(None));
    }
}
