//! A parallel map that keeps order and uses bounded memory.
//!
//! One thread reads items, workers turn them into results, and the calling thread passes the
//! results to a [`Sink`] in the order of the items. Each item has its own slot for the result. The
//! queue of slots is bounded, so while an item is slow, the others wait instead of using more
//! memory.
//!
//! The run does not wait for the reading thread, which may be blocked on a terminal or a pipe and
//! cannot be woken. The thread ends with the process, or when it has read the next item and finds
//! the queue closed.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::Duration;

use morello_core::game::Cancel;
use morello_core::threads;

/// How often cancellation is checked while no items arrive.
const POLL: Duration = Duration::from_millis(50);

/// Longest time that an idle worker stays away from the queue: short, so that a new line starts
/// without noticeable delay.
const ASSIST_TIMEOUT: Duration = Duration::from_millis(1);

/// Receives results in order. A function that takes a result and returns whether to continue is a
/// sink.
pub trait Sink<R> {
    /// Takes the next result; returns whether to continue.
    ///
    /// # Errors
    /// Any error that ends the run, such as a closed pipe.
    fn accept(&mut self, result: R) -> io::Result<bool>;

    /// Called when the next result is not ready. Flush buffers here.
    ///
    /// # Errors
    /// Same as [`accept`](Self::accept).
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<R, F: FnMut(R) -> io::Result<bool>> Sink<R> for F {
    fn accept(&mut self, result: R) -> io::Result<bool> {
        self(result)
    }
}

/// The work of one thread.
pub trait Worker<T, R>: Send {
    /// Turns an item into a result; `None` if it was cancelled.
    fn work(&mut self, item: T) -> Option<R>;

