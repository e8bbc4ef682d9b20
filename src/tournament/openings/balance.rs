//! [`Balance`]: the criterion for a balanced opening, and the searches that check it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::game::{AnyGame, Cancel, EngineOptions, Game, Limits, OpeningPolicy, Score, Searcher};

/// The memory of each searcher's tables. It is small because the tables are cleared for each candidate.
const HASH_BYTES: usize = 1 << 20;

/// The criterion for a balanced opening.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balance {
    /// The depth of the search for the score, in plies; 0 accepts every opening.
    pub depth: u32,
    /// The highest accepted score, in points for either side.
    pub most_points: f64,
}

impl Balance {
    /// Accepts every opening.
    pub const ANY: Self = Self { depth: 0, most_points: f64::INFINITY };

    /// Searches a candidate and returns whether it is balanced. The result is meaningless if cancelled.
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

/// Checks openings with one searcher for each thread. The searchers keep nothing from one opening to the next.
pub(super) struct BalanceChecker {
    balance: Balance,
    searchers: Vec<Box<dyn Searcher>>,
}

impl BalanceChecker {
    /// # Panics
    /// If `threads` is 0.
    pub(super) fn new(game: &'static dyn AnyGame, balance: Balance, threads: usize) -> Self {
        assert!(threads > 0, "at least one thread is required");
        let searchers = if balance.depth == 0 { 0 } else { threads };
        let searcher = |_| game.searcher(&EngineOptions::new(HASH_BYTES)).expect("no weights or database can be wrong");
        Self { balance, searchers: (0..searchers).map(searcher).collect() }
    }

    /// Returns whether a candidate is balanced, on the calling thread. The result is meaningless if cancelled.
    pub(super) fn is_balanced(&mut self, candidate: &Game, cancel: &Cancel) -> bool {
        self.searchers.first_mut().is_none_or(|searcher| self.balance.accepts(&mut **searcher, candidate, cancel))
    }

    /// Returns for each candidate whether it is balanced. The result is meaningless if cancelled.
    pub(super) fn are_balanced(&mut self, candidates: &[Game], cancel: &Cancel) -> Vec<bool> {
        let balance = self.balance;
        if balance.depth == 0 {
            return vec![true; candidates.len()];
        }
        let next = AtomicUsize::new(0);
        let balanced = Mutex::new(vec![false; candidates.len()]);
        thread::scope(|scope| {
            for searcher in &mut self.searchers {
                scope.spawn(|| {
                    while let Some((index, game)) = {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        candidates.get(index).map(|game| (index, game)).filter(|_| !cancel.is_cancelled())
                    } {
                        let accepted = balance.accepts(&mut **searcher, game, cancel);
                        balanced.lock().unwrap_or_else(PoisonError::into_inner)[index] = accepted;
                    }
                });
            }
        });
        balanced.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
