//! Parsers of option values, and checks of threads and memory.

use std::hash::{BuildHasher as _, RandomState};
use std::ops::RangeInclusive;

use anyhow::{anyhow, bail};
use morello_core::game::{AnyGame, AnyPosition, Game, table_bytes};
use morello_core::memory;
use morello_files::input::{ReadTextError, read_game};
use thiserror::Error;

use super::numbers::{self, NumberError};

pub use morello_core::game::parse_time;

/// Reads the position that `option` gives: a position in any format of the game, or the moves or
/// the name of an opening, which lead to it.
pub fn position(game: &'static dyn AnyGame, option: &str, text: &str) -> anyhow::Result<AnyPosition> {
    self::game(game, option, text).map(|game| *game.position())
}

/// Reads the game that `option` gives: the moves or the name of an opening, or a position, which is
/// a game without moves.
pub fn game(game: &'static dyn AnyGame, option: &str, text: &str) -> anyhow::Result<Game> {
    // Words, not moves or a position, may be meant as the name of an opening.
    let is_name =
        text.starts_with(char::is_alphabetic) && text.chars().all(|c| c.is_alphabetic() || " -'’.".contains(c));
    let names = match game.opening_names() {
        _ if !is_name => String::new(),
        Some(_) => format!("; `morello book openings {}` lists the names of openings", game.name()),
        None => format!("; the openings of {} have no names", game.name()),
    };
    read_game(game, text).map_err(|error| match error {
        ReadTextError::Invalid(error) if error.line == 1 => {
            anyhow!("{option}, column {}: {error}{names}", error.column)
        }
        error => anyhow!("{option}: {error}{names}"),
    })
}

/// Returns the number of threads, by default all that the machine offers.
pub fn thread_count(threads: Option<u32>) -> usize {
    threads.map_or_else(|| std::thread::available_parallelism().map_or(1, Into::into), |threads| threads as usize)
}

/// Returns the seed of random choices that differ from run to run.
#[must_use]
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// Converts mebibytes to bytes and checks that this much memory can be allocated for each table.
pub fn hash_bytes(mebibytes: u32, tables: usize) -> anyhow::Result<usize> {
    Ok(table_bytes(mebibytes as usize, tables)?)
}

/// Converts the mebibytes of `--memory` to bytes and checks that the machine has this much memory.
pub fn memory_bytes(mebibytes: u64) -> anyhow::Result<u64> {
    match memory::total() {
        Some(total) if mebibytes > total >> 20 => {
            bail!("--memory {mebibytes}: this machine has less memory; use at most {}", total >> 20)
        }
        _ => Ok(mebibytes << 20),
    }
}

/// Parses a range of whole numbers: `20..40`, both included, or `20`, which has no upper end.
pub fn parse_from(text: &str) -> Result<RangeInclusive<u32>, RangeError> {
    parse_range(text, |number| number..=u32::MAX)
}

/// Parses a range of whole numbers: `2010..2015`, both included, `2010..`, `..2015` or `2010`
/// alone.
pub fn parse_within(text: &str) -> Result<RangeInclusive<u32>, RangeError> {
    let bound = |text: &str, open| {
        if text.trim().is_empty() { Ok(open) } else { number(text) }
    };
    let range = match text.split_once("..") {
        None => number(text).map(|number| number..=number)?,
        Some((from, to)) => bound(from, 0)?..=bound(to.strip_prefix('=').unwrap_or(to), u32::MAX)?,
    };
    in_order(range)
}

/// Parses a range of whole numbers: `20..24`, both included, or `24`, which starts at 0.
pub fn parse_up_to(text: &str) -> Result<RangeInclusive<u32>, RangeError> {
    parse_range(text, |number| 0..=number)
}

/// Parses a part of equal parts: `2/4` is (1, 4).
pub fn parse_shard(text: &str) -> Result<(u64, u64), ShardError> {
    let (part, parts) = text.split_once('/').ok_or(ShardError)?;
    let (part, parts): (u64, u64) = (part.parse().map_err(|_| ShardError)?, parts.parse().map_err(|_| ShardError)?);
    if parts <= MOST_PARTS && (1..=parts).contains(&part) { Ok((part - 1, parts)) } else { Err(ShardError) }
}

/// The most parts.
const MOST_PARTS: u64 = 1_000_000;

/// An invalid part.
#[derive(Debug, Error)]
#[error("expected a part and the number of parts, at most {MOST_PARTS}, such as `1/4`")]
pub struct ShardError;

/// An invalid range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RangeError {
    /// The text is not a range.
    #[error("expected a whole number or a range, such as `24` or `20..24`")]
    Syntax,
    /// A number is out of range.
    #[error(transparent)]
    Number(NumberError),
    /// The range ends before it begins.
    #[error("the range {0}..{1} is reversed; use {1}..{0}")]
    Reversed(u32, u32),
}

/// Rejects a range that ends before it begins.
pub fn in_order(range: RangeInclusive<u32>) -> Result<RangeInclusive<u32>, RangeError> {
    if range.is_empty() { Err(RangeError::Reversed(*range.start(), *range.end())) } else { Ok(range) }
}

fn number(text: &str) -> Result<u32, RangeError> {
    numbers::whole(0..=u32::MAX)(text.trim()).map_err(|error| match error {
        NumberError::NotWhole(..) => RangeError::Syntax,
        error => RangeError::Number(error),
    })
}

fn parse_range(text: &str, alone: impl Fn(u32) -> RangeInclusive<u32>) -> Result<RangeInclusive<u32>, RangeError> {
    let range = match text.split_once("..") {
        None => alone(number(text)?),
        Some((from, to)) => number(from)?..=number(to.strip_prefix('=').unwrap_or(to))?,
    };
    in_order(range)
}
