//! Type-erased perft: [`count`](super::count()), [`frontier`](super::frontier()) and division for
//! any game.

use super::{AnyFrontier, Convention, Division, count, count_with, frontier};
use crate::game::{AnyPosition, Cancel, Playable, Position as _, TypedGame, erased};

erased! {
    /// The perft functions of a type-erased game. All positions must belong to that game.
    ///
    /// ```
    /// use morello::games;
    /// use morello::perft::Convention;
    ///
    /// let morris = games::get("three-mens-morris")?;
    /// let perft = games::perft(morris.name())?;
    /// let count = |depth| perft.count(&morris.start(), depth, Convention::default());
    /// assert_eq!([1, 2, 3, 4].map(count), [9, 72, 504, 3024]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub trait AnyPerft for <P: Playable> P;

    /// [Counts the leaves](count()) on one thread, without a table.
    fn count(root: &AnyPosition, depth: u32, convention: Convention) -> u64 =
        count(&root.known::<P>(), depth, convention);

    /// [Counts the leaves](count_with()) like `count`; `None` if cancelled.
    fn count_with(root: &AnyPosition, depth: u32, convention: Convention, cancel: &Cancel) -> Option<u64> =
        count_with(&root.known::<P>(), depth, convention, cancel);

    /// [Builds the frontier](frontier()) of a count; `None` if cancelled.
    fn frontier(
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_ply: &dyn Fn(u32, usize),
    ) -> Option<Box<dyn AnyFrontier>> =
        frontier(&root.known::<P>(), depth, convention, bytes, cancel, on_ply);
}

impl dyn AnyPerft {
    /// Counts the leaves below each root move. The sum over all moves is the perft
    /// ([`total`](super::total)).
    ///
    /// ```
    /// use morello::games;
    /// use morello::perft::Convention;
    ///
    /// let root = games::get("nine-mens-morris")?.parse_position("0,0 a7,d7,g4 a1,b2,c3,e4 W")?;
    /// let divisions = games::perft("nine-mens-morris")?.divide(&root, 2, Convention::default());
    /// let texts: Vec<_> = divisions.iter().map(|d| format!("{}: {}", d.root, d.nodes)).collect();
    /// assert_eq!(texts[..4], ["a7-a4: 8", "d7-g7: 9", "d7-d6: 9", "g4-g7xa1: 7"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `depth` is 0.
    #[must_use]
    pub fn divide(&self, root: &AnyPosition, depth: u32, convention: Convention) -> Vec<Division> {
        self.divide_with(root, depth, convention, 0, &Cancel::new(), &|_, _| ()).expect("nothing cancels it")
    }

    /// Counts the leaves below each root move, in parallel on rayon's current thread pool. The sum
    /// over all moves is the perft ([`total`](super::total)).
    ///
    /// `bytes` is the memory for a [frontier](frontier()). Unless it is 0, root moves to symmetric
    /// positions are counted once. `on_move` receives the number of finished root moves and the
    /// total number of root moves. Returns `None` if cancelled. The result is empty for a position
    /// without legal moves; [`ended`](super::ended) returns the count for it.
    ///
    /// # Panics
    /// If `depth` is 0.
    #[must_use]
    pub fn divide_with(
        &self,
        root: &AnyPosition,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_move: &dyn Fn(usize, usize),
    ) -> Option<Vec<Division>> {
        assert!(depth > 0, "divide requires a depth of at least 1");
        let moves = root.legal_moves();
        let (roots, merges) = (moves.len(), bytes > 0);
        let mut known: Vec<(AnyPosition, u64)> = Vec::new();
        let mut divisions = Vec::new();
        for m in moves {
            let child = root.after(m);
            let child = if merges { child.canonical() } else { child };
            let nodes = match known.iter().find(|(position, _)| *position == child) {
                Some(&(_, nodes)) if merges => nodes,
                _ => {
                    // A pass is the only legal move, so all children have the same depth left.
                    let left = if convention == Convention::FreePass && m.is_pass() { depth } else { depth - 1 };
                    let frontier = self.frontier(&child, left, convention, bytes, cancel, &|_, _| ())?;
                    let nodes = frontier.count(&[], cancel, &|_, _| ())?;
                    known.push((child, nodes));
                    nodes
                }
            };
            divisions.push(Division { root: m, nodes });
            on_move(divisions.len(), roots);
        }
        Some(divisions)
    }
}

/// Returns the type-erased perft functions of a game.
///
/// ```
/// use morello::game::AnyPosition;
/// use morello::othello::Position;
/// use morello::perft::{Convention, perft_of};
///
/// let start = AnyPosition::new(Position::default());
/// assert_eq!(perft_of::<Position>().count(&start, 3, Convention::default()), 56);
/// ```
#[must_use]
pub const fn perft_of<P: Playable>() -> &'static dyn AnyPerft {
    TypedGame::<P>::ERASED
}
