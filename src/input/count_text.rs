//! Perft counts in a text, `;D1 4 ;D2 12`, as in EPD files, and their errors.

use thiserror::Error;

use crate::game::ParseError;
use crate::perft::OVERFLOWED;

/// The largest depth of a count.
pub const MAX_DEPTH: u32 = 255;

/// An error in the counts of a record.
pub type ParseCountError = ParseError<CountErrorKind>;

/// The kinds of errors in the counts of a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountErrorKind {
    /// No count follows the position.
    #[error("no count; write counts after the position, such as `;D1 4 ;D2 12`, or in the columns depth and nodes")]
    NoCount,
    /// The text is not a depth and a count.
    #[error("expected a depth and a count such as `D2 12`, found `{0}`")]
    NotACount(String),
    /// The depth is too large.
    #[error("the depth `{0}` is greater than {MAX_DEPTH}")]
    DepthTooLarge(String),
    /// The count is too large.
    #[error("the count `{0}` is greater than 2^64 - 2, the largest supported count")]
    CountTooLarge(String),
    /// Text follows the count.
    #[error("unexpected `{0}` after the count; separate counts by `;`, as in `;D1 4 ;D2 12`")]
    AfterCount(String),
    /// A record has a depth without a count, or a count without a depth.
    #[error("column `{column}` is empty; write {expected}")]
    EmptyColumn {
        /// The name of the column.
        column: String,
        /// The expected values.
        expected: &'static str,
    },
    /// A record has neither a depth nor a count.
    #[error("columns `{depth}` and `{count}` are empty; write the depth in plies and the number of leaves")]
    EmptyColumns {
        /// The name of the column of depths.
        depth: String,
        /// The name of the column of counts.
        count: String,
    },
    /// The columns have depths without counts, or counts without depths.
    #[error("no column `{column}` with {expected}; add it")]
    NoColumn {
        /// The name of the column.
        column: &'static str,
        /// The expected values.
        expected: &'static str,
    },
    /// A column of depths or counts has no whole number in its range.
    #[error("column `{column}`: expected {expected}, found `{found}`")]
    Column {
        /// The name of the column.
        column: String,
        /// The expected values.
        expected: &'static str,
        /// The value.
        found: String,
    },
    /// A line of a table of counts is invalid.
    #[error("{0}: `{1}`")]
    Table(&'static str, String),
}

/// Returns the byte at which the counts of a line begin, with their separator; `None` if it has none. The first count may be invalid.
pub(super) fn find_counts(text: &str) -> Option<usize> {
    let separators = text.char_indices().filter(|(_, c)| [';', '|'].contains(c));
    separators.map(|(at, _)| at).find(|&at| {
        let field = text[at + 1..].split([';', '|']).next().unwrap_or_default();
        split_count(field).is_some_and(|(_, count)| count.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Splits `D2 12`, `d2: 12` or `D2=1,234` into the depth and the text after it; `None` if it has another form.
fn split_count(field: &str) -> Option<(&str, &str)> {
    let rest = field.trim().strip_prefix(['D', 'd'])?;
    let (depth, rest) = rest.split_at(rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    let count = rest.trim_start_matches([' ', '\t', ':', '=']);
    (!depth.is_empty() && count.len() < rest.len()).then_some((depth, count))
}

/// Reads a depth and a count. An error has the wrong text, a part of the field.
fn read_count(field: &str) -> Result<(u32, u64), (&str, CountErrorKind)> {
    let field = field.trim();
    let quoted = |text: &str| text.chars().take(24).collect::<String>();
    let Some((depth_text, count_text)) = split_count(field) else {
        return Err((field, CountErrorKind::NotACount(quoted(field))));
    };
    let depth = depth_text.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
    let depth = depth.ok_or_else(|| (depth_text, CountErrorKind::DepthTooLarge(quoted(depth_text))))?;
    let (number, rest) = count_text.split_at(count_text.find(char::is_whitespace).unwrap_or(count_text.len()));
    let is_large = || number.bytes().all(|byte| byte.is_ascii_digit() || b",'_".contains(&byte));
    match whole_number(number) {
        Some(count) if rest.is_empty() => Ok((depth, count)),
        Some(_) => Err((rest.trim_start(), CountErrorKind::AfterCount(quoted(rest.trim_start())))),
        None if is_large() && number.len() > 19 => Err((number, CountErrorKind::CountTooLarge(quoted(number)))),
        None => Err((field, CountErrorKind::NotACount(quoted(field)))),
    }
}

/// Reads a count. Groups of digits may be separated by `,`, `'` or `_`.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let mut groups = text.trim().split([',', '\'', '_']);
    let first = groups.next()?;
    let digits: String = std::iter::once(first).chain(groups.clone()).collect();
    let is_grouped = groups.all(|group| group.len() == 3) && (first.len() <= 3 || digits.len() == first.len());
    let is_number = !first.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|&count| is_grouped && is_number && count < OVERFLOWED)
}

/// Reads the counts after a position. An error has its byte.
pub(super) fn read_counts(text: &str) -> Result<Vec<(u32, u64)>, (usize, CountErrorKind)> {
    // Names and comments of EPD, such as `id "a"` and `c0 "a"`, have quotes.
    let fields = text.split([';', '|']).filter(|field| !field.trim().is_empty() && !field.contains('"'));
    let counts = fields.map(read_count).collect::<Result<_, _>>();
    // The wrong text is a part of `text`.
    counts.map_err(|(wrong, kind)| (wrong.as_ptr() as usize - text.as_ptr() as usize, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_in_groups() {
        for (text, number) in [
            ("12", Some(12)),
            ("1,234", Some(1234)),
            ("1'234'567", Some(1_234_567)),
            ("12_345", Some(12_345)),
            ("1,23", None),
            ("1234,567", None),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("18446744073709551615", None),
        ] {
            assert_eq!(whole_number(text), number, "{text}");
        }
    }
}
