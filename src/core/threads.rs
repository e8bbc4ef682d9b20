//! Threads for work that is started only once: compiled once, not once per closure.

use std::io;
use std::sync::OnceLock;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use rayon_core::ThreadPool;

static NO_THREAD: OnceLock<fn(io::Error) -> !> = OnceLock::new();

/// Sets what [`spawn`], [`spawn_in`] and [`spawn_joined`] call if the system starts no more threads. Without it, they
/// panic; other threads may then wait for ever for work that nobody does.
pub fn if_none_starts(act: fn(io::Error) -> !) {
    // A second call is without effect.
    let _ = NO_THREAD.set(act);
}

fn no_thread(error: io::Error) -> ! {
    match NO_THREAD.get() {
        Some(act) => act(error),
        None => panic!("cannot start a thread: {error}"),
    }
}

/// Runs work on a new, detached thread.
pub fn spawn(work: Box<dyn FnOnce() + Send>) {
    Builder::new().spawn(work).map_or_else(|error| no_thread(error), drop);
}

/// Runs work on a new thread, which the scope waits for before it ends.
pub fn spawn_in<'scope>(scope: &'scope Scope<'scope, '_>, work: Box<dyn FnOnce() + Send + 'scope>) {
    drop(spawn_joined(scope, work));
}

/// Runs work on a new thread, which the scope waits for before it ends, and whose result can be
/// waited for.
pub fn spawn_joined<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    Builder::new().spawn_scoped(scope, work).unwrap_or_else(|error| no_thread(error))
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::thread::sleep;

/// Waits for a time. The standard library's function reads a value again after the waiting
/// instruction, and the baseline compiler of V8 (seen in Node 20) loses that value: the wait would
/// never end.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn sleep(time: std::time::Duration) {
    let nothing = std::sync::Mutex::new(());
    let lock = nothing.lock().expect("it is of this thread alone");
    drop(std::sync::Condvar::new().wait_timeout(lock, time));
}

/// Work that runs at the same time as other work.
pub type BesideWork<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs `act`, and each of the works on its own thread at the same time. If the system starts no
/// more threads, the other works run after `act`. Returns when all are done; panics if one of them
/// panics.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn run_beside<R>(works: Vec<BesideWork<'_>>, act: impl FnOnce() -> R) -> R {
    let count = works.len();
    let works = std::sync::Mutex::new(works);
    let work_once = || {
        let work = works.lock().expect("nothing panics while it is locked").pop();
        work.is_some_and(|work| {
            work();
            true
        })
    };
    thread::scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, work_once).is_ok();
        let all_started = (0..count).all(start);
        let result = act();
        while !all_started && work_once() {}
        result
    })
}

/// Returns the number of lent threads that wait for work. Programs that can start threads have
/// none.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[must_use]
pub fn lent_threads() -> usize {
    0
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use lent::{lend, lent_threads, run_beside};

/// Threads that the page lends, because a program cannot start threads in a browser.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code)] // for work that borrows from the thread that waits for it
mod lent {
    use std::mem;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

    use super::BesideWork;

    /// A group of works that one thread waits for.
    struct Group {
        unfinished: Mutex<usize>,
        ended: Condvar,
    }

    static WAITING: Mutex<Vec<(Arc<Group>, BesideWork<'static>)>> = Mutex::new(Vec::new());
    static OFFERED: Condvar = Condvar::new();
    static LENT: AtomicUsize = AtomicUsize::new(0);

    fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Group {
        fn run(&self, work: BesideWork<'_>) {
            work();
            *lock(&self.unfinished) -= 1;
            self.ended.notify_one();
        }
    }

    /// Lends the calling thread forever.
    pub fn lend() -> ! {
        LENT.fetch_add(1, Ordering::Relaxed);
        loop {
            let mut waiting = lock(&WAITING);
            let (group, work) = loop {
                if let Some(offered) = waiting.pop() {
                    break offered;
                }
                waiting = OFFERED.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            };
            drop(waiting);
            group.run(work);
        }
    }

    /// Returns the number of threads that were lent.
    pub fn lent_threads() -> usize {
        LENT.load(Ordering::Relaxed)
    }

    /// Runs `act`, and each of the works on a lent thread at the same time. If all threads are
    /// busy, the works run after `act`. Returns when all are done.
    pub fn run_beside<R>(works: Vec<BesideWork<'_>>, act: impl FnOnce() -> R) -> R {
        let group = Arc::new(Group { unfinished: Mutex::new(works.len()), ended: Condvar::new() });
        for work in works {
            // SAFETY: this function returns after all works have run, so what they borrow lives
            // long enough; panics end the program.
            let work = unsafe { mem::transmute::<BesideWork<'_>, BesideWork<'static>>(work) };
            lock(&WAITING).push((Arc::clone(&group), work));
        }
        OFFERED.notify_all();
        let result = act();
        loop {
            let mut waiting = lock(&WAITING);
            let Some(own) = waiting.iter().position(|(of, _)| Arc::ptr_eq(of, &group)) else { break };
            let (_, work) = waiting.swap_remove(own);
            drop(waiting);
            group.run(work);
        }
        let mut unfinished = lock(&group.unfinished);
        while *unfinished > 0 {
            unfinished = group.ended.wait(unfinished).unwrap_or_else(PoisonError::into_inner);
        }
        result
    }
}

/// Runs work on the threads of a pool.
pub fn run_on<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut result) = (Some(work), None);
    install(pool, &mut || result = work.take().map(|work| work()));
    result.expect("the pool has run it")
}

fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_on_the_pool() {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(run_on(&pool, rayon_core::current_num_threads), 3);
    }
}
