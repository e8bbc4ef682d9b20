//! Counts of any game: [`divide`](super::divide) and [`Frontier`] without the type of the game.

use std::marker::PhantomData;

use super::{Convention, Division, Frontier, FrontierInfo, count, divide};
use crate::game::{AnyMove, AnyPosition, Cancel, Playable};

/// What counts the positions of a game, whichever it is. The positions it is given must be of that game.
pub trait AnyPerft: Sync {
    /// [Counts the leaves](count()) on one thread and without a table.
    fn count(&self, root: &AnyPosition, depth: u32, convention: Convention) -> u64;

    /// [Finds the frontier](Frontier::new) of a count; `None` if cancelled.
    fn frontier(
        &self,
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_ply: &dyn Fn(u32, usize),
    ) -> Option<Box<dyn AnyFrontier>>;

    /// [Counts the leaves below each root move](divide()); `None` if cancelled.
    fn divide(
        &self,
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_move: &dyn Fn(usize, usize),
    ) -> Option<Vec<Division<AnyMove>>>;
}

/// A [`Frontier`] of any game; its methods are those of that type.
pub trait AnyFrontier: Send + Sync {
    /// Returns what the frontier is, but for its positions.
    fn extent(&self) -> FrontierInfo;
    /// Returns a number that differs for different frontiers, but for one chance in 2^64.
    fn digest(&self) -> u64;
    /// [Counts](Frontier::count) all leaves; `None` if cancelled.
    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64>;
}

/// Returns what counts the positions of a game.
#[must_use]
pub const fn perft_of<P: Playable>() -> &'static dyn AnyPerft {
    &Typed::<P>(PhantomData)
}

struct Typed<P>(PhantomData<fn() -> P>);

impl<P: Playable> AnyPerft for Typed<P> {
    fn count(&self, root: &AnyPosition, depth: u32, convention: Convention) -> u64 {
        count(&typed::<P>(root), depth, convention)
    }

    fn frontier(
        &self,
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_ply: &dyn Fn(u32, usize),
    ) -> Option<Box<dyn AnyFrontier>> {
        let frontier = Frontier::new(&typed::<P>(root), depth, convention, bytes, cancel, on_ply)?;
        Some(Box::new(frontier))
    }

    fn divide(
        &self,
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_move: &dyn Fn(usize, usize),
    ) -> Option<Vec<Division<AnyMove>>> {
        let divisions = divide(&typed::<P>(root), depth, convention, bytes, cancel, on_move)?;
        let any =
            |division: Division<P::Move>| Division { root: AnyMove::new::<P>(division.root), nodes: division.nodes };
        Some(divisions.into_iter().map(any).collect())
    }
}

fn typed<P: Playable>(root: &AnyPosition) -> P {
    root.typed().expect("the position is of the game that is counted")
}

impl<P: Playable> AnyFrontier for Frontier<P> {
    fn extent(&self) -> FrontierInfo {
        self.info()
    }

    fn digest(&self) -> u64 {
        self.digest()
    }

    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64> {
        self.count(known, cancel, on_chunk)
    }
}
