//! Comma-separated values (RFC 4180, with lines ended by a line feed).

use std::io::{self, Write};

use super::{Encoder, Value};

pub(super) struct CsvEncoder<W: Write>(csv::Writer<W>);

impl<W: Write> CsvEncoder<W> {
    pub(super) fn new(names: &[&str], sink: W) -> io::Result<Self> {
        let mut csv = Self::without_header(sink);
        csv.0.write_record(names).map_err(io_error)?;
        Ok(csv)
    }

    /// Appends to an output that has a header.
    pub(super) fn without_header(sink: W) -> Self {
        Self(csv::Writer::from_writer(sink))
    }
}

impl<W: Write> Encoder for CsvEncoder<W> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.0.write_record(values.iter().map(Value::to_string)).map_err(io_error)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Unwraps the error from the sink. The crate's own conversion hides its kind, but a closed pipe must be distinguishable.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
