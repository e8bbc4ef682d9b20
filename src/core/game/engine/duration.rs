//! Parses durations: a number and a unit.

use std::time::Duration;

use thiserror::Error;

/// The text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseTimeError {
    /// It does not end with a unit.
    #[error("expected a unit (ms, s, m or h), as in 500ms, 2s or 1.5m")]
    Unit,
    /// It does not begin with a number.
    #[error("expected a number before the unit, as in 500ms, 2s or 1.5m")]
    Number,
    /// It is zero or too long.
    #[error("expected a time above zero and below ten thousand years")]
    Range,
}

/// Reads a duration: a number and a unit, `ms`, `s`, `m` or `h`.
///
/// ```
/// use std::time::Duration;
///
/// use morello::game::{ParseTimeError, parse_time};
///
/// assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
/// assert_eq!(parse_time("90"), Err(ParseTimeError::Unit));
/// ```
///
/// # Errors
/// [`ParseTimeError`] if the unit or the number is missing, or the duration is zero or too long.
pub fn parse_time(text: &str) -> Result<Duration, ParseTimeError> {
    let (number, seconds) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else if let Some(number) = text.strip_suffix('h') {
        (number, 3600.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_times_with_units() {
        let milliseconds = |text| parse_time(text).map(|time| time.as_millis());
        assert_eq!(milliseconds("500ms"), Ok(500));
        assert_eq!(milliseconds("2s"), Ok(2000));
        assert_eq!(milliseconds("1.5m"), Ok(90_000));
        assert_eq!(milliseconds("2h"), Ok(7_200_000));
        assert_eq!(milliseconds("500"), Err(ParseTimeError::Unit));
        for text in ["ms", "-1s", "1e9xs", "infs", "NaNs"] {
            assert_eq!(milliseconds(text), Err(ParseTimeError::Number), "{text}");
        }
        for text in ["0s", "1e300s", "999999999999m"] {
            assert_eq!(milliseconds(text), Err(ParseTimeError::Range), "{text}");
        }
    }
}
