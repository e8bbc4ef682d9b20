//! What bounds a search: [`Limits`] set beforehand, [`Cancel`] while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The bounds of one search; it ends at the first that is reached. Without any it ends when the score is proved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
