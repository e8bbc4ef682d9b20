//! [`HelperPool`]: the split points of several threads, and the threads that look for moves to search.
//!
//! Each thread has a list of its split points. An idle thread takes a move from the deepest search
//! in any list. No lock is shared by all threads.
//!
//! `tests/loom` runs this file in all orders in which its threads can run, with other types in `sync`.

use std::sync::{Arc, TryLockError};
use std::time::Duration;

use super::sync::{
    AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Condvar, Instant, Mutex, MutexGuard, Ordering, spin_loop, thread,
};

/// How long a thread without work polls before it sleeps. Waking it takes about as long.
const SPIN_TIME: Duration = Duration::from_micros(100);

/// The number of lists of split points. If there are more threads, some of them share a list.
const LISTS: usize = 64;

/// What is searched at a split point.
pub(super) trait Node {
    /// Returns the number of moves.
    fn moves(&self) -> usize;

    /// Returns the depth of the search after each move.
    fn depth(&self) -> u8;

    /// Returns whether no more moves need to be searched.
    fn is_refuted(&self) -> bool;
}

/// A node whose moves several threads search.
pub(super) struct SplitPoint<T> {
    pub node: T,
    /// The split point above this node.
    parent: Option<Arc<Self>>,
    /// The number of nodes that helpers visited.
    pub nodes: AtomicU64,
    /// The index of the next move to search.
    next: AtomicUsize,
    helpers: AtomicUsize,
    /// Whether a helper has panicked.
    failed: AtomicBool,
}

impl<T: Node> SplitPoint<T> {
    pub fn new(node: T, parent: Option<Arc<Self>>) -> Arc<Self> {
        Arc::new(Self {
            node,
            parent,
            nodes: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        })
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
        self.next.load(Ordering::Relaxed) < self.node.moves() && !self.node.is_refuted()
    }

    /// Takes the next move; `None` if there is none left or the node is refuted.
    pub fn take(&self) -> Option<usize> {
        let index = if self.is_open() { self.next.fetch_add(1, Ordering::Relaxed) } else { usize::MAX };
        (index < self.node.moves()).then_some(index)
    }

    /// Returns whether no thread helps at this split point. What helpers have written is then visible.
    pub fn is_left(&self) -> bool {
        self.helpers.load(Ordering::Acquire) == 0
    }

    /// Returns whether a helper has panicked.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Takes the next move for the calling thread as a helper.
    fn join(split: &Arc<Self>) -> Option<Helper<T>> {
        let index = split.take()?;
        split.helpers.fetch_add(1, Ordering::Relaxed);
        Some(Helper { split: Arc::clone(split), index })
    }
}

/// A helper's registration at a split point, with its first move. It ends on drop.
pub(super) struct Helper<T> {
    pub split: Arc<SplitPoint<T>>,
    pub index: usize,
}

impl<T> Drop for Helper<T> {
    fn drop(&mut self) {
        // A helper that panics has not searched its move, so the owner must not use the result.
        if thread::panicking() {
            self.split.failed.store(true, Ordering::Relaxed);
        }
        self.split.helpers.fetch_sub(1, Ordering::Release);
    }
}

/// A value in its own cache lines.
#[repr(align(128))]
struct Apart<T>(T);

/// The split points of a thread, oldest first, because the oldest are nearest to the root.
struct SplitList<T> {
    /// The depth of the deepest search that other threads can join, or could join until recently; 0
    /// if there is none.
    depth: AtomicU8,
    splits: Mutex<Vec<Arc<SplitPoint<T>>>>,
}

impl<T: Node> SplitList<T> {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint<T>>>> {
        self.splits.lock().expect("no thread panics while it holds a list of split points")
    }

    fn update_depth(&self, splits: &[Arc<SplitPoint<T>>]) {
        let depths = splits.iter().filter(|split| split.is_open()).map(|split| split.node.depth());
        self.depth.store(depths.max().unwrap_or(0), Ordering::Relaxed);
    }

