//! Values of options that the command line parser does not know of itself.

use anyhow::Context;

pub(super) use crate::game::parse_time;

/// Returns the number of threads to use if none is asked for: all that the machine offers.
pub(super) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// Starts as many threads as are asked for, or all that the machine offers.
pub(super) fn pool(threads: Option<u32>) -> anyhow::Result<rayon::ThreadPool> {
    let threads = threads.map_or_else(default_threads, |threads| threads as usize);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start the threads")
}

/// Turns mebibytes into bytes, and sees that so much memory can be had at all: a table that cannot be allocated would end the process
/// without a word.
pub(super) fn hash_bytes(mebibytes: u32, tables: usize) -> anyhow::Result<usize> {
    let bytes = (mebibytes as usize).checked_mul(1 << 20);
    let all = bytes.and_then(|bytes| bytes.checked_mul(tables));
    match bytes {
        Some(bytes) if all.is_some_and(|all| Vec::<u8>::new().try_reserve_exact(all).is_ok()) => Ok(bytes),
        _ => anyhow::bail!("no memory for {tables} x {mebibytes} MiB of tables: ask for less"),
    }
}
