//! Parallel search of one position by the young brothers wait concept.
//!
//! If the first few moves of a node do not refute it, the others probably all have to be searched.
//! If other threads are idle, the owner of the node offers these moves as a split point. The
//! threads take one move at a time, and the one that refutes the node cancels the others. An owner
//! that waits for its helpers helps only with split points below its own (helpful master), so that
//! it returns as soon as possible. All threads share one table. The score of a solve does not
//! depend on the number of threads, because every bound is proved. The score of a selective search
//! may, because pruning depends on the contents of the table.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::candidates::EvaluatedBoard;
use super::move_ordering::Candidate;
use super::table::Draft;
use super::{BestMove, Solver};
use crate::game::Cancel;
use crate::instructions::{SimdLevel, at_level};
use crate::search::SearchControl;

/// The time after which an owner that waits for helpers looks again for a split point to help with.
const HELPER_POLL_INTERVAL: Duration = Duration::from_micros(100);

/// How long a thread without work watches for some before it sleeps. Waking it takes about as long.
const SPIN_TIME: Duration = Duration::from_micros(100);

/// The moves of a node that several threads search.
pub(super) struct SplitPoint<const N: usize> {
    /// The node.
    node: EvaluatedBoard<N>,
    /// The moves, best first.
    candidates: Vec<Candidate<N>>,
    /// The draft of the search after each move.
    draft: Draft,
    beta: i32,
    age: u32,
    /// The split point above this node.
    parent: Option<Arc<Self>>,
    /// Raised when the node is refuted.
    refuted: Cancel,
    /// The limits of the search.
    stop: SearchControl,
    /// The number of nodes that helpers visited.
    nodes: AtomicU64,
    progress: Mutex<SplitProgress>,
    helper_finished: Condvar,
    /// Whether a helper has panicked.
    failed: AtomicBool,
}

/// The progress at a split point.
struct SplitProgress {
    /// The index of the next move to search.
    next: usize,
    low: i32,
    best: BestMove,
    helpers: usize,
}

impl<const N: usize> SplitPoint<N> {
    fn progress(&self) -> MutexGuard<'_, SplitProgress> {
        self.progress.lock().expect("no thread panics while it holds the progress of a split point")
    }

    fn is_descendant_of(&self, other: &Arc<Self>) -> bool {
        let mut ancestor = self.parent.as_ref();
        while let Some(split) = ancestor {
            if Arc::ptr_eq(split, other) {
                return true;
            }
            ancestor = split.parent.as_ref();
        }
        false
    }

    /// Registers the calling thread as a helper if a move is left.
    fn join(self: &Arc<Self>) -> Option<Helper<N>> {
        let mut progress = self.progress();
        let open = progress.next < self.candidates.len() && !self.refuted.is_cancelled();
        open.then(|| {
            progress.helpers += 1;
            Helper(Arc::clone(self))
        })
    }
}

/// The registration of a helper at a split point, which ends on drop.
struct Helper<const N: usize>(Arc<SplitPoint<N>>);

impl<const N: usize> Drop for Helper<N> {
    fn drop(&mut self) {
        // A helper that panics has not searched its move, so the owner must not use the result.
        if std::thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
        if let Ok(mut progress) = self.0.progress.lock() {
            progress.helpers -= 1;
            self.0.helper_finished.notify_one();
        }
    }
}

/// The idle threads of a solver and its forks, and the split points that they can join.
pub(super) struct HelperPool<const N: usize> {
    idle: AtomicUsize,
    /// The open split points, oldest first, because these are nearest to the root.
    open: Mutex<Vec<Arc<SplitPoint<N>>>>,
    opened: Condvar,
    /// The number of split points opened so far.
    offers: AtomicUsize,
}

impl<const N: usize> Default for HelperPool<N> {
    fn default() -> Self {
        Self { idle: AtomicUsize::new(0), open: Mutex::default(), opened: Condvar::new(), offers: AtomicUsize::new(0) }
    }
}

impl<const N: usize> HelperPool<N> {
    /// Returns whether a thread is idle.
    #[inline]
    pub fn has_idle_threads(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint<N>>>> {
        self.open.lock().expect("no thread panics while it holds the list of split points")
    }

    fn offer(&self, split: &Arc<SplitPoint<N>>) {
        let mut open = self.open();
        open.push(Arc::clone(split));
        self.offers.fetch_add(1, Ordering::Relaxed);
        drop(open);
        self.opened.notify_one();
    }

    fn withdraw(&self, split: &Arc<SplitPoint<N>>) {
        self.open().retain(|open| !Arc::ptr_eq(open, split));
    }

    /// Joins the first open split point that satisfies `predicate` and has a move left.
    fn join(open: &[Arc<SplitPoint<N>>], predicate: impl Fn(&SplitPoint<N>) -> bool) -> Option<Helper<N>> {
        open.iter().filter(|split| predicate(split)).find_map(SplitPoint::join)
    }

    /// Joins any split point, waiting at most `max_wait` for one. `spins` is whether to watch for
    /// one before sleeping.
    fn wait(&self, max_wait: Duration, spins: bool) -> Option<Helper<N>> {
        let mut open = self.open();
        if let Some(helper) = Self::join(&open, |_| true) {
            return Some(helper);
        }
        let seen = self.offers.load(Ordering::Relaxed);
        drop(open);
        self.idle.fetch_add(1, Ordering::Relaxed);
        if spins {
            spin_until(|| self.offers.load(Ordering::Relaxed) != seen);
        }
        open = self.open();
        if self.offers.load(Ordering::Relaxed) == seen {
            let woken = self.opened.wait_timeout(open, max_wait);
            open = woken.expect("no thread panics while it holds the list of split points").0;
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
        Self::join(&open, |_| true)
    }
}

/// Watches for a condition for [`SPIN_TIME`] and returns whether it was met.
fn spin_until(mut is_met: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        if is_met() {
            return true;
        }
        if start.elapsed() >= SPIN_TIME {
            return false;
        }
        for _ in 0..16 {
            std::hint::spin_loop();
        }
    }
}

impl<const N: usize> Solver<N> {
    /// Helps a fork that is searching a position: joins one of its split points until no moves are
    /// left there. Returns after `max_wait` if there is no split point.
    pub fn assist(&mut self, max_wait: Duration) {
        let helper = self.helper_pool.wait(max_wait, self.has_just_helped);
        self.has_just_helped = helper.is_some();
        if let Some(helper) = helper {
            at_level!(self.instructions, |level| self.help(level, &helper));
        }
    }

