//! [`SearchControl`]: stops a search at its time or node limit, or when its flag is raised.

use std::time::Duration;

use crate::game::{Cancel, Limits};
use crate::host::Instant;

/// The default number of nodes between clock checks. At millions of nodes per second, checks are
/// well under a millisecond apart.
const CHECK_INTERVAL: u64 = 1024;

/// A search stops this long before its deadline, or a tenth of its time if that is less, so that it
/// can answer in time.
const TIME_MARGIN: Duration = Duration::from_millis(2);

/// A search for the only legal move ends when it has used this share of its limits.
pub const FORCED_MOVE_SHARE: f64 = 0.02;

/// Returns whether another iteration may end within the limits. `used` is the share of the limits
/// used so far, and `last` the share used by the last iteration. An iteration rarely takes less
/// than half the time of the previous one.
///
/// ```
/// use morello::search::has_room_for_another;
///
/// assert!(has_room_for_another(0.7, 0.5), "0.3 is left, and the next iteration may take 0.25");
/// assert!(!has_room_for_another(0.8, 0.5));
/// ```
#[must_use]
pub fn has_room_for_another(used: f64, last: f64) -> bool {
    1.0 - used >= last / 2.0
}

/// The clock and the node counter of a running search, with their limits.
///
/// ```
/// use morello::game::{Cancel, Limits};
/// use morello::search::SearchControl;
///
/// let mut control = SearchControl::new(&Limits::nodes(1000), &Cancel::new());
/// while control.visit() {} // a search does its work in each node
/// assert_eq!((control.nodes(), control.used(), control.is_stopped()), (1000, 1.0, true));
/// ```
#[derive(Debug, Clone)]
pub struct SearchControl {
    start: Instant,
    deadline: Option<Instant>,
    max_nodes: u64,
    cancel: Cancel,
    nodes: u64,
    next_check: u64,
    interval: u64,
    stopped: bool,
}

impl SearchControl {
    /// Starts the clock of a search.
    #[must_use]
    pub fn new(limits: &Limits, cancel: &Cancel) -> Self {
        let start = Instant::now();
        Self {
            start,
            deadline: limits.time.and_then(|time| start.checked_add(time - TIME_MARGIN.min(time / 10))),
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            cancel: cancel.clone(),
            nodes: 0,
            next_check: 0,
            interval: CHECK_INTERVAL,
            stopped: false,
        }
    }

    /// Sets the number of nodes between clock checks, for searches with slow nodes.
    #[must_use]
    pub fn with_check_interval(self, nodes: u64) -> Self {
        Self { interval: nodes, ..self }
    }

    /// Counts a node and returns whether the search may visit it.
    #[inline]
    pub fn visit(&mut self) -> bool {
        if !self.may_visit(1) {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Returns whether the search may visit `nodes` more nodes. Does not count them.
    #[inline]
    pub fn may_visit(&mut self, nodes: u64) -> bool {
        if self.nodes >= self.next_check {
            self.check();
        }
        self.stopped |= nodes > self.max_nodes.saturating_sub(self.nodes);
        !self.stopped
    }

    /// Counts nodes allowed by [`may_visit`](Self::may_visit).
    #[inline]
    pub fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Moves the next clock check forward by `nodes` uncounted nodes, for operations that are
    /// slower than a node.
    #[inline]
    pub fn advance_next_check(&mut self, nodes: u64) {
        self.next_check = self.next_check.saturating_sub(nodes);
    }

    /// Returns the flag that stops the search.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Replaces the flag that stops the search, and returns the old one. A search that was stopped
    /// by the old flag continues, unless its time is over.
    pub fn replace_cancel(&mut self, cancel: Cancel) -> Cancel {
        let before = std::mem::replace(&mut self.cancel, cancel);
        self.stopped = false;
        self.check();
        before
    }

    /// Creates the control for a helper of this search, with the same clock and another flag. A
    /// helper counts its nodes from 0, without a limit.
    #[must_use]
    pub fn for_helper(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), nodes: 0, next_check: 0, max_nodes: u64::MAX, stopped: false, ..*self }
    }

    #[cold]
    fn check(&mut self) {
        self.next_check = self.nodes + self.interval;
        self.stopped |= self.cancel.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }

    /// Returns whether a limit was reached or the flag was raised.
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

    /// Returns the share of the time and node limits that is used up: 0 at the start or without
    /// limits, 1 at the first limit.
    #[must_use]
    pub fn used(&self) -> f64 {
        let time = self.deadline.map_or(0.0, |deadline| {
            let all = deadline.saturating_duration_since(self.start).as_secs_f64();
            if all > 0.0 { self.elapsed().as_secs_f64() / all } else { 1.0 }
        });
        let nodes = if self.max_nodes == u64::MAX { 0.0 } else { self.nodes as f64 / self.max_nodes.max(1) as f64 };
        time.max(nodes).min(1.0)
    }

    /// Returns the time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_used_share_is_that_of_the_first_limit() {
        let used = |limits: Limits, nodes| {
            let mut control = SearchControl::new(&limits, &Cancel::new());
            control.count(nodes);
            control.used()
        };
        assert_eq!(used(Limits::default(), 1_000), 0.0);
        assert_eq!(used(Limits::nodes(1_000), 250), 0.25);
        assert_eq!(used(Limits::nodes(1_000).with_time(Duration::from_secs(3_600)), 500), 0.5);
        assert_eq!(used(Limits::nodes(1_000_000).with_time(Duration::ZERO), 1), 1.0);
        assert!(has_room_for_another(0.5, 0.9) && !has_room_for_another(0.8, 0.5));
    }
}
