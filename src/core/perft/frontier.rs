//! [`AnyFrontier`]: the distinct positions at one ply, each with the number of paths to it.
//!
//! Equal and symmetric positions have equal subtrees, which need to be counted only once. The plies
//! from the root to an intermediate ply are generated breadth first. The positions of each ply are
//! sorted, merged, and weighted by their number of occurrences. The subtrees below the intermediate
//! ply are then counted depth first, in chunks, by any number of threads.
//!
//! Positions are packed, so that only the generation of moves and the counting of subtrees are
//! compiled for each game.
//!
//! Positions are sorted by their packed form, so a count has the same frontier and the same chunks
//! on every machine and with any number of threads. A [checkpoint](super::PerftCheckpoint)
//! therefore only lists finished chunks.

use std::sync::Mutex;

use super::counter::{Counter, MIN_LOOKUP_PLIES};
use super::{Convention, CountTable, ended};
use crate::game::{Cancel, CountLeaves, Packed, TypedGame, erased};
use crate::parallel;

/// The maximum number of chunks: enough to keep all threads busy until the end and to lose little
/// with one chunk, but few enough to list.
const MAX_CHUNKS: usize = 1 << 16;

/// The minimum number of plies below a frontier. Merging one more ply would cost more than it
/// saves.
const MIN_PLIES_LEFT: u32 = 3;

/// If merging reduces the positions by less than this factor, the frontier stops a ply earlier. The
/// mill games exceed this factor. In Othello, four of five positions remain, and stopping earlier
/// is as fast with a sixth of the memory.
const MIN_MERGE_FACTOR: usize = 2;

/// The minimum number of positions to distribute among threads if positions are not merged.
const UNMERGED_POSITIONS: usize = 1 << 12;

/// The size and the parameters of a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FrontierInfo {
    /// The convention of the count.
    pub convention: Convention,
    /// The number of plies from the root to the frontier.
    pub ply: u32,
    /// The number of plies from the root to the leaves, not counting free passes.
    pub depth: u32,
    /// The number of positions, at least one.
    pub positions: usize,
    /// The number of positions per chunk; the last chunk may have fewer.
    pub chunk_len: usize,
}

impl FrontierInfo {
    /// Returns the number of chunks.
    #[must_use]
    pub const fn chunks(self) -> usize {
        self.positions.div_ceil(self.chunk_len)
    }
}

/// The number of positions in a unit of parallel work.
const PART: usize = 1 << 10;

/// The minimum number of positions that threads sort together.
const SORTED_TOGETHER: usize = 1 << 14;

erased! {
    /// The functions of a frontier that are compiled for each game.
    pub trait Subtrees for <P: CountLeaves> P;

    /// Returns the number of legal moves.
    fn count_moves(position: Packed) -> usize = P::unpack(position).count_moves();

    /// Plays a forced pass if the convention makes it free.
    fn after_free_passes(position: Packed, convention: Convention) -> Packed =
        after_free_passes(P::unpack(position), convention).pack();

    /// Passes the positions after all moves to `child`, or their smallest symmetric images if
    /// positions are merged.
    fn children(position: Packed, convention: Convention, merges: bool, child: &mut dyn FnMut(Packed)) -> () = {
        let position = P::unpack(position);
        for m in position.legal_moves() {
            let next = after_free_passes(position.after(m), convention);
            child(if merges { next.canonical() } else { next }.pack());
        }
    };

    /// Creates a counter with a table of this size in bytes, or without a table if the size is 0.
    fn counter(convention: Convention, table_bytes: usize) -> Box<dyn SubtreeCounter> = {
        let table = (table_bytes > 0).then(|| CountTable::<P>::new(table_bytes));
        Box::new(TypedCounter { convention, table })
    };
}

/// Plays a forced pass if the convention makes it free.
fn after_free_passes<P: CountLeaves>(position: P, convention: Convention) -> P {
    if convention != Convention::FreePass {
        return position;
    }
    position.forced_pass().map_or(position, |pass| position.after(pass))
}

/// Counts subtrees on one thread.
pub trait SubtreeCounter: Send {
    /// Counts the leaves `left` plies below a position. The result is meaningless after a
    /// cancellation.
    fn count(&mut self, position: Packed, left: u32, cancel: &Cancel) -> u64;
}

struct TypedCounter<P: CountLeaves> {
    convention: Convention,
    table: Option<CountTable<P>>,
}

impl<P: CountLeaves> SubtreeCounter for TypedCounter<P> {
    fn count(&mut self, position: Packed, left: u32, cancel: &Cancel) -> u64 {
        let mut counter = Counter { convention: self.convention, table: self.table.as_mut(), cancel };
        counter.count_uncached(&P::unpack(position), left)
    }
}

