//! [`RandomOpenings`]: positions a few random plies from the start, distinct up to symmetry, and
//! balanced.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use morello_core::game::{AnyGame, AnyPosition, Cancel, DrawRules, Game, OpeningPolicy, Position as _, RandomNumbers};

use super::Opening;
use super::balance::{Balance, BalanceChecker};

/// Drawing stops after this many consecutive candidates that are duplicates or end the game.
const MAX_FAILED_DRAWS: u32 = 10_000;

/// How often a thread that waits for another one checks whether it is cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Draws random openings when they are first requested, on the threads that request them. The seed
/// determines the openings and their order, so a longer match begins with the openings of a shorter
/// one.
///
/// ```
/// use morello::game::{Cancel, DrawRules, OpeningPolicy};
/// use morello::games;
/// use morello::tournament::openings::RandomOpenings;
///
/// let policy = OpeningPolicy { plies: 4..=6, depth: 0, most_points: 0.0 };
/// let openings = RandomOpenings::new(games::get("othello")?, policy, DrawRules::default(), 1);
/// let (number, opening) = openings.opening(2, &Cancel::new()).expect("there are openings");
/// assert_eq!(number, 2);
/// assert!((4..=6).contains(&opening.moves.len()));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
pub struct RandomOpenings {
    /// The lock is never held during a check, so that known openings are returned at once.
    state: Mutex<DrawState>,
    /// Notified when a check ends.
    check_ended: Condvar,
    is_balanced: Box<BalanceCheck>,
}

morello_core::debug_fields!(RandomOpenings {});

/// Returns whether a candidate is balanced. The result is ignored if cancelled.
type BalanceCheck = dyn Fn(&Game, &Cancel) -> bool + Send + Sync;

struct DrawState {
    candidates: Candidates,
    /// The number of candidates drawn so far.
    drawn: usize,
    /// Candidates by number that wait for a check, or for the check of an earlier candidate to end.
    pending: BTreeMap<usize, (Game, BalanceState)>,
    found: Vec<Opening>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BalanceState {
    /// The check was cancelled and must be repeated.
    Waiting,
    Running,
    Balanced,
    Rejected,
}

impl RandomOpenings {
    /// Prepares to draw openings that do not end the game under these draw rules.
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, policy: OpeningPolicy, rules: DrawRules, seed: u64) -> Self {
        let checker = BalanceChecker::new(game, Balance::from(&policy));
        let is_balanced = move |candidate: &Game, cancel: &Cancel| checker.is_balanced(candidate, cancel);
        Self::with_check(game, policy, rules, seed, Box::new(is_balanced))
    }

    /// Like [`new`](Self::new), but `is_balanced` replaces the balance criterion of the policy.
    pub(in crate::tournament) fn with_check(
        game: &'static dyn AnyGame,
        policy: OpeningPolicy,
        rules: DrawRules,
        seed: u64,
        is_balanced: Box<BalanceCheck>,
    ) -> Self {
        let candidates = Candidates::new(game, policy, rules, seed);
        let state = DrawState { candidates, drawn: 0, pending: BTreeMap::new(), found: Vec::new() };
        Self { state: Mutex::new(state), check_ended: Condvar::new(), is_balanced }
    }

