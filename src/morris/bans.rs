//! The bans of the no-return rule: which cow may not go straight back, for either side.
//!
//! A cow that left one mill and formed another may not make the reverse move on its owner's next turn. The ban dies with that turn, or
//! earlier if the cow is shot or the point it came from is taken: a ban that forbids nothing is not kept, so that equal positions are equal.

use std::fmt::Debug;
use std::hash::Hash;

/// A man going from one point to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The number of the point it leaves.
    pub from: u8,
    /// The number of the point it goes to.
    pub to: u8,
}

/// What a position knows of bans: nothing (`()`) or one for each side ([`Bans`]).
pub trait BanRecord: Copy + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// Whether there are bans in the game.
    const IN_FORCE: bool;

    /// Records the step that is banned for the side to move and the one for the other side.
    fn new(own: Option<Step>, other: Option<Step>) -> Self;

    /// Returns the step that the side to move may not make.
    fn own(self) -> Option<Step>;

    /// Returns the step that the other side may not make on its next turn.
    fn other(self) -> Option<Step>;
}

impl BanRecord for () {
    const IN_FORCE: bool = false;

    fn new(_: Option<Step>, _: Option<Step>) -> Self {}

    fn own(self) -> Option<Step> {
        None
    }

    fn other(self) -> Option<Step> {
        None
    }
}

/// The banned step of either side, if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bans {
    own: Option<Step>,
    other: Option<Step>,
}

impl BanRecord for Bans {
    const IN_FORCE: bool = true;

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
