//! [`HugePages`]: memory for large tables that are read in random order.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut;

/// A slice, zeroed at first, in the largest pages that the operating system provides. With small
/// pages, random reads mostly miss the TLB.
pub struct HugePages<T> {
    #[cfg(not(target_family = "wasm"))]
    memory: MmapMut,
    /// WebAssembly has no pages.
    #[cfg(target_family = "wasm")]
    memory: Vec<T>,
    values: PhantomData<T>,
}

impl<T: Pod> HugePages<T> {
    /// Allocates memory for `len` values, at least one.
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self::try_new(len).expect("there is enough memory for a table of constant size")
    }

    /// Allocates memory for `len` values, at least one.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub fn try_new(len: usize) -> io::Result<Self> {
        #[cfg(target_family = "wasm")]
        let memory = {
            let mut memory = Vec::new();
            memory.try_reserve_exact(len)?;
            memory.resize(len, T::zeroed());
            memory
        };
        #[cfg(not(target_family = "wasm"))]
        let memory = MmapMut::map_anon(len * size_of::<T>())?;
        // Only a hint: the memory is usable without large pages too.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory, values: PhantomData })
    }

    /// Returns the address of the values without borrowing them.
    #[cfg(feature = "database")]
    pub fn as_ptr(&self) -> *const T {
        self.memory.as_ptr().cast()
    }
}

impl<T: Pod> Deref for HugePages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.memory)
    }
}

impl<T: Pod> DerefMut for HugePages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.memory)
    }
}
