//! Parallel loops for code that is called with long tasks: compiled once, not once per closure.
//!
//! They run on rayon's current thread pool. A panic in a task propagates to the caller.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls `task` for each number below `count`, in any order.
pub fn for_each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    if count > 0 {
        halve(0, count, task);
    }
}

/// Calls `task` for the numbers from `first` to below `end`. Other threads may steal half of the
/// range, again and again.
fn halve(first: usize, end: usize, task: &(dyn Fn(usize) + Sync)) {
    if end - first == 1 {
        return task(first);
    }
    let middle = first.midpoint(end);
    rayon_core::join(|| halve(first, middle, task), || halve(middle, end, task));
}

/// Calls `task` for each number below `count`, in any order, until one of the calls fails.
///
/// # Errors
/// The error of a failed `task`. If several tasks fail, the threads determine which error is
/// returned.
pub fn try_for_each<E: Send>(count: usize, task: &(dyn Fn(usize) -> Result<(), E> + Sync)) -> Result<(), E> {
    let (failed, failure) = (AtomicBool::new(false), Mutex::new(Ok(())));
    for_each(count, &|number| {
        if !failed.load(Ordering::Relaxed)
            && let Err(error) = task(number)
        {
            failed.store(true, Ordering::Relaxed);
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs two tasks, possibly at the same time.
pub fn both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon_core::join(one, other);
}

/// Returns the results of `task` for the numbers below `count`, in order.
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

/// Values such as buffers that tasks reuse one after the other. There are as many as tasks that run
/// at the same time.
pub struct Spares<'a, T> {
    create: &'a (dyn Fn() -> T + Sync),
    unused: Mutex<Vec<T>>,
}

crate::debug_fields!([T] Spares<'_, T> {});

impl<'a, T> Spares<'a, T> {
    /// Creates an empty pool; `create` is called when a task needs a value.
    #[must_use]
    pub fn new(create: &'a (dyn Fn() -> T + Sync)) -> Self {
        Self { create, unused: Mutex::new(Vec::new()) }
    }

    /// Calls `task` with a value that no other task is using.
    pub fn with<R>(&self, task: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.unused.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = lock().pop();
        let mut value = unused.unwrap_or_else(self.create);
        let result = task(&mut value);
        lock().push(value);
        result
    }

    /// Returns all values that were created.
    #[must_use]
    pub fn into_values(self) -> Vec<T> {
        self.unused.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::panic::catch_unwind;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use super::*;

    /// Runs code on a pool of four threads.
    fn on_four_threads<R: Send>(code: impl FnOnce() -> R + Send) -> R {
        rayon_core::ThreadPoolBuilder::new().num_threads(4).build().unwrap().install(code)
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
    fn an_error_ends_the_loop() {
        let (calls, fails) = (AtomicUsize::new(0), |number| if number == 7 { Err("seven") } else { Ok(()) });
        let counted = |number| {
            calls.fetch_add(1, Ordering::Relaxed);
            fails(number)
        };
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| try_for_each(100, &counted)), Err("seven"));
        assert_eq!(calls.into_inner(), 8);
        assert_eq!(on_four_threads(|| try_for_each(100, &fails)), Err("seven"));
        assert_eq!(on_four_threads(|| try_for_each(7, &fails)), Ok(()));
    }

    #[test]
    fn tasks_reuse_spare_values() {
        let (created, create) = (AtomicUsize::new(0), || 0);
        let counted = || {
            created.fetch_add(1, Ordering::Relaxed);
            create()
        };
        let sums = Spares::new(&counted);
        on_four_threads(|| for_each(1000, &|number| sums.with(|sum| *sum += number)));
        let sums = sums.into_values();
        assert_eq!((sums.len(), sums.iter().sum()), (created.into_inner(), 499_500));
        assert!(sums.len() <= 4);
    }

    #[test]
    fn tasks_run_on_the_current_pool() {
        let threads = |pool: &rayon_core::ThreadPool| -> HashSet<_> {
            pool.install(|| map(100, &|_| thread::current().id())).into_iter().collect()
        };
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
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
