//! [`Interrupt`]: cancels a search on Ctrl-C.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use morello_core::game::Cancel;

/// Cancels the running search, if any. Clones cancel the same search.
///
/// Put a clone into the [options](super::TerminalOptions::interrupt) of a game, and call
/// [`stop`](Self::stop) in the signal handler.
///
/// ```
/// use morello::text::Interrupt;
///
/// let interrupt = Interrupt::default();
/// assert!(!interrupt.stop(), "no search runs");
/// let was_stopped = interrupt.run_cancellable(|cancel| {
///     let handler = interrupt.clone();
///     handler.stop() && cancel.is_cancelled()
/// });
/// assert!(was_stopped);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<Mutex<InterruptState>>);

#[derive(Debug, Default)]
struct InterruptState {
    /// The flag of the running search.
    running: Option<Cancel>,
    /// Whether a search was cancelled since the last input.
    stopped: bool,
}

impl Interrupt {
    /// Runs `work`, which must return soon after its flag is raised.
    pub fn run_cancellable<T>(&self, work: impl FnOnce(&Cancel) -> T) -> T {
        let cancel = Cancel::new();
        self.state().running = Some(cancel.clone());
        let result = work(&cancel);
        self.state().running = None;
        result
    }

    /// Cancels the running search and returns true. Returns false if no search is running, or if
    /// one was already cancelled since the last [input](Self::reset); the user then wants to end
    /// the program.
    #[must_use]
    pub fn stop(&self) -> bool {
        let mut state = self.state();
        let Some(cancel) = state.running.clone().filter(|_| !state.stopped) else { return false };
        cancel.cancel();
        state.stopped = true;
        true
    }

    /// Notes that the user has typed something.
    pub fn reset(&self) {
        self.state().stopped = false;
    }

    fn state(&self) -> MutexGuard<'_, InterruptState> {
        // A panic cannot leave the state inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_stops_the_search_and_second_ends_the_program() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.stop(), "no search runs");
        interrupt.run_cancellable(|cancel| {
            assert!(interrupt.clone().stop() && cancel.is_cancelled());
            assert!(!interrupt.stop());
        });
        // In a game without humans, nothing is typed between two searches.
        interrupt.run_cancellable(|cancel| assert!(!interrupt.stop() && !cancel.is_cancelled()));
        interrupt.reset();
        interrupt.run_cancellable(|cancel| assert!(interrupt.stop() && cancel.is_cancelled()));
        assert!(!interrupt.stop());
    }
}
