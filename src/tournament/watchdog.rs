//! [`Watchdog`]: sees to it that no choice of a move takes for ever, by the clock on the wall.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::Cancel;

/// How late a choice may be seen to be too long.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Watches the choices of several workers, each of whom has one at a time.
pub(super) struct Watchdog {
    start: Instant,
    limit: Duration,
    slots: Vec<Mutex<WatchSlot>>,
    done: AtomicBool,
}

/// What one worker is watched by.
struct WatchSlot {
    /// When its choice began, in microseconds since the start; `None` while there is none.
    since: Option<u64>,
    /// Ends that choice.
    cancel: Cancel,
}

impl Watchdog {
    /// Creates a watchdog of `workers`, whose choices are cancelled after `limit`, and also when `give_up` is raised.
    pub fn new(workers: usize, limit: Duration, give_up: &Cancel) -> Self {
        let leash = || Mutex::new(WatchSlot { since: None, cancel: give_up.child() });
        Self {
            start: Instant::now(),
            limit,
            slots: (0..workers).map(|_| leash()).collect(),
            done: AtomicBool::new(false),
        }
    }

    /// Watches until the work is [done](Self::until_dropped); to be run on a thread of its own.
    pub fn run(&self) {
        while !self.done.load(Ordering::Relaxed) {
            thread::park_timeout(POLL_INTERVAL);
            let now = self.micros();
            for leash in &self.slots {
                // Under the lock, so that it is this choice that is cancelled and not the next.
                let leash = leash.lock().unwrap_or_else(PoisonError::into_inner);
                if leash.since.is_some_and(|since| u128::from(now.saturating_sub(since)) > self.limit.as_micros()) {
                    leash.cancel.cancel();
                }
            }
        }
    }

    /// Ends [`run`](Self::run) when what is returned is dropped, even by a panic.
    pub fn until_dropped(&self) -> impl Drop + use<'_> {
        struct End<'a>(&'a AtomicBool);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        End(&self.done)
    }

    /// Has a worker make a choice, with the flag that ends it; returns how long it took, and whether that was too long.
    pub fn watch<T>(&self, worker: usize, give_up: &Cancel, choose: impl FnOnce(&Cancel) -> T) -> (T, Duration, bool) {
        let lock = || self.slots[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let begin = self.micros();
        let mut leash = lock();
        leash.since = Some(begin);
        let cancel = leash.cancel.clone();
        drop(leash);
        let chosen = choose(&cancel);
        let time = Duration::from_micros(self.micros() - begin);
        let mut leash = lock();
        leash.since = None;
        // Also when the dog has barked just as the choice was made.
        let is_late = time > self.limit || cancel.is_cancelled() && !give_up.is_cancelled();
        if is_late {
            leash.cancel = give_up.child();
        }
        (chosen, time, is_late)
    }

    /// Returns the longest time of a choice.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    fn micros(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancels_only_the_overdue_choice() {
        let give_up = Cancel::new();
        let watchdog = Watchdog::new(2, Duration::from_millis(5), &give_up);
        thread::scope(|scope| {
            let _end = watchdog.until_dropped();
            scope.spawn(|| watchdog.run());
            let (loops, time, is_late) = watchdog.watch(1, &give_up, |cancel| {
                let mut loops = 0u64;
                while !cancel.is_cancelled() {
                    loops += 1;
                    thread::sleep(Duration::from_millis(1));
                }
                loops
            });
            assert!(loops > 0 && is_late && time > Duration::from_millis(5));
            assert!(!give_up.is_cancelled());
            let (seen, _, is_late) = watchdog.watch(1, &give_up, |cancel| cancel.is_cancelled());
            assert_eq!((seen, is_late), (false, false));
            give_up.cancel();
            assert!(watchdog.watch(0, &give_up, Cancel::is_cancelled).0);
        });
    }
}
