//! Threads for work that is started only once: compiled once, not once per closure.

use std::thread::{self, Scope};

use rayon_core::ThreadPool;

/// Runs work on a new, detached thread.
pub fn spawn(work: Box<dyn FnOnce() + Send>) {
    thread::spawn(work);
}

/// Runs work on a new thread, which the scope waits for before it ends.
pub fn spawn_in<'scope>(scope: &'scope Scope<'scope, '_>, work: Box<dyn FnOnce() + Send + 'scope>) {
    scope.spawn(work);
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

/// Runs `act`, and each of the works on its own thread at the same time. Returns when all are done;
/// panics if one of them panics.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn run_beside<R>(works: Vec<BesideWork<'_>>, act: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        for work in works {
            spawn_in(scope, work);
        }
        act()
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
