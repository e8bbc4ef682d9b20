//! [`Playable`]: what people and programs around the engine need of a game beyond its rules.

use std::ops::RangeInclusive;

use super::{Dialect, LineFormat, Position, Protocol, Scoring, Searcher};

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

/// From which positions matches begin.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningPolicy {
    /// Plies of random play that lead there from the start of the game.
    pub plies: RangeInclusive<u32>,
    /// The depth, in plies, to which such a position is searched to see whether it is balanced; 0 takes every one.
    pub depth: u32,
    /// The highest score, in points for either side, of a position that is balanced.
    pub most_points: f64,
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

    /// Returns the openings of matches that ask for nothing else.
    fn opening_policy() -> OpeningPolicy {
        match Self::SCORING {
            Scoring::Margin => OpeningPolicy { plies: 8..=12, depth: 8, most_points: 3.0 },
            Scoring::Distance => OpeningPolicy { plies: 4..=6, depth: 6, most_points: 0.1 },
        }
    }

    /// Returns how the game is told to programs that speak a protocol; `None` if the protocol is not for this game.
    fn dialect(_protocol: Protocol) -> Option<Dialect<Self>> {
        None
    }
}

/// Something to be done with a game that is known by name only at run time.
pub trait Command {
    /// What it results in.
    type Output;

    /// Does it, with the name turned into a type.
    fn run<P: Playable>(self) -> Self::Output;
}
