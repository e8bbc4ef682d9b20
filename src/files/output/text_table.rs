//! Aligned columns for people.
//!
//! Rows are written as they come, so the widths are fixed in advance. A value that is too wide
//! shifts the rest of its row to the right. If the width of the terminal is known, no line is
//! longer: columns are shortened or left out, and values are cut. Null is `-`. Control and similar
//! characters are [escaped](morello_core::printable), because they could affect the terminal.

use std::io::{self, Write};

use morello_core::printable::printable;
use morello_core::sorting;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::field::TableColumn;
use super::{Encoder, Heading, RowSink, Value};

/// The text between two columns.
const GAP: &str = "  ";

/// The text of null.
const NULL: &str = "-";

pub(super) struct Table<'a> {
    /// The column of each field; `None` if the field is hidden.
    columns: Vec<Option<TableColumn>>,
    /// The maximum line length in characters, if it is limited.
    limit: Option<usize>,
    sink: RowSink<'a>,
}

impl<'a> Table<'a> {
    pub(super) fn new(headings: &[&Heading], limit: Option<usize>, sink: RowSink<'a>) -> io::Result<Self> {
        let mut columns = Vec::with_capacity(headings.len());
        let mut names = Vec::with_capacity(headings.len());
        for heading in headings {
            let name = heading.name.width();
            columns.push(heading.column.map(|column| TableColumn {
                width: column.width.max(name),
                least: column.least.map(|least| least.max(name)),
                ..column
            }));
            names.push(printable(&heading.name).into_owned());
        }
        if let Some(limit) = limit {
            fit(&mut columns, limit);
        }
        let mut table = Self { columns, limit, sink };
        table.write_row(names)?;
        Ok(table)
    }

    fn write_row(&mut self, cells: Vec<String>) -> io::Result<()> {
        let cells = cells.into_iter().zip(&self.columns).filter_map(|(cell, column)| Some((cell, (*column)?)));
        let mut cells: Vec<_> = cells.collect();
        let mut row = aligned(&cells);
        if let Some(limit) = self.limit.filter(|&limit| row.width() > limit) {
            // A long text in the last column, such as an error, uses the space of the empty cells
            // before it.
            if let Some(last) = cells.pop().filter(|(cell, _)| cell != NULL) {
                let filled = cells.iter().rposition(|(cell, _)| cell != NULL).map_or(0, |at| at + 1);
                cells.truncate(filled);
                cells.push(last);
                row = cut(&aligned(&cells), limit);
            } else {
                row = cut(&row, limit);
            }
        }
        writeln!(self.sink, "{row}")
    }
}

/// Shortens and leaves out columns until they fit in a line.
fn fit(columns: &mut [Option<TableColumn>], limit: usize) {
    let width = |columns: &[Option<TableColumn>], of: fn(&TableColumn) -> usize| {
        let widths = columns.iter().flatten().map(|column| of(column) + GAP.len());
        widths.sum::<usize>().saturating_sub(GAP.len())
    };
    let least = |column: &TableColumn| column.least.unwrap_or(column.width).min(column.width);
    while width(columns, least) > limit {
        let ranked = columns.iter().enumerate().filter_map(|(at, column)| Some((column.as_ref()?.rank, at)));
        let Some((_, at)) = ranked.filter(|&(rank, _)| rank > 0).max() else { break };
        columns[at] = None;
    }
    // The remaining width goes to the most important columns.
    let mut rest = limit.saturating_sub(width(columns, least));
    let mut shortened: Vec<_> = columns.iter_mut().flatten().filter(|column| column.least.is_some()).collect();
    sorting::sort_by(&mut shortened, &|a, b| a.rank.cmp(&b.rank));
    for column in shortened {
        let added = (column.width - least(column)).min(rest);
        rest -= added;
        column.width = least(column) + added;
    }
    // Text that is too long must not shift the columns after it.
    let last = columns.iter().rposition(Option::is_some).unwrap_or_default();
    columns[..last].iter_mut().flatten().filter(|column| !column.right).for_each(|column| column.cut = true);
}

