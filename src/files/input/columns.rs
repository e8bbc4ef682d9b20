//! [`Columns`]: the columns of the input that are copied to the output, and the fields of a CSV
//! line.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::work;
use crate::output::{ColumnType, FieldType, Value};

/// The names of columns with positions or games, the preferred ones first. Case is ignored.
pub(super) const RECORD_COLUMNS: [&str; 6] = ["position", "transcript", "moves", "obf", "fen", "board"];

/// The supported CSV delimiters.
pub(super) const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// The column for JSON keys that are missing in the first objects of the file.
pub(super) const REMAINDER_COLUMN: &str = "more";

/// The maximum number of copied columns of all inputs together. Each row has a value for each
/// column, so a small file could otherwise take much memory and time.
pub(super) const MAX_COLUMNS: usize = 1024;

/// A column of the inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The type of the values at the beginning of the inputs. Later CSV values that do not fit are
    /// text.
    pub kind: FieldType,
    /// Whether the column contains the JSON keys that are missing in the first objects.
    pub holds_other_keys: bool,
}

impl From<&str> for Column {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// The columns of all inputs together, except the columns with positions and games. Each name
/// occurs once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    columns: Vec<Column>,
    types: Vec<ColumnType>,
    places: HashMap<String, usize>,
}

impl Columns {
    /// Returns the columns.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    /// use morello::output::FieldType;
    ///
    /// let csv = "id,elo,moves\n007,1500,f5d6\n".to_owned();
    /// let reader = Reader::of(games::get("othello")?, Input::Text(csv))?;
    /// let kinds: Vec<_> = reader.columns().as_slice().iter().map(|column| column.kind).collect();
    /// assert_eq!(kinds, [FieldType::Text, FieldType::Integer]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the names.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| &*column.name).collect()
    }

    /// Returns the index of a column; `None` if there is none.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Adds a column with values of a type.
    pub(super) fn add(&mut self, name: &str, values: ColumnType) {
        if self.find(name).is_none() {
            self.places.insert(name.to_owned(), self.columns.len());
            self.columns.push(name.into());
            self.types.push(ColumnType::default());
        }
        let place = self.places[name];
        self.types[place] = self.types[place].join(values);
        self.columns[place].kind = self.types[place].kind();
    }

    /// Adds the column for JSON keys that are missing in the first objects.
    pub(super) fn add_remainder(&mut self, name: &str) {
        self.add(name, ColumnType::default());
        self.columns.iter_mut().filter(|column| column.name == name).for_each(|column| column.holds_other_keys = true);
    }

    /// Returns null for every column.
    pub(super) fn nulls(&self) -> Arc<[Value]> {
        self.columns.iter().map(|_| Value::Null).collect()
    }

    /// Returns the value of a CSV cell.
    pub(super) fn value_of(&self, place: usize, cell: &str) -> Value {
        self.columns[place].kind.value_of(cell)
    }
}

/// Returns the index of the column with the positions or games: the requested column, or the first
/// of [`RECORD_COLUMNS`].
pub(super) fn record_column<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    requested: Option<&str>,
) -> Option<usize> {
    let find = |wanted: &str| names.clone().position(|name| name.eq_ignore_ascii_case(wanted));
    match requested {
        Some(name) => find(name),
        None => RECORD_COLUMNS.iter().find_map(|name| find(name)),
    }
}

/// Returns whether a line that begins with a semicolon is the header of a table whose first column
/// has no name, not a comment.
pub(super) fn is_header_without_first_name(line: &[u8], requested: Option<&str>) -> bool {
    line.starts_with(b";")
        && std::str::from_utf8(line.trim_ascii_end())
            .ok()
            .and_then(|line| fields(line, b';'))
            .is_some_and(|names| record_column(names.iter().map(String::as_str), requested).is_some())
}

