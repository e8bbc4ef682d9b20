//! [`Balance`]: the criterion for a balanced opening, and the searches that check it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use morello_core::game::{AnyGame, Cancel, EngineOptions, Game, Limits, OpeningPolicy, Score, Searcher};
use morello_core::threads;
use serde::{Deserialize, Serialize};

/// The memory for each searcher's tables, in bytes. It is small because the tables are cleared for
/// each candidate.
const HASH_BYTES: usize = 1 << 20;

/// The criterion for a balanced opening.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// The depth of the search for the score, in plies; 0 accepts every opening.
    pub depth: u32,
    /// The highest accepted score for either side, in points.
    pub most_points: f64,
}

impl Balance {
    /// Accepts every opening.
    pub const ANY: Self = Self { depth: 0, most_points: f64::INFINITY };

    /// Searches a candidate and returns whether it is balanced. The result is meaningless if
    /// cancelled.
    fn accepts(self, searcher: &mut dyn Searcher, candidate: &Game, cancel: &Cancel) -> bool {
        searcher.clear();
        let report = searcher.search(candidate, &Limits::depth(self.depth), cancel, &mut |_| ());
        f64::from(report.best().score.thousandths).abs() / f64::from(Score::POINT) <= self.most_points
    }
}

impl From<&OpeningPolicy> for Balance {
    fn from(policy: &OpeningPolicy) -> Self {
        Self { depth: policy.depth, most_points: policy.most_points }
    }
}

/// Checks openings on any number of threads. The searchers' tables are cleared for each opening.
pub(super) struct BalanceChecker {
    game: &'static dyn AnyGame,
    balance: Balance,
    /// Searchers that no thread is using.
    idle: Mutex<Vec<Box<dyn Searcher>>>,
}

impl BalanceChecker {
    pub(super) fn new(game: &'static dyn AnyGame, balance: Balance) -> Self {
        Self { game, balance, idle: Mutex::default() }
    }

    /// Returns whether a candidate is balanced, on the calling thread. The result is meaningless if
    /// cancelled.
    pub(super) fn is_balanced(&self, candidate: &Game, cancel: &Cancel) -> bool {
        if self.balance.depth == 0 {
            return true;
        }
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let searcher = idle().pop();
        let create =
            || self.game.searcher(&EngineOptions::new(HASH_BYTES)).expect("no weights or database can be wrong");
        let mut searcher = searcher.unwrap_or_else(create);
        let is_balanced = self.balance.accepts(&mut *searcher, candidate, cancel);
        idle().push(searcher);
        is_balanced
    }

    /// Returns, for each candidate, whether it is balanced. The result is meaningless if cancelled.
    pub(super) fn are_balanced(&self, candidates: &[Game], threads: usize, cancel: &Cancel) -> Vec<bool> {
        if self.balance.depth == 0 {
            return vec![true; candidates.len()];
        }
        let next = AtomicUsize::new(0);
        let balanced = Mutex::new(vec![false; candidates.len()]);
        thread::scope(|scope| {
            for _ in 0..threads {
                threads::spawn_in(
                    scope,
                    Box::new(|| {
                        while let Some((index, game)) = {
                            let index = next.fetch_add(1, Ordering::Relaxed);
                            candidates.get(index).map(|game| (index, game)).filter(|_| !cancel.is_cancelled())
                        } {
                            let accepted = self.is_balanced(game, cancel);
                            balanced.lock().unwrap_or_else(PoisonError::into_inner)[index] = accepted;
                        }
                    }),
                );
            }
        });
        balanced.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
