//! [`OpeningSet`]: the openings of a match, by round.

use std::sync::{Mutex, PoisonError};

use super::{Opening, RandomOpenings};
use crate::game::{Cancel, DrawRules, OpeningPolicy};
use crate::tournament::OpeningSummary;

/// The openings of a match. Random ones are drawn when a round first needs them, so that play begins at once. They repeat from the first if there
/// are fewer than rounds.
pub struct OpeningSet {
    state: Mutex<State>,
    source: String,
    policy: Option<OpeningPolicy>,
}

struct State {
    found: Vec<Opening>,
    /// Draws further openings.
    random: Option<RandomOpenings>,
}

impl OpeningSet {
    /// Creates a set of known openings, described by `source` and the policy that selected them.
    #[must_use]
    pub fn new(openings: Vec<Opening>, source: String, policy: Option<&OpeningPolicy>) -> Self {
        Self { state: Mutex::new(State { found: openings, random: None }), source, policy: policy.cloned() }
    }

    /// Creates a set of random openings.
    #[must_use]
    pub fn random(openings: RandomOpenings, source: String, policy: &OpeningPolicy) -> Self {
        let state = State { found: Vec::new(), random: Some(openings) };
        Self { state: Mutex::new(state), source, policy: Some(policy.clone()) }
    }

    /// Returns the opening of a round with its number, both counted from 0; `None` if cancelled, or if there are no openings. Other threads that
    /// need a new opening wait for it.
    pub fn opening(&self, round: usize, cancel: &Cancel) -> Option<(usize, Opening)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { found, random } = &mut *state;
        while let Some(openings) = random.as_mut().filter(|_| found.len() <= round) {
            match openings.next(cancel) {
                Some(opening) => found.push(opening),
                None if cancel.is_cancelled() => return None,
                None => *random = None,
            }
        }
        let number = round.checked_rem(found.len())?;
        Some((number, found[number].clone()))
    }

    /// Returns the first known opening that ends the game under these draw rules, with its number.
    #[must_use]
    pub fn first_ending(&self, rules: DrawRules) -> Option<(usize, Opening)> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = |opening: &Opening| opening.game(rules).map_or(true, |game| game.end().is_some());
        state.found.iter().position(ends).map(|number| (number, state.found[number].clone()))
    }

    /// Summarizes the openings of the first `rounds` rounds, or all of a file.
    #[must_use]
    pub fn summary(&self, rounds: usize) -> OpeningSummary {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let count = if self.policy.is_some() { rounds } else { usize::MAX };
        let plies: Vec<_> = state.found.iter().take(count).map(|opening| opening.moves.len() as u32).collect();
        summary(&plies, self.source.clone(), self.policy.as_ref())
    }
}

/// Describes openings of these numbers of plies, selected by a policy.
pub(super) fn summary(plies: &[u32], source: String, policy: Option<&OpeningPolicy>) -> OpeningSummary {
    let range = policy.map_or_else(
        || plies.iter().copied().min().unwrap_or(0)..=plies.iter().copied().max().unwrap_or(0),
        |policy| policy.plies.clone(),
    );
    let depth = policy.map_or(0, |policy| policy.depth);
    OpeningSummary {
        count: plies.len(),
        source,
        min_plies: *range.start(),
        max_plies: *range.end(),
        depth,
        most_points: policy.map(|policy| policy.most_points).filter(|_| depth > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::othello;

    fn random(plies: u32) -> OpeningSet {
        let policy = OpeningPolicy { plies: plies..=plies, depth: 0, most_points: 0.0 };
        let openings = RandomOpenings::new(any_game::<othello::Position>(), policy.clone(), DrawRules::default(), 7);
        OpeningSet::random(openings, "random".into(), &policy)
    }

    #[test]
    fn a_round_has_the_same_opening_in_any_order_and_on_any_thread() {
        let never = Cancel::new();
        let (forward, backward) = (random(6), random(6));
        let expected: Vec<_> = (0..40).map(|round| forward.opening(round, &never).unwrap()).collect();
        assert!((0..40).rev().all(|round| backward.opening(round, &never).as_ref() == Some(&expected[round])));
        let shared = random(6);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (shared, expected, never) = (&shared, &expected, &never);
                scope.spawn(move || {
                    for round in (thread..40).step_by(4) {
                        assert_eq!(shared.opening(round, never).as_ref(), Some(&expected[round]));
                    }
                });
            }
        });
        assert_eq!((shared.summary(25).count, shared.summary(99).count), (25, 40));
    }

    #[test]
    fn openings_repeat_if_there_are_fewer_than_rounds() {
        // Three positions after two plies, up to symmetry.
        let (set, never) = (random(2), Cancel::new());
        let numbers: Vec<_> = (0..7).map(|round| set.opening(round, &never).unwrap().0).collect();
        assert_eq!(numbers, [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(set.summary(7).count, 3);
        assert!(OpeningSet::new(Vec::new(), "none".into(), None).opening(0, &never).is_none());
    }

    #[test]
    fn a_cancelled_draw_has_no_opening() {
        let policy = OpeningPolicy { plies: 6..=6, depth: 2, most_points: 64.0 };
        let openings = RandomOpenings::new(any_game::<othello::Position>(), policy.clone(), DrawRules::default(), 7);
        let set = OpeningSet::random(openings, "random".into(), &policy);
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert!(set.opening(0, &cancelled).is_none());
        assert!(set.opening(0, &Cancel::new()).is_some());
    }
}