/// Returns whether this name is one of [`RECORD_COLUMNS`].
pub(super) fn is_record_column(name: &str) -> bool {
    RECORD_COLUMNS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether a column of this name contains games.
pub(super) fn is_of_games(name: &str) -> bool {
    ["transcript", "moves"].iter().any(|of_games| name.eq_ignore_ascii_case(of_games))
}

/// Makes names unique: the second `id` becomes `id_2`, or the next free number.
pub(super) fn deduplicate_names(names: Vec<String>) -> Vec<String> {
    let given: HashSet<String> = names.iter().cloned().collect();
    let mut taken = HashSet::new();
    let mut numbers: HashMap<String, u64> = HashMap::new();
    let free = |name: String| {
        let mut free = name.clone();
        while (free != name && given.contains(&free)) || !taken.insert(free.clone()) {
            let number = numbers.entry(name.clone()).or_insert(1);
            *number += 1;
            free = format!("{name}_{number}");
        }
        free
    };
    names.into_iter().map(free).collect()
}

/// Returns the fields of a CSV line; `None` if the row does not end with the line.
pub(super) fn fields(line: &str, delimiter: u8) -> Option<Vec<String>> {
    // Usual lines need no parser, which takes longer to create than to use. The parser skips a byte
    // order mark.
    if !line.is_empty() && !line.contains(['"', '\r', '\n', '\u{feff}']) {
        return Some(line.split(char::from(delimiter)).map(str::to_owned).collect());
    }
    parsed_fields(line, delimiter)
}

fn parsed_fields(line: &str, delimiter: u8) -> Option<Vec<String>> {
    let mut row = CsvRowParser::new(delimiter);
    (row.feed(line.as_bytes(), "\n") == FeedResult::Complete).then(|| row.fields())
}

/// Returns the number of characters before a field in its row; `None` if the place is unknown
/// because of quotes or more lines.
pub(super) fn indent_of(row: &str, delimiter: u8, column: usize, field: &str) -> Option<usize> {
    let start = if row.contains('"') {
        let mut places = row.match_indices(field).map(|(place, _)| place);
        places.next().filter(|_| places.next().is_none())?
    } else {
        row.split(char::from(delimiter)).take(column).map(|field| field.len() + 1).sum()
    };
    (!row.contains(['\n', '\r'])).then(|| row.get(..start).map(|before| before.chars().count()))?
}

/// Parses a CSV row from one or more lines. Only `csv_core` decides where the row ends, so quotes
/// are handled the same way everywhere.
pub(super) struct CsvRowParser {
    parser: csv_core::Reader,
    /// The bytes of all fields.
    text: Vec<u8>,
    written: usize,
    /// The end of each field in `text`.
    ends: Vec<usize>,
    count: usize,
}

/// The state of a row after a line was fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedResult {
    /// The line ends within quotes: the row continues on the next line.
    InQuotes,
    /// The row ends with the line.
    Complete,
    /// A carriage return within the line ends the row at this byte.
    EndsAt(usize),
}

impl CsvRowParser {
    pub(super) fn new(delimiter: u8) -> Self {
        let parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Self { parser, text: Vec::new(), written: 0, ends: Vec::new(), count: 0 }
    }

    /// Begins another row. Creating a parser takes longer than parsing a usual row.
    pub(super) fn clear(&mut self) {
        self.parser.reset();
        (self.written, self.count) = (0, 0);
    }

    /// Feeds a line and its ending to an incomplete row.
    pub(super) fn feed(&mut self, line: &[u8], ending: &str) -> FeedResult {
        match self.read(line) {
            None if self.read(ending.as_bytes()).is_some() => FeedResult::Complete,
            None => FeedResult::InQuotes,
            Some(used) if line[used..].trim_ascii().is_empty() => FeedResult::Complete,
            Some(used) => FeedResult::EndsAt(used - 1),
        }
    }

    /// Returns the number of bytes used if they complete the row; otherwise `None`.
    fn read(&mut self, bytes: &[u8]) -> Option<usize> {
        // The parser interprets an empty slice as the end of the file.
        if bytes.is_empty() {
            return None;
        }
        work::note(bytes.len());
        // The length of the text and the number of fields never exceed the number of bytes.
        self.text.resize(self.written + bytes.len(), 0);
        self.ends.resize(self.count + bytes.len() + 1, 0);
        let (result, used, written, ended) =
            self.parser.read_record(bytes, &mut self.text[self.written..], &mut self.ends[self.count..]);
        (self.written, self.count) = (self.written + written, self.count + ended);
        matches!(result, csv_core::ReadRecordResult::Record).then_some(used)
    }

