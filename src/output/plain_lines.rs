//! Plain text, one line per record.

use std::io::{self, Write};

use super::{Encoder, Value};

/// Writes the values of the fields of a record without a separator. Usually there is one field.
pub(super) struct LinesEncoder<W> {
    pub(super) sink: W,
}

impl<W: Write> Encoder for LinesEncoder<W> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        values.iter().try_for_each(|value| write!(self.sink, "{value}"))?;
        writeln!(self.sink)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
