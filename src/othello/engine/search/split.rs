//! Several threads on one position: young brothers wait.
//!
//! Once the first few moves of a node are searched and none refutes it, the others are likely to be needed whatever their scores: a thread
//! that meets others idle offers the rest of its moves, each of those takes one move after the other, and whoever refutes the node calls the
//! others off. A thread whose moves are all taken helps those below them until they are done, and no one else: so it is back as soon as it
//! is needed. All share one table. The bounds of a solve are true whoever found them, so its score is the same for any number of threads; that
//! of a selective search may differ, for what is left out depends on what the table knows by then.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::move_ordering::Candidate;
use super::table::Draft;
use super::{BestMove, Solver};
use crate::game::Cancel;
use crate::instructions::{SimdLevel, at_level};
use crate::search::SearchControl;

/// How long a thread whose helpers are still at work sleeps before it looks for something below to help with.
const HELPER_POLL_INTERVAL: Duration = Duration::from_micros(100);

/// The moves of a node that threads share.
pub(super) struct SplitPoint<const N: usize> {
    /// The best first.
    candidates: Vec<Candidate<N>>,
    /// That of the search after each move.
    draft: Draft,
    beta: i32,
    age: u32,
    /// The split that the node lies below.
    parent: Option<Arc<Self>>,
    /// Is raised when the node is refuted.
    refuted: Cancel,
    /// The bounds of the search.
    stop: SearchControl,
    /// Nodes that helpers visited.
    nodes: AtomicU64,
    progress: Mutex<Progress>,
    helper_finished: Condvar,
    /// Is raised when a helper panics.
    failed: AtomicBool,
}

/// How far the moves of a split are searched.
struct Progress {
    /// The first move that nobody has taken.
    next: usize,
    low: i32,
    best: BestMove,
    helpers: usize,
}

impl<const N: usize> SplitPoint<N> {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().expect("no thread panics while it holds the progress of a split")
    }

    fn is_descendant_of(&self, other: &Arc<Self>) -> bool {
        let mut above = self.parent.as_ref();
        while let Some(split) = above {
            if Arc::ptr_eq(split, other) {
                return true;
            }
            above = split.parent.as_ref();
        }
        false
    }

    /// Counts the calling thread among the helpers if a move is left for it.
    fn join(self: &Arc<Self>) -> Option<Helper<N>> {
        let mut progress = self.progress();
        let open = progress.next < self.candidates.len() && !self.refuted.is_cancelled();
        open.then(|| {
            progress.helpers += 1;
            Helper(Arc::clone(self))
        })
    }
}

/// A helper's place at a split; it is left however the help ends.
struct Helper<const N: usize>(Arc<SplitPoint<N>>);

impl<const N: usize> Drop for Helper<N> {
    fn drop(&mut self) {
        // A helper that panics leaves a move unsearched: the owner must not go on as if it were.
        if std::thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
        if let Ok(mut progress) = self.0.progress.lock() {
            progress.helpers -= 1;
            self.0.helper_finished.notify_one();
        }
    }
}

/// The threads of a solver and its forks, and the splits that are open to them.
pub(super) struct HelperPool<const N: usize> {
    idle: AtomicUsize,
    /// The oldest first: they lie highest.
    open: Mutex<Vec<Arc<SplitPoint<N>>>>,
    opened: Condvar,
}

impl<const N: usize> Default for HelperPool<N> {
    fn default() -> Self {
        Self { idle: AtomicUsize::new(0), open: Mutex::default(), opened: Condvar::new() }
    }
}

impl<const N: usize> HelperPool<N> {
    /// Returns whether a thread waits for something to help with.
    #[inline]
    pub fn has_idle_threads(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint<N>>>> {
        self.open.lock().expect("no thread panics while it holds the list of splits")
    }

    fn offer(&self, split: &Arc<SplitPoint<N>>) {
        self.open().push(Arc::clone(split));
        self.opened.notify_one();
    }

    fn withdraw(&self, split: &Arc<SplitPoint<N>>) {
        self.open().retain(|open| !Arc::ptr_eq(open, split));
    }

    /// Joins the first of the open splits that `wanted` accepts and that has a move left.
    fn join(open: &[Arc<SplitPoint<N>>], wanted: impl Fn(&SplitPoint<N>) -> bool) -> Option<Helper<N>> {
        open.iter().filter(|split| wanted(split)).find_map(SplitPoint::join)
    }

    /// Joins any split, waiting at most `patience` for one.
    fn wait(&self, patience: Duration) -> Option<Helper<N>> {
        let mut open = self.open();
        if let Some(helper) = Self::join(&open, |_| true) {
            return Some(helper);
        }
        self.idle.fetch_add(1, Ordering::Relaxed);
        open = self.opened.wait_timeout(open, patience).expect("no thread panics while it holds the list of splits").0;
        self.idle.fetch_sub(1, Ordering::Relaxed);
        Self::join(&open, |_| true)
    }
}

impl<const N: usize> Solver<N> {
    /// Helps a fork that is solving a position: takes part in its search until there is nothing left to help with there, or returns
    /// after `patience` if there is none.
    pub fn assist(&mut self, patience: Duration) {
        if let Some(helper) = self.helper_pool.wait(patience) {
            at_level!(self.instructions, |level| self.help(level, &helper));
        }
    }

