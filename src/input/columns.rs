//! [`Columns`]: what stands beside the positions and games of files of columns, and the fields of a line of CSV.

use std::sync::Arc;

use crate::output::Value;

/// The names of the columns that hold a position or a game, in the order of preference. Letters may be of either case.
pub(super) const HOLDING: [&str; 6] = ["position", "transcript", "moves", "obf", "fen", "board"];

/// The column for what stands in a JSON object beside the keys of the first one of its file.
pub(super) const MORE: &str = "more";

/// The columns of all inputs together, but for those that hold the positions and games: each name once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(Vec<String>);

impl Columns {
    /// Returns the names.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Returns the place of a column, after adding it if it is new.
    pub(super) fn place(&mut self, name: &str) -> usize {
        self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        })
    }

    /// Returns nothing in every column.
    pub(super) fn nothing(&self) -> Arc<[Value]> {
        self.0.iter().map(|_| Value::Null).collect()
    }
}

/// Returns the place of the column that holds the positions or games: the one asked for, or the first of [`HOLDING`].
pub(super) fn holding<'a>(names: impl Iterator<Item = &'a str> + Clone, asked: Option<&str>) -> Option<usize> {
    let find = |wanted: &str| names.clone().position(|name| name.eq_ignore_ascii_case(wanted));
    match asked {
        Some(name) => find(name),
        None => HOLDING.iter().find_map(|name| find(name)),
    }
}

/// Returns whether a column of this name holds games rather than positions.
pub(super) fn is_of_games(name: &str) -> bool {
    ["transcript", "moves"].iter().any(|of_games| name.eq_ignore_ascii_case(of_games))
}

/// Returns the fields of a line of CSV, of several lines if one of its fields has several.
pub(super) fn fields(line: &str, delimiter: u8) -> Vec<String> {
    let mut reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    // Neither grows in the reading.
    let (mut output, mut ends) = (vec![0; line.len()], vec![0; line.len() + 1]);
    let (read, _, mut written, mut count) = reader.read_record(line.as_bytes(), &mut output, &mut ends);
    if matches!(read, csv_core::ReadRecordResult::InputEmpty) {
        let (_, _, more, ended) = reader.read_record(&[], &mut output[written..], &mut ends[count..]);
        (written, count) = (written + more, count + ended);
    }
    output.truncate(written);
    let mut start = 0;
    let field = |&end: &usize| {
        let bytes = &output[start..end];
        start = end;
        String::from_utf8_lossy(bytes).into_owned()
    };
    ends[..count].iter().map(field).collect()
}

/// Returns whether a line of CSV ends within a quoted field, which goes on in the next line.
pub(super) fn is_open(line: &str, delimiter: u8) -> bool {
    let (mut quoted, mut at_start) = (false, true);
    for byte in line.bytes() {
        // Two quotes within a quoted field, which stand for one, close it and open it again.
        match byte {
            b'"' if quoted => quoted = false,
            b'"' if at_start => quoted = true,
            _ => {}
        }
        at_start = byte == b'"' || (!quoted && byte == delimiter);
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_csv() {
        assert_eq!(fields("a,b,,\"c,\"\"d\"\"\"", b','), ["a", "b", "", "c,\"d\""]);
        assert_eq!(fields("a;\"b\nc\"", b';'), ["a", "b\nc"]);
        assert_eq!(fields("5\" discs,é", b','), ["5\" discs", "é"]);
        assert_eq!(fields("a,", b','), ["a", ""]);
    }

    #[test]
    fn an_open_quote_is_seen_where_csv_has_one() {
        for (line, open) in
            [("a,\"b", true), ("a,\"b\"", false), ("5\" discs,x", false), ("\"a\"\"", true), ("\"a\"\"\"", false)]
        {
            assert_eq!(is_open(line, b','), open, "{line}");
        }
    }

    #[test]
    fn the_column_that_holds_is_the_first_known_or_the_one_asked_for() {
        let names = ["id", "Moves", "position"];
        assert_eq!(holding(names.into_iter(), None), Some(2));
        assert_eq!(holding(names.into_iter(), Some("moves")), Some(1));
        assert_eq!(holding(names.into_iter(), Some("x")), None);
        assert_eq!(holding(["id"].into_iter(), None), None);
    }
}
