//! A table of counted subtrees, of one thread.

use crate::game::GameRules;

/// The entries that are looked through: two cache lines.
const BUCKET: usize = 4;

/// Buckets are made so many at a time, when the first of them is used: a short count does not pay for a large table.
const SEGMENT: usize = 64;

#[derive(Clone, Copy)]
struct CountEntry<P> {
    position: P,
    /// The number of leaves, and in the high 8 bits the plies down to them, from 1. An empty entry is 0.
    data: u64,
}

impl<P> CountEntry<P> {
    const NODES: u64 = (1 << 56) - 1;
}

type Bucket<P> = [CountEntry<P>; BUCKET];

/// Counts of subtrees by position and depth. Whole positions are compared, so a count found is a count of this very position; all counts
/// in one table must be of the same convention.
///
/// It has no lock and is no one else's: threads that count together have a table each. They rarely meet the same position, and a
/// lock at each of them costs more than that.
pub(super) struct Table<P: GameRules> {
    segments: Vec<Option<Box<[Bucket<P>; SEGMENT]>>>,
}

impl<P: GameRules> Table<P> {
    /// Creates a table of at most `bytes` bytes, which are taken when they are needed; it keeps nothing if they are too few.
    pub fn new(bytes: usize) -> Self {
        let segment = SEGMENT * size_of::<Bucket<P>>() + size_of::<Option<Box<[Bucket<P>; SEGMENT]>>>();
        Self { segments: (0..bytes / segment).map(|_| None).collect() }
    }

    /// Returns the place of the bucket: its segment, and where it is there.
    fn place(&self, position: &P, depth: u32) -> (usize, usize) {
        let key = position.key().wrapping_add(u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high bits, scaled to the number of buckets without a division.
        let bucket = ((u128::from(key) * (self.segments.len() * SEGMENT) as u128) >> 64) as usize;
        (bucket / SEGMENT, bucket % SEGMENT)
    }

    pub fn get(&self, position: &P, depth: u32) -> Option<u64> {
        let (segment, bucket) = self.place(position, depth);
        let bucket = &self.segments.get(segment)?.as_ref()?[bucket];
        let entry = bucket.iter().find(|e| e.data >> 56 == u64::from(depth) && e.position == *position)?;
        Some(entry.data & CountEntry::<P>::NODES)
    }

    pub fn insert(&mut self, position: P, depth: u32, nodes: u64) {
        // What does not fit is not kept.
        if nodes > CountEntry::<P>::NODES || depth > 255 {
            return;
        }
        let (segment, bucket) = self.place(&position, depth);
        let Some(segment) = self.segments.get_mut(segment) else { return };
        let empty = CountEntry { position: P::default(), data: 0 };
        let bucket = &mut segment.get_or_insert_with(|| Box::new([[empty; BUCKET]; SEGMENT]))[bucket];
        // The smallest subtree is the cheapest to count again.
        let slot =
            bucket.iter_mut().min_by_key(|entry| entry.data & CountEntry::<P>::NODES).expect("a bucket has entries");
        *slot = CountEntry { position, data: u64::from(depth) << 56 | nodes };
    }
}
