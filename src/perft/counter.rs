//! Counting depth first, on one thread.

use super::{Convention, Table, ended};
use crate::game::{Cancel, CountLeaves};

/// The last plies of a count, which a position counts at once.
const BULK_PLIES: u32 = 4;

/// The least plies below a position that is looked up in a table: below it a look costs as much as it saves.
pub(super) const MIN_LOOKUP_PLIES: u32 = 4;

/// What a count is taken with.
pub(super) struct Counter<'a, P: CountLeaves> {
    pub convention: Convention,
    pub table: Option<&'a mut Table<P>>,
    pub cancel: &'a Cancel,
}

impl<P: CountLeaves> Counter<'_, P> {
    /// Returns the leaves `depth` plies below a position; what it returns after it was cancelled means nothing.
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

    /// The same, without a look at what is known of the position itself.
    pub fn count_uncached(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth <= if self.table.is_some() { MIN_LOOKUP_PLIES - 1 } else { BULK_PLIES } {
            let mut nodes = 0u64;
            let below =
                position.count_leaves(depth, &mut |stuck, depth| nodes += self.count_without_move(stuck, depth));
            return nodes + below;
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

    /// Counts below a position whose only move is a pass, or that ends the game.
    fn count_without_move(&mut self, position: &P, depth: u32) -> u64 {
        match position.legal_moves().next() {
            Some(pass) => self.count(&position.after(pass), self.depth_after(pass, depth)),
            None => ended(depth, self.convention),
        }
    }

    fn depth_after(&self, m: P::Move, depth: u32) -> u32 {
        if self.convention == Convention::FreePass && P::is_pass(m) { depth } else { depth - 1 }
    }
}
