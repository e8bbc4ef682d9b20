//! [`ValueBuffer`]: memory for the values of a sector in the making, which all threads write.

#![allow(unsafe_code)] // to see zeroed bytes as atomic numbers

use std::io;
use std::sync::atomic::{AtomicU16, Ordering};

use memmap2::{MmapMut, MmapOptions};

/// Zeroed 16-bit numbers that threads read and write without order.
///
/// They lie in pages of the largest size that the system gives: the solver writes them in no order, and would wait for the translation of
/// an address at every one otherwise.
pub(super) struct ValueBuffer {
    /// `None` where there is no cell.
    memory: Option<MmapMut>,
}

impl ValueBuffer {
    /// Takes memory for `len` cells.
    ///
    /// # Errors
    /// If the system has not so much.
    pub fn new(len: usize) -> io::Result<Self> {
        if len == 0 {
            return Ok(Self { memory: None });
        }
        let memory = MmapOptions::new().len(len * size_of::<u16>()).map_anon()?;
        #[cfg(target_os = "linux")]
        // A hint: without large pages it is slower, and right.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory: Some(memory) })
    }

    /// Returns the cells.
    #[inline]
    pub fn get(&self) -> &[AtomicU16] {
        let Some(memory) = &self.memory else { return &[] };
        let len = memory.len() / size_of::<AtomicU16>();
        // SAFETY: a page is aligned for every number, `AtomicU16` has the size and the representation of `u16`, for which all bytes are
        // valid, and the memory is this value's own: whoever has it sees it through this slice alone.
        unsafe { std::slice::from_raw_parts(memory.as_ptr().cast::<AtomicU16>(), len) }
    }

    /// Returns the cells as plain numbers, while nobody writes them.
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
