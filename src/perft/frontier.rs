//! [`Frontier`]: all positions of one ply, each once, with the number of ways that lead to it.
//!
//! Below positions that are equal, or that a symmetry makes equal, lies the same: counted once, it counts for each of them. So the plies
//! from the root to a middle one are gone through breadth first, and the positions of each are put in order, merged, and weighted with how
//! often they occur. What lies below each of the middle ply is then counted depth first, in chunks that any thread may take at any time.
//!
//! The order is that of the positions themselves: the same count has the same frontier and the same chunks on every machine and with any
//! number of threads, which is what lets a [checkpoint](super::Checkpoint) be no more than a list of finished chunks.

use std::sync::Mutex;

use rayon::prelude::*;

use super::counter::{Counter, MIN_LOOKUP_PLIES};
use super::{Convention, Table, ended};
use crate::game::{Cancel, CountLeaves};

/// The most chunks: enough that all threads are busy to the end and little is lost with one, few enough to be listed.
const MAX_CHUNKS: usize = 1 << 16;

/// The plies from a frontier to the leaves are not fewer: to merge one ply more costs more than it saves.
const MIN_PLIES_LEFT: u32 = 3;

/// Where merging leaves no more than one of this many positions, it pays to the last plies. It does in the mill games; in Othello it leaves
/// four of five, and to merge one ply less is as fast, with a sixth of the memory.
const MIN_MERGE_FACTOR: usize = 2;

/// Without merging there are this many positions to hand out, or a few more.
const UNMERGED_POSITIONS: usize = 1 << 12;

/// A position, and how many sequences of moves lead to it or to an image of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Weighted<P> {
    position: P,
    /// At most 2^64 - 1, which stands for all that is more.
    weight: u64,
}

/// What a [`Frontier`] is, but for its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontierInfo {
    /// What is counted.
    pub convention: Convention,
    /// Plies from the root.
    pub ply: u32,
    /// Plies from the root to the leaves; a free pass is none.
    pub depth: u32,
    /// The number of positions, at least one.
    pub positions: usize,
    /// The number of positions in a chunk; the last one may have fewer.
    pub chunk_len: usize,
}

impl FrontierInfo {
    /// Returns the number of chunks.
    #[must_use]
    pub const fn chunks(self) -> usize {
        self.positions.div_ceil(self.chunk_len)
    }
}

/// The positions of a middle ply of a count; see the module.
#[derive(Debug)]
pub struct Frontier<P> {
    convention: Convention,
    ply: u32,
    /// Plies from here to the leaves.
    left: u32,
    positions: Vec<Weighted<P>>,
    /// The leaves that are not below any of the positions: games that ended before.
    ended: u64,
    /// The memory for tables of what is counted below the positions.
    table_bytes: usize,
}

impl<P: CountLeaves> Frontier<P> {
    /// Goes from a position, `depth` plies before the leaves, to the last ply that fits into `bytes` bytes while it is made, or to where
    /// more would not help. Equal positions are merged, unless `bytes` is 0. Runs on rayon's current thread pool.
    ///
    /// What the positions leave of the memory goes to tables of subtrees, where those help.
    ///
    /// `on_ply` is told each ply and its number of positions. Returns `None` if cancelled.
    #[must_use]
    pub fn new(
        position: &P,
        depth: u32,
        convention: Convention,
        bytes: usize,
        cancel: &Cancel,
        on_ply: &dyn Fn(u32, usize),
    ) -> Option<Self> {
        let root = Weighted { position: *position, weight: 1 };
        let mut frontier = Self { convention, ply: 0, left: depth, positions: vec![root], ended: 0, table_bytes: 0 };
        frontier.positions.iter_mut().for_each(|root| root.position = after_free_passes(root.position, convention));
        let merges = bytes > 0;
        let mut merged = usize::MAX;
        while frontier.left > MIN_PLIES_LEFT + u32::from(merged < MIN_MERGE_FACTOR) {
            let counts = frontier.count_children();
            let children: usize = counts.iter().sum();
            let fits = if merges {
                (frontier.positions.len() + children) * size_of::<Weighted<P>>() <= bytes
            } else {
                frontier.positions.len() < UNMERGED_POSITIONS
            };
            // A root alone is no frontier.
            if children == 0 || !fits && frontier.ply > 0 {
                break;
            }
            frontier.advance(&counts, merges, cancel);
            merged = children / frontier.positions.len().max(1);
            if cancel.is_cancelled() {
                return None;
            }
            on_ply(frontier.ply, frontier.positions.len());
        }
        // Where merging takes little away, a table finds little: of Othello it costs a tenth more than it saves.
        if merges && merged >= MIN_MERGE_FACTOR && frontier.left > MIN_LOOKUP_PLIES {
            frontier.table_bytes = bytes.saturating_sub(frontier.positions.len() * size_of::<Weighted<P>>());
        }
        Some(frontier)
    }

    /// Returns what the frontier is, but for its positions.
    #[must_use]
    pub fn info(&self) -> FrontierInfo {
        let &Self { convention, ply, left, ref positions, .. } = self;
        let chunk_len = positions.len().div_ceil(MAX_CHUNKS);
        FrontierInfo { convention, ply, depth: ply + left, positions: positions.len(), chunk_len }
    }

