//! A table of counted subtrees, shared by all threads.

use std::sync::Mutex;

use crate::game::Position;

/// The entries that share a lock: a few cache lines, so that one look finds any of them.
const BUCKET: usize = 4;

#[derive(Clone, Copy)]
struct Entry<P> {
    position: P,
    depth: u32,
    nodes: u64,
}

/// Counts of subtrees by position and depth. Whole positions are compared, so a count found is a count of this very position; all counts
/// in one table must be of the same [`Convention`](super::Convention).
pub struct Table<P: Position> {
    buckets: Vec<Mutex<[Option<Entry<P>>; BUCKET]>>,
}

impl<P: Position> Table<P> {
    /// Creates a table of at most `bytes` bytes; `None` if not even one bucket fits.
    #[must_use]
    pub fn new(bytes: usize) -> Option<Self> {
        let buckets = bytes / size_of::<Mutex<[Option<Entry<P>>; BUCKET]>>();
        (buckets > 0).then(|| Self { buckets: (0..buckets).map(|_| Mutex::new([None; BUCKET])).collect() })
    }

    fn bucket(&self, position: &P, depth: u32) -> &Mutex<[Option<Entry<P>>; BUCKET]> {
        let key = position.key().wrapping_add(u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high bits, scaled to the number of buckets without a division.
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    pub(super) fn get(&self, position: &P, depth: u32) -> Option<u64> {
        let bucket = self.bucket(position, depth).lock().expect("no thread panics while it holds a bucket");
        bucket.iter().flatten().find(|e| e.depth == depth && e.position == *position).map(|e| e.nodes)
    }

    pub(super) fn insert(&self, position: P, depth: u32, nodes: u64) {
        let mut bucket = self.bucket(&position, depth).lock().expect("no thread panics while it holds a bucket");
        // The smallest subtree is the cheapest to count again.
        let slot = bucket.iter_mut().min_by_key(|slot| slot.map_or(0, |e| e.nodes)).expect("a bucket has entries");
        *slot = Some(Entry { position, depth, nodes });
    }
}
