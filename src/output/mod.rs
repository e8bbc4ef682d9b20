//! Records in a row, written as a table for people, or as CSV, JSON lines, Parquet or lines of text for programs.
//!
//! A kind of record is described once, by a list of [`Field`]s, and the list feeds every [`OutputFormat`]: no format can lack a field that
//! another has, or name it differently. Records are written as they come, and none is kept but by Parquet, which keeps those of a group of
//! bounded size; so an output may be of any length.
//!
//! ```
//! use morello::output::{Field, OutputFormat, Output};
//!
//! let fields = vec![Field::<(&str, u64)>::text("game", |r| r.0.into()), Field::<(&str, u64)>::integer("nodes", |r| r.1.into())];
//! let mut text = Vec::new();
//! let mut output = Output::new(OutputFormat::Csv, fields, &mut text)?;
//! output.write(&("othello", 1396))?;
//! output.finish()?;
//! assert_eq!(text, b"game,nodes\nothello,1396\n");
//! # Ok::<(), std::io::Error>(())
//! ```

mod csv;
mod field;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod plain_lines;
#[cfg(any(feature = "analysis", feature = "tournament"))]
pub mod plot;
mod text_table;
mod value;

use std::io::{self, Write};
use std::path::Path;

pub use field::Field;
pub use value::{Boolean, Float, Integer, Text, Value};

/// A format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Aligned columns, for people.
    Table,
    /// Comma-separated values with a line of names; null is an empty field.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// What the fields hold, without a mark between them, a line for each record: for records of one field that makes a text of the whole.
    Lines,
    /// A file of typed columns, in groups of records, with their names and types at its end; no text. An output that is not
    /// [finished](Output::finish) cannot be read, and integers of 2^63 and more are refused.
    Parquet,
}

impl OutputFormat {
    /// Returns the format that the ending of a file's name stands for: `.csv`, `.jsonl`, `.parquet`; else a table.
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("csv") => Self::Csv,
            Some("jsonl") => Self::Jsonl,
            Some("parquet") => Self::Parquet,
            _ => Self::Table,
        }
    }
}

/// What a format does with a record.
trait Encoder {
    /// Writes a record: the values of all fields, in order.
    fn write(&mut self, values: &[Value]) -> io::Result<()>;

    /// Hands on all that was written.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes what stands at the end, and hands on everything. Nothing is written afterwards.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

/// Writes records of type `R` in one format.
pub struct Output<'a, R> {
    fields: Vec<Field<R>>,
    values: Vec<Value>,
    encoder: Box<dyn Encoder + Send + 'a>,
}

