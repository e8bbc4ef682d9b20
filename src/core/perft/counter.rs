//! Depth-first counting on one thread.

use super::{Convention, CountTable, ended};
use crate::game::{Cancel, CountLeaves};

/// The number of plies that are counted in bulk.
const BULK_PLIES: u32 = 4;

/// The minimum depth of a table lookup. Below it, a lookup costs as much as it saves.
pub(super) const MIN_LOOKUP_PLIES: u32 = 4;

/// The parameters of a count.
pub(super) struct Counter<'a, P: CountLeaves> {
    pub convention: Convention,
    pub table: Option<&'a mut CountTable<P>>,
    pub cancel: &'a Cancel,
}

impl<P: CountLeaves> Counter<'_, P> {
    /// Counts the leaves `depth` plies below a position. The result is meaningless after a
    /// cancellation.
    pub fn count(&mut self, position: &P, depth: u32) -> u64 {
        if self.table.is_none() || depth < MIN_LOOKUP_PLIES {
            return self.count_uncached(position, depth);
        }
        let image = position.canonical();
        if let Some(nodes) = self.table.as_ref().and_then(|table| table.get(&image, depth)) {
            return nodes;
        }
        let nodes = self.count_uncached(&image, depth);
        if let Some(table) = &mut self.table
            && !self.cancel.is_cancelled()
        {
            table.insert(image, depth, nodes);
        }
        nodes
    }

    /// Counts like [`count`](Self::count), without looking up the position itself.
    pub fn count_uncached(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth <= if self.table.is_some() { MIN_LOOKUP_PLIES - 1 } else { BULK_PLIES } {
            let mut nodes = 0u64;
            let bulk = position.count_leaves(depth, &mut |stuck, depth| nodes += self.count_stuck(stuck, depth));
            return nodes + bulk;
        }
        let (mut nodes, mut over) = (0u64, true);
        for m in position.legal_moves() {
            if self.cancel.is_cancelled() {
                return 0;
            }
            over = false;
            nodes = nodes.saturating_add(self.count(&position.after(m), self.depth_after(m, depth)));
        }
        if over { ended(depth, self.convention) } else { nodes }
    }

    /// Counts below a position in which the side to move must pass or the game is over.
    fn count_stuck(&mut self, position: &P, depth: u32) -> u64 {
        match position.legal_moves().next() {
            Some(pass) => self.count(&position.after(pass), self.depth_after(pass, depth)),
            None => ended(depth, self.convention),
        }
    }

    fn depth_after(&self, m: P::Move, depth: u32) -> u32 {
        if self.convention == Convention::FreePass && P::is_pass(m) { depth } else { depth - 1 }
    }
}
