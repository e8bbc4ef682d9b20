//! Type-erased perft: [`count`](super::count()), [`divide`](super::divide()) and [`Frontier`] for
//! any game.

use super::{AnyFrontier, Convention, Division, Frontier, count, divide};
use crate::game::{AnyMove, AnyPosition, Cancel, Playable, TypedGame, erased};

erased! {
    /// The perft functions of a type-erased game. All positions must belong to that game.
    pub trait AnyPerft for <P: Playable> P;

    /// [Counts the leaves](count()) on one thread, without a table.
    fn count(root: &AnyPosition, depth: u32, convention: Convention) -> u64 =
        count(&root.known::<P>(), depth, convention);

    /// [Builds the frontier](Frontier::new) of a count; `None` if cancelled.
    fn frontier(
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_ply: &dyn Fn(u32, usize),
    ) -> Option<Box<dyn AnyFrontier>> = {
        let frontier = Frontier::new(&root.known::<P>(), depth, convention, bytes, cancel, on_ply)?;
        Some(Box::new(frontier))
    };

    /// [Counts the leaves below each root move](divide()); `None` if cancelled.
    fn divide(
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_move: &dyn Fn(usize, usize),
    ) -> Option<Vec<Division<AnyMove>>> = {
        let divisions = divide(&root.known::<P>(), depth, convention, bytes, cancel, on_move)?;
        let any = |Division { root, nodes }| Division { root: AnyMove::new::<P>(root), nodes };
        Some(divisions.into_iter().map(any).collect())
    };
}

/// Returns the type-erased perft functions of a game.
#[must_use]
pub const fn perft_of<P: Playable>() -> &'static dyn AnyPerft {
    TypedGame::<P>::ERASED
}