    /// Joins the first split point that satisfies `predicate` and has a move left, unless another
    /// thread is using the list.
    fn join(&self, predicate: impl Fn(&SplitPoint<T>) -> bool) -> Option<Helper<T>> {
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
pub(super) struct HelperPool<T> {
    idle: Apart<AtomicUsize>,
    sleeping: Apart<AtomicUsize>,
    /// The number of split points opened so far.
    offers: Apart<AtomicUsize>,
    /// The number of solvers that have used this pool.
    solvers: AtomicUsize,
    lists: Box<[Apart<SplitList<T>>]>,
    sleep: Mutex<()>,
    opened: Condvar,
}

impl<T> Default for HelperPool<T> {
    fn default() -> Self {
        let list = |_| Apart(SplitList { depth: AtomicU8::new(0), splits: Mutex::new(Vec::new()) });
        Self {
            idle: Apart(AtomicUsize::new(0)),
            sleeping: Apart(AtomicUsize::new(0)),
            offers: Apart(AtomicUsize::new(0)),
            solvers: AtomicUsize::new(0),
            lists: (0..LISTS).map(list).collect(),
            sleep: Mutex::new(()),
            opened: Condvar::new(),
        }
    }
}

impl<T: Node> HelperPool<T> {
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
    fn lists(&self) -> impl Iterator<Item = (u8, &SplitList<T>)> {
        let used = self.solvers.load(Ordering::Relaxed).min(LISTS);
        self.lists[..used].iter().map(|Apart(list)| (list.depth.load(Ordering::Relaxed), list))
    }

    pub fn offer(&self, list: usize, split: &Arc<SplitPoint<T>>) {
        let list = &self.lists[list].0;
        let mut splits = list.lock();
        splits.push(Arc::clone(split));
        list.depth.fetch_max(split.node.depth(), Ordering::Relaxed);
        drop(splits);
        self.offers.0.fetch_add(1, Ordering::Relaxed);
        if self.sleeping.0.load(Ordering::Relaxed) > 0 {
            self.opened.notify_one();
        }
    }

    pub fn withdraw(&self, list: usize, split: &Arc<SplitPoint<T>>) {
        let list = &self.lists[list].0;
        let mut splits = list.lock();
        splits.retain(|open| !Arc::ptr_eq(open, split));
        list.update_depth(&splits);
    }

    /// Joins a split point of the deepest search.
    pub fn join(&self) -> Option<Helper<T>> {
        let (_, list) = self.lists().filter(|&(depth, _)| depth > 0).max_by_key(|&(depth, _)| depth)?;
        list.join(|_| true)
    }

    /// Joins a split point below another one.
    pub fn join_below(&self, split: &Arc<SplitPoint<T>>) -> Option<Helper<T>> {
        let mut lists = self.lists().filter(|&(depth, _)| depth > 0);
        lists.find_map(|(_, list)| list.join(|open| open.is_descendant_of(split)))
    }

    /// Waits a short time for a split point below another one and joins it. Returns at once when no
    /// thread helps at the other one.
    pub fn wait_below(&self, split: &Arc<SplitPoint<T>>) -> Option<Helper<T>> {
        // Meanwhile, this thread counts as idle, so that its helpers open split points for it.
        self.idle.0.fetch_add(1, Ordering::Relaxed);
        let mut seen = None;
        let found = spin_until(|| {
            let offers = Some(self.offers.0.load(Ordering::Relaxed));
            let helper = if seen == offers { None } else { self.join_below(split) };
            seen = offers;
            (helper.is_some() || split.is_left()).then_some(helper)
        });
        self.idle.0.fetch_sub(1, Ordering::Relaxed);
        found.flatten()
    }

    /// Joins any split point, waiting at most `max_wait` for one.
    pub fn wait(&self, max_wait: Duration) -> Option<Helper<T>> {
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
            spin_loop();
        }
        thread::yield_now();
    }
}
