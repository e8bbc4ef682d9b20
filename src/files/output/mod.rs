//! Writes records as a table for people, or as CSV, JSON lines, Parquet or plain lines for
//! programs.
//!
//! ```
//! use morello::output::{Field, OutputFormat, Output};
//!
//! type Row = (&'static str, u64);
//! let game = Field::<Row>::text("game", |row| row.0.into());
//! let fields = vec![game, Field::<Row>::integer("nodes", |row| row.1.into())];
//! let mut text = Vec::new();
//! let mut output = Output::new(OutputFormat::Csv, fields, &mut text)?;
//! output.write(&("othello", 1396))?;
//! output.finish()?;
//! assert_eq!(text, b"game,nodes\nothello,1396\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A record type is described once, by a list of [`Field`]s that serves every [`OutputFormat`].
//! Therefore all formats have the same fields with the same names. Records are written as they
//! come, so an output may have any length. Parquet records are kept in a temporary file until the
//! end.

mod board_svg;
mod column_type;
mod csv;
mod field;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(target_family = "wasm"))]
pub mod plot;
mod text_table;
mod value;

#[cfg(feature = "parquet")]
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub use board_svg::{PointLabel, board_svg, board_with_moves};
#[cfg(feature = "parquet")]
pub(crate) use column_type::date;
pub use column_type::{ColumnType, FieldType};
pub use field::Field;
use field::Heading;
#[cfg(feature = "parquet")]
pub(crate) use lines::write_json_line;
pub use value::{Boolean, Float, Integer, Text, Value};

/// An output format for records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OutputFormat {
    /// Aligned columns, for people.
    Table,
    /// Comma-separated values with a header; null is an empty field.
    Csv,
    /// [`Csv`](Self::Csv) for spreadsheets: text that a spreadsheet would run as a formula, such as
    /// `=1+2`, gets an apostrophe at the beginning.
    SafeCsv,
    /// One JSON object per line.
    Jsonl,
    /// One line per record: the values of the fields without separators. Usually for records with a
    /// single field.
    Lines,
    /// A binary file of typed columns. It is written by [`Output::finish`], when all values and
    /// thus the column types are known. A column with integers of 2^63 or more becomes a string
    /// column.
    Parquet,
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Table, Self::Csv, Self::Jsonl, Self::Parquet]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        use clap::builder::PossibleValue;

        Some(match self {
            Self::Table => PossibleValue::new("table").help("Aligned columns"),
            Self::Csv => PossibleValue::new("csv").help("Comma-separated values with a header line"),
            Self::Jsonl => PossibleValue::new("jsonl").help("One JSON object per line"),
            Self::SafeCsv | Self::Lines => return None,
            Self::Parquet => PossibleValue::new("parquet").help("Apache Parquet (binary; write it to a file)"),
        })
    }
}

impl OutputFormat {
    /// Returns the format for a file name extension: CSV, JSON lines or Parquet for `.csv`,
    /// `.jsonl` or `.parquet`, and a table for `.txt` or no extension.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use morello::output::OutputFormat;
    ///
    /// assert_eq!(OutputFormat::of_file(Path::new("rows.jsonl")), Ok(OutputFormat::Jsonl));
    /// assert_eq!(OutputFormat::of_file(Path::new("rows")), Ok(OutputFormat::Table));
    /// let error = OutputFormat::of_file(Path::new("rows.xml")).unwrap_err();
    /// assert!(error.to_string().starts_with("no row format has the extension of `rows.xml`; use .csv"));
    /// ```
    ///
    /// # Errors
    /// [`UnknownExtension`] for any other extension.
    pub fn of_file(path: &Path) -> Result<Self, UnknownExtension> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("jsonl") => Ok(Self::Jsonl),
            Some("parquet") => Ok(Self::Parquet),
            None | Some("txt") => Ok(Self::Table),
            Some(_) => Err(UnknownExtension(path.display().to_string())),
        }
    }
}

/// The extension of an output file is not the extension of a row format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no row format has the extension of `{0}`; use .csv, .jsonl (JSON lines), .parquet or .txt (a table)")]
pub struct UnknownExtension(pub String);

/// Encodes records in one format.
trait Encoder {
    /// Writes a record, given the values of all fields in order.
    fn write(&mut self, values: &[Value]) -> io::Result<()>;

