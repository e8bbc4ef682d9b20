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
    /// The worker's current move; `None` between moves.
    current: Option<WatchedMove>,
    /// Cancels the current move.
    cancel: Cancel,
}

/// A move that a player is choosing.
#[derive(Debug, Clone, Copy)]
pub(super) struct WatchedMove {
    /// The number of the player.
    pub player: usize,
    /// The number of the game.
    pub game: u64,
    /// When the move began, since the start of the watchdog.
    begin: Duration,
    /// The time limit of the move.
    limit: Duration,
    /// The time after which the move is slow.
    slow: Duration,
}

impl WatchedMove {
    /// Describes a move that begins when it is [watched](Watchdog::watch).
    pub fn new(player: usize, game: u64, limit: Duration, slow: Duration) -> Self {
        Self { player, game, begin: Duration::ZERO, limit, slow }
    }
}

impl Watchdog {
    /// Creates a watchdog for `workers` workers. A move is cancelled at its time limit, and when
    /// `abort` is raised.
    pub fn new(workers: usize, abort: &Cancel) -> Self {
        let slot = || Mutex::new(WatchSlot { current: None, cancel: abort.child() });
        Self { start: Instant::now(), slots: (0..workers).map(|_| slot()).collect(), done: AtomicBool::new(false) }
    }

    /// Watches on the calling thread until the work is [done](Self::until_dropped).
    pub fn run(&self) {
        while !self.done.load(Ordering::Relaxed) {
            thread::park_timeout(POLL_INTERVAL);
            let now = self.start.elapsed();
            for slot in &self.slots {
                // Keep the lock, so that this move is cancelled and not the next.
                let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                if slot.current.is_some_and(|m| now.saturating_sub(m.begin) > m.limit) {
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

    /// Returns each move that has become slow since the last call, and its time so far.
    pub fn slow_moves(&self) -> Vec<(WatchedMove, Duration)> {
        let now = self.start.elapsed();
        let slow = |slot: &Mutex<WatchSlot>| {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let current = slot.current.as_mut()?;
            let time = now.saturating_sub(current.begin);
            if time <= current.slow {
                return None;
            }
            current.slow = Duration::MAX;
            Some((*current, time))
        };
        self.slots.iter().filter_map(slow).collect()
    }

    /// Runs `choose` for a worker, with a flag that is raised at the time limit. Returns the
    /// result, the time and whether the limit was exceeded.
    pub fn watch<T>(
        &self,
        worker: usize,
        watched: WatchedMove,
        abort: &Cancel,
        choose: impl FnOnce(&Cancel) -> T,
    ) -> (T, Duration, bool) {
        let lock = || self.slots[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let begin = self.start.elapsed();
        let mut slot = lock();
        slot.current = Some(WatchedMove { begin, ..watched });
        let cancel = slot.cancel.clone();
        drop(slot);
        let chosen = choose(&cancel);
        let time = self.start.elapsed() - begin;
        let mut slot = lock();
        slot.current = None;
        // The watchdog may have cancelled the move just as it was chosen.
        let is_late = time > watched.limit || cancel.is_cancelled() && !abort.is_cancelled();
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
        let watched = WatchedMove::new(3, 7, limit, Duration::ZERO);
        let watchdog = Watchdog::new(2, &abort);
        thread::scope(|scope| {
            let _end = watchdog.until_dropped();
            scope.spawn(|| watchdog.run());
            let (loops, time, is_late) = watchdog.watch(1, watched, &abort, |cancel| {
                assert_eq!(watchdog.slow_moves().len() + watchdog.slow_moves().len(), 1);
                let mut loops = 0u64;
                while !cancel.is_cancelled() {
                    loops += 1;
                    thread::sleep(Duration::from_millis(1));
                }
                loops
            });
            assert!(loops > 0 && is_late && time > limit);
            assert!(!abort.is_cancelled());
            let (seen, _, is_late) = watchdog.watch(1, watched, &abort, |cancel| cancel.is_cancelled());
            assert_eq!((seen, is_late), (false, false));
            abort.cancel();
            assert!(watchdog.watch(0, watched, &abort, Cancel::is_cancelled).0);
            assert!(watchdog.slow_moves().is_empty());
        });
    }
}
