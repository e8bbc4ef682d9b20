//! When a search must stop: a clock, a count of nodes and a flag, looked at while it runs.

use std::time::{Duration, Instant};

use crate::game::{Cancel, Limits};

/// Nodes between two looks at the clock: well under a millisecond of search.
const INTERVAL: u64 = 512;

/// The running search's nodes and time, and the bounds on them.
#[derive(Debug, Clone)]
pub struct Stop {
    start: Instant,
    deadline: Option<Instant>,
    max_nodes: u64,
    cancel: Cancel,
    nodes: u64,
    stopped: bool,
}

impl Stop {
    /// Starts the clock of a search.
    #[must_use]
    pub fn new(limits: &Limits, cancel: &Cancel) -> Self {
        let start = Instant::now();
        Self {
            start,
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            cancel: cancel.clone(),
            nodes: 0,
            stopped: cancel.is_cancelled(),
        }
    }

    /// Counts a node and returns whether the search may visit it.
    #[inline]
    pub fn visit(&mut self) -> bool {
        if self.nodes >= self.max_nodes {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(INTERVAL) {
            self.look();
        }
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    fn look(&mut self) {
        self.stopped |= self.cancel.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }

    /// Returns whether a bound was reached or the flag raised.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the nodes visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
