//! Parallel search of one position, by the young brothers wait concept.
//!
//! Once the first moves of a node have not refuted it, the others probably all have to be searched.
//! If other threads are idle, or the node is large, the owner of the node offers these moves as a
//! split point. The threads take one move at a time, and a thread that refutes the node cancels the
//! others. While an owner waits for its helpers, it helps only at split points below its own
//! (helpful master), so that it can return as soon as possible.
//!
//! Each thread has a list of its split points. An idle thread takes a move from the deepest search
//! in any list. No lock is shared by all threads.
//!
//! All threads share one table. The score of a solve does not depend on the number of threads,
//! because every bound is proved. The score of a selective search may depend on it, because pruning
//! depends on the contents of the table.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use super::candidates::EvaluatedBoard;
use super::move_ordering::Candidate;
use super::table::Draft;
use super::{BestMove, Solver, bounds_by, square_number};
use crate::game::Cancel;
use crate::host::Instant;
use crate::instructions::{SimdLevel, at_level};
use crate::othello::{Board, Move};
use crate::search::SearchControl;

/// How long a thread without work polls before it sleeps. Waking it takes about as long.
const SPIN_TIME: Duration = Duration::from_micros(100);

/// How long an owner sleeps at a time while it waits for helpers.
const OWNER_SLEEP: Duration = Duration::from_micros(50);

/// The number of lists of split points. If there are more threads, some of them share a list.
const LISTS: usize = 64;

/// The moves of a node that several threads search.
pub(super) struct SplitPoint<const N: usize> {
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
    /// The split point above this node.
    parent: Option<Arc<Self>>,
    /// Raised when the node is refuted.
    refuted: Cancel,
    /// The limits of the search.
    stop: SearchControl,
    /// The number of nodes that helpers visited.
    nodes: AtomicU64,
    /// The index of the next move to search.
    next: AtomicUsize,
    helpers: AtomicUsize,
    progress: Mutex<SplitProgress>,
    /// Whether a helper has panicked.
    failed: AtomicBool,
}

/// The progress at a split point.
struct SplitProgress {
    low: i32,
    best: BestMove,
    /// The bounds of the score of each move.
    bounds: Vec<(i32, i32)>,
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

    fn is_open(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.candidates.len() && !self.refuted.is_cancelled()
    }

    /// Takes the next move; `None` if there is none left or the node is refuted.
    fn take(&self) -> Option<usize> {
        let index = if self.is_open() { self.next.fetch_add(1, Ordering::Relaxed) } else { usize::MAX };
        (index < self.candidates.len()).then_some(index)
    }

    /// Takes the next move for the calling thread as a helper.
    fn join(self: &Arc<Self>) -> Option<Helper<N>> {
        let index = self.take()?;
        self.helpers.fetch_add(1, Ordering::Relaxed);
        Some(Helper { split: Arc::clone(self), index })
    }
}

/// A helper's registration at a split point, with its first move. It ends on drop.
struct Helper<const N: usize> {
    split: Arc<SplitPoint<N>>,
    index: usize,
}

impl<const N: usize> Drop for Helper<N> {
    fn drop(&mut self) {
        // A helper that panics has not searched its move, so the owner must not use the result.
        if thread::panicking() {
            self.split.failed.store(true, Ordering::Relaxed);
        }
        self.split.helpers.fetch_sub(1, Ordering::Release);
    }
}

/// A value in its own cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// The split points of a thread, oldest first, because the oldest are nearest to the root.
struct SplitList<const N: usize> {
    /// The depth of the deepest search that other threads can join, or could join until recently; 0
    /// if there is none.
    depth: AtomicU8,
    splits: Mutex<Vec<Arc<SplitPoint<N>>>>,
}

impl<const N: usize> SplitList<N> {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint<N>>>> {
        self.splits.lock().expect("no thread panics while it holds a list of split points")
    }

    fn update_depth(&self, splits: &[Arc<SplitPoint<N>>]) {
        let depths = splits.iter().filter(|split| split.is_open()).map(|split| split.draft.depth);
        self.depth.store(depths.max().unwrap_or(0), Ordering::Relaxed);
    }

    /// Joins the first split point that satisfies `predicate` and has a move left, unless another
    /// thread is using the list.
    fn join(&self, predicate: impl Fn(&SplitPoint<N>) -> bool) -> Option<Helper<N>> {
        let splits = match self.splits.try_lock() {
            Err(TryLockError::WouldBlock) => return None,
            splits => splits.expect("no thread panics while it holds a list of split points"),
        };
        let found = splits.iter().filter(|split| predicate(split)).find_map(SplitPoint::join);
        self.update_depth(&splits);
        found
    }
}