    /// Searches the candidates from index `from` on together with idle threads. The window is from
    /// `low` to `beta`, and `best` is the best of the moves before.
    pub(super) fn split<L: SimdLevel>(
        &mut self,
        level: L,
        node: EvaluatedBoard<N>,
        from: usize,
        draft: Draft,
        (low, beta): (i32, i32),
        best: BestMove,
    ) -> BestMove {
        let mut candidates = self.candidates.split_off(from);
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.order));
        let refuted = self.stop.cancel().child();
        let split = Arc::new(SplitPoint {
            node,
            candidates,
            draft,
            beta,
            age: self.age,
            parent: self.current_split.clone(),
            refuted: refuted.clone(),
            stop: self.stop.for_helper(&refuted),
            nodes: AtomicU64::new(0),
            progress: Mutex::new(SplitProgress { next: 0, low, best, helpers: 0 }),
            helper_finished: Condvar::new(),
            failed: AtomicBool::new(false),
        });
        self.helper_pool.offer(&split);
        let parent = self.current_split.replace(Arc::clone(&split));
        let cancel = self.stop.replace_cancel(refuted);
        self.search_split(level, &split);
        self.helper_pool.withdraw(&split);
        let best = self.wait_for_helpers(level, &split);
        assert!(!split.failed.load(Ordering::Relaxed), "a helper thread of this search panicked");
        self.current_split = parent;
        self.stop.replace_cancel(cancel);
        self.stop.count(split.nodes.load(Ordering::Relaxed));
        best
    }

    /// Waits until no thread helps at a split point, and helps at those below it. Returns the best
    /// move.
    fn wait_for_helpers<L: SimdLevel>(&mut self, level: L, split: &Arc<SplitPoint<N>>) -> BestMove {
        let mut progress = split.progress();
        // While it waits, this thread counts as idle, so that its helpers open split points for it.
        self.helper_pool.idle.fetch_add(1, Ordering::Relaxed);
        while progress.helpers > 0 {
            drop(progress);
            let seen = self.helper_pool.offers.load(Ordering::Relaxed);
            let below = HelperPool::join(&self.helper_pool.open(), |open| open.is_descendant_of(split));
            if let Some(helper) = below {
                self.helper_pool.idle.fetch_sub(1, Ordering::Relaxed);
                self.help(level, &helper);
                drop(helper);
                self.helper_pool.idle.fetch_add(1, Ordering::Relaxed);
                progress = split.progress();
            } else {
                let changed =
                    || self.helper_pool.offers.load(Ordering::Relaxed) != seen || split.progress().helpers == 0;
                let has_changed = spin_until(changed);
                progress = split.progress();
                if progress.helpers > 0 && !has_changed {
                    let woken = split.helper_finished.wait_timeout(progress, HELPER_POLL_INTERVAL);
                    progress = woken.expect("no thread panics while it holds the progress of a split point").0;
                }
            }
        }
        self.helper_pool.idle.fetch_sub(1, Ordering::Relaxed);
        progress.best
    }

    /// Searches moves of another thread's split point and then restores the state of this thread.
    fn help<L: SimdLevel>(&mut self, level: L, Helper(split): &Helper<N>) {
        let stop = std::mem::replace(&mut self.stop, split.stop.clone());
        let previous_split = self.current_split.replace(Arc::clone(split));
        let (age, may_split) = (self.age, self.may_split);
        (self.age, self.may_split) = (split.age, true);
        self.search_split(level, split);
        split.nodes.fetch_add(self.stop.nodes(), Ordering::Relaxed);
        (self.age, self.may_split) = (age, may_split);
        self.current_split = previous_split;
        self.stop = stop;
    }

    /// Searches moves of a split point until none are left or the node is refuted.
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
            let Candidate { square, next, .. } = *candidate;
            let features = split.node.features_after(square, next);
            let mut score = -self.visit(level, next, &features, split.draft, -low - 1, -low);
            if score > low && score < split.beta && !self.stop.is_stopped() {
                // The score is only a lower bound so far, and another thread may have raised the
                // window since.
                let low = split.progress().low;
                if low >= split.beta {
                    return;
                }
                score = -self.visit(level, next, &features, split.draft, -split.beta, -low);
            }
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return;
            }
            let mut progress = split.progress();
            if score > progress.best.score {
                progress.best = BestMove { score, square };
                progress.low = progress.low.max(score);
                if score >= split.beta {
                    split.refuted.cancel();
                    return;
                }
            }
        }
    }
}