    /// Searches the candidates from index `from` on, together with idle threads; the window begins at `low`, and `best` is the best of the
    /// moves before them.
    pub(super) fn split<L: SimdLevel>(
        &mut self,
        level: L,
        from: usize,
        draft: Draft,
        low: i32,
        beta: i32,
        best: BestMove,
    ) -> BestMove {
        let mut candidates = self.candidates.split_off(from);
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.order));
        let refuted = self.stop.cancel().child();
        let split = Arc::new(SplitPoint {
            candidates,
            draft,
            beta,
            age: self.age,
            parent: self.current_split.clone(),
            refuted: refuted.clone(),
            stop: self.stop.for_helper(&refuted),
            nodes: AtomicU64::new(0),
            progress: Mutex::new(Progress { next: 0, low, best, helpers: 0 }),
            helper_finished: Condvar::new(),
            failed: AtomicBool::new(false),
        });
        self.helper_pool.offer(&split);
        let above = self.current_split.replace(Arc::clone(&split));
        let cancel = self.stop.replace_cancel(refuted);
        self.search_split(level, &split);
        self.helper_pool.withdraw(&split);
        let mut progress = split.progress();
        // Whoever works below is to know that this thread is free.
        self.helper_pool.idle.fetch_add(1, Ordering::Relaxed);
        while progress.helpers > 0 {
            drop(progress);
            let below = HelperPool::join(&self.helper_pool.open(), |open| open.is_descendant_of(&split));
            if let Some(helper) = below {
                self.helper_pool.idle.fetch_sub(1, Ordering::Relaxed);
                self.help(level, &helper);
                drop(helper);
                self.helper_pool.idle.fetch_add(1, Ordering::Relaxed);
                progress = split.progress();
            } else {
                progress = split.progress();
                if progress.helpers > 0 {
                    let woken = split.helper_finished.wait_timeout(progress, HELPER_POLL_INTERVAL);
                    progress = woken.expect("no thread panics while it holds the progress of a split").0;
                }
            }
        }
        self.helper_pool.idle.fetch_sub(1, Ordering::Relaxed);
        assert!(!split.failed.load(Ordering::Relaxed), "a thread that helped with this search panicked");
        self.current_split = above;
        self.stop.replace_cancel(cancel);
        self.stop.count(split.nodes.load(Ordering::Relaxed));
        progress.best
    }

    /// Takes part in another thread's split; what this thread was at is as before afterwards.
    fn help<L: SimdLevel>(&mut self, level: L, Helper(split): &Helper<N>) {
        let stop = std::mem::replace(&mut self.stop, split.stop.clone());
        let above = self.current_split.replace(Arc::clone(split));
        let (age, may_split) = (self.age, self.may_split);
        (self.age, self.may_split) = (split.age, true);
        self.search_split(level, split);
        split.nodes.fetch_add(self.stop.nodes(), Ordering::Relaxed);
        (self.age, self.may_split) = (age, may_split);
        self.current_split = above;
        self.stop = stop;
    }

    /// Searches moves of a split until all are taken or it is refuted.
    fn search_split<L: SimdLevel>(&mut self, level: L, split: &SplitPoint<N>) {
        let first = self.candidates.len();
        loop {
            let (candidate, low) = {
                let mut progress = split.progress();
                let Some(candidate) = split.candidates.get(progress.next) else { return };
                if self.stop.is_stopped() || split.refuted.is_cancelled() {
                    return;
                }
                progress.next += 1;
                (candidate, progress.low)
            };
            let mut score = -self.visit(level, candidate.next, split.draft, -low - 1, -low);
            if score > low && score < split.beta && !self.stop.is_stopped() {
                // So far the score is only known to be at least this, while another thread may have raised the window above it.
                let low = split.progress().low;
                if low >= split.beta {
                    return;
                }
                score = -self.visit(level, candidate.next, split.draft, -split.beta, -low);
            }
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return;
            }
            let mut progress = split.progress();
            if score > progress.best.score {
                progress.best = BestMove { score, square: candidate.square };
                progress.low = progress.low.max(score);
                if score >= split.beta {
                    split.refuted.cancel();
                    return;
                }
            }
        }
    }
}
