//! [`BlockCache`]: decompressed blocks of tables, shared by all threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use super::format::BLOCK_BYTES;

/// The number of blocks in a set. A block belongs to exactly one set, in which it replaces the
/// least recently used block.
const WAYS: usize = 8;

/// A number that identifies an open table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableId(u32);

impl TableId {
    /// Returns an unused number.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A cache of blocks with limited size. It consists of sets with a lock each, so that threads
/// rarely wait for each other.
pub(crate) struct BlockCache {
    sets: Box<[Mutex<CacheSet>]>,
    ways: usize,
}

/// Blocks whose keys have the same hash.
#[derive(Default)]
struct CacheSet {
    keys: [u64; WAYS],
    /// The time of each block's last use, in uses of the set.
    used: [u64; WAYS],
    blocks: [Vec<u8>; WAYS],
    /// The number of uses of the set.
    time: u64,
}

impl CacheSet {
    /// Returns a block; `None` if it is not in the set.
    #[inline]
    fn get(&mut self, key: u64) -> Option<&[u8]> {
        let way = self.keys.iter().position(|&found| found == key)?;
        self.time += 1;
        self.used[way] = self.time;
        Some(&self.blocks[way])
    }
}

impl BlockCache {
    /// Creates an empty cache for blocks of `bytes` bytes in total, at least one block. Memory is
    /// allocated when blocks are added.
    pub fn new(bytes: u64) -> Self {
        let blocks = usize::try_from(bytes / BLOCK_BYTES as u64).unwrap_or(usize::MAX).clamp(1, 1 << 26);
        let ways = blocks.min(WAYS);
        Self { sets: (0..blocks / ways).map(|_| Mutex::default()).collect(), ways }
    }

    /// Passes a block of a table to `read` and returns the result. If the block is not in the
    /// cache, `load` loads it.
    ///
    /// # Errors
    /// Fails if `load` fails.
    #[inline]
    pub fn with<T, E>(
        &self,
        table: TableId,
        block: usize,
        load: impl FnOnce() -> Result<Vec<u8>, E>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, E> {
        // No key is 0: 0 marks an empty place.
        let key = u64::from(table.0) << 32 | block as u64;
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let set = &self.sets[((hash * self.sets.len() as u64) >> 32) as usize];
        let lock = || set.lock().expect("no thread panics while it uses the cache");
        if let Some(block) = lock().get(key) {
            return Ok(read(block));
        }
        // Other threads can use the set in the meantime. If two threads load the same block, one
        // copy is dropped.
        let bytes = load()?;
        let found = read(&bytes);
        let mut set = lock();
        if set.get(key).is_none() {
            let way = (0..self.ways).min_by_key(|&way| set.used[way]).expect("a set has a place");
            set.time += 1;
            set.keys[way] = key;
            set.used[way] = set.time;
            set.blocks[way] = bytes;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    /// Returns the first byte of a block, which is the block's number, and whether the block had to
    /// be loaded.
    fn read(cache: &BlockCache, table: TableId, block: usize) -> (u8, bool) {
        let loaded = Cell::new(false);
        let load = || {
            loaded.set(true);
            Ok::<_, Infallible>(vec![block as u8])
        };
        let Ok(found) = cache.with(table, block, load, |bytes| bytes[0]);
        (found, loaded.get())
    }

    #[test]
    fn keeps_as_many_blocks_as_fit() {
        for capacity in [0, 1, 2, 7, 8, 64] {
            let cache = BlockCache::new(capacity * BLOCK_BYTES as u64);
            let table = TableId::new();
            for block in 0..200 {
                assert_eq!(read(&cache, table, block), (block as u8, true));
                assert_eq!(read(&cache, table, block), (block as u8, false));
            }
            let kept = cache.sets.iter().map(|set| set.lock().unwrap().keys.iter().filter(|&&key| key != 0).count());
            assert_eq!(kept.sum::<usize>() as u64, capacity.max(1));
        }
    }

    #[test]
    fn replaces_the_block_that_was_not_used_for_the_longest_time() {
        let cache = BlockCache::new(3 * BLOCK_BYTES as u64);
        let (table, other) = (TableId::new(), TableId::new());
        for block in [0, 1, 2, 0, 3] {
            read(&cache, table, block);
        }
        let cached = |block| !read(&cache, table, block).1;
        assert!(cached(0) && cached(2) && cached(3) && !cached(1));
        assert!(read(&cache, other, 0).1, "blocks of another table have other keys");
    }

    #[test]
    fn a_failed_load_is_not_cached() {
        let cache = BlockCache::new(0);
        let table = TableId::new();
        let failed = cache.with(table, 0, || Err::<Vec<u8>, _>("damaged"), |bytes| bytes[0]);
        assert_eq!(failed, Err("damaged"));
        assert_eq!(read(&cache, table, 0), (0, true));
    }

    #[test]
    fn threads_share_the_blocks() {
        let cache = BlockCache::new(16 * BLOCK_BYTES as u64);
        let table = TableId::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for i in 0..2000 {
                        let block = (i * (thread + 3) * 7) % 50;
                        assert_eq!(read(cache, table, block).0, block as u8);
                    }
                });
            }
        });
    }
}
