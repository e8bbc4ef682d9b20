//! Aligned columns for people.
//!
//! Rows are written as they come, so the widths are fixed beforehand; a value that is too wide shifts the rest of its row to the right.
//! Null is `-`. Control characters are escaped, since they could affect the terminal.

use std::io::{self, Write};

use super::field::TableColumn;
use super::{Encoder, Value};

pub(super) struct Table<W> {
    /// The column of each field; `None` if the field is hidden.
    columns: Vec<Option<TableColumn>>,
    sink: W,
}

impl<W: Write> Table<W> {
    pub(super) fn new(names: &[&str], mut columns: Vec<Option<TableColumn>>, sink: W) -> io::Result<Self> {
        for (column, name) in columns.iter_mut().zip(names) {
            *column = column.map(|column| TableColumn { width: column.width.max(name.chars().count()), ..column });
        }
        let mut table = Self { columns, sink };
        table.write_row(names.iter().map(|name| printable(name)))?;
        Ok(table)
    }

    fn write_row(&mut self, cells: impl Iterator<Item = String>) -> io::Result<()> {
        let mut row = String::new();
        for (cell, column) in cells.zip(&self.columns) {
            let Some(TableColumn { width, right, cut }) = *column else { continue };
            if cut && cell.chars().count() > width {
                row.extend(cell.chars().take(width.saturating_sub(1)));
                row += "…  ";
            } else if right {
                row += &format!("{cell:>width$}  ");
            } else {
                row += &format!("{cell:<width$}  ");
            }
        }
        writeln!(self.sink, "{}", row.trim_end())
    }
}

impl<W: Write> Encoder for Table<W> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.write_row(values.iter().map(cell))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Text(text) if text.is_empty() => "-".to_owned(),
        Value::Text(text) => printable(text),
        other => other.to_string(),
    }
}

fn printable(text: &str) -> String {
    if text.contains(char::is_control) { text.escape_debug().to_string() } else { text.to_owned() }
}