/// Returns the aligned cells of a row.
fn aligned(cells: &[(String, TableColumn)]) -> String {
    let mut row = String::new();
    for (cell, TableColumn { width, right, cut: is_cut, .. }) in cells {
        let cell = if *is_cut { cut(cell, *width) } else { cell.clone() };
        let padding = " ".repeat(width.saturating_sub(cell.width()));
        row += &if *right { padding + &cell } else { cell + &padding };
        row += GAP;
    }
    row.truncate(row.trim_end().len());
    row
}

/// Cuts text that is longer than `width` and marks the cut.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let fits = |c: &char| {
        taken += c.width().unwrap_or(0);
        taken < width
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

impl Encoder for Table<'_> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.write_row(values.iter().map(cell).collect())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => NULL.to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Text(text) if text.is_empty() => NULL.to_owned(),
        Value::Text(text) | Value::Json(text) => printable(text).into_owned(),
        Value::Integer(_) | Value::Float(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Field, Output, OutputFormat};
    use super::*;

    type Record = (&'static str, u64, &'static str, Option<&'static str>);

    /// Writes a table of names, numbers, variations and errors on a terminal.
    fn table(width: Option<usize>, records: &[Record]) -> String {
        let fields = vec![
            Field::<Record>::text("name", |r| r.0.into()).excerpt(10).shortens_to(4).rank(1),
            Field::<Record>::integer("score", |r| r.1.into()),
            Field::<Record>::integer("nodes", |r| (r.1 * 1000).into()).width(8).rank(3),
            Field::<Record>::text("pv", |r| r.2.into()).excerpt(12).shortens_to(5).rank(2),
            Field::<Record>::text("error", |r| r.3.into()),
        ];
        let mut text = Vec::new();
        let mut output = Output::fitted(OutputFormat::Table, fields, width, &mut text).unwrap();
        records.iter().for_each(|record| output.write(record).unwrap());
        output.finish().unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_narrow_terminal_shortens_and_leaves_out_columns() {
        let records = [("Anna Miller", 7, "f5 d6 c3 d3 c4", None)];
        let whole = "name        score     nodes  pv            error\n\
                     Anna Mill…      7      7000  f5 d6 c3 d3…  -\n";
        assert_eq!((table(None, &records), table(Some(48), &records)), (whole.to_owned(), whole.to_owned()));
        let shorter = "name       score     nodes  pv     error\n\
                       Anna Mil…      7      7000  f5 d…  -\n";
        assert_eq!(table(Some(40), &records), shorter);
        assert_eq!(table(Some(30), &records), "name       score  pv     error\nAnna Mil…      7  f5 d…  -\n");
        assert_eq!(table(Some(18), &records), "name  score  error\nAnn…      7  -\n");
        assert_eq!(table(Some(12), &records), "score  error\n    7  -\n");
        // Columns that cannot be left out are cut.
        assert_eq!(table(Some(9), &records), "score  e…\n    7  -\n");
    }

    #[test]
    fn no_line_is_longer_than_the_terminal() {
        let records = [
            ("Anna", u64::MAX / 1000, "f5", None),
            ("東京東京東京", 0, "é", Some("a long message about the error")),
            ("", 0, "", Some("another long message about the error")),
        ];
        for width in 1..100 {
            let text = table(Some(width), &records);
            assert!(text.lines().all(|line| line.width() <= width), "{width}\n{text}");
        }
    }

    #[test]
    fn a_long_error_takes_the_place_of_empty_cells() {
        let fields = || {
            vec![
                Field::<Option<&str>>::integer("line", |_| 3.into()),
                Field::<Option<&str>>::text("pv", |_| None::<&str>.into()).width(20),
                Field::<Option<&str>>::text("error", |r| (*r).into()),
            ]
        };
        let mut text = Vec::new();
        let mut output = Output::fitted(OutputFormat::Table, fields(), Some(33), &mut text).unwrap();
        output.write(&Some("line 3, column 4: not a move")).unwrap();
        output.finish().unwrap();
        assert!(String::from_utf8(text).unwrap().ends_with("\n   3  line 3, column 4: not a mo…\n"));
    }

    #[test]
    fn wide_characters_are_aligned() {
        let text = table(None, &[("東京", 1, "", None), ("Kyoto", 1, "", None)]);
        let columns: Vec<_> = text.lines().map(|line| line.split("1000").next().unwrap().width()).collect();
        assert_eq!(columns[1], columns[2], "{text}");
    }
}