/// The idle threads of a solver and its forks, and the split points that they can join.
pub(super) struct HelperPool<const N: usize> {
    idle: Apart<AtomicUsize>,
    sleeping: Apart<AtomicUsize>,
    /// The number of split points opened so far.
    offers: Apart<AtomicUsize>,
    /// The number of solvers that have used this pool.
    solvers: AtomicUsize,
    lists: Box<[Apart<SplitList<N>>]>,
    sleep: Mutex<()>,
    opened: Condvar,
}

impl<const N: usize> Default for HelperPool<N> {
    fn default() -> Self {
        let list = |_| Apart(SplitList { depth: AtomicU8::new(0), splits: Mutex::default() });
        Self {
            idle: Apart::default(),
            sleeping: Apart::default(),
            offers: Apart::default(),
            solvers: AtomicUsize::new(0),
            lists: (0..LISTS).map(list).collect(),
            sleep: Mutex::default(),
            opened: Condvar::new(),
        }
    }
}

impl<const N: usize> HelperPool<N> {
    /// Adds a solver and returns the index of its list of split points.
    pub fn register(&self) -> usize {
        self.solvers.fetch_add(1, Ordering::Relaxed) % LISTS
    }

    /// Returns whether a thread is idle.
    #[inline]
    pub fn has_idle_threads(&self) -> bool {
        self.idle.0.load(Ordering::Relaxed) > 0
    }

    /// Returns the lists in use, with the depth of each.
    fn lists(&self) -> impl Iterator<Item = (u8, &SplitList<N>)> {
        let used = self.solvers.load(Ordering::Relaxed).min(LISTS);
        self.lists[..used].iter().map(|Apart(list)| (list.depth.load(Ordering::Relaxed), list))
    }

    fn offer(&self, list: usize, split: &Arc<SplitPoint<N>>) {
        let list = &self.lists[list].0;
        let mut splits = list.lock();
        splits.push(Arc::clone(split));
        list.depth.fetch_max(split.draft.depth, Ordering::Relaxed);
        drop(splits);
        self.offers.0.fetch_add(1, Ordering::Relaxed);
        if self.sleeping.0.load(Ordering::Relaxed) > 0 {
            self.opened.notify_one();
        }
    }

    fn withdraw(&self, list: usize, split: &Arc<SplitPoint<N>>) {
        let list = &self.lists[list].0;
        let mut splits = list.lock();
        splits.retain(|open| !Arc::ptr_eq(open, split));
        list.update_depth(&splits);
    }

    /// Joins a split point of the deepest search.
    fn join(&self) -> Option<Helper<N>> {
        let (_, list) = self.lists().filter(|&(depth, _)| depth > 0).max_by_key(|&(depth, _)| depth)?;
        list.join(|_| true)
    }

    /// Joins a split point below another one.
    fn join_below(&self, split: &Arc<SplitPoint<N>>) -> Option<Helper<N>> {
        let mut lists = self.lists().filter(|&(depth, _)| depth > 0);
        lists.find_map(|(_, list)| list.join(|open| open.is_descendant_of(split)))
    }

    /// Joins any split point, waiting at most `max_wait` for one.
    fn wait(&self, max_wait: Duration) -> Option<Helper<N>> {
        if let Some(helper) = self.join() {
            return Some(helper);
        }
        self.idle.0.fetch_add(1, Ordering::Relaxed);
        let found = spin_until(|| self.join()).or_else(|| {
            let sleep = self.sleep.lock().expect("no thread panics while it falls asleep");
            self.sleeping.0.fetch_add(1, Ordering::Relaxed);
            let found = self.join().or_else(|| {
                drop(self.opened.wait_timeout(sleep, max_wait));
                self.join()
            });
            self.sleeping.0.fetch_sub(1, Ordering::Relaxed);
            found
        });
        self.idle.0.fetch_sub(1, Ordering::Relaxed);
        found
    }
}