    /// Flushes everything that was written to the sink.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes the end of the format and flushes. Nothing may be written afterwards.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

/// The sink of an encoder. It is a single type, because each type would need another copy of all
/// encoders.
type RowSink<'a> = Box<dyn Write + Send + 'a>;

/// Creates the encoder of a format for the fields with these headings.
fn encoder<'a>(
    format: OutputFormat,
    headings: &[&Heading],
    width: Option<usize>,
    sink: RowSink<'a>,
) -> io::Result<Box<dyn Encoder + Send + 'a>> {
    Ok(match format {
        OutputFormat::Table => Box::new(text_table::Table::new(headings, width, sink)?),
        #[cfg(feature = "parquet")]
        OutputFormat::Parquet => Box::new(parquet::ParquetEncoder::temporary(headings, sink)),
        _ => line_encoder(format, headings, true, sink)?,
    })
}

/// Creates the encoder for a line-based format.
fn line_encoder<'a>(
    format: OutputFormat,
    headings: &[&Heading],
    has_header: bool,
    sink: RowSink<'a>,
) -> io::Result<Box<dyn Encoder + Send + 'a>> {
    Ok(match format {
        OutputFormat::Csv | OutputFormat::SafeCsv => {
            let header = has_header.then_some(headings);
            Box::new(csv::CsvEncoder::new(header, format == OutputFormat::SafeCsv, sink)?)
        }
        OutputFormat::Jsonl => Box::new(lines::json_lines(headings, sink)),
        OutputFormat::Lines => Box::new(lines::plain_lines(sink)),
        OutputFormat::Table | OutputFormat::Parquet => return Err(io::ErrorKind::Unsupported.into()),
    })
}

/// Writes records of type `R` in one format.
pub struct Output<'a, R> {
    fields: Vec<Field<R>>,
    values: Vec<Value>,
    encoder: Box<dyn Encoder + Send + 'a>,
}