impl<'a, R> Output<'a, R> {
    /// Begins an output, with the names of the fields where the format has a head. The sink should buffer.
    ///
    /// # Errors
    /// Any of the sink; [`io::ErrorKind::Unsupported`] for Parquet without the feature of that name.
    pub fn new(format: OutputFormat, fields: Vec<Field<R>>, sink: impl Write + Send + 'a) -> io::Result<Self> {
        let names: Vec<_> = fields.iter().map(|field| &*field.name).collect();
        let encoder: Box<dyn Encoder + Send + 'a> = match format {
            OutputFormat::Table => {
                let columns = fields.iter().map(|field| field.column).collect();
                Box::new(text_table::Table::new(&names, columns, sink)?)
            }
            OutputFormat::Csv => Box::new(csv::CsvEncoder::new(&names, sink)?),
            OutputFormat::Jsonl => Box::new(jsonl::JsonlEncoder::new(&names, sink)),
            OutputFormat::Lines => Box::new(plain_lines::LinesEncoder { sink }),
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => {
                let fields: Vec<_> = fields.iter().map(|field| (&*field.name, field.kind)).collect();
                Box::new(parquet::ParquetEncoder::new(&fields, parquet::GROUP_BYTES, sink)?)
            }
            #[cfg(not(feature = "parquet"))]
            OutputFormat::Parquet => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Self { fields, values: Vec::new(), encoder })
    }

    /// Goes on with an output that was begun before, of the same fields, behind what it holds. That is possible where each record is a line
    /// of its own: in CSV, JSON lines and lines of text.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`] for the other formats.
    pub fn resume(format: OutputFormat, fields: Vec<Field<R>>, sink: impl Write + Send + 'a) -> io::Result<Self> {
        let names: Vec<_> = fields.iter().map(|field| &*field.name).collect();
        let encoder: Box<dyn Encoder + Send + 'a> = match format {
            OutputFormat::Csv => Box::new(csv::CsvEncoder::without_header(sink)),
            OutputFormat::Jsonl => Box::new(jsonl::JsonlEncoder::new(&names, sink)),
            OutputFormat::Lines => Box::new(plain_lines::LinesEncoder { sink }),
            OutputFormat::Table | OutputFormat::Parquet => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Self { fields, values: Vec::new(), encoder })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// Any of the sink; [`io::ErrorKind::InvalidData`] if the format cannot hold a value.
    pub fn write(&mut self, record: &R) -> io::Result<()> {
        self.values.clear();
        self.values.extend(self.fields.iter().map(|field| (field.value)(record)));
        self.encoder.write(&self.values)
    }

    /// Hands on to the sink all that was written; of [`OutputFormat::Parquet`] the groups that are full.
    ///
    /// # Errors
    /// Any of the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }

    /// Writes what stands at the end of the format, and hands on everything.
    ///
    /// # Errors
    /// Any of the sink.
    pub fn finish(mut self) -> io::Result<()> {
        self.encoder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Record(&'static str, Option<f64>, Option<bool>, u64);

    fn written(format: OutputFormat) -> String {
        let fields = vec![
            Field::<Record>::text("name", |r| r.0.into()).width(8),
            Field::<Record>::text("wide", |r| r.0.repeat(20).into()).not_in_table(),
            Field::<Record>::float("score", |r| r.1.into()).width(6),
            Field::<Record>::boolean("exact", |r| r.2.into()),
            Field::<Record>::integer("nodes", |r| r.3.into()).width(8),
        ];
        let mut text = Vec::new();
        let mut output = Output::new(format, fields, &mut text).unwrap();
        output.write(&Record("a", Some(2.0), Some(true), 12)).unwrap();
        output.write(&Record("b,\"c", Some(-0.125), None, u64::MAX)).unwrap();
        output.write(&Record("", None, Some(false), 0)).unwrap();
        output.finish().unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn csv_quotes_and_leaves_null_empty() {
        let text = written(OutputFormat::Csv);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "name,wide,score,exact,nodes");
        assert_eq!(lines[1], "a,aaaaaaaaaaaaaaaaaaaa,2.0,true,12");
        assert!(lines[2].starts_with("\"b,\"\"c\",\"b,") && lines[2].ends_with(",-0.125,,18446744073709551615"));
        assert_eq!(lines[3], ",,,false,0");
    }

    #[test]
    fn json_lines_keep_types_and_order() {
        let text = written(OutputFormat::Jsonl);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], r#"{"name":"a","wide":"aaaaaaaaaaaaaaaaaaaa","score":2.0,"exact":true,"nodes":12}"#);
        assert!(lines[1].starts_with(r#"{"name":"b,\"c","#));
        assert!(lines[1].ends_with(r#""score":-0.125,"exact":null,"nodes":18446744073709551615}"#));
        assert_eq!(lines[2], r#"{"name":"","wide":"","score":null,"exact":false,"nodes":0}"#);
    }

    #[test]
    fn tables_align_numbers_right_and_overflow_wide_cells() {
        assert_eq!(
            written(OutputFormat::Table),
            "name       score  exact     nodes\n\
             a            2.0  yes          12\n\
             b,\"c      -0.125  -      18446744073709551615\n\
             -              -  no            0\n"
        );
    }
}