    /// Returns a number that differs for different frontiers, but for one chance in 2^64.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mix = |n: u64| {
            let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            n ^ n >> 31
        };
        let one =
            |(i, weighted): (usize, &Weighted<P>)| mix(weighted.position.key() ^ mix(weighted.weight ^ mix(i as u64)));
        mix(self.ended).wrapping_add(self.positions.par_iter().enumerate().map(one).reduce(|| 0, u64::wrapping_add))
    }

    /// Counts all leaves on rayon's current thread pool; `None` if cancelled.
    ///
    /// Chunks that `known` has the leaves of are not counted again; it has an entry for each chunk, or none at all. `on_chunk` is told each
    /// chunk that is counted and its leaves, from any thread.
    ///
    /// # Panics
    /// If `known` has another number of entries.
    pub fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64> {
        assert!(known.is_empty() || known.len() == self.info().chunks(), "an entry for each chunk, or none");
        let threads = rayon::current_num_threads();
        let tables: Vec<_> = match self.table_bytes {
            0 => Vec::new(),
            bytes => (0..threads).map(|_| Mutex::new(Table::new(bytes / threads))).collect(),
        };
        let count = |chunk: usize| {
            if let Some(&Some(nodes)) = known.get(chunk) {
                return Some(nodes);
            }
            let table = rayon::current_thread_index().and_then(|thread| tables.get(thread));
            let mut table = table.map(|table| table.lock().expect("no thread panics while it counts"));
            let nodes = self.count_chunk(chunk, table.as_deref_mut(), cancel)?;
            drop(table);
            on_chunk(chunk, nodes);
            Some(nodes)
        };
        let counts = (0..self.info().chunks()).into_par_iter().with_max_len(1).map(count);
        let nodes = counts.try_reduce(|| 0, |a, b| Some(a.saturating_add(b)))?;
        Some(nodes.saturating_add(self.ended))
    }

    /// Counts the leaves below a chunk, its positions weighted, on one thread; `None` if cancelled.
    fn count_chunk(&self, chunk: usize, table: Option<&mut Table<P>>, cancel: &Cancel) -> Option<u64> {
        let chunk_len = self.info().chunk_len;
        let first = chunk * chunk_len;
        let last = self.positions.len().min(first + chunk_len);
        let mut counter = Counter { convention: self.convention, table, cancel };
        let mut nodes = 0u64;
        for weighted in &self.positions[first..last] {
            if cancel.is_cancelled() {
                return None;
            }
            nodes = nodes
                .saturating_add(weighted.weight.saturating_mul(counter.count_uncached(&weighted.position, self.left)));
        }
        (!cancel.is_cancelled()).then_some(nodes)
    }

    /// Returns the number of children of all positions, part by part.
    fn count_children(&self) -> Vec<usize> {
        self.parts().map(|part| part.iter().map(|weighted| weighted.position.count_moves()).sum()).collect()
    }

    /// Returns the positions in parts of which each is worth handing out to a thread.
    fn parts(&self) -> rayon::slice::Chunks<'_, Weighted<P>> {
        self.positions.par_chunks(1 << 10)
    }

    /// Goes to the next ply, `counts` being the numbers of children of the parts; where to means nothing if it is cancelled.
    fn advance(&mut self, counts: &[usize], merges: bool, cancel: &Cancel) {
        let convention = self.convention;
        let mut children = vec![Weighted { position: P::default(), weight: 0 }; counts.iter().sum()];
        let mut rest = children.as_mut_slice();
        let mut rooms = Vec::with_capacity(counts.len());
        for &count in counts {
            let (room, after) = rest.split_at_mut(count);
            rooms.push(room);
            rest = after;
        }
        let one_ended = ended(self.left, convention);
        let ended: u64 = self
            .parts()
            .zip(rooms)
            .map(|(part, room)| {
                let mut room = room.iter_mut();
                let mut ended = 0u64;
                if cancel.is_cancelled() {
                    return 0;
                }
                for weighted in part {
                    let mut over = true;
                    for m in weighted.position.legal_moves() {
                        over = false;
                        let child = after_free_passes(weighted.position.after(m), convention);
                        let child = if merges { child.canonical() } else { child };
                        *room.next().expect("the children were counted") = Weighted { position: child, ..*weighted };
                    }
                    if over {
                        ended = ended.saturating_add(one_ended.saturating_mul(weighted.weight));
                    }
                }
                ended
            })
            .reduce(|| 0, u64::saturating_add);
        if merges && !cancel.is_cancelled() {
            self.positions = Vec::new();
            children.par_sort_unstable_by(|a, b| a.position.cmp(&b.position));
            children.dedup_by(|next, kept| {
                let equal = next.position == kept.position;
                if equal {
                    kept.weight = kept.weight.saturating_add(next.weight);
                }
                equal
            });
            children.shrink_to_fit();
        }
        self.positions = children;
        self.ended = self.ended.saturating_add(ended);
        self.ply += 1;
        self.left -= 1;
    }
}

/// Returns the position in which the next ply begins: after a forced pass, if that is none.
fn after_free_passes<P: CountLeaves>(position: P, convention: Convention) -> P {
    if convention != Convention::FreePass {
        return position;
    }
    position.forced_pass().map_or(position, |pass| position.after(pass))
}