morello_core::debug_fields!([R] Output<'_, R> { fields });

impl<'a, R> Output<'a, R> {
    /// Starts an output, with a header if the format has one. The sink should be buffered.
    ///
    /// # Errors
    /// Any error from the sink; [`io::ErrorKind::Unsupported`] for Parquet without the feature
    /// `parquet`.
    pub fn new(format: OutputFormat, fields: Vec<Field<R>>, sink: impl Write + Send + 'a) -> io::Result<Self> {
        Self::fitted(format, fields, None, sink)
    }

    /// Starts an output like [`new`](Self::new). If the width of a terminal is given, in
    /// characters, table lines are at most this wide: columns are [shortened](Field::shortens_to)
    /// and [left out](Field::rank), and the rest of a longer line is cut. Other formats ignore the
    /// width.
    ///
    /// ```
    /// use morello::output::{Field, Output, OutputFormat};
    ///
    /// let name = Field::<&str>::text("name", |row| (*row).into()).width(12).shortens_to(6);
    /// let length = Field::<&str>::integer("length", |row| row.len().into()).rank(1);
    /// let mut table = Vec::new();
    /// let mut output = Output::fitted(OutputFormat::Table, vec![name, length], Some(10), &mut table)?;
    /// output.write(&"nine-mens-morris")?;
    /// output.finish()?;
    /// // The column with the lengths is left out, because it does not fit.
    /// assert!(String::from_utf8_lossy(&table).lines().all(|line| line.chars().count() <= 10 && !line.contains("16")));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`new`](Self::new).
    pub fn fitted(
        format: OutputFormat,
        fields: Vec<Field<R>>,
        width: Option<usize>,
        sink: impl Write + Send + 'a,
    ) -> io::Result<Self> {
        let encoder = encoder(format, &headings(&fields), width, Box::new(sink))?;
        Ok(Self { fields, values: Vec::new(), encoder })
    }

    /// Appends to an existing output with the same fields. Supported for CSV, JSON lines and plain
    /// lines.
    ///
    /// ```
    /// use morello::output::{Field, Output, OutputFormat};
    ///
    /// let fields = || vec![Field::<u64>::integer("nodes", |row| (*row).into())];
    /// let mut csv = Vec::new();
    /// let mut output = Output::new(OutputFormat::Csv, fields(), &mut csv)?;
    /// output.write(&1)?;
    /// output.finish()?;
    /// let mut output = Output::resume(OutputFormat::Csv, fields(), &mut csv)?;
    /// output.write(&2)?;
    /// output.finish()?;
    /// assert_eq!(csv, b"nodes\n1\n2\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`] for other formats.
    pub fn resume(format: OutputFormat, fields: Vec<Field<R>>, sink: impl Write + Send + 'a) -> io::Result<Self> {
        let encoder = line_encoder(format, &headings(&fields), false, Box::new(sink))?;
        Ok(Self { fields, values: Vec::new(), encoder })
    }

    /// Starts a Parquet file whose records are kept in `rows` until it is finished, starting at the
    /// current position in this file. This allows an interrupted run to be resumed: the records
    /// before that position must come from an output with the same fields.
    ///
    /// ```
    /// use std::io::{Seek, SeekFrom};
    ///
    /// use morello::output::{Field, Output};
    ///
    /// let fields = || vec![Field::<u64>::integer("nodes", |row| (*row).into())];
    /// let mut rows = tempfile::tempfile()?;
    /// let mut interrupted = Output::parquet_with_rows(fields(), rows.try_clone()?, std::io::sink());
    /// interrupted.write(&1)?;
    /// interrupted.flush()?;
    /// rows.seek(SeekFrom::End(0))?;
    /// let mut parquet = Vec::new();
    /// let mut resumed = Output::parquet_with_rows(fields(), rows, &mut parquet);
    /// resumed.write(&2)?;
    /// resumed.finish()?;
    /// assert!(parquet.starts_with(b"PAR1"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn parquet_with_rows(fields: Vec<Field<R>>, rows: File, sink: impl Write + Send + 'a) -> Self {
        let encoder = Box::new(parquet::ParquetEncoder::new(&headings(&fields), Box::new(rows), Box::new(sink)));
        Self { fields, values: Vec::new(), encoder }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// Any error from the sink.
    pub fn write(&mut self, record: &R) -> io::Result<()> {
        self.values.clear();
        for field in &self.fields {
            self.values.push(field.value(record));
        }
        self.encoder.write(&self.values)
    }

    /// Flushes everything that was written to the sink, or for [`OutputFormat::Parquet`], to the
    /// file that keeps the rows.
    ///
    /// # Errors
    /// Any error from the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }

    /// Writes the end of the format and flushes.
    ///
    /// # Errors
    /// Any error from the sink.
    pub fn finish(mut self) -> io::Result<()> {
        self.encoder.finish()
    }
}

/// Returns the information about the fields that an encoder needs.
fn headings<R>(fields: &[Field<R>]) -> Vec<&Heading> {
    let mut headings = Vec::with_capacity(fields.len());
    for field in fields {
        headings.push(&field.heading);
    }
    headings
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
    fn safe_csv_marks_formulas_in_texts_only() {
        let texts = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "＝1", "a=1", "", "'=1", "----OX"];
        let written = |format| {
            let fields = vec![
                Field::<&str>::text("=text", |text| (*text).into()),
                Field::<&str>::float("number", |_| (-2.5).into()),
                Field::<&str>::text("json", |_| "=[1]".into()),
            ];
            let mut bytes = Vec::new();
            let mut output = Output::new(format, fields, &mut bytes).unwrap();
            texts.iter().for_each(|text| output.write(text).unwrap());
            output.finish().unwrap();
            let mut rows = ::csv::Reader::from_reader(bytes.as_slice());
            let header = rows.headers().unwrap().clone();
            let rows: Vec<_> = rows.records().map(|row| row.unwrap()).collect();
            (header, rows)
        };
        let (header, rows) = written(OutputFormat::SafeCsv);
        assert_eq!(header.iter().collect::<Vec<_>>(), ["'=text", "number", "json"]);
        for (row, text) in rows.iter().zip(texts) {
            let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝']);
            assert_eq!(row[0], if is_formula { format!("'{text}") } else { text.to_owned() });
            assert_eq!((&row[1], &row[2]), ("-2.5", "'=[1]"));
        }
        let (header, rows) = written(OutputFormat::Csv);
        assert_eq!(&header[0], "=text");
        assert!(rows.iter().zip(texts).all(|(row, text)| &row[0] == text));
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
