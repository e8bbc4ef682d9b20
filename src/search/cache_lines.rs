//! [`CacheLines`]: memory for tables that threads share without locks.

#![allow(unsafe_code)] // for the prefetch instruction

use std::sync::atomic::{AtomicU64, Ordering};

/// Words in a cache line.
const WORDS: usize = 8;

/// Zeroed memory in cache lines of eight atomic words.
///
/// Allocation is fast: the operating system provides zeroed pages on first use.
pub struct CacheLines {
    words: Box<[AtomicU64]>,
    /// The index of the first word aligned to a cache line.
    first: usize,
    count: usize,
}

impl CacheLines {
    /// Allocates at most `bytes` bytes, but at least one line.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / (WORDS * size_of::<u64>())).max(1);
        let words = bytemuck::allocation::zeroed_slice_box::<AtomicU64>((count + 1) * WORDS);
        let first = words.as_ptr().align_offset(WORDS * size_of::<u64>()).min(WORDS);
        Self { words, first, count }
    }

    /// Returns the line for a well-mixed key.
    #[inline]
    #[must_use]
    pub fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        // The high bits, scaled to the number of lines without a division.
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        self.words[self.first + index * WORDS..][..WORDS].try_into().expect("a line has eight words")
    }

    /// Prefetches the line for a key on x86-64: memory latency dominates the cost of a lookup in a large table.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let line = self.line(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 processor has this instruction. It is a hint that cannot fault at any address.
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

    /// Sets every word to zero.
    pub fn zero(&self) {
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }
}
