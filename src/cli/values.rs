//! Values of options that the command line parser does not know of itself.

use std::time::Duration;

use thiserror::Error;

/// A text that is not a time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum ParseTimeError {
    /// No unit ends it.
    #[error("expected a unit (ms, s or m), as in 500ms, 2s or 1.5m")]
    Unit,
    /// No number begins it.
    #[error("expected a number before the unit, as in 500ms, 2s or 1.5m")]
    Number,
    /// It is nothing, or too much.
    #[error("expected a time above zero and below ten thousand years")]
    Range,
}

/// Reads a time: a number and its unit, `ms`, `s` or `m`.
pub(super) fn parse_time(text: &str) -> Result<Duration, ParseTimeError> {
    let (number, seconds) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else {
        return Err(ParseTimeError::Unit);
    };
    let number = number.trim_end();
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(ParseTimeError::Number);
    }
    let number: f64 = number.parse().map_err(|_| ParseTimeError::Number)?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| ParseTimeError::Range)?;
    if time.is_zero() || time.as_secs() > 10_000 * 366 * 86_400 {
        return Err(ParseTimeError::Range);
    }
    Ok(time)
}

/// Returns the number of threads to use if none is asked for: all that the machine offers.
pub(super) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// Turns mebibytes into bytes, and sees that so much memory can be had at all: a table that cannot be allocated would end the process
/// without a word.
pub(super) fn hash_bytes(mebibytes: u32, tables: usize) -> anyhow::Result<usize> {
    let bytes = (mebibytes as usize).checked_mul(1 << 20);
    let all = bytes.and_then(|bytes| bytes.checked_mul(tables));
    match bytes {
        Some(bytes) if all.is_some_and(|all| Vec::<u8>::new().try_reserve_exact(all).is_ok()) => Ok(bytes),
        _ => anyhow::bail!("no memory for {tables} x {mebibytes} MiB of tables: ask for less with --hash"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times_with_their_unit() {
        let milliseconds = |text| parse_time(text).map(|time| time.as_millis());
        assert_eq!(milliseconds("500ms"), Ok(500));
        assert_eq!(milliseconds("2s"), Ok(2000));
        assert_eq!(milliseconds("1.5m"), Ok(90_000));
        assert_eq!(milliseconds("500"), Err(ParseTimeError::Unit));
        for text in ["ms", "-1s", "1e9xs", "infs", "NaNs"] {
            assert_eq!(milliseconds(text), Err(ParseTimeError::Number), "{text}");
        }
        for text in ["0s", "1e300s", "999999999999m"] {
            assert_eq!(milliseconds(text), Err(ParseTimeError::Range), "{text}");
        }
    }
}
