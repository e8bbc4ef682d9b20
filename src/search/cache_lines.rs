//! Memory for tables that threads share without locks.

#![allow(unsafe_code)] // for the one instruction that has no safe form

use std::sync::atomic::{AtomicU64, Ordering};

/// Words in a cache line.
const WORDS: usize = 8;

/// Zeroed memory in whole cache lines of eight atomic words.
///
/// It costs no time until it is touched: the operating system hands out zeroed pages when they are first used.
pub struct CacheLines {
    words: Box<[AtomicU64]>,
    /// The first word that begins a cache line.
    first: usize,
    count: usize,
}

impl CacheLines {
    /// Takes at most `bytes` bytes, but at least one line.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / (WORDS * size_of::<u64>())).max(1);
        let words = bytemuck::allocation::zeroed_slice_box::<AtomicU64>((count + 1) * WORDS);
        let first = words.as_ptr().align_offset(WORDS * size_of::<u64>()).min(WORDS);
        Self { words, first, count }
    }

    /// Returns the line for a well-mixed key: its high bits, scaled to the number of lines without a division.
    #[inline]
    #[must_use]
    pub fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        self.words[self.first + index * WORDS..][..WORDS].try_into().expect("a line has eight words")
    }

    /// Begins to bring the line for a key into the cache, where the processor can: in a large table the wait for memory is what a look costs.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let line = self.line(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the instruction is in every x86-64 processor, and a hint: it reads nothing and cannot fail, at any address.
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