    /// Helps the other workers, or returns after about `timeout` if they need no help. Called
    /// repeatedly while this worker has no item.
    fn assist(&mut self, timeout: Duration) {
        thread::sleep(timeout);
    }
}

impl<T, R, F: FnMut(T) -> Option<R> + Send> Worker<T, R> for F {
    fn work(&mut self, item: T) -> Option<R> {
        self(item)
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// All items were processed.
    Complete,
    /// The sink stopped the run.
    Stopped,
    /// The run was cancelled. The sink has all results before the first unfinished item.
    Cancelled,
}

/// Maps `items` with the workers, each on its own thread, with at most `window` items in flight.
///
/// If the sink stops or fails, `cancel` is raised to end the remaining work soon.
///
/// ```
/// use morello::analysis::pipeline::{self, RunStatus, Worker};
/// use morello::game::Cancel;
///
/// let square = |item: u64| Some(item * item);
/// let workers: Vec<Box<dyn Worker<u64, u64>>> = vec![Box::new(square), Box::new(square)];
/// let mut squares = Vec::new();
/// let status = pipeline::run(1..=4, workers, 2, &Cancel::new(), &mut |square: u64| {
///     squares.push(square);
///     Ok(true)
/// })?;
/// assert_eq!((status, squares), (RunStatus::Complete, vec![1, 4, 9, 16]));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The first error from the sink, or if the reading thread panics.
///
/// # Panics
/// If a worker panics, after the others have ended.
pub fn run<T, R, I>(
    items: I,
    workers: Vec<Box<dyn Worker<T, R> + '_>>,
    window: usize,
    cancel: &Cancel,
    sink: &mut dyn Sink<R>,
) -> io::Result<RunStatus>
where
    T: Send + 'static,
    R: Send + 'static,
    I: Iterator<Item = T> + Send + 'static,
{
    // `None` marks the end. A queue that closes without it means that the reader panicked.
    let (slots, slots_in_order) = sync_channel::<Option<Receiver<R>>>(window.max(1));
    let (jobs, next_job) = channel::<Job<T, R>>();
    threads::spawn(Box::new(move || {
        for item in items {
            let (result, slot) = sync_channel(1);
            // Send the slot first, because only its queue is bounded.
            if slots.send(Some(slot)).is_err() || jobs.send((item, result)).is_err() {
                return;
            }
        }
        // Fails if the run has already ended.
        let _ = slots.send(None);
    }));
    let jobs = Jobs { queue: Mutex::new(Some(next_job)), in_progress: AtomicUsize::new(0) };
    thread::scope(|scope| {
        for worker in workers {
            let jobs = &jobs;
            threads::spawn_in(scope, Box::new(move || jobs.work(worker, cancel)));
        }
        let end = collect(slots_in_order, cancel, sink);
        if !matches!(end, Ok(RunStatus::Complete)) {
            cancel.cancel();
        }
        end
    })
}

/// An item and the slot for its result.
type Job<T, R> = (T, SyncSender<R>);

/// The items that wait for a worker, and the number of items in progress.
struct Jobs<T, R> {
    /// `None` once the run is cancelled.
    queue: Mutex<Option<Receiver<Job<T, R>>>>,
    in_progress: AtomicUsize,
}

impl<T, R> Jobs<T, R> {
    fn work(&self, mut worker: Box<dyn Worker<T, R> + '_>, cancel: &Cancel) {
        loop {
            let job = {
                let mut queue = self.queue.lock().expect("no thread panics while it holds the lock");
                if cancel.is_cancelled() {
                    // This also drops the slots of all queued items, so the collector does not wait
                    // for them.
                    *queue = None;
                }
                let Some(queue) = &*queue else { return };
                queue.try_recv().map(|job| (job, InProgress::new(&self.in_progress)))
            };
            match job {
                Ok(((item, slot), _in_progress)) => {
                    if let Some(result) = worker.work(item) {
                        // Fails if the sink has failed.
                        let _ = slot.send(result);
                    }
                }
                Err(TryRecvError::Disconnected) if self.in_progress.load(Ordering::SeqCst) == 0 => return,
                Err(_) => worker.assist(ASSIST_TIMEOUT),
            }
        }
    }
}

/// Counts an item as in progress until it is dropped.
struct InProgress<'a>(&'a AtomicUsize);

impl<'a> InProgress<'a> {
    fn new(counter: &'a AtomicUsize) -> Self {
        counter.fetch_add(1, Ordering::SeqCst);
        Self(counter)
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn collect<R>(slots: Receiver<Option<Receiver<R>>>, cancel: &Cancel, sink: &mut dyn Sink<R>) -> io::Result<RunStatus> {
    let reader_gone = || match cancel.is_cancelled() {
        true => Ok(RunStatus::Cancelled),
        false => Err(io::Error::other("the input was not read to its end: the reading thread panicked")),
    };
    loop {
        let slot = match slots.try_recv() {
            Ok(slot) => slot,
            Err(TryRecvError::Disconnected) => return reader_gone(),
            Err(TryRecvError::Empty) => {
                sink.idle()?;
                match slots.recv_timeout(POLL) {
                    Ok(slot) => slot,
                    Err(RecvTimeoutError::Disconnected) => return reader_gone(),
                    Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return Ok(RunStatus::Cancelled),
                    Err(RecvTimeoutError::Timeout) => continue,
                }
            }
        };
        let Some(slot) = slot else { return Ok(RunStatus::Complete) };
        let result = match slot.try_recv() {
            Err(TryRecvError::Empty) => loop {
                sink.idle()?;
                match slot.recv_timeout(POLL) {
                    Err(RecvTimeoutError::Timeout) => {}
                    result => break result.ok(),
                }
            },
            result => result.ok(),
        };
        match result {
            None => return Ok(RunStatus::Cancelled),
            Some(result) => {
                if !sink.accept(result)? {
                    return Ok(RunStatus::Stopped);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Collected {
        results: Vec<usize>,
        enough: usize,
        broken: bool,
    }

    impl Collected {
        fn new(enough: usize) -> Self {
            Self { results: Vec::new(), enough, broken: false }
        }
    }

    impl Sink<usize> for Collected {
        fn accept(&mut self, result: usize) -> io::Result<bool> {
            if self.broken {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.results.push(result);
            Ok(self.results.len() < self.enough)
        }
    }

    fn workers<'a>(
        count: usize,
        f: impl Fn(usize) -> Option<usize> + Sync + Send + Copy + 'a,
    ) -> Vec<Box<dyn Worker<usize, usize> + 'a>> {
        (0..count).map(|_| Box::new(f) as Box<dyn Worker<usize, usize>>).collect()
    }

    #[test]
    fn keeps_results_in_order() {
        let mut sink = Collected::new(usize::MAX);
        let uneven = |n: usize| {
            thread::sleep(Duration::from_micros(if n.is_multiple_of(16) { 2000 } else { 10 }));
            Some(n)
        };
        assert_eq!(run(0..500, workers(8, uneven), 32, &Cancel::new(), &mut sink).unwrap(), RunStatus::Complete);
        assert!(sink.results.into_iter().eq(0..500));
    }

    #[test]
    fn bounds_items_in_flight_by_the_window() {
        static READ: AtomicUsize = AtomicUsize::new(0);
        let items = (0..200).inspect(|_| {
            READ.fetch_add(1, Ordering::SeqCst);
        });
        let slow_head = |n: usize| {
            if n == 0 {
                thread::sleep(Duration::from_millis(100));
                // The head, the queued slots, and the one that waits to be queued.
                assert!(READ.load(Ordering::SeqCst) <= 8 + 2);
            }
            Some(n)
        };
        run(items, workers(3, slow_head), 8, &Cancel::new(), &mut Collected::new(usize::MAX)).unwrap();
        assert_eq!(READ.load(Ordering::SeqCst), 200);
    }

    #[test]
    fn stops_when_the_sink_stops_or_fails() {
        let mut sink = Collected::new(10);
        assert_eq!(run(0.., workers(4, Some), 16, &Cancel::new(), &mut sink).unwrap(), RunStatus::Stopped);
        assert!(sink.results.into_iter().eq(0..10));
        let mut sink = Collected { broken: true, ..Collected::new(10) };
        let error = run(0.., workers(4, Some), 16, &Cancel::new(), &mut sink).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn reports_a_panicking_reader() {
        let items = (0..10).inspect(|&n| assert!(n < 5, "as a test"));
        let error = run(items, workers(2, Some), 4, &Cancel::new(), &mut Collected::new(usize::MAX)).unwrap_err();
        assert!(error.to_string().contains("not read to its end"));
    }

    #[test]
    fn cancellation_keeps_finished_results_in_order() {
        let cancel = Cancel::new();
        let until_100 = |n: usize| {
            if n == 100 {
                cancel.cancel();
            }
            (!cancel.is_cancelled()).then_some(n)
        };
        let mut sink = Collected::new(usize::MAX);
        assert_eq!(run(0.., workers(1, until_100), 16, &cancel, &mut sink).unwrap(), RunStatus::Cancelled);
        assert!(sink.results.into_iter().eq(0..100));
    }

    #[test]
    fn cancellation_does_not_wait_for_a_blocked_reader() {
        let (_never_used, blocked) = channel::<usize>();
        let cancel = Cancel::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                cancel.cancel();
            });
            let mut sink = Collected::new(usize::MAX);
            let status = run(blocked.into_iter(), workers(2, Some), 4, &cancel, &mut sink);
            assert_eq!(status.unwrap(), RunStatus::Cancelled);
        });
    }
}
