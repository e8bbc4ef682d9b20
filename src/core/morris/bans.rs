//! The bans of the no-return rule.
//!
//! A man that left one mill and formed another may not make the reverse move on its side's next
//! turn. The ban ends after that turn, or earlier if the man is captured or the point it came from
//! is occupied. Bans that have no effect are removed, so that equal positions compare equal.

use std::fmt::Debug;
use std::hash::Hash;

/// A step of a man from one point to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The point it leaves.
    pub from: u8,
    /// The point it moves to.
    pub to: u8,
}

/// The bans that a position stores: none (`()`), or at most one per side ([`Bans`]).
pub trait BanRecord: Copy + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// Whether the game has bans.
    const HAS_BANS: bool;

    /// Records the banned steps of the side to move and of the opponent.
    fn new(own: Option<Step>, other: Option<Step>) -> Self;

    /// Returns the step that the side to move may not make.
    fn own(self) -> Option<Step>;

    /// Returns the step that the opponent may not make on its next turn.
    fn other(self) -> Option<Step>;
}

impl BanRecord for () {
    const HAS_BANS: bool = false;

    fn new(_: Option<Step>, _: Option<Step>) -> Self {}

    fn own(self) -> Option<Step> {
        None
    }

    fn other(self) -> Option<Step> {
        None
    }
}

/// The banned step of each side, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bans {
    own: Option<Step>,
    other: Option<Step>,
}

impl BanRecord for Bans {
    const HAS_BANS: bool = true;

    fn new(own: Option<Step>, other: Option<Step>) -> Self {
        Self { own, other }
    }

    fn own(self) -> Option<Step> {
        self.own
    }

    fn other(self) -> Option<Step> {
        self.other
    }
}
