//! Parallel loops, for code that is called with long tasks: compiled once, not once for each
//! closure.
//!
//! They run on rayon's current thread pool. A panic in a task passes to the caller.

use std::sync::{Mutex, PoisonError};

/// Calls `task` for each number below `count`, in any order.
pub fn for_each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    if count > 0 {
        halve(0, count, task);
    }
}

/// Calls `task` for the numbers from `first` to `end`, which may be stolen half by half.
fn halve(first: usize, end: usize, task: &(dyn Fn(usize) + Sync)) {
    if end - first == 1 {
        return task(first);
    }
    let middle = first.midpoint(end);
    rayon::join(|| halve(first, middle, task), || halve(middle, end, task));
}

/// Runs two tasks, which may be at the same time.
pub fn both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

/// Returns the results of `task` for the numbers below `count`, in their order.
#[must_use]
pub fn map<T: Send>(count: usize, task: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut results = Vec::with_capacity(count);
    for _ in 0..count {
        results.push(Mutex::new(None));
    }
    for_each(count, &|number| {
        let result = task(number);
        *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let mut values = Vec::with_capacity(count);
    for result in results {
        values.extend(result.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    values
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::panic::catch_unwind;
    use std::thread;

    use super::*;

    /// Runs code on a pool of four threads.
    fn on_four_threads<R: Send>(code: impl FnOnce() -> R + Send) -> R {
        rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap().install(code)
    }

    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 3, 1000] {
            let expected: Vec<usize> = (0..count).map(|number| number * number).collect();
            assert_eq!(map(count, &|number| number * number), expected);
            assert_eq!(on_four_threads(|| map(count, &|number| number * number)), expected);
        }
        let nested = on_four_threads(|| map(10, &|a| map(10, &|b| a * b).iter().sum::<usize>()));
        assert_eq!(nested, (0..10).map(|a| 45 * a).collect::<Vec<_>>());
    }

    #[test]
    fn tasks_run_on_the_current_pool() {
        let threads = |pool: &rayon::ThreadPool| -> HashSet<_> {
            pool.install(|| map(100, &|_| thread::current().id())).into_iter().collect()
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let only = HashSet::from([pool.install(|| thread::current().id())]);
        assert_eq!(threads(&pool), only);
    }

    #[test]
    fn a_panic_passes_to_the_caller() {
        let panics = || for_each(100, &|number| assert!(number != 50, "50 fails"));
        let panic = catch_unwind(|| on_four_threads(panics)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"50 fails"));
    }
}