/// Calls a function until it returns a value, for at most [`SPIN_TIME`]. If there are more threads
/// than cores, it yields to threads that have work.
fn spin_until<T>(mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let found = find();
        if found.is_some() || start.elapsed() >= SPIN_TIME {
            return found;
        }
        for _ in 0..16 {
            std::hint::spin_loop();
        }
        thread::yield_now();
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
        std::mem::take(&mut split.progress().bounds)
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
        Arc::new(SplitPoint {
            node,
            candidates,
            draft,
            beta,
            replies_refute: self.expects_refutation,
            age: self.age,
            parent: self.current_split.clone(),
            stop: self.stop.for_helper(&refuted),
            refuted,
            nodes: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            progress: Mutex::new(SplitProgress { low, best, bounds }),
            failed: AtomicBool::new(false),
        })
    }

    /// Searches the moves of a split point of this thread together with idle threads and returns
    /// the best.
    fn search_with_helpers<L: SimdLevel>(&mut self, level: L, split: &Arc<SplitPoint<N>>) -> BestMove {
        self.helper_pool.offer(self.split_list, split);
        let parent = self.current_split.replace(Arc::clone(split));
        let cancel = self.stop.replace_cancel(split.refuted.clone());
        self.search_split(level, split, split.take());
        self.helper_pool.withdraw(self.split_list, split);
        self.wait_for_helpers(level, split);
        assert!(!split.failed.load(Ordering::Relaxed), "a helper thread of this search panicked");
        self.current_split = parent;
        self.stop.replace_cancel(cancel);
        self.stop.count(split.nodes.load(Ordering::Relaxed));
        split.progress().best
    }

    /// Waits until no thread helps at a split point. Meanwhile, helps at split points below it.
    fn wait_for_helpers<L: SimdLevel>(&mut self, level: L, split: &Arc<SplitPoint<N>>) {
        let is_over = || split.helpers.load(Ordering::Acquire) == 0;
        while !is_over() {
            // While it waits, this thread counts as idle, so that its helpers open split points for
            // it.
            self.helper_pool.idle.0.fetch_add(1, Ordering::Relaxed);
            let mut seen = None;
            let helper = spin_until(|| {
                let offers = Some(self.helper_pool.offers.0.load(Ordering::Relaxed));
                let helper = if seen == offers { None } else { self.helper_pool.join_below(split) };
                seen = offers;
                if is_over() && helper.is_none() { Some(None) } else { helper.map(Some) }
            });
            self.helper_pool.idle.0.fetch_sub(1, Ordering::Relaxed);
            match helper {
                Some(Some(helper)) => self.help(level, &helper),
                Some(None) => {}
                None => crate::threads::sleep(OWNER_SLEEP),
            }
        }
    }

    /// Searches moves of another thread's split point and then restores the state of this thread.
    fn help<L: SimdLevel>(&mut self, level: L, helper: &Helper<N>) {
        let split = &helper.split;
        let stop = std::mem::replace(&mut self.stop, split.stop.clone());
        let previous_split = self.current_split.replace(Arc::clone(split));
        let (age, may_split) = (self.age, self.may_split);
        (self.age, self.may_split, self.has_helpers) = (split.age, true, true);
        self.search_split(level, split, Some(helper.index));
        split.nodes.fetch_add(self.stop.nodes(), Ordering::Relaxed);
        (self.age, self.may_split) = (age, may_split);
        self.current_split = previous_split;
        self.stop = stop;
    }

    /// Searches moves of a split point, the one at `index` first, until none are left or the node
    /// is refuted.
    fn search_split<L: SimdLevel>(&mut self, level: L, split: &SplitPoint<N>, mut index: Option<usize>) {
        let first = self.candidates.len();
        while let Some(at) = index.filter(|_| !self.stop.is_stopped()) {
            let Candidate { square, next, .. } = split.candidates[at];
            let features = split.node.features_after(square, next);
            let low = split.progress().low;
            self.expects_refutation = split.replies_refute;
            let mut score = -self.visit(level, next, &features, split.draft, -low - 1, -low);
            let (mut lower, mut upper) = bounds_by(score, low, low + 1);
            if score > low && score < split.beta && !self.stop.is_stopped() {
                // The score is only a lower bound so far, and another thread may have raised the
                // window since.
                let low = split.progress().low;
                if low >= split.beta {
                    return;
                }
                self.expects_refutation = false;
                score = -self.visit(level, next, &features, split.draft, -split.beta, -low);
                let second = bounds_by(score, low, split.beta);
                (lower, upper) = (lower.max(second.0), upper.min(second.1));
            }
            self.candidates.truncate(first);
            if self.stop.is_stopped() {
                return;
            }
            let mut progress = split.progress();
            progress.bounds[at] = (lower, upper);
            if score > progress.best.score {
                progress.best = BestMove { score, square };
                progress.low = progress.low.max(score);
                if score >= split.beta {
                    split.refuted.cancel();
                    return;
                }
            }
            drop(progress);
            index = split.take();
        }
    }
}
