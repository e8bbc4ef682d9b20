//! Values of options that the command line parser does not know of itself.

use anyhow::Context;
use std::ops::RangeInclusive;
use thiserror::Error;

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
/// Reads a range of whole numbers: `20..40`, both included, or `20`, which is from there on.
pub(super) fn parse_from(text: &str) -> Result<RangeInclusive<u32>, RangeError> {
    parse_range(text, |number| number..=u32::MAX)
}

/// Reads a range of whole numbers: `20..24`, both included, or `24`, which is up to there.
pub(super) fn parse_up_to(text: &str) -> Result<RangeInclusive<u32>, RangeError> {
    parse_range(text, |number| 0..=number)
}

/// Reads which of how many parts: `2/4` is (1, 4).
pub(super) fn parse_shard(text: &str) -> Result<(u64, u64), ShardError> {
    let (part, parts) = text.split_once('/').ok_or(ShardError)?;
    let (part, parts): (u64, u64) = (part.parse().map_err(|_| ShardError)?, parts.parse().map_err(|_| ShardError)?);
    if (1..=parts).contains(&part) { Ok((part - 1, parts)) } else { Err(ShardError) }
}

/// A text that is no part of parts.
#[derive(Debug, Error)]
#[error("expected which of how many parts, such as `1/4` to `4/4`")]
pub(super) struct ShardError;

/// A text that is no range.
#[derive(Debug, Error)]
#[error("expected a whole number or two of them, the lower one first, such as `20..24`")]
pub(super) struct RangeError;

fn parse_range(text: &str, alone: impl Fn(u32) -> RangeInclusive<u32>) -> Result<RangeInclusive<u32>, RangeError> {
    let number = |text: &str| text.trim().parse().map_err(|_| RangeError);
    let range = match text.split_once("..") {
        None => alone(number(text)?),
        Some((from, to)) => number(from)?..=number(to.strip_prefix('=').unwrap_or(to))?,
    };
    if range.is_empty() { Err(RangeError) } else { Ok(range) }
}
