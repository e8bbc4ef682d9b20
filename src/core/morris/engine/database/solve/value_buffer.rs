//! [`ValueBuffer`]: memory for the values of a sector that is being solved. All threads write to
//! it.

#![allow(unsafe_code)] // to use memory as atomic integers

use std::io;
use std::sync::atomic::{AtomicU16, Ordering};

use crate::huge_pages::HugePages;

/// 16-bit cells, initially zero, that threads read and write in relaxed order.
///
/// The cells use large pages, because with small pages the solver's random writes would almost
/// always miss the TLB.
pub(crate) struct ValueBuffer {
    /// `None` if there are no cells.
    memory: Option<HugePages<u16>>,
}

impl ValueBuffer {
    /// Allocates `len` cells.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub fn new(len: usize) -> io::Result<Self> {
        Ok(Self { memory: if len == 0 { None } else { Some(HugePages::try_new(len)?) } })
    }

    /// Returns the cells.
    #[inline]
    pub fn get(&self) -> &[AtomicU16] {
        let Some(memory) = &self.memory else { return &[] };
        // SAFETY: `AtomicU16` has the size, alignment and representation of `u16`, and this value
        // owns the memory, which is accessible only through this slice.
        unsafe { std::slice::from_raw_parts(memory.as_ptr().cast::<AtomicU16>(), memory.len()) }
    }

    /// Returns the cells as plain integers. The exclusive borrow guarantees that there are no
    /// writers.
    pub fn plain(&mut self) -> &[u16] {
        self.memory.as_deref().unwrap_or(&[])
    }

    /// Returns a cell.
    #[inline]
    pub fn load(&self, cell: usize) -> u16 {
        self.get()[cell].load(Ordering::Relaxed)
    }

    /// Sets a cell.
    #[inline]
    pub fn store(&self, cell: usize, value: u16) {
        self.get()[cell].store(value, Ordering::Relaxed);
    }
}
