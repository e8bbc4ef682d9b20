//! What is asked of a search and what bounds it: [`Limits`] set beforehand, [`Cancel`] while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Confidence;

/// What is asked of one search, and its bounds: it ends at the first that is reached, and without any when all that is asked is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// The longest time to take.
    pub time: Option<Duration>,
    /// Whether only a proved score will do. A searcher with an exact solver then goes to it at once; any searcher goes on until the
    /// score is proved or another bound is reached.
    pub exact: bool,
    /// How sure a selective search must be of what it leaves out; `None` leaves it to the searcher.
    pub confidence: Option<Confidence>,
    /// Whether a position with at most so many moves to come, not counting passes, is to be solved whatever the depth.
    pub exact_from: Option<u32>,
    /// The window (alpha, beta), alpha < beta, in points for the side to move: a score is wanted only strictly within it. One that is not
    /// is reported as [at most](super::Certainty::AtMost) or [at least](super::Certainty::AtLeast) so much, which often takes far less.
    /// (-1, 1) asks who wins.
    ///
    /// Only an exact solver heeds a window, and a searcher that has one takes it as [`exact`](Self::exact).
    pub window: Option<(i32, i32)>,
    /// How many of the best moves are wanted, each with its score and line of play: at least 1, which 0 is taken for; `usize::MAX` asks
    /// for all.
    pub lines: usize,
}

impl Default for Limits {
    /// No bound, no window, and the best line alone.
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            time: None,
            exact: false,
            confidence: None,
            exact_from: None,
            window: None,
            lines: 1,
        }
    }
}

impl Limits {
    /// Bounds a search by depth alone.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Asks for a proved score, however long it takes.
    #[must_use]
    pub fn exact() -> Self {
        Self { exact: true, ..Self::default() }
    }

    /// Asks for a proved score if it lies strictly between `alpha` and `beta`, in points for the side to move, and on which side of them
    /// it lies otherwise.
    #[must_use]
    pub fn window(alpha: i32, beta: i32) -> Self {
        Self { exact: true, window: Some((alpha, beta)), ..Self::default() }
    }

    /// Adds a bound on the depth, in plies.
    #[must_use]
    pub fn with_depth(self, plies: u32) -> Self {
        Self { depth: Some(plies), ..self }
    }

    /// Adds a bound on the nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Adds a bound on the time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Asks for so many of the best moves; `usize::MAX` is all.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// Sets how sure a selective search must be of what it prunes.
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> Self {
        Self { confidence: Some(confidence), ..self }
    }

    /// Asks for a solve of positions with at most so many moves to come.
    #[must_use]
    pub fn with_exact_from(self, moves: u32) -> Self {
        Self { exact_from: Some(moves), ..self }
    }
}

/// A flag that any thread may raise to end searches early; its clones are the same flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    parent: Option<Cancel>,
}

impl Cancel {
    /// Creates a flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag; it stays raised.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Creates a flag that counts as raised when this one is, too.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Flag { raised: AtomicBool::new(false), parent: Some(self.clone()) }))
    }

    /// Returns whether the flag is raised, or one that it is a [child](Self::child) of.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let mut flag = self;
        loop {
            if flag.0.raised.load(Ordering::Relaxed) {
                return true;
            }
            match &flag.0.parent {
                Some(parent) => flag = parent,
                None => return false,
            }
        }
    }
}