    /// Returns an opening with its number, both counted from 0. If there are fewer openings, they
    /// repeat from the first. Returns `None` if there are no openings, or if cancelled before the
    /// opening is known.
    pub fn opening(&self, round: usize, cancel: &Cancel) -> Option<(usize, Opening)> {
        let mut state = self.lock();
        while state.found.len() <= round {
            if cancel.is_cancelled() {
                return None;
            }
            if let Some((number, candidate)) = state.next_candidate(round) {
                drop(state);
                self.check(number, &candidate, cancel);
                state = self.lock();
            } else if state.pending.is_empty() {
                // All openings are known.
                break;
            } else {
                state = self.check_ended.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        let number = round.checked_rem(state.found.len())?;
        Some((number, state.found[number].clone()))
    }

    /// Calls `read` with the known openings.
    pub(super) fn with_known<T>(&self, read: impl FnOnce(&[Opening]) -> T) -> T {
        read(&self.lock().found)
    }

    /// Checks a candidate. If the check is cancelled or panics, another thread repeats it.
    fn check(&self, number: usize, candidate: &Game, cancel: &Cancel) {
        struct End<'a> {
            openings: &'a RandomOpenings,
            number: usize,
            result: BalanceState,
        }
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.openings.lock().end_check(self.number, self.result);
                self.openings.check_ended.notify_all();
            }
        }
        let mut end = End { openings: self, number, result: BalanceState::Waiting };
        let is_balanced = (self.is_balanced)(candidate, cancel);
        if !cancel.is_cancelled() {
            end.result = if is_balanced { BalanceState::Balanced } else { BalanceState::Rejected };
        }
    }

    fn lock(&self) -> MutexGuard<'_, DrawState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DrawState {
    /// Returns the next candidate to check, with its number; `None` if the running checks may
    /// suffice for this round, or if there are no more candidates.
    fn next_candidate(&mut self, round: usize) -> Option<(usize, Game)> {
        if let Some((&number, (game, check))) =
            self.pending.iter_mut().find(|(_, (_, check))| *check == BalanceState::Waiting)
        {
            *check = BalanceState::Running;
            return Some((number, game.clone()));
        }
        let possible = self.pending.values().filter(|(_, check)| *check != BalanceState::Rejected).count();
        if self.found.len() + possible > round {
            return None;
        }
        let (number, game) = (self.drawn, self.candidates.next()?);
        self.drawn += 1;
        self.pending.insert(number, (game.clone(), BalanceState::Running));
        Some((number, game))
    }

    /// Records the result of a check. A candidate becomes an opening once all earlier candidates
    /// have been checked.
    fn end_check(&mut self, number: usize, result: BalanceState) {
        self.pending.entry(number).and_modify(|(_, check)| *check = result);
        while let Some(first) = self.pending.first_entry()
            && let check @ (BalanceState::Balanced | BalanceState::Rejected) = first.get().1
        {
            let (game, _) = first.remove();
            if check == BalanceState::Balanced {
                self.found.push(Opening::of(&game));
            }
        }
    }
}

/// Positions that random moves reach, distinct up to symmetry.
struct Candidates {
    game: &'static dyn AnyGame,
    policy: OpeningPolicy,
    rules: DrawRules,
    seeds: RandomNumbers,
    seen: HashSet<AnyPosition>,
    is_exhausted: bool,
}

impl Candidates {
    fn new(game: &'static dyn AnyGame, policy: OpeningPolicy, rules: DrawRules, seed: u64) -> Self {
        Self { game, policy, rules, seeds: RandomNumbers::new(seed), seen: HashSet::new(), is_exhausted: false }
    }
}

impl Iterator for Candidates {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        let mut failed_draws = 0;
        while !self.is_exhausted {
            let candidate = draw(self.game, &self.policy, self.rules, self.seeds.next_u64());
            if let Some(game) = candidate.filter(|game| self.seen.insert(game.position().canonical())) {
                return Some(game);
            }
            failed_draws += 1;
            self.is_exhausted = failed_draws == MAX_FAILED_DRAWS;
        }
        None
    }
}