    /// Returns the fields.
    pub(super) fn fields(&self) -> Vec<String> {
        let mut start = 0;
        let field = |&end: &usize| {
            let bytes = &self.text[start..end];
            start = end;
            String::from_utf8_lossy(bytes).into_owned()
        };
        self.ends[..self.count].iter().map(field).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_csv_fields() {
        assert_eq!(fields("a,b,,\"c,\"\"d\"\"\"", b',').unwrap(), ["a", "b", "", "c,\"d\""]);
        assert_eq!(fields("5\" discs,é", b',').unwrap(), ["5\" discs", "é"]);
        assert_eq!(fields("a,", b',').unwrap(), ["a", ""]);
        assert_eq!((fields("a,\"b", b','), fields("a\rb", b',')), (None, None));
    }

    proptest::proptest! {
        #[test]
        fn fields_are_those_of_the_parser(line in "[ab,;\"\t\r é\u{feff}]{0,12}") {
            for delimiter in DELIMITERS {
                proptest::prop_assert_eq!(fields(&line, delimiter), parsed_fields(&line, delimiter));
            }
        }
    }

    #[test]
    fn locates_fields() {
        assert_eq!(indent_of("é,b,f5,b", b',', 3, "b"), Some(7));
        assert_eq!(indent_of("\"é,b\",f5", b',', 1, "f5"), Some(6));
        // A field that occurs twice, has escapes, or extends over several lines.
        for (row, field) in [("f5,\"f5\"", "f5"), ("\"f5 \"\"x\"\"\"", "f5 \"x\""), ("\"a\nb\",f5", "f5")] {
            assert_eq!(indent_of(row, b',', 1, field), None, "{row}");
        }
    }

    #[test]
    fn continues_a_row_inside_quotes() {
        for (line, fed) in [
            ("a,\"b", FeedResult::InQuotes),
            ("a,\"b\"", FeedResult::Complete),
            ("5\" discs,x", FeedResult::Complete),
            ("5\"\",x", FeedResult::Complete),
            ("\"a\"\"", FeedResult::InQuotes),
            ("\"a\"\"\"", FeedResult::Complete),
            ("a,b\r", FeedResult::Complete),
            ("é,b\rc,d", FeedResult::EndsAt(4)),
        ] {
            assert_eq!(CsvRowParser::new(b',').feed(line.as_bytes(), "\n"), fed, "{line}");
        }
        let mut row = CsvRowParser::new(b';');
        assert_eq!(
            ["a;\"b", "", "c\";d"].map(|line| row.feed(line.as_bytes(), "\n")),
            [FeedResult::InQuotes, FeedResult::InQuotes, FeedResult::Complete]
        );
        assert_eq!(row.fields(), ["a", "b\n\nc", "d"]);
        // After a complete row, and after an incomplete one.
        for text in ["a;\"b", "a;b", ""] {
            row.clear();
            row.feed(text.as_bytes(), "\n");
            row.clear();
            assert_eq!(
                (row.feed(b"x;y", "\n"), row.fields()),
                (FeedResult::Complete, vec!["x".to_owned(), "y".to_owned()]),
                "{text}"
            );
        }
    }

    #[test]
    fn makes_column_names_unique() {
        let unique = |names: &[&str]| deduplicate_names(names.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(unique(&["id", "id", "position", "id"]), ["id", "id_2", "position", "id_3"]);
        assert_eq!(unique(&["id", "id", "id_2"]), ["id", "id_3", "id_2"]);
        assert_eq!(unique(&["id_2", "id", "id", "id_2"]), ["id_2", "id", "id_3", "id_2_2"]);
    }

    #[test]
    fn selects_the_requested_or_first_known_column() {
        let names = ["id", "Moves", "position"];
        assert_eq!(record_column(names.into_iter(), None), Some(2));
        assert_eq!(record_column(names.into_iter(), Some("moves")), Some(1));
        assert_eq!(record_column(names.into_iter(), Some("x")), None);
        assert_eq!(record_column(["id"].into_iter(), None), None);
    }
}
