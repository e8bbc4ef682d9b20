//! Comma-separated values (RFC 4180, but with line feeds as line ends).

use std::io;

use super::{Encoder, Heading, RowSink, Value};

pub(super) struct CsvEncoder<'a> {
    csv: csv::Writer<RowSink<'a>>,
    marks_formulas: bool,
}

impl<'a> CsvEncoder<'a> {
    /// Starts with a header, unless `header` is `None` because the sink already has one.
    pub(super) fn new(header: Option<&[&Heading]>, marks_formulas: bool, sink: RowSink<'a>) -> io::Result<Self> {
        let mut encoder = Self { csv: csv::Writer::from_writer(sink), marks_formulas };
        if let Some(headings) = header {
            for heading in headings {
                encoder.csv.write_field(encoder.cell(heading.name.clone().into_owned())).map_err(io_error)?;
            }
            encoder.csv.write_record(None::<&[u8]>).map_err(io_error)?;
        }
        Ok(encoder)
    }

    fn cell(&self, text: String) -> String {
        if self.marks_formulas && text.starts_with(FORMULA) { format!("'{text}") } else { text }
    }
}

/// The characters with which a formula begins in a spreadsheet, or which a spreadsheet skips before
/// it.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

impl Encoder for CsvEncoder<'_> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        for value in values {
            let text = value.to_string();
            let is_text = matches!(value, Value::Text(_) | Value::Json(_));
            self.csv.write_field(if is_text { self.cell(text) } else { text }).map_err(io_error)?;
        }
        self.csv.write_record(None::<&[u8]>).map_err(io_error)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.csv.flush()
    }
}

/// Unwraps the error from the sink. The crate's own conversion hides the error kind, but a closed
/// pipe must be distinguishable.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
