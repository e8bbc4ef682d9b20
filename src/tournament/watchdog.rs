//! [`Watchdog`]: sees to it that no choice of a move takes for ever, by the clock on the wall.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::Cancel;

/// How late a choice may be seen to be too long.
const TICK: Duration = Duration::from_millis(20);

/// Watches the choices of several workers, each of whom has one at a time.
pub(super) struct Watchdog {
    start: Instant,
    limit: Duration,
    leashes: Vec<Leash>,
    done: AtomicBool,
}

/// What one worker is watched by.
struct Leash {
    /// When its choice began, in microseconds since the start and from 1; 0 while there is none.
    since: AtomicU64,
    cancel: Mutex<Cancel>,
}

impl Watchdog {
    /// Creates a watchdog of `workers`, whose choices are cancelled after `limit`, and also when `give_up` is raised.
    pub fn new(workers: usize, limit: Duration, give_up: &Cancel) -> Self {
        let leash = || Leash { since: AtomicU64::new(0), cancel: Mutex::new(give_up.child()) };
        Self {
            start: Instant::now(),
            limit,
            leashes: (0..workers).map(|_| leash()).collect(),
            done: AtomicBool::new(false),
        }
    }

    /// Watches until the work is [done](Self::end); to be run on a thread of its own.
    pub fn run(&self) {
        while !self.done.load(Ordering::Relaxed) {
            thread::park_timeout(TICK);
            let now = self.micros();
            for leash in &self.leashes {
                let since = leash.since.load(Ordering::Relaxed);
                if since > 0 && now.saturating_sub(since) > self.limit.as_micros() as u64 {
                    leash.cancel.lock().unwrap_or_else(PoisonError::into_inner).cancel();
                }
            }
        }
    }

    /// Ends [`run`](Self::run).
    pub fn end(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Has a worker make a choice, with the flag that ends it; returns how long it took, and whether that was too long.
    pub fn watch<T>(&self, worker: usize, give_up: &Cancel, choose: impl FnOnce(&Cancel) -> T) -> (T, Duration, bool) {
        let leash = &self.leashes[worker];
        let lock = || leash.cancel.lock().unwrap_or_else(PoisonError::into_inner);
        let cancel = lock().clone();
        let begin = self.micros();
        leash.since.store(begin, Ordering::Relaxed);
        let chosen = choose(&cancel);
        leash.since.store(0, Ordering::Relaxed);
        let time = Duration::from_micros(self.micros() - begin);
        let is_late = time > self.limit;
        if is_late || cancel.is_cancelled() {
            // Also when the dog has barked just as the choice was made.
            *lock() = give_up.child();
        }
        (chosen, time, is_late)
    }

    /// Returns the longest time of a choice.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    fn micros(&self) -> u64 {
        self.start.elapsed().as_micros() as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_takes_too_long_is_cancelled_and_the_next_is_not() {
        let give_up = Cancel::new();
        let watchdog = Watchdog::new(2, Duration::from_millis(5), &give_up);
        thread::scope(|scope| {
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
            watchdog.end();
        });
    }
}
