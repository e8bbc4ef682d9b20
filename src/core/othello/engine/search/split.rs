//! Parallel search of one position, by the young brothers wait concept.
//!
//! Once the first moves of a node have not refuted it, the others probably all have to be searched.
//! If other threads are idle, or the node is large, the owner of the node offers these moves as a
//! split point in the [`HelperPool`]. The threads take one move at a time, and a thread that refutes
//! the node cancels the others. While an owner waits for its helpers, it helps only at split points
//! below its own (helpful master), so that it can return as soon as possible.
//!
//! All threads share one table. The score of a solve does not depend on the number of threads,
//! because every bound is proved. The score of a selective search may depend on it, because pruning
//! depends on the contents of the table.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::candidates::EvaluatedBoard;
use super::helper_pool::{self, Helper};
use super::move_ordering::Candidate;
use super::table::Draft;
use super::{BestMove, Solver, bounds_by, square_number};
use crate::game::Cancel;
use crate::instructions::{SimdLevel, at_level};
use crate::othello::{Board, Move};
use crate::search::SearchControl;

/// How long an owner sleeps at a time while it waits for helpers.
const OWNER_SLEEP: Duration = Duration::from_micros(50);

/// The split points of a solver and its forks.
pub(super) type HelperPool<const N: usize> = helper_pool::HelperPool<SplitNode<N>>;

/// A split point of a solver.
pub(super) type SplitPoint<const N: usize> = helper_pool::SplitPoint<SplitNode<N>>;

/// The moves of a node that several threads search.
pub(super) struct SplitNode<const N: usize> {
    /// The node.
    node: EvaluatedBoard<N>,
    /// The moves, best first.
    candidates: Vec<Candidate<N>>,
    /// The draft of the search after each move.
    draft: Draft,
    beta: i32,
    /// Whether the nodes after the moves are expected to be refuted.
    replies_refute: bool,
    age: u32,
    /// Raised when the node is refuted.
    refuted: Cancel,
    /// The limits of the search.
    stop: SearchControl,
    progress: Mutex<SplitProgress>,
}

/// The progress at a split point.
struct SplitProgress {
    low: i32,
    best: BestMove,
    /// The bounds of the score of each move.
    bounds: Vec<(i32, i32)>,
}

impl<const N: usize> SplitNode<N> {
    fn progress(&self) -> MutexGuard<'_, SplitProgress> {
        self.progress.lock().expect("no thread panics while it holds the progress of a split point")
    }
}

impl<const N: usize> helper_pool::Node for SplitNode<N> {
    fn moves(&self) -> usize {
        self.candidates.len()
    }

    fn depth(&self) -> u8 {
        self.draft.depth
    }

    fn is_refuted(&self) -> bool {
        self.refuted.is_cancelled()
    }
}

impl<const N: usize> Solver<N> {
    /// Helps a fork that is searching a position: joins one of its split points until no moves are
    /// left there. Returns after `max_wait` if there is no split point.
    pub fn assist(&mut self, max_wait: Duration) {
        if let Some(helper) = self.helper_pool.wait(max_wait) {
            at_level!(self.instructions, |level| self.help(level, &helper));
        }
    }

    /// Returns whether to split a node whose first moves have been searched. If `is_large` is true,
    /// the node is split even before a thread is idle, so that threads that become idle find a
    /// large piece of work.
    #[inline]
    pub(super) fn wants_split(&mut self, is_large: bool) -> bool {
        let has_idle_threads = self.may_split && self.helper_pool.has_idle_threads();
        self.has_helpers |= has_idle_threads;
        has_idle_threads || self.has_helpers && self.may_split && is_large
    }

    /// Returns whether the root of a search may be split.
    pub(super) fn may_split_root(&self) -> bool {
        self.may_split && Arc::strong_count(&self.helper_pool) > 1
    }

    /// Searches the last moves of a root together with idle threads and returns the bounds of each
    /// score. The window is from `low` to `beta`, and `best` is the best score of the earlier
    /// moves.
    pub(super) fn split_root(
        &mut self,
        board: Board<N>,
        moves: impl Iterator<Item = (Move, Board<N>)>,
        draft: Draft,
        window: (i32, i32),
        best: i32,
    ) -> Vec<(i32, i32)> {
        let candidates = moves.map(|(m, next)| Candidate { order: 0, square: square_number(m), next }).collect();
        let node = EvaluatedBoard { board, features: Self::features(board) };
        let best = BestMove { score: best, ..BestMove::NONE };
        self.expects_refutation = true;
        let split = self.split_point(node, candidates, draft, window, best);
        at_level!(self.instructions, |level| self.search_with_helpers(level, &split));
        std::mem::take(&mut split.node.progress().bounds)
    }

