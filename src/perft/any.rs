//! Type-erased perft: [`count`](super::count()), [`divide`](super::divide()) and [`Frontier`] for any game.

use std::marker::PhantomData;

use super::{Convention, Division, Frontier, FrontierInfo, count, divide};
use crate::game::{AnyMove, AnyPosition, Cancel, Playable};

/// The perft functions of a type-erased game. All positions must belong to that game.
pub trait AnyPerft: Sync {
    /// [Counts the leaves](count()) on one thread, without a table.
    fn count(&self, root: &AnyPosition, depth: u32, convention: Convention) -> u64;

    /// [Builds the frontier](Frontier::new) of a count; `None` if cancelled.
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

/// A type-erased [`Frontier`].
pub trait AnyFrontier: Send + Sync {
    /// Returns the size and the parameters of the frontier.
    fn info(&self) -> FrontierInfo;
    /// Returns a hash of the frontier: different frontiers collide with probability 2^-64.
    fn digest(&self) -> u64;
    /// [Counts](Frontier::count) all leaves; `None` if cancelled.
    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64>;
}

/// Returns the type-erased perft functions of a game.
#[must_use]
pub const fn perft_of<P: Playable>() -> &'static dyn AnyPerft {
    &TypedPerft::<P>(PhantomData)
}

struct TypedPerft<P>(PhantomData<fn() -> P>);

impl<P: Playable> AnyPerft for TypedPerft<P> {
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
    root.typed().expect("the position belongs to the game")
}

impl<P: Playable> AnyFrontier for Frontier<P> {
    fn info(&self) -> FrontierInfo {
        self.info()
    }

    fn digest(&self) -> u64 {
        self.digest()
    }

    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64> {
        self.count(known, cancel, on_chunk)
    }
}
