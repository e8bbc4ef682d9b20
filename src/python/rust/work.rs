//! Long work: on other threads, without the interpreter's lock, with progress and Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use morello::game::Cancel;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::{invalid, no_memory};

/// How often signals are checked.
pub const POLL: Duration = Duration::from_millis(50);

/// The maximum number of threads that can be requested.
const MOST_THREADS: usize = 1024;

/// Returns the number of threads: the requested number, or one per core.
pub fn thread_count(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        None => Ok(thread::available_parallelism().map_or(1, NonZeroUsize::get)),
        Some(count @ 1..=MOST_THREADS) => Ok(count),
        Some(count) => Err(invalid(format!("threads must be 1 to {MOST_THREADS}, not {count}"))),
    }
}

/// Checks that there is memory for `count` values of this size.
pub fn check_memory(count: usize, bytes: usize, what: &str) -> PyResult<()> {
    let all = count.checked_mul(bytes);
    match all {
        Some(all) if Vec::<u8>::new().try_reserve_exact(all).is_ok() => Ok(()),
        _ => Err(no_memory(format!("not enough memory for {count} {what}"))),
    }
}

/// The process that created a value. Threads do not survive a fork, and a lock that one of them held then stays locked
/// for ever.
#[derive(Debug)]
pub struct Creator(u32);

impl Creator {
    pub fn new() -> Self {
        Self(std::process::id())
    }

    /// Returns whether this process is a fork of the creator.
    pub fn is_other(&self) -> bool {
        std::process::id() != self.0
    }

    /// Checks that this process is the creator; `what` runs there.
    ///
    /// # Errors
    /// RuntimeError.
    pub fn check(&self, what: &str) -> PyResult<()> {
        if self.is_other() {
            let text = "runs in the process that started it, not in its forks: start one in this process";
            return Err(PyRuntimeError::new_err(format!("the {what} {text}")));
        }
        Ok(())
    }
}

/// The thread pool of this process, with the process ID.
static POOL: Mutex<Option<(u32, Arc<rayon::ThreadPool>)>> = Mutex::new(None);

/// Runs code in a pool with one thread per core. A forked process creates its own pool: threads do
/// not survive a fork, and rayon's global pool would wait for them forever.
pub fn in_pool<T: Send>(work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let process = std::process::id();
    let pool = {
        let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((owner, pool)) if *owner == process => Arc::clone(pool),
            _ => {
                let own = Arc::new(pool(None)?);
                // The parent's pool has no threads here that could end.
                std::mem::forget(known.replace((process, Arc::clone(&own))));
                own
            }
        }
    };
    pool.install(work)
}

/// The number of boards that take less time than starting a thread and looking for signals is worth.
const QUICK: usize = 1 << 12;

/// Runs code on `count` boards in a pool with one thread per core, without the interpreter's lock. Ctrl-C raises the
/// flag: then the code skips the rest, and its result is dropped.
pub fn on_boards<T: Send>(
    py: Python<'_>,
    count: usize,
    work: impl FnOnce(&Cancel) -> PyResult<T> + Send,
) -> PyResult<T> {
    if count <= QUICK {
        return py.detach(|| in_pool(|| work(&Cancel::new())));
    }
    run(py, &mut |_| Ok(()), |cancel| in_pool(|| work(cancel)))?
}

/// Returns a thread pool for code that runs on rayon's current pool.
pub fn pool(threads: Option<usize>) -> PyResult<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(thread_count(threads)?).build().map_err(invalid)
}

/// Runs `work` on another thread, and calls `poll` about twenty times per second with the
/// interpreter's lock. An error from `poll`, such as Ctrl-C, raises the flag, and is returned when
/// the work has stopped.
pub fn run<T: Send>(
    py: Python<'_>,
    poll: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(&Cancel) -> T + Send,
) -> PyResult<T> {
    let (result, outcome) = run_to_end(py, poll, work);
    outcome.map(|()| result)
}

/// Like [`run`], but also returns the result of work that an error has stopped.
pub fn run_to_end<T: Send>(
    py: Python<'_>,
    poll: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(&Cancel) -> T + Send,
) -> (T, PyResult<()>) {
    let cancel = Cancel::new();
    let (caller, done) = (thread::current(), AtomicBool::new(false));
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(&cancel);
            // The thread itself ends only after waking the caller, which would then wait again.
            done.store(true, Ordering::Release);
            caller.unpark();
            result
        });
        let mut outcome = Ok(());
        while !done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(POLL));
            if outcome.is_ok() {
                outcome = py.check_signals().and_then(|()| poll(py));
            }
            if outcome.is_err() {
                cancel.cancel();
            }
        }
        match worker.join() {
            Ok(result) => (result, outcome),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Returns a function for [`run`] that calls `report` when a count has changed.
pub fn on_change(
    count: &AtomicUsize,
    mut report: impl FnMut(usize) -> PyResult<()>,
) -> impl FnMut(Python<'_>) -> PyResult<()> {
    let mut reported = 0;
    move |_| {
        let now = count.load(Ordering::Relaxed);
        if now == reported {
            return Ok(());
        }
        reported = now;
        report(now)
    }
}

/// Calls `work` for each index below `count` on some threads, with a state for each thread, and
/// returns the results in order. `progress` is a Python function that receives the number done and
/// the total.
pub fn map<S: Send, T: Send>(
    py: Python<'_>,
    count: usize,
    states: Vec<S>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl Fn(&mut S, usize, &Cancel) -> T + Sync,
) -> PyResult<Vec<T>> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut poll = on_change(&done, |done| progress.map_or(Ok(()), |progress| progress.call1((done, count)).map(drop)));
    let results = run(py, &mut poll, |cancel| {
        let results = Mutex::new(Vec::with_capacity(count));
        let worker = |mut state: S| {
            let mut own = Vec::new();
            while !cancel.is_cancelled() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    break;
                }
                own.push((index, work(&mut state, index, cancel)));
                done.fetch_add(1, Ordering::Relaxed);
            }
            results.lock().expect("no worker panics with the lock").append(&mut own);
        };
        thread::scope(|scope| {
            for state in states {
                scope.spawn(|| worker(state));
            }
        });
        let mut results = results.into_inner().expect("no worker panics with the lock");
        results.sort_unstable_by_key(|&(index, _)| index);
        results.into_iter().map(|(_, result)| result).collect::<Vec<T>>()
    })?;
    if let Some(progress) = progress {
        progress.call1((count, count))?;
    }
    Ok(results)
}
