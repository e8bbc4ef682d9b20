//! [`Watchdog`]: enforces a wall-clock time limit for moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use morello_core::game::Cancel;

/// How often the limit is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Watches several workers, each of which chooses one move at a time.
pub(super) struct Watchdog {
    start: Instant,
    slots: Vec<Mutex<WatchSlot>>,
    done: AtomicBool,
}

/// The state of one worker.
struct WatchSlot {
    /// When the time of its current move ends, since the start; `None` between moves.
    end: Option<Duration>,
    /// Cancels the current move.
    cancel: Cancel,
}

impl Watchdog {
    /// Creates a watchdog for `workers` workers. A move is cancelled at its time limit, and when
    /// `abort` is raised.
    pub fn new(workers: usize, abort: &Cancel) -> Self {
        let slot = || Mutex::new(WatchSlot { end: None, cancel: abort.child() });
        Self { start: Instant::now(), slots: (0..workers).map(|_| slot()).collect(), done: AtomicBool::new(false) }
    }

    /// Watches on the calling thread until the work is [done](Self::until_dropped).
    pub fn run(&self) {
        while !self.done.load(Ordering::Relaxed) {
            thread::park_timeout(POLL_INTERVAL);
            let now = self.start.elapsed();
            for slot in &self.slots {
                // Under the lock, so that this move is cancelled and not the next.
                let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                if slot.end.is_some_and(|end| now > end) {
                    slot.cancel.cancel();
                }
            }
        }
    }

    /// Returns a guard that ends [`run`](Self::run) when it is dropped, even by a panic.
    pub fn until_dropped(&self) -> impl Drop + use<'_> {
        struct GameOver<'a>(&'a AtomicBool);
        impl Drop for GameOver<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        GameOver(&self.done)
    }

    /// Runs `choose` for a worker, with a flag that is raised at the time limit. Returns the
    /// result, the time and whether the limit was exceeded.
    pub fn watch<T>(
        &self,
        worker: usize,
        limit: Duration,
        abort: &Cancel,
        choose: impl FnOnce(&Cancel) -> T,
    ) -> (T, Duration, bool) {
        let lock = || self.slots[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let begin = self.start.elapsed();
        let mut slot = lock();
        slot.end = begin.checked_add(limit);
        let cancel = slot.cancel.clone();
        drop(slot);
        let chosen = choose(&cancel);
        let time = self.start.elapsed() - begin;
        let mut slot = lock();
        slot.end = None;
        // The watchdog may have cancelled the move just as it was chosen.
        let is_late = time > limit || cancel.is_cancelled() && !abort.is_cancelled();
        if is_late {
            slot.cancel = abort.child();
        }
        (chosen, time, is_late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancels_only_the_overdue_choice() {
        let abort = Cancel::new();
        let limit = Duration::from_millis(5);
        let watchdog = Watchdog::new(2, &abort);
        thread::scope(|scope| {
            let _end = watchdog.until_dropped();
            scope.spawn(|| watchdog.run());
            let (loops, time, is_late) = watchdog.watch(1, limit, &abort, |cancel| {
                let mut loops = 0u64;
                while !cancel.is_cancelled() {
                    loops += 1;
                    thread::sleep(Duration::from_millis(1));
                }
                loops
            });
            assert!(loops > 0 && is_late && time > limit);
            assert!(!abort.is_cancelled());
            let (seen, _, is_late) = watchdog.watch(1, limit, &abort, |cancel| cancel.is_cancelled());
            assert_eq!((seen, is_late), (false, false));
            abort.cancel();
            assert!(watchdog.watch(0, limit, &abort, Cancel::is_cancelled).0);
        });
    }
}
