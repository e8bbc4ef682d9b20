//! The platform: the clock and the built-in data files.
//!
//! On `wasm32-unknown-unknown` a browser has neither. There, the page provides both as imported
//! functions of the module `morello`, and a data file is loaded when it is first used.

/// A point in time, from a clock that never goes back.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use imported::{Instant, load};

/// Returns the bytes of a file in the directory `data` of the crate, as `&'static [u8]`.
#[doc(hidden)]
#[macro_export]
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
macro_rules! data_file {
    ($($name:expr),+) => {{
        // Not an array, because its length would be part of its type.
        let bytes: &'static [u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $($name),+));
        bytes
    }};
}

/// Loads a file from the directory `data` of the crate, once for each use of the macro.
#[doc(hidden)]
#[macro_export]
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
macro_rules! data_file {
    ($($name:expr),+) => {{
        static FILE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| $crate::host::load(concat!($($name),+)));
        FILE.as_slice()
    }};
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code)] // to call functions of the page
mod imported {
    use std::time::Duration;

    #[link(wasm_import_module = "morello")]
    unsafe extern "C" {
        /// Returns the milliseconds since an arbitrary point in time.
        safe fn now() -> f64;
        /// Loads a file and returns its length.
        fn load_file(name: *const u8, length: usize) -> usize;
        /// Copies the file that this thread loaded last.
        fn copy_file(to: *mut u8);
    }

    /// A point in time, with the functions of [`std::time::Instant`] that searches use.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the time now.
        #[must_use]
        pub fn now() -> Self {
            Self(Duration::from_nanos((now() * 1e6) as u64))
        }

        /// Returns the time since this point.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// Returns the time from `earlier` to this point, or 0 if `earlier` is later.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// Returns a later point in time; `None` if it is too late to be represented.
        #[must_use]
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    /// Loads a data file.
    #[must_use]
    pub fn load(name: &str) -> Vec<u8> {
        // SAFETY: the page reads the name from this memory.
        let length = unsafe { load_file(name.as_ptr(), name.len()) };
        let mut bytes = vec![0; length];
        // SAFETY: the buffer is as long as the file.
        unsafe { copy_file(bytes.as_mut_ptr()) };
        bytes
    }
}
