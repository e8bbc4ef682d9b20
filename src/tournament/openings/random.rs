//! [`RandomOpenings`]: positions a few random plies from the start, distinct up to symmetry, and balanced.

use std::collections::HashSet;

use super::Opening;
use super::balance::{Balance, BalanceChecker};
use crate::game::{AnyGame, AnyPosition, Cancel, DrawRules, Game, OpeningPolicy, Position as _, RandomNumbers};

/// Drawing stops after this many consecutive candidates that are duplicates or end the game.
const MAX_FAILED_DRAWS: u32 = 10_000;

/// Draws openings one after the other. The seed determines them and their order, so those of a longer match begin with those of a shorter one.
pub struct RandomOpenings {
    game: &'static dyn AnyGame,
    policy: OpeningPolicy,
    rules: DrawRules,
    seeds: RandomNumbers,
    checker: BalanceChecker,
    seen: HashSet<AnyPosition>,
    is_exhausted: bool,
}

impl RandomOpenings {
    /// Prepares to draw openings of `game` that do not end it under these draw rules.
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, policy: OpeningPolicy, rules: DrawRules, seed: u64) -> Self {
        let checker = BalanceChecker::new(game, Balance::from(&policy), 1);
        Self {
            game,
            policy,
            rules,
            seeds: RandomNumbers::new(seed),
            checker,
            seen: HashSet::new(),
            is_exhausted: false,
        }
    }

    /// Draws the next opening; `None` if cancelled, or if there are no more. A cancelled draw loses its candidate.
    pub fn next(&mut self, cancel: &Cancel) -> Option<Opening> {
        let mut failed_draws = 0;
        while !self.is_exhausted {
            let candidate = draw(self.game, &self.policy, self.rules, self.seeds.next_u64());
            let Some(candidate) = candidate.filter(|game| self.seen.insert(game.position().canonical())) else {
                failed_draws += 1;
                self.is_exhausted = failed_draws == MAX_FAILED_DRAWS;
                continue;
            };
            failed_draws = 0;
            let is_balanced = self.checker.is_balanced(&candidate, cancel);
            if cancel.is_cancelled() {
                return None;
            }
            if is_balanced {
                return Some(Opening::of(&candidate));
            }
        }
        None
    }
}

/// Plays random moves; `None` if they end the game.
///
/// # Panics
/// If `policy` has no number of plies.
fn draw(game: &dyn AnyGame, policy: &OpeningPolicy, rules: DrawRules, seed: u64) -> Option<Game> {
    let (least, most) = (*policy.plies.start(), *policy.plies.end());
    let mut numbers = RandomNumbers::new(seed);
    let plies = least + numbers.below((most - least) as usize + 1) as u32;
    let mut game = Game::with_draw_rules(game.start(), rules);
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

    fn openings(policy: &OpeningPolicy, count: usize, seed: u64) -> Vec<Vec<AnyMove>> {
        let mut openings = RandomOpenings::new(othello(), policy.clone(), DrawRules::default(), seed);
        let never = Cancel::new();
        std::iter::from_fn(|| openings.next(&never)).take(count).map(|opening| opening.moves).collect()
    }

    fn position(moves: &[AnyMove]) -> AnyPosition {
        moves.iter().fold(othello().start(), |position, &m| position.play(m).unwrap())
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        let policy = OpeningPolicy { plies: 4..=7, depth: 2, most_points: 4.0 };
        let found = openings(&policy, 40, 9);
        assert_eq!(found, openings(&policy, 40, 9));
        assert_ne!(found, openings(&policy, 40, 10));
    }

    #[test]
    fn openings_are_distinct_balanced_and_of_the_requested_plies() {
        let policy = OpeningPolicy { plies: 4..=7, depth: 2, most_points: 4.0 };
        let found = openings(&policy, 40, 3);
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
            assert_eq!(openings(&policy, 100, 1).len(), count);
        }
    }
}
