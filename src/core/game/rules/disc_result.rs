//! Results in discs, `40-24` or `+16`.

use thiserror::Error;

/// A result with more discs than the board has squares.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("impossible result `{text}`: the board has {squares} squares; correct or remove the result")]
pub struct ImpossibleResult {
    /// The result.
    pub text: String,
    /// The number of squares of the board.
    pub squares: u32,
}

/// The minimum number of discs in a result. On the usual boards, no game ends with fewer.
pub const MIN_DISCS: u32 = 10;

/// Returns whether a text is a time such as `0:45` or `14:30`.
pub fn is_clock(text: &str) -> bool {
    let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let minutes = |text: &str| text.len() == 2 && number(text).is_some_and(|minutes: u32| minutes < 60);
    text.split_once(':').is_some_and(|(hours, rest)| hours.len() <= 2 && number(hours).is_some() && minutes(rest))
}

/// Returns the two numbers of a result such as `40-24` or `40:24`.
pub fn disc_counts(text: &str) -> Option<[u32; 2]> {
    let (black, white) = text.split_once(['-', ':'])?;
    let count = |text: &str| -> Option<u32> {
        let text = text.trim();
        let is_count = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_count)
    };
    Some([count(black)?, count(white)?])
}

/// Reads the points by which Black won from `+16`, or from the discs of Black and White, `40-24`;
/// the discs may or may not include the empty squares. Returns `None` if the text is neither, or is
/// a result such as `1-0`, for which programs disagree on the winner.
pub fn disc_result(text: &str, squares: u32) -> Option<Result<f64, ImpossibleResult>> {
    let text = text.trim();
    let impossible = || Err(ImpossibleResult { text: text.to_owned(), squares });
    if text.starts_with(['+', '-']) {
        let points: f64 = text.parse().ok().filter(|points: &f64| points.is_finite())?;
        return Some(if points.abs() <= f64::from(squares) { Ok(points) } else { impossible() });
    }
    let [black, white] = disc_counts(text)?;
    let sum = black + white;
    // `2-0` is more likely the score of a match, and `0:45` the time on a clock.
    if sum < MIN_DISCS.min(squares / 2) || (sum != squares && is_clock(text)) {
        return None;
    }
    // The winner gets the empty squares, whether or not the discs already include them.
    let winning = |loser: u32| f64::from(squares) - 2.0 * f64::from(loser);
    Some(match black.cmp(&white) {
        _ if sum > squares => impossible(),
        std::cmp::Ordering::Greater => Ok(winning(white)),
        std::cmp::Ordering::Less => Ok(-winning(black)),
        std::cmp::Ordering::Equal => Ok(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_discs_and_points() {
        let points = |text: &str| disc_result(text, 64).map(|result| result.map_err(|error| error.to_string()));
        for (text, expected) in [
            ("40-24", 16.0),
            (" 20:44", -24.0),
            ("30 - 30", 0.0),
            ("33-0", 64.0),
            ("40-20", 24.0),
            ("-2.0", -2.0),
            ("12:52", -40.0),
            ("0-13", -64.0),
        ] {
            assert_eq!(points(text), Some(Ok(expected)), "{text}");
        }
        for text in [
            "", "-", "*", "1-0", "0-1", "0-0", "2-0", "0-2", "0:45", "12:34", "1/2-1/2", "40", "a-b", "400-24",
            "40-24-3", "+inf",
        ] {
            assert_eq!(points(text), None, "{text}");
        }
        for text in ["50-24", "0-65", "+66", "-65"] {
            let expected =
                format!("impossible result `{text}`: the board has 64 squares; correct or remove the result");
            assert_eq!(points(text), Some(Err(expected)), "{text}");
        }
        assert_eq!(disc_result("10-6", 16), Some(Ok(4.0)));
        assert!(disc_result("10-7", 16).unwrap().is_err());
    }
}
