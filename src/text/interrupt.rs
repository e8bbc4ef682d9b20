//! [`Interrupt`]: what Ctrl-C does while somebody thinks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::game::Cancel;

/// Stops whoever is thinking, if anybody is; its clones stop the same.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<Mutex<InterruptState>>);

#[derive(Debug, Default)]
struct InterruptState {
    /// Stops the thinking that goes on.
    thinking: Option<Cancel>,
    /// Whether somebody was stopped since a person typed something.
    stopped: bool,
}

impl Interrupt {
    /// Thinks, until it is done or stopped: the flag tells it to come to an end.
    pub fn run_cancellable<T>(&self, work: impl FnOnce(&Cancel) -> T) -> T {
        let cancel = Cancel::new();
        self.state().thinking = Some(cancel.clone());
        let result = work(&cancel);
        self.state().thinking = None;
        result
    }

    /// Stops the thinking, and returns whether that is all that was to be done: not if nobody thinks, or if it is the second time and nobody
    /// has [typed](Self::reset) anything since, so that the user wants the program to end.
    #[must_use]
    pub fn stop(&self) -> bool {
        let mut state = self.state();
        let Some(cancel) = state.thinking.clone().filter(|_| !state.stopped) else { return false };
        cancel.cancel();
        state.stopped = true;
        true
    }

    /// A person has typed something.
    pub fn reset(&self) {
        self.state().stopped = false;
    }

    fn state(&self) -> MutexGuard<'_, InterruptState> {
        // Nothing is left half done there.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_stops_the_search_and_second_ends_the_program() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.stop(), "nobody thinks");
        interrupt.run_cancellable(|cancel| {
            assert!(interrupt.clone().stop() && cancel.is_cancelled());
            assert!(!interrupt.stop());
        });
        // Two computers that play each other give no time to type.
        interrupt.run_cancellable(|cancel| assert!(!interrupt.stop() && !cancel.is_cancelled()));
        interrupt.reset();
        interrupt.run_cancellable(|cancel| assert!(interrupt.stop() && cancel.is_cancelled()));
        assert!(!interrupt.stop());
    }
}
