//! Threads for work that begins once: compiled once, not once for each closure.

use std::thread::{self, Scope};

use rayon_core::ThreadPool;

/// Runs work on a new thread, which nobody waits for.
pub fn spawn(work: Box<dyn FnOnce() + Send>) {
    thread::spawn(work);
}

/// Runs work on a new thread, which the scope waits for.
pub fn spawn_in<'scope>(scope: &'scope Scope<'scope, '_>, work: Box<dyn FnOnce() + Send + 'scope>) {
    scope.spawn(work);
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
