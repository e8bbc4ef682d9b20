//! Checks the pool of helpers of the parallel Othello search with loom, which runs a test in all
//! orders in which its threads can run, with every value that an atomic load may see.

#![cfg(test)]

// How threads wait depends on the clock, and is not checked here.
#[allow(dead_code)]
#[path = "../../src/core/othello/engine/search/helper_pool.rs"]
mod helper_pool;

/// Loom's versions of the standard types.
mod sync {
    pub use std::time::Instant;

    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
    pub use loom::sync::{Condvar, Mutex, MutexGuard};

    pub mod thread {
        pub use std::thread::panicking;

        pub use loom::thread::yield_now;
    }
}

use std::sync::Arc;

use helper_pool::{Helper, HelperPool, Node, SplitPoint};
use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread::{self, JoinHandle};

/// A node whose moves record how often they were searched. The records have no synchronization of their own,
/// so that loom reports a thread that reads one before it may.
struct Moves {
    depth: u8,
    searched: Vec<UnsafeCell<u32>>,
    refuted: AtomicBool,
}

impl Moves {
    fn new(depth: u8, count: usize) -> Self {
        let searched = (0..count).map(|_| UnsafeCell::new(0)).collect();
        Self { depth, searched, refuted: AtomicBool::new(false) }
    }

    fn search(&self, index: usize) {
        // SAFETY: a move is taken by one thread, as loom checks.
        self.searched[index].with_mut(|count| unsafe { *count += 1 });
    }

    fn counts(&self) -> Vec<u32> {
        // SAFETY: all threads have left, as loom checks.
        self.searched.iter().map(|count| count.with(|count| unsafe { *count })).collect()
    }
}

impl Node for Moves {
    fn moves(&self) -> usize {
        self.searched.len()
    }

    fn depth(&self) -> u8 {
        self.depth
    }

    fn is_refuted(&self) -> bool {
        self.refuted.load(Ordering::Relaxed)
    }
}

type Pool = Arc<HelperPool<Moves>>;

fn check(test: impl Fn() + Send + Sync + 'static) {
    // The number of orders grows fast with the number of switches between threads.
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(test);
}

/// Searches the moves of a split point, the one at `index` first.
fn search(split: &SplitPoint<Moves>, mut index: Option<usize>) {
    while let Some(at) = index {
        split.node.search(at);
        index = split.take();
    }
}

fn help(helper: &Helper<Moves>) {
    search(&helper.split, Some(helper.index));
    helper.split.nodes.fetch_add(1, Ordering::Relaxed);
}

/// Starts a thread that looks once for a split point and helps there.
fn helper(pool: &Pool) -> JoinHandle<bool> {
    let pool = Arc::clone(pool);
    thread::spawn(move || pool.join().inspect(help).is_some())
}

/// Waits until no thread helps at a split point, and helps below it meanwhile.
fn wait(pool: &Pool, split: &Arc<SplitPoint<Moves>>) {
    while !split.is_left() {
        match pool.join_below(split) {
            Some(helper) => help(&helper),
            None => thread::yield_now(),
        }
    }
}

/// Searches the moves of a split point as its owner.
fn own(pool: &Pool, list: usize, split: &Arc<SplitPoint<Moves>>) {
    pool.offer(list, split);
    search(split, split.take());
    pool.withdraw(list, split);
    wait(pool, split);
}

#[test]
fn each_move_is_searched_once() {
    check(|| {
        let pool = Pool::default();
        let list = pool.register();
        let helpers = [helper(&pool), helper(&pool)];
        let split = SplitPoint::new(Moves::new(5, 3), None);
        own(&pool, list, &split);
        // The helpers have left, so their work is visible, and nobody comes anymore.
        assert_eq!(split.node.counts(), [1; 3]);
        let visited = split.nodes.load(Ordering::Relaxed);
        assert!(!split.has_failed() && pool.join().is_none());
        let helped = helpers.map(|helper| u64::from(helper.join().unwrap()));
        assert_eq!(visited, helped.iter().sum::<u64>());
    });
}

#[test]
fn an_owner_helps_below_its_split_point_and_nowhere_else() {
    check(|| {
        let pool = Pool::default();
        let (list, other) = (pool.register(), pool.register());
        let split = SplitPoint::new(Moves::new(5, 2), None);
        let helper = {
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                let Some(helper) = pool.join() else { return };
                // The helper's move is a large piece of work, which it splits again.
                let below = SplitPoint::new(Moves::new(3, 2), Some(Arc::clone(&helper.split)));
                own(&pool, other, &below);
                assert_eq!(below.node.counts(), [1; 2]);
                help(&helper);
            })
        };
        own(&pool, list, &split);
        assert_eq!(split.node.counts(), [1; 2]);
        let unrelated = SplitPoint::new(Moves::new(7, 1), None);
        pool.offer(list, &unrelated);
        assert!(pool.join_below(&split).is_none());
        helper.join().unwrap();
    });
}

#[test]
fn a_refuted_node_takes_no_more_helpers() {
    check(|| {
        let pool = Pool::default();
        let list = pool.register();
        let helper = helper(&pool);
        let split = SplitPoint::new(Moves::new(5, 3), None);
        pool.offer(list, &split);
        let first = split.take();
        first.into_iter().for_each(|index| split.node.search(index));
        split.node.refuted.store(true, Ordering::Relaxed);
        assert_eq!(split.take(), None);
        pool.withdraw(list, &split);
        wait(&pool, &split);
        let counts = split.node.counts();
        assert!(counts.iter().all(|&count| count <= 1) && counts.iter().any(|&count| count == 1));
        assert!(helper.join().is_ok() && pool.join().is_none());
    });
}
