//! [`Frontier`]: the distinct positions of one ply, each with the number of paths to it.
//!
//! Equal and symmetric positions have equal subtrees, which need to be counted only once. The plies
//! from the root to an intermediate ply are generated breadth first; the positions of each ply are
//! sorted, merged, and weighted by their number of occurrences. The subtrees below the intermediate
//! ply are then counted depth first, in chunks, by any number of threads.
//!
//! The order is that of the positions themselves, so a count has the same frontier and the same
//! chunks on every machine and with any number of threads. A [checkpoint](super::PerftCheckpoint)
//! therefore only lists finished chunks.

use std::sync::Mutex;

use rayon::prelude::*;

use super::counter::{Counter, MIN_LOOKUP_PLIES};
use super::{Convention, CountTable, ended};
use crate::game::{Cancel, CountLeaves};

/// The maximum number of chunks: enough to keep all threads busy to the end and to lose little with
/// one, but few enough to list.
const MAX_CHUNKS: usize = 1 << 16;

/// The minimum number of plies below a frontier; merging one more ply costs more than it saves.
const MIN_PLIES_LEFT: u32 = 3;

/// If merging reduces the positions by less than this factor, the frontier stops a ply earlier. The
/// mill games exceed it; in Othello four of five positions remain, and stopping earlier is as fast,
/// with a sixth of the memory.
const MIN_MERGE_FACTOR: usize = 2;

/// The minimum number of positions to distribute if positions are not merged.
const UNMERGED_POSITIONS: usize = 1 << 12;

/// A position and the number of move sequences that lead to it or to a symmetric position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Weighted<P> {
    position: P,
    /// Saturates at 2^64 - 1.
    weight: u64,
}

/// The size and the parameters of a [`Frontier`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontierInfo {
    /// The convention of the count.
    pub convention: Convention,
    /// Plies from the root to the frontier.
    pub ply: u32,
    /// Plies from the root to the leaves, excluding free passes.
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

/// The distinct positions of an intermediate ply of a count, with their weights.
#[derive(Debug)]
pub struct Frontier<P> {
    convention: Convention,
    ply: u32,
    /// Plies from here to the leaves.
    left: u32,
    positions: Vec<Weighted<P>>,
    /// The count of games that ended before this ply.
    ended: u64,
    /// The memory for count tables, in bytes; 0 for none.
    table_bytes: usize,
}

impl<P: CountLeaves> Frontier<P> {
    /// Generates the frontier of a count to `depth`: the last ply whose generation fits into
    /// `bytes` bytes, or an earlier one if more plies would not help. Merges equal and symmetric
    /// positions, unless `bytes` is 0. Runs on rayon's current thread pool.
    ///
    /// The rest of the memory is used for tables of subtrees, if they help.
    ///
    /// `on_ply` receives each ply and its number of positions. Returns `None` if cancelled.
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
            // Always advance beyond the root if it has a move.
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
        // If merging removes few positions, table lookups rarely hit: in Othello they would cost a
        // tenth of the time.
        if merges && merged >= MIN_MERGE_FACTOR && frontier.left > MIN_LOOKUP_PLIES {
            frontier.table_bytes = bytes.saturating_sub(frontier.positions.len() * size_of::<Weighted<P>>());
        }
        Some(frontier)
    }

    /// Counts the leaves below the weighted positions of a chunk, on one thread; `None` if
    /// cancelled.
    fn count_chunk(&self, chunk: usize, table: Option<&mut CountTable<P>>, cancel: &Cancel) -> Option<u64> {
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

    /// Returns the number of children of each [part](Self::parts).
    fn count_children(&self) -> Vec<usize> {
        self.parts().map(|part| part.iter().map(|weighted| weighted.position.count_moves()).sum()).collect()
    }

    /// Splits the positions into units of parallel work.
    fn parts(&self) -> rayon::slice::Chunks<'_, Weighted<P>> {
        self.positions.par_chunks(1 << 10)
    }

    /// Advances to the next ply. `counts` are the numbers of children of the [parts](Self::parts).
    /// If cancelled, the positions are meaningless.
    fn advance(&mut self, counts: &[usize], merges: bool, cancel: &Cancel) {
        let convention = self.convention;
        let mut children = vec![Weighted { position: P::default(), weight: 0 }; counts.iter().sum()];
        let mut rest = children.as_mut_slice();
        let mut outputs = Vec::with_capacity(counts.len());
        for &count in counts {
            let (output, after) = rest.split_at_mut(count);
            outputs.push(output);
            rest = after;
        }
        let one_ended = ended(self.left, convention);
        let ended: u64 = self
            .parts()
            .zip(outputs)
            .map(|(part, output)| {
                let mut output = output.iter_mut();
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
                        *output.next().expect("the children were counted") = Weighted { position: child, ..*weighted };
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

/// A frontier of any game.
pub trait AnyFrontier: Send + Sync {
    /// Returns the size and the parameters of the frontier.
    fn info(&self) -> FrontierInfo;

    /// Returns a hash of the frontier: different frontiers collide with probability 2^-64.
    fn digest(&self) -> u64;

    /// Counts all leaves on rayon's current thread pool; `None` if cancelled.
    ///
    /// `known` is empty or has an entry for each chunk; known chunks are not counted again.
    /// `on_chunk` receives each newly counted chunk and its leaves, on any thread.
    ///
    /// # Panics
    /// If `known` has a different number of entries.
    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64>;
}

impl<P: CountLeaves> AnyFrontier for Frontier<P> {
    fn info(&self) -> FrontierInfo {
        let &Self { convention, ply, left, ref positions, .. } = self;
        let chunk_len = positions.len().div_ceil(MAX_CHUNKS);
        FrontierInfo { convention, ply, depth: ply + left, positions: positions.len(), chunk_len }
    }

    fn digest(&self) -> u64 {
        let mix = |n: u64| {
            let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            n ^ n >> 31
        };
        let one =
            |(i, weighted): (usize, &Weighted<P>)| mix(weighted.position.key() ^ mix(weighted.weight ^ mix(i as u64)));
        mix(self.ended).wrapping_add(self.positions.par_iter().enumerate().map(one).reduce(|| 0, u64::wrapping_add))
    }

    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64> {
        assert!(
            known.is_empty() || known.len() == self.info().chunks(),
            "`known` is empty or has an entry for each chunk"
        );
        let threads = rayon::current_num_threads();
        let tables: Vec<_> = match self.table_bytes {
            0 => Vec::new(),
            bytes => (0..threads).map(|_| Mutex::new(CountTable::new(bytes / threads))).collect(),
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
}

/// Plays a forced pass, if the convention makes it free.
fn after_free_passes<P: CountLeaves>(position: P, convention: Convention) -> P {
    if convention != Convention::FreePass {
        return position;
    }
    position.forced_pass().map_or(position, |pass| position.after(pass))
}
