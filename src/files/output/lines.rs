//! Formats with one line per record and no header.

use std::io::{self, Write};

use serde::Serializer as _;

use super::{Encoder, Heading, RowSink, Value};

/// Writes each record as one line.
struct LineEncoder<'a> {
    sink: RowSink<'a>,
    /// The names of the fields if lines are JSON objects; otherwise `None`.
    names: Option<Vec<String>>,
    /// The current line. It is buffered, because each part of it would otherwise be a call to the
    /// sink.
    line: Vec<u8>,
}

/// Writes JSON lines: one object per record, with its fields in order.
pub(super) fn json_lines<'a>(headings: &[&Heading], sink: RowSink<'a>) -> impl Encoder + Send + use<'a> {
    let names = headings.iter().map(|heading| heading.name.to_string()).collect();
    LineEncoder { sink, names: Some(names), line: Vec::new() }
}

/// Appends a line with a JSON object.
pub(crate) fn write_json_line(names: &[String], values: &[Value], line: &mut Vec<u8>) -> io::Result<()> {
    serde_json::Serializer::new(&mut *line).collect_map(names.iter().zip(values))?;
    line.push(b'\n');
    Ok(())
}

/// Writes the values of a record's fields without separators. Usually there is one field.
pub(super) fn plain_lines(sink: RowSink<'_>) -> impl Encoder + Send {
    LineEncoder { sink, names: None, line: Vec::new() }
}

impl Encoder for LineEncoder<'_> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.line.clear();
        match &self.names {
            Some(names) => write_json_line(names, values, &mut self.line)?,
            None => {
                values.iter().try_for_each(|value| write!(self.line, "{value}"))?;
                self.line.push(b'\n');
            }
        }
        self.sink.write_all(&self.line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
