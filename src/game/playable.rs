//! [`Playable`]: what people and programs around the engine need of a game beyond its rules.

use super::{LineFormat, Position, Searcher};

/// What a searcher is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOptions {
    /// The memory of the tables in bytes, shared by all forks of the searcher.
    pub hash_bytes: usize,
}

impl Default for EngineOptions {
    /// 64 MiB of tables.
    fn default() -> Self {
        Self { hash_bytes: 64 << 20 }
    }
}

/// A game that can be named, read and thought about. Search itself never asks for this.
pub trait Playable: Position {
    /// The name of the game, as users type it.
    const NAME: &'static str;

    /// Whether its searcher proves every score of a position that is asked with [`Limits::exact`](super::Limits::exact), given time.
    const EXACT_SOLVER: bool;

    /// Returns the formats of one position a line, at least one, in the order in which they are tried. The last one reads what none of
    /// them recognises.
    fn formats() -> &'static [LineFormat<Self>];

    /// Returns the game's best searcher.
    fn searcher(options: &EngineOptions) -> Box<dyn Searcher<Self>>;
}

/// Something to be done with a game that is known by name only at run time.
pub trait Command {
    /// What it results in.
    type Output;

    /// Does it, with the name turned into a type.
    fn run<P: Playable>(self) -> Self::Output;
}