/// A packed position in `W` words, and the number of move sequences that lead to it or to a
/// symmetric position.
#[derive(Debug, Clone, Copy)]
struct Weighted<const W: usize> {
    words: [u64; W],
    /// The number saturates at 2^64 - 1.
    weight: u64,
}

impl<const W: usize> Weighted<W> {
    /// Swaps the halves of the first word. In the mill games, the men of the side to move then
    /// determine the order first. Positions with the same men follow each other and find more
    /// entries in the tables.
    fn new(mut position: Packed, weight: u64) -> Self {
        position[0] = position[0].rotate_left(32);
        let (words, rest) = position.split_first_chunk().expect("a position has at most three words");
        assert!(rest.iter().all(|&word| word == 0), "the position has no more than {W} words");
        Self { words: *words, weight }
    }

    fn position(&self) -> Packed {
        let mut position = Packed::default();
        position[..W].copy_from_slice(&self.words);
        position[0] = position[0].rotate_left(32);
        position
    }
}

/// The distinct positions of an intermediate ply of a count, with their weights.
struct Frontier<const W: usize> {
    subtrees: &'static dyn Subtrees,
    convention: Convention,
    ply: u32,
    /// The number of plies from the frontier to the leaves.
    left: u32,
    positions: Vec<Weighted<W>>,
    /// The number of games counted that ended before this ply.
    ended: u64,
    /// The memory for count tables in bytes; 0 for no tables.
    table_bytes: usize,
}

/// Generates the frontier of a count to `depth`: the last ply whose generation fits in `bytes`
/// bytes, or an earlier ply if more plies would not help. Merges equal and symmetric positions,
/// unless `bytes` is 0. Runs on rayon's current thread pool.
///
/// The remaining memory is used for subtree tables, if they help.
///
/// `on_ply` receives each ply and its number of positions. Returns `None` if cancelled.
///
/// ```
/// use morello::game::Cancel;
/// use morello::othello::Position;
/// use morello::perft::{Convention, frontier};
///
/// let (start, cancel) = (Position::default(), Cancel::new());
/// let frontier = frontier(&start, 7, Convention::default(), 1 << 20, &cancel, &|_, _| ());
/// let frontier = frontier.expect("not cancelled");
/// let info = frontier.info();
/// assert_eq!((info.ply, info.depth, info.positions), (3, 7, 14));
/// assert_eq!(frontier.count(&[], &cancel, &|_, _| ()), Some(55_092));
/// ```
#[must_use]
pub fn frontier<P: CountLeaves>(
    position: &P,
    depth: u32,
    convention: Convention,
    bytes: usize,
    cancel: &Cancel,
    on_ply: &dyn Fn(u32, usize),
) -> Option<Box<dyn AnyFrontier>> {
    let game = TypedGame::<P>::ERASED;
    // Two words are enough for the positions of most mill games.
    let generate = if size_of::<P>() <= 16 { generate::<2> } else { generate::<3> };
    generate(game, position.pack(), depth, convention, bytes, cancel, on_ply)
}

