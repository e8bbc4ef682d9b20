//! [`OpeningSet`]: the openings of a match, by round.

use std::thread;

use morello_core::game::{Cancel, DrawRules, OpeningPolicy};
use morello_core::threads;
use serde::Serialize;

use super::{Opening, RandomOpenings};

/// The openings of a match. Random openings are drawn when a round first needs them, so that play
/// begins at once. If there are fewer openings than rounds, they repeat from the first.
///
/// ```
/// use morello::game::Cancel;
/// use morello::games;
/// use morello::input::read_game;
/// use morello::tournament::openings::{Opening, OpeningSet};
///
/// let othello = games::get("othello")?;
/// let openings = ["f5d6", "f5f6"].map(|text| read_game(othello, text).map(|game| Opening::of(&game)));
/// let set = OpeningSet::new(openings.into_iter().collect::<Result<_, _>>()?, "two lines".to_owned(), None);
/// let numbers = [0, 1, 2].map(|round| set.opening(round, &Cancel::new()).map(|(number, _)| number));
/// assert_eq!(numbers, [Some(0), Some(1), Some(0)]);
/// assert_eq!((set.summary(3).count, set.summary(3).max_plies), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpeningSet {
    openings: MatchOpenings,
    source: String,
    policy: Option<OpeningPolicy>,
}

morello_core::debug_fields!(OpeningSet { source, policy });

enum MatchOpenings {
    Known(Vec<Opening>),
    Random(RandomOpenings),
}

impl OpeningSet {
    /// Creates a set of known openings, described by `source` and the policy that selected them.
    #[must_use]
    pub fn new(openings: Vec<Opening>, source: String, policy: Option<&OpeningPolicy>) -> Self {
        Self { openings: MatchOpenings::Known(openings), source, policy: policy.cloned() }
    }

    /// Creates a set of random openings.
    #[must_use]
    pub fn random(openings: RandomOpenings, source: String, policy: &OpeningPolicy) -> Self {
        Self { openings: MatchOpenings::Random(openings), source, policy: Some(policy.clone()) }
    }

    /// Returns the opening of a round with its number, both counted from 0; `None` if there are no
    /// openings, or if cancelled before the opening is known. Threads that need new openings draw
    /// them together.
    #[must_use]
    pub fn opening(&self, round: usize, cancel: &Cancel) -> Option<(usize, Opening)> {
        match &self.openings {
            MatchOpenings::Known(openings) => {
                let number = round.checked_rem(openings.len())?;
                Some((number, openings[number].clone()))
            }
            MatchOpenings::Random(openings) => openings.opening(round, cancel),
        }
    }

    /// Draws the openings of the first `rounds` rounds on several threads. `on_progress` receives
    /// the number of rounds that have an opening. Returns early if cancelled.
    pub fn draw(&self, rounds: usize, threads: usize, cancel: &Cancel, on_progress: &mut dyn FnMut(usize)) {
        let (MatchOpenings::Random(openings), Some(last)) = (&self.openings, rounds.checked_sub(1)) else { return };
        thread::scope(|scope| {
            for _ in 0..threads {
                threads::spawn_in(
                    scope,
                    Box::new(|| {
                        openings.opening(last, cancel);
                    }),
                );
            }
            for round in 0..rounds {
                if openings.opening(round, cancel).is_none() {
                    return;
                }
                on_progress(round + 1);
            }
        });
    }

    /// Returns the first known opening that ends the game under these draw rules, with its number.
    #[must_use]
    pub fn first_ending(&self, rules: DrawRules) -> Option<(usize, Opening)> {
        let ends = |opening: &Opening| opening.game(rules).map_or(true, |game| game.end().is_some());
        let first = |known: &[Opening]| known.iter().position(ends).map(|number| (number, known[number].clone()));
        self.with_known(first)
    }

    /// Summarizes the openings of the first `rounds` rounds, or all openings of a file.
    #[must_use]
    pub fn summary(&self, rounds: usize) -> OpeningSummary {
        let count = if self.policy.is_some() { rounds } else { usize::MAX };
        let plies = |known: &[Opening]| known.iter().take(count).map(|opening| opening.moves.len() as u32).collect();
        let plies: Vec<_> = self.with_known(plies);
        OpeningSummary::new(&plies, self.source.clone(), self.policy.as_ref())
    }

    fn with_known<T>(&self, read: impl FnOnce(&[Opening]) -> T) -> T {
        match &self.openings {
            MatchOpenings::Known(openings) => read(openings),
            MatchOpenings::Random(openings) => openings.with_known(read),
        }
    }
}

/// The openings of a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OpeningSummary {
    /// Number of openings. Unless they come from a file, all are distinct up to symmetry.
    pub count: usize,
    /// The source of the openings, in words.
    pub source: String,
    /// Minimum number of plies.
    pub min_plies: u32,
    /// Maximum number of plies.
    pub max_plies: u32,
    /// The depth of the balance search in plies; 0 without a search.
    pub depth: u32,
    /// The maximum score of an opening for either side, in points; null without a search.
    pub most_points: Option<f64>,
}

impl OpeningSummary {
    /// Summarizes openings with these numbers of plies, selected by a policy.
    pub(super) fn new(plies: &[u32], source: String, policy: Option<&OpeningPolicy>) -> Self {
        let range = policy.map_or_else(
            || plies.iter().copied().min().unwrap_or(0)..=plies.iter().copied().max().unwrap_or(0),
            |policy| policy.plies.clone(),
        );
        let depth = policy.map_or(0, |policy| policy.depth);
        Self {
            count: plies.len(),
            source,
            min_plies: *range.start(),
            max_plies: *range.end(),
            depth,
            most_points: policy.map(|policy| policy.most_points).filter(|_| depth > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::any_game;
    use morello_core::othello;

    use super::*;

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
        thread::scope(|scope| {
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
    fn draws_the_openings_of_the_first_rounds_and_no_more() {
        let (set, mut done) = (random(6), Vec::new());
        set.draw(20, 3, &Cancel::new(), &mut |rounds| done.push(rounds));
        assert_eq!((done, set.summary(99).count), ((1..=20).collect(), 20));
        let expected = random(6).opening(19, &Cancel::new());
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert_eq!(set.opening(19, &cancelled), expected);
        set.draw(30, 3, &cancelled, &mut |rounds| assert!(rounds <= 20, "{rounds}"));
        assert_eq!(set.summary(99).count, 20);
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