    /// Searches the candidates from index `from` together with idle threads. The window is from
    /// `low` to `beta`, and `best` is the best of the earlier moves.
    pub(super) fn split<L: SimdLevel>(
        &mut self,
        level: L,
        node: EvaluatedBoard<N>,
        from: usize,
        draft: Draft,
        window: (i32, i32),
        best: BestMove,
    ) -> BestMove {
        let mut candidates = self.candidates.split_off(from);
        candidates.sort_by_key(|candidate| Reverse(candidate.order));
        let split = self.split_point(node, candidates, draft, window, best);
        self.search_with_helpers(level, &split)
    }

    /// Creates a split point of the node that this thread is searching.
    fn split_point(
        &self,
        node: EvaluatedBoard<N>,
        candidates: Vec<Candidate<N>>,
        draft: Draft,
        (low, beta): (i32, i32),
        best: BestMove,
    ) -> Arc<SplitPoint<N>> {
        let refuted = self.stop.cancel().child();
        let area = Board::<N>::AREA as i32;
        let bounds = vec![(-area, area); candidates.len()];
        let node = SplitNode {
            node,
            candidates,
            draft,
            beta,
            replies_refute: self.expects_refutation,
            age: self.age,
            stop: self.stop.for_helper(&refuted),
            refuted,
            progress: Mutex::new(SplitProgress { low, best, bounds }),
        };
        SplitPoint::new(node, self.current_split.clone())
    }

    /// Searches the moves of a split point of this thread together with idle threads and returns
    /// the best.
    fn search_with_helpers<L: SimdLevel>(&mut self, level: L, split: &Arc<SplitPoint<N>>) -> BestMove {
        self.helper_pool.offer(self.split_list, split);
        let parent = self.current_split.replace(Arc::clone(split));
        let cancel = self.stop.replace_cancel(split.node.refuted.clone());
        self.search_split(level, split, split.take());
        self.helper_pool.withdraw(self.split_list, split);
        self.wait_for_helpers(level, split);
        assert!(!split.has_failed(), "a helper thread of this search panicked");
        self.current_split = parent;
        self.stop.replace_cancel(cancel);
        self.stop.count(split.nodes.load(Ordering::Relaxed));
        split.node.progress().best
    }

    /// Waits until no thread helps at a split point. Meanwhile, helps at split points below it.
    fn wait_for_helpers<L: SimdLevel>(&mut self, level: L, split: &Arc<SplitPoint<N>>) {
        while !split.is_left() {
            match self.helper_pool.wait_below(split) {
                Some(helper) => self.help(level, &helper),
                None if split.is_left() => {}
                None => crate::threads::sleep(OWNER_SLEEP),
            }
        }
    }

    /// Searches moves of another thread's split point and then restores the state of this thread.
    fn help<L: SimdLevel>(&mut self, level: L, helper: &Helper<SplitNode<N>>) {
        let split = &helper.split;
        let stop = std::mem::replace(&mut self.stop, split.node.stop.clone());
        let previous_split = self.current_split.replace(Arc::clone(split));
        let (age, may_split) = (self.age, self.may_split);
        (self.age, self.may_split, self.has_helpers) = (split.node.age, true, true);
        self.search_split(level, split, Some(helper.index));
        split.nodes.fetch_add(self.stop.nodes(), Ordering::Relaxed);
        (self.age, self.may_split) = (age, may_split);
        self.current_split = previous_split;
        self.stop = stop;
    }

    /// Searches moves of a split point, the one at `index` first, until none are left or the node
    /// is refuted.
    fn search_split<L: SimdLevel>(&mut self, level: L, split: &SplitPoint<N>, mut index: Option<usize>) {
        let node = &split.node;
        let first = self.candidates.len();
        while let Some(at) = index.filter(|_| !self.stop.is_stopped()) {
            let Candidate { square, next, .. } = node.candidates[at];
            let features = node.node.features_after(square, next);
            let low = node.progress().low;
            self.expects_refutation = node.replies_refute;
            let mut score = -self.visit(level, next, &features, node.draft, -low - 1, -low);
            let (mut lower, mut upper) = bounds_by(score, low, low + 1);
            if score > low && score < node.beta && !self.stop.is_stopped() {
                // The score is only a lower bound so far, and another thread may have raised the
                // window since.
                let low = node.progress().low;
                if low >= node.beta {
                    return;
                }
                self.expects_refutation = false;
                score = -self.visit(level, next, &features, node.draft, -node.beta, -low);
                let second = bounds_by(score, low, node.beta);
                (lower, upper) = (lower.max(second.0), upper.min(second.1));
            }
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return;
            }
            let mut progress = node.progress();
            progress.bounds[at] = (lower, upper);
            if score > progress.best.score {
                progress.best = BestMove { score, square };
                progress.low = progress.low.max(score);
                if score >= node.beta {
                    node.refuted.cancel();
                    return;
                }
            }
            drop(progress);
            index = split.take();
        }
    }
}