/// Plays random moves; `None` if they end the game.
///
/// # Panics
/// If the range of plies in `policy` is empty.
fn draw(game: &dyn AnyGame, policy: &OpeningPolicy, rules: DrawRules, seed: u64) -> Option<Game> {
    let (least, most) = (*policy.plies.start(), *policy.plies.end());
    let mut numbers = RandomNumbers::new(seed);
    let plies = least + numbers.below((most - least) as usize + 1) as u32;
    let mut game = Game::with_draw_rules(game.start(), rules);
    for _ in 0..plies {
        let moves = game.position().count_moves();
        let m = (moves > 0).then(|| game.position().legal_moves().nth(numbers.below(moves))).flatten()?;
        game.play(m).ok()?;
    }
    game.end().is_none().then_some(game)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    use morello_core::game::{AnyMove, AnyPosition, EngineOptions, Limits, any_game};
    use morello_core::othello;

    use super::*;

    fn othello() -> &'static dyn AnyGame {
        any_game::<othello::Position>()
    }

    fn openings(policy: &OpeningPolicy, count: usize, seed: u64) -> Vec<Vec<AnyMove>> {
        let openings = RandomOpenings::new(othello(), policy.clone(), DrawRules::default(), seed);
        let opening = |round| openings.opening(round, &Cancel::new()).filter(|&(number, _)| number == round);
        (0..count).map_while(opening).map(|(_, opening)| opening.moves).collect()
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
            searcher.best(&game, &Limits::depth(2)).best().score.points().abs()
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

    #[test]
    fn threads_together_find_the_openings_of_one_in_the_order_of_the_candidates() {
        let policy = OpeningPolicy { plies: 4..=7, depth: 2, most_points: 2.0 };
        for seed in [1, 2, 77] {
            let checker = BalanceChecker::new(othello(), Balance::from(&policy));
            let candidates = Candidates::new(othello(), policy.clone(), DrawRules::default(), seed);
            let balanced = candidates.filter(|game| checker.is_balanced(game, &Cancel::new()));
            let expected: Vec<_> = balanced.take(30).map(|game| game.moves().to_vec()).collect();
            assert_eq!(openings(&policy, 30, seed), expected);
            for threads in [2, 3, 8] {
                let shared = &RandomOpenings::new(othello(), policy.clone(), DrawRules::default(), seed);
                let moves = |round| shared.opening(round, &Cancel::new()).map(|(_, opening)| opening.moves);
                thread::scope(|scope| {
                    for thread in 0..threads {
                        let (moves, expected) = (&moves, &expected);
                        scope.spawn(move || {
                            for round in (thread..30).step_by(threads) {
                                assert_eq!(moves(round).as_ref(), Some(&expected[round]));
                            }
                        });
                    }
                });
            }
        }
    }

    /// The moves of a candidate that is being checked, and the sender of the result.
    type RunningCheck = (Vec<AnyMove>, Sender<bool>);

    /// Returns openings whose checks wait for results, the running checks, and all candidates.
    fn with_slow_checks() -> (RandomOpenings, Receiver<RunningCheck>, Vec<Vec<AnyMove>>) {
        let (started, running) = channel();
        let check = move |candidate: &Game, _: &Cancel| {
            let (sender, result) = channel();
            started.send((candidate.moves().to_vec(), sender)).unwrap();
            result.recv().unwrap()
        };
        let (policy, rules) = (OpeningPolicy { plies: 4..=4, depth: 0, most_points: 0.0 }, DrawRules::default());
        let candidates = Candidates::new(othello(), policy.clone(), rules, 5);
        let moves = candidates.take(4).map(|game| game.moves().to_vec()).collect();
        (RandomOpenings::with_check(othello(), policy, rules, 5, Box::new(check)), running, moves)
    }

    #[test]
    fn known_openings_are_returned_during_checks_that_run_in_parallel() {
        let (openings, running, moves) = with_slow_checks();
        let opening = |round| openings.opening(round, &Cancel::new()).map(|(number, found)| (number, found.moves));
        thread::scope(|scope| {
            // This is dropped if an assertion fails, which ends the threads.
            let running = running;
            let drawn = [2, 2].map(|round| scope.spawn(move || opening(round)));
            let mut first_two = [running.recv().unwrap(), running.recv().unwrap()];
            first_two.sort_by_key(|(candidate, _)| *candidate != moves[0]);
            let [(first, first_result), (second, second_result)] = first_two;
            assert_eq!([&first, &second], [&moves[0], &moves[1]]);
            second_result.send(true).unwrap();
            let (third, third_result) = running.recv().unwrap();
            assert_eq!((&third, openings.with_known(<[_]>::len)), (&moves[2], 0));
            first_result.send(false).unwrap();
            let (fourth, fourth_result) = running.recv().unwrap();
            assert_eq!((&fourth, opening(0)), (&moves[3], Some((0, second))));
            fourth_result.send(true).unwrap();
            third_result.send(true).unwrap();
            for thread in drawn {
                assert_eq!(thread.join().unwrap(), Some((2, fourth.clone())));
            }
            assert_eq!(opening(1), Some((1, third)));
        });
    }

    #[test]
    fn a_cancelled_check_is_repeated() {
        let (openings, running, moves) = with_slow_checks();
        let (openings, cancel) = (&openings, &Cancel::new());
        thread::scope(|scope| {
            let running = running;
            let cancelled = scope.spawn(move || openings.opening(0, cancel));
            let (candidate, result) = running.recv().unwrap();
            assert_eq!(candidate, moves[0]);
            let waiting = scope.spawn(move || openings.opening(0, &Cancel::new()));
            cancel.cancel();
            result.send(true).unwrap();
            assert_eq!(cancelled.join().unwrap(), None);
            let (candidate, result) = running.recv().unwrap();
            assert_eq!(candidate, moves[0]);
            result.send(true).unwrap();
            assert_eq!(waiting.join().unwrap().unwrap().1.moves, moves[0]);
        });
    }
}