/// Generates the [`frontier`] of a game whose packed positions have at most `W` words.
fn generate<const W: usize>(
    subtrees: &'static dyn Subtrees,
    position: Packed,
    depth: u32,
    convention: Convention,
    bytes: usize,
    cancel: &Cancel,
    on_ply: &dyn Fn(u32, usize),
) -> Option<Box<dyn AnyFrontier>> {
    let positions = vec![Weighted::new(subtrees.after_free_passes(position, convention), 1)];
    let mut frontier = Frontier::<W> { subtrees, convention, ply: 0, left: depth, positions, ended: 0, table_bytes: 0 };
    let merges = bytes > 0;
    let mut merged = usize::MAX;
    while frontier.left > MIN_PLIES_LEFT + u32::from(merged < MIN_MERGE_FACTOR) {
        let counts = frontier.count_children();
        let children: usize = counts.iter().sum();
        let fits = if merges {
            (frontier.positions.len() + children) * size_of::<Weighted<W>>() <= bytes
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
    // If merging removes few positions, table lookups rarely succeed: in Othello they would cost a
    // tenth of the time.
    if merges && merged >= MIN_MERGE_FACTOR && frontier.left > MIN_LOOKUP_PLIES {
        frontier.table_bytes = bytes.saturating_sub(frontier.positions.len() * size_of::<Weighted<W>>());
    }
    Some(Box::new(frontier))
}

impl<const W: usize> Frontier<W> {
    /// Counts the leaves below the weighted positions of a chunk, on one thread; `None` if
    /// cancelled.
    fn count_chunk(&self, chunk: usize, counter: &mut dyn SubtreeCounter, cancel: &Cancel) -> Option<u64> {
        let chunk_len = self.info().chunk_len;
        let first = chunk * chunk_len;
        let last = self.positions.len().min(first + chunk_len);
        let mut nodes = 0u64;
        for weighted in &self.positions[first..last] {
            if cancel.is_cancelled() {
                return None;
            }
            let below = counter.count(weighted.position(), self.left, cancel);
            nodes = nodes.saturating_add(weighted.weight.saturating_mul(below));
        }
        (!cancel.is_cancelled()).then_some(nodes)
    }

    /// Returns the positions of each unit of parallel work.
    fn parts(&self) -> Vec<&[Weighted<W>]> {
        self.positions.chunks(PART).collect()
    }

    /// Returns the number of children of each [part](Self::parts).
    fn count_children(&self) -> Vec<usize> {
        let parts = self.parts();
        let count = |weighted: &Weighted<W>| self.subtrees.count_moves(weighted.position());
        parallel::map(parts.len(), &|part| parts[part].iter().map(count).sum())
    }

    /// Advances to the next ply. `counts` are the numbers of children of the [parts](Self::parts).
    /// If the count is cancelled, the positions are meaningless.
    fn advance(&mut self, counts: &[usize], merges: bool, cancel: &Cancel) {
        let mut children = vec![Weighted { words: [0; W], weight: 0 }; counts.iter().sum()];
        let mut rest = children.as_mut_slice();
        let mut outputs = Vec::with_capacity(counts.len());
        for &count in counts {
            outputs.push(Mutex::new(rest.split_off_mut(..count).expect("the children were counted")));
        }
        let parts = self.parts();
        let one_ended = ended(self.left, self.convention);
        let ended = parallel::map(parts.len(), &|part| {
            let mut output = outputs[part].lock().expect("only one thread has the part");
            let (mut next, mut ended) = (0, 0u64);
            if cancel.is_cancelled() {
                return 0;
            }
            for weighted in parts[part] {
                let first = next;
                self.subtrees.children(weighted.position(), self.convention, merges, &mut |child| {
                    output[next] = Weighted::new(child, weighted.weight);
                    next += 1;
                });
                if next == first {
                    ended = ended.saturating_add(one_ended.saturating_mul(weighted.weight));
                }
            }
            ended
        });
        drop(outputs);
        if merges && !cancel.is_cancelled() {
            self.positions = Vec::new();
            sort(&mut children);
            children.dedup_by(|next, kept| {
                let equal = next.words == kept.words;
                if equal {
                    kept.weight = kept.weight.saturating_add(next.weight);
                }
                equal
            });
            children.shrink_to_fit();
        }
        self.positions = children;
        self.ended = ended.into_iter().fold(self.ended, u64::saturating_add);
        self.ply += 1;
        self.left -= 1;
    }
}

/// Sorts positions on all threads.
fn sort<const W: usize>(positions: &mut [Weighted<W>]) {
    let threads = rayon_core::current_num_threads();
    // The standard library's sort partitions faster, so make only as many parts as keep all threads
    // busy.
    let by_one = if threads == 1 { usize::MAX } else { (positions.len() / (4 * threads)).max(SORTED_TOGETHER) };
    sort_parts(positions, by_one);
}

/// Sorts positions in parts. Each part of at most `by_one` positions is sorted on one thread.
fn sort_parts<const W: usize>(positions: &mut [Weighted<W>], by_one: usize) {
    if positions.len() <= by_one {
        return positions.sort_unstable_by_key(|weighted| weighted.words);
    }
    let mut sample: [_; 31] = std::array::from_fn(|i| positions[positions.len() / 31 * i].words);
    sample.sort_unstable();
    let pivot = sample[15];
    let (left, right) = match partition(positions, |words| words < pivot) {
        // The pivot is the smallest position. The positions equal to it need no sorting.
        0 => (0, partition(positions, |words| words == pivot)),
        middle => (middle, middle),
    };
    let (low, high) = positions.split_at_mut(right);
    parallel::both(&mut || sort_parts(&mut low[..left], by_one), &mut || sort_parts(high, by_one));
}

/// Moves the positions for which `is_left` returns true to the front, and returns their number.
fn partition<const W: usize>(positions: &mut [Weighted<W>], is_left: impl Fn([u64; W]) -> bool) -> usize {
    let mut left = 0;
    for i in 0..positions.len() {
        positions.swap(left, i);
        left += usize::from(is_left(positions[left].words));
    }
    left
}

/// A frontier of any game.
///
/// ```
/// use std::sync::Mutex;
///
/// use morello::game::Cancel;
/// use morello::morris::{NineMensMorris, Position};
/// use morello::perft::{Convention, frontier};
///
/// let (start, cancel) = (Position::<NineMensMorris>::default(), Cancel::new());
/// let frontier = frontier(&start, 4, Convention::default(), 1 << 20, &cancel, &|_, _| ());
/// let frontier = frontier.expect("not cancelled");
/// // The finished chunks of a count, which another count need not repeat.
/// let known = Mutex::new(vec![None; frontier.info().chunks()]);
/// let on_chunk = |chunk: usize, nodes| known.lock().expect("no panic")[chunk] = Some(nodes);
/// let nodes = frontier.count(&[], &cancel, &on_chunk);
/// assert_eq!(nodes, Some(255_024));
/// let known = known.into_inner().expect("no panic");
/// assert_eq!(frontier.count(&known, &cancel, &|_, _| panic!("all are known")), nodes);
/// ```
pub trait AnyFrontier: Send + Sync {
    /// Returns the size and the parameters of the frontier.
    fn info(&self) -> FrontierInfo;

    /// Returns a hash of the frontier. Different frontiers collide with probability 2^-64.
    fn digest(&self) -> u64;

    /// Counts all leaves on rayon's current thread pool; `None` if cancelled.
    ///
    /// `known` is empty or contains one entry per chunk. Known chunks are not counted again.
    /// `on_chunk` receives each newly counted chunk and its leaves, on any thread.
    ///
    /// # Panics
    /// If `known` has a different number of entries.
    #[must_use]
    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64>;
}

impl<const W: usize> AnyFrontier for Frontier<W> {
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
        let parts = self.parts();
        let sums = parallel::map(parts.len(), &|part| {
            let hash = |(i, weighted): (usize, &Weighted<W>)| {
                let start = mix(weighted.weight ^ mix((PART * part + i) as u64));
                weighted.words.iter().fold(start, |hash, word| mix(hash ^ word))
            };
            parts[part].iter().enumerate().map(hash).fold(0, u64::wrapping_add)
        });
        sums.into_iter().fold(mix(self.ended), u64::wrapping_add)
    }

    fn count(&self, known: &[Option<u64>], cancel: &Cancel, on_chunk: &(dyn Fn(usize, u64) + Sync)) -> Option<u64> {
        assert!(
            known.is_empty() || known.len() == self.info().chunks(),
            "`known` is empty or has an entry for each chunk"
        );
        let threads = rayon_core::current_num_threads();
        let tables: Vec<_> = match self.table_bytes {
            0 => Vec::new(),
            bytes => {
                (0..threads).map(|_| Mutex::new(self.subtrees.counter(self.convention, bytes / threads))).collect()
            }
        };
        let counts = parallel::map(self.info().chunks(), &|chunk| {
            if let Some(&Some(nodes)) = known.get(chunk) {
                return Some(nodes);
            }
            let nodes = match rayon_core::current_thread_index().and_then(|thread| tables.get(thread)) {
                Some(counter) => {
                    let mut counter = counter.lock().expect("no thread panics while it counts");
                    self.count_chunk(chunk, counter.as_mut(), cancel)?
                }
                None => self.count_chunk(chunk, self.subtrees.counter(self.convention, 0).as_mut(), cancel)?,
            };
            on_chunk(chunk, nodes);
            Some(nodes)
        });
        counts.into_iter().try_fold(self.ended, |sum, nodes| Some(sum.saturating_add(nodes?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::RandomNumbers;

    #[test]
    fn sorts_in_parallel() {
        let mut random = RandomNumbers::new(1);
        for (len, distinct) in [(0, 1), (100, 9), (100_000, 1), (100_000, 3), (200_000, 1000), (200_000, 1 << 30)] {
            let mut number = || random.below(distinct) as u64;
            let mut positions: Vec<_> =
                (0..len).map(|weight| Weighted { words: [number() / 2, number()], weight }).collect();
            let sum = |positions: &[Weighted<2>]| positions.iter().map(|position| position.weight).sum::<u64>();
            let mut expected: Vec<_> = positions.iter().map(|position| position.words).collect();
            expected.sort_unstable();
            sort_parts(&mut positions, 1 << 14);
            assert!(positions.iter().map(|position| position.words).eq(expected));
            assert_eq!(sum(&positions), len * len.saturating_sub(1) / 2);
        }
    }
}
