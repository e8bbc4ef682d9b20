//! Formats of one line per record without a header.

use std::io::{self, Write};

use serde::Serializer as _;

use super::{Encoder, Value};

/// Writes each record with a function, and ends its line.
struct LineEncoder<W, F> {
    sink: W,
    write: F,
}

/// Writes JSON lines: one object per record, with its fields in order.
pub(super) fn json_lines<W: Write>(names: &[&str], sink: W) -> impl Encoder + use<W> {
    let names: Vec<_> = names.iter().map(ToString::to_string).collect();
    let write = move |sink: &mut W, values: &[Value]| {
        Ok(serde_json::Serializer::new(sink).collect_map(names.iter().zip(values))?)
    };
    LineEncoder { sink, write }
}

/// Writes the values of the fields of a record without a separator. Usually there is one field.
pub(super) fn plain_lines<W: Write>(sink: W) -> impl Encoder {
    LineEncoder {
        sink,
        write: |sink: &mut W, values: &[Value]| values.iter().try_for_each(|value| write!(sink, "{value}")),
    }
}

impl<W: Write, F: FnMut(&mut W, &[Value]) -> io::Result<()>> Encoder for LineEncoder<W, F> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        (self.write)(&mut self.sink, values)?;
        self.sink.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
