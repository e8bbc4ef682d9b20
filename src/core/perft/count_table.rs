//! [`CountTable`]: one thread's table of subtree counts.

use crate::game::GameRules;

/// The number of entries per bucket.
const BUCKET: usize = 4;

/// The number of buckets per segment. Segments are allocated on first use, so that a short count
/// does not pay for a large table.
const SEGMENT: usize = 64;

/// The bits of an entry's data that are the number of leaves.
const NODES: u64 = (1 << 56) - 1;

#[derive(Clone, Copy)]
struct CountEntry<P> {
    position: P,
    /// The number of leaves in the low 56 bits, and the depth, at least 1, in the high 8 bits; 0 if
    /// the entry is empty.
    data: u64,
}

type Bucket<P> = [CountEntry<P>; BUCKET];

/// Subtree counts by position and depth. Entries contain the whole position, so lookups are never
/// wrong. All counts in a table must use the same convention.
///
/// Each thread has its own table: threads rarely reach the same position, and locking would cost
/// more than sharing saves.
pub(super) struct CountTable<P: GameRules> {
    segments: Vec<Option<Box<[Bucket<P>; SEGMENT]>>>,
}

impl<P: GameRules> CountTable<P> {
    /// Creates a table of at most `bytes` bytes, allocated on demand. A table that is too small for
    /// one segment stores nothing.
    pub fn new(bytes: usize) -> Self {
        let segment = SEGMENT * size_of::<Bucket<P>>() + size_of::<Option<Box<[Bucket<P>; SEGMENT]>>>();
        let mut segments = Vec::with_capacity(bytes / segment);
        for _ in 0..bytes / segment {
            segments.push(None);
        }
        Self { segments }
    }

    /// Returns the index of the segment and of the bucket within it.
    fn locate(&self, position: &P, depth: u32) -> (usize, usize) {
        let key = position.key().wrapping_add(u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high bits are scaled to the number of buckets without a division.
        let bucket = ((u128::from(key) * (self.segments.len() * SEGMENT) as u128) >> 64) as usize;
        (bucket / SEGMENT, bucket % SEGMENT)
    }

    pub fn get(&self, position: &P, depth: u32) -> Option<u64> {
        let (segment, bucket) = self.locate(position, depth);
        for entry in &self.segments.get(segment)?.as_ref()?[bucket] {
            if entry.data >> 56 == u64::from(depth) && entry.position == *position {
                return Some(entry.data & NODES);
            }
        }
        None
    }

    pub fn insert(&mut self, position: P, depth: u32, nodes: u64) {
        // Values that do not fit are not stored.
        if nodes > NODES || depth > 255 {
            return;
        }
        let (segment, bucket) = self.locate(&position, depth);
        let Some(segment) = self.segments.get_mut(segment) else { return };
        if segment.is_none() {
            let empty = CountEntry { position: P::default(), data: 0 };
            *segment = Some(Box::new([[empty; BUCKET]; SEGMENT]));
        }
        let Some(segment) = segment else { return };
        let bucket = &mut segment[bucket];
        // Replace the smallest subtree, which is the cheapest to count again.
        let mut slot = 0;
        for other in 1..BUCKET {
            if bucket[other].data & NODES < bucket[slot].data & NODES {
                slot = other;
            }
        }
        bucket[slot] = CountEntry { position, data: u64::from(depth) << 56 | nodes };
    }
}
