//! [`CacheLines`]: memory for tables that threads share without locks.

#![allow(unsafe_code)] // for the prefetch instruction

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// The number of words in a cache line.
const WORDS: usize = 8;

/// The number of words in the smallest memory page.
const PAGE_WORDS: usize = 4096 / size_of::<u64>();

/// The number of words of a table that a thread prepares at a time: several huge pages.
const POPULATED_WORDS: usize = (4 << 20) / size_of::<u64>();

/// The number of threads that prepare the memory of a shared table.
const POPULATING_THREADS: usize = 4;

/// Zeroed memory in cache lines of eight atomic words.
///
/// Allocation is fast: the operating system provides zeroed pages on first use.
///
/// ```
/// use std::sync::atomic::Ordering;
///
/// use morello::search::CacheLines;
///
/// let table = CacheLines::new(1 << 20);
/// assert_eq!(table.lines().count(), 1 << 14);
/// let key = 0x9e37_79b9_7f4a_7c15; // well mixed: its high bits choose the line
/// table.line(key)[0].store(5, Ordering::Relaxed);
/// assert_eq!(table.line(key)[0].load(Ordering::Relaxed), 5);
/// ```
pub struct CacheLines {
    words: Box<[AtomicU64]>,
    /// The index of the first word aligned to a cache line.
    first: usize,
    count: usize,
    /// Whether all pages were written or are being written.
    is_populated: AtomicBool,
}

crate::debug_fields!(CacheLines { count });

impl CacheLines {
    /// Allocates at most `bytes` bytes, but at least one cache line.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / (WORDS * size_of::<u64>())).max(1);
        let words = bytemuck::allocation::zeroed_slice_box::<AtomicU64>((count + 1) * WORDS);
        let first = words.as_ptr().align_offset(WORDS * size_of::<u64>()).min(WORDS);
        Self { words, first, count, is_populated: AtomicBool::new(false) }
    }

    /// Returns the line for a well-mixed key.
    #[inline]
    #[must_use]
    pub fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        // The high bits are scaled to the number of lines without a division.
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        self.words[self.first + index * WORDS..][..WORDS].try_into().expect("a line has eight words")
    }

    /// Prefetches the line for a key on x86-64: memory latency dominates the cost of a lookup in a
    /// large table.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let line = self.line(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 processor has this instruction. It is a hint that cannot fault at
        // any address.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(line.as_ptr().cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    }

    /// Returns all lines.
    pub fn lines(&self) -> impl Iterator<Item = &[AtomicU64; WORDS]> {
        self.words[self.first..][..self.count * WORDS].as_chunks().0.iter()
    }

    /// Writes to every page of a range of the memory, so that the operating system allocates it.
    /// Returns false beyond the end.
    fn populate(&self, range: usize) -> bool {
        let Some(words) = self.words.chunks(POPULATED_WORDS).nth(range) else { return false };
        for page in words.chunks(PAGE_WORDS) {
            // Rewrites the existing value, because other threads may already use the memory.
            let _ = page[0].compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
        true
    }

    /// Sets every word to zero.
    pub fn zero(&self) {
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// Prepares the memory of a table for several threads, in the background, unless this was already
/// done.
///
/// A page that is read before it is written is first mapped to a page of zeros. Its first write
/// then interrupts all threads of the process to change the mapping. With two threads and 256 MiB,
/// these interrupts took a third of the time of a two-second solve.
pub fn share_between_threads<T: AsRef<CacheLines> + Send + Sync + 'static>(table: &Arc<T>) {
    // WebAssembly memory has no mapped pages.
    if cfg!(target_family = "wasm") {
        return;
    }
    if !(**table).as_ref().is_populated.swap(true, Ordering::Relaxed) {
        for first in 0..POPULATING_THREADS {
            // A table that nobody uses any more is freed at once.
            let table = Arc::downgrade(table);
            let mut ranges = (first..).step_by(POPULATING_THREADS);
            let populate = move |range| table.upgrade().is_some_and(|table| (*table).as_ref().populate(range));
            // Without this thread, the memory is prepared on first use.
            let _ = thread::Builder::new().spawn(move || ranges.all(populate));
        }
    }
}
