//! [`ValueBuffer`]: memory for the values of a sector that is being solved; all threads write to
//! it.

#![allow(unsafe_code)] // to use mapped memory as atomic integers

use std::io;
use std::sync::atomic::{AtomicU16, Ordering};

use memmap2::{MmapMut, MmapOptions};

/// 16-bit cells, initially zero, that threads read and write in relaxed order.
///
/// They use the largest page size available, since the random writes of the solver would otherwise
/// miss the TLB almost every time.
pub(crate) struct ValueBuffer {
    /// `None` if there are no cells.
    memory: Option<MmapMut>,
}

impl ValueBuffer {
    /// Allocates `len` cells.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub fn new(len: usize) -> io::Result<Self> {
        if len == 0 {
            return Ok(Self { memory: None });
        }
        let memory = MmapOptions::new().len(len * size_of::<u16>()).map_anon()?;
        #[cfg(target_os = "linux")]
        // Only a hint: the solver also works without large pages.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory: Some(memory) })
    }

    /// Returns the cells.
    #[inline]
    pub fn get(&self) -> &[AtomicU16] {
        let Some(memory) = &self.memory else { return &[] };
        let len = memory.len() / size_of::<AtomicU16>();
        // SAFETY: pages are aligned, `AtomicU16` has the size and representation of `u16`, every
        // bit pattern of which is valid, and this value owns the memory, which is accessible only
        // through this slice.
        unsafe { std::slice::from_raw_parts(memory.as_ptr().cast::<AtomicU16>(), len) }
    }

    /// Returns the cells as plain integers; the exclusive borrow rules out writers.
    pub fn plain(&mut self) -> &[u16] {
        self.memory.as_deref().map_or(&[], |memory| bytemuck::cast_slice(memory))
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
