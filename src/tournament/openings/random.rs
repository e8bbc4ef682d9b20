//! Random openings: positions a few random plies from the start, distinct up to symmetry, and balanced.
//!
//! Candidates are generated one after the other from the seed, searched in parallel, and accepted in order. The openings are therefore the same
//! for any number of threads, and those of a longer match begin with those of a shorter one.

use std::collections::HashSet;

use super::Opening;
use super::balance::{Balance, BalanceChecker};
use crate::game::{AnyGame, Cancel, Game, OpeningPolicy, Position as _, RandomNumbers};

/// Generation stops after this many consecutive candidates that are duplicates or end the game.
const MAX_FAILED_DRAWS: u32 = 10_000;

/// Returns up to `count` openings: fewer if no more are found, `None` if cancelled. `on_progress` receives the number found so far.
///
/// # Panics
/// If `threads` is 0, or `policy` has no number of plies.
pub fn generate(
    game: &'static dyn AnyGame,
    policy: &OpeningPolicy,
    count: usize,
    seed: u64,
    threads: usize,
    cancel: &Cancel,
    on_progress: &mut dyn FnMut(usize),
) -> Option<Vec<Opening>> {
    let mut checker = BalanceChecker::new(game, Balance::from(policy), threads);
    let mut seeds = RandomNumbers::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    loop {
        let wanted = count - openings.len();
        let mut candidates = Vec::new();
        let mut failed_draws = 0;
        while candidates.len() < (2 * wanted).clamp(8, 256) && failed_draws < MAX_FAILED_DRAWS {
            match draw(game, policy, seeds.next_u64()).filter(|game| seen.insert(game.position().canonical())) {
                Some(game) => {
                    candidates.push(game);
                    failed_draws = 0;
                }
                None => failed_draws += 1,
            }
        }
        let balanced = checker.are_balanced(&candidates, cancel);
        if cancel.is_cancelled() {
            return None;
        }
        let accepted = candidates.iter().zip(balanced).filter(|&(_, balanced)| balanced).take(wanted);
        openings.extend(accepted.map(|(game, _)| Opening::of(game)));
        on_progress(openings.len());
        if openings.len() == count || failed_draws == MAX_FAILED_DRAWS {
            return Some(openings);
        }
    }
}

/// Plays random moves; `None` if they end the game.
fn draw(game: &dyn AnyGame, policy: &OpeningPolicy, seed: u64) -> Option<Game> {
    let (least, most) = (*policy.plies.start(), *policy.plies.end());
    let mut numbers = RandomNumbers::new(seed);
    let plies = least + numbers.below((most - least) as usize + 1) as u32;
    let mut game = Game::new(game.start());
    for _ in 0..plies {
        let moves = game.position().count_moves();
        let m = (moves > 0).then(|| game.position().nth_move(numbers.below(moves))).flatten()?;
        game.play(m).ok()?;
    }
    game.end().is_none().then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyMove, AnyPosition, EngineOptions, Limits, any_game};
    use crate::othello;

    fn othello() -> &'static dyn AnyGame {
        any_game::<othello::Position>()
    }

    fn openings(policy: &OpeningPolicy, count: usize, seed: u64, threads: usize) -> Vec<Vec<AnyMove>> {
        let found = generate(othello(), policy, count, seed, threads, &Cancel::new(), &mut |_| ()).unwrap();
        found.into_iter().map(|opening| opening.moves).collect()
    }

    fn position(moves: &[AnyMove]) -> AnyPosition {
        moves.iter().fold(othello().start(), |position, &m| position.play(m).unwrap())
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        let policy = OpeningPolicy { plies: 4..=7, depth: 2, most_points: 4.0 };
        let found = openings(&policy, 40, 9, 1);
        assert_eq!(found, openings(&policy, 40, 9, 3));
        assert_eq!(found[..15], openings(&policy, 15, 9, 2));
        assert_ne!(found, openings(&policy, 40, 10, 1));
    }

    #[test]
    fn openings_are_distinct_balanced_and_of_the_requested_plies() {
        let policy = OpeningPolicy { plies: 4..=7, depth: 2, most_points: 4.0 };
        let found = openings(&policy, 40, 3, 2);
        let distinct: HashSet<_> = found.iter().map(|moves| position(moves).canonical()).collect();
        assert_eq!((found.len(), distinct.len()), (40, 40));
        for plies in 4..=7 {
            assert!(found.iter().any(|moves| moves.len() == plies), "{plies}");
        }
        assert!(found.iter().all(|moves| (4..=7).contains(&moves.len())));
        let mut searcher = othello().searcher(&EngineOptions::new(1 << 20)).unwrap();
        let mut score = |moves: &[AnyMove]| {
            searcher.clear();
            let game = Game::new(position(moves));
            searcher.search(&game, &Limits::depth(2), &Cancel::new(), &mut |_| ()).best().score.points().abs()
        };
        assert!(found.iter().all(|moves| score(moves) <= 4.0));
    }

    #[test]
    fn finds_every_available_opening_once() {
        // The number of positions up to symmetry.
        for (plies, count) in [(0, 1), (1, 1), (2, 3), (3, 14)] {
            let policy = OpeningPolicy { plies: plies..=plies, depth: 0, most_points: 0.0 };
            assert_eq!(openings(&policy, 100, 1, 1).len(), count);
        }
    }
}
