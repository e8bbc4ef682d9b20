//! Parsers of numbers within limits, which their errors name.

use std::fmt::Display;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// The differences of scores that options accept, in points.
pub const DIFFERENCES: RangeInclusive<f64> = 0.0..=1000.0;

/// A number that is not within the limits of an option.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NumberError {
    /// It is below the smallest.
    #[error("must be at least {0}")]
    TooSmall(String),
    /// It is above the largest.
    #[error("must be at most {0}")]
    TooLarge(String),
    /// It is not a whole number.
    #[error("expected a whole number in digits, from {0} to {1}")]
    NotWhole(String, String),
    /// It is not a number.
    #[error("expected a number from {0} to {1}")]
    NotANumber(String, String),
}

/// Returns a parser of whole numbers from the first to the last of `range`.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, NumberError> + Clone + Send + Sync
where
    T: Copy + PartialOrd + Display + TryFrom<i128> + Send + Sync,
{
    move |text| {
        let (least, most) = (range.start().to_string(), range.end().to_string());
        let number = match text.parse::<i128>() {
            Ok(number) => number,
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => i128::MAX,
            Err(error) if *error.kind() == IntErrorKind::NegOverflow => i128::MIN,
            Err(_) => return Err(NumberError::NotWhole(least, most)),
        };
        match T::try_from(number) {
            Ok(value) if range.contains(&value) => Ok(value),
            Ok(value) if value < *range.start() => Err(NumberError::TooSmall(least)),
            Err(_) if number < 0 => Err(NumberError::TooSmall(least)),
            _ => Err(NumberError::TooLarge(most)),
        }
    }
}

/// Returns a parser of numbers from the first to the last of `range`.
pub fn real<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, NumberError> + Clone + Send + Sync
where
    T: Copy + PartialOrd + Display + FromStr + Send + Sync,
{
    move |text| {
        let (least, most) = (range.start().to_string(), range.end().to_string());
        match text.parse::<T>() {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(number) if number < *range.start() => Err(NumberError::TooSmall(least)),
            Ok(number) if number > *range.end() => Err(NumberError::TooLarge(most)),
            _ => Err(NumberError::NotANumber(least, most)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_whole_numbers_are_named() {
        let error = |text: &str| whole(1..=1024_u32)(text).map_err(|error| error.to_string());
        assert_eq!((error("1"), error("1024"), error("+7")), (Ok(1), Ok(1024), Ok(7)));
        let huge = "9".repeat(50);
        for text in ["1025", "4294967296", "18446744073709551616", &huge] {
            assert_eq!(error(text), Err("must be at most 1024".to_owned()), "{text}");
        }
        for text in ["0", "-1", "-0", "-9223372036854775809", &format!("-{huge}")] {
            assert_eq!(error(text), Err("must be at least 1".to_owned()), "{text}");
        }
        for text in ["", "1.5", "NaN", "inf", "1e18", "x", " 1"] {
            assert_eq!(error(text), Err("expected a whole number in digits, from 1 to 1024".to_owned()), "{text}");
        }
        assert_eq!(whole(-64..=64_i32)("-65"), Err(NumberError::TooSmall("-64".to_owned())));
        assert_eq!(whole(0..=u64::MAX)("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn the_limits_of_numbers_are_named() {
        let error = |text: &str| real(0.5..=64.0_f64)(text).map_err(|error| error.to_string());
        assert_eq!((error("0.5"), error("64"), error("1.5e1")), (Ok(0.5), Ok(64.0), Ok(15.0)));
        for text in ["64.1", "1e18", "inf", "1e999"] {
            assert_eq!(error(text), Err("must be at most 64".to_owned()), "{text}");
        }
        for text in ["0", "-1", "-inf"] {
            assert_eq!(error(text), Err("must be at least 0.5".to_owned()), "{text}");
        }
        for text in ["", "NaN", "x"] {
            assert_eq!(error(text), Err("expected a number from 0.5 to 64".to_owned()), "{text}");
        }
    }
}
