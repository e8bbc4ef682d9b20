//! [`ParquetLines`]: the rows of a Parquet file as JSON lines.
//!
//! Columns of booleans, numbers, strings, dates and times are read; lists and other kinds are
//! ignored. Memory use is one page per column.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::input::columns::{MAX_COLUMNS, deduplicate_names};
use crate::input::record::MAX_RECORD_BYTES;
use crate::output::{Value, date, write_json_line};

/// The number of rows that are read from each column at a time.
const BATCH_ROWS: u64 = 1024;

/// The maximum number of decimals of a decimal number.
const MAX_SCALE: i32 = 38;

/// The maximum size of a decimal number, which has up to 38 digits, in bytes.
const DECIMAL_BYTES: usize = 16;

/// 1970-01-01 as a Julian day number; INT96 counts Julian days.
const JULIAN_1970: i64 = 2_440_588;

/// A value, or the bytes of a string that is not UTF-8.
type ReadValue = std::result::Result<Value, Vec<u8>>;

/// The rows of a Parquet file, as JSON lines.
pub(super) struct ParquetLines {
    file: SerializedFileReader<File>,
    columns: Vec<FlatColumn>,
    names: Vec<String>,
    /// The names of the columns that are not read.
    left_out: Vec<String>,
    /// The rows that remain.
    rows: Range<u64>,
    /// The next row group, and the row after the current one.
    next_group: usize,
    group_end: u64,
    readers: Vec<ColumnReader>,
    /// The values of the next rows of each column.
    batch: Vec<Box<dyn Iterator<Item = ReadValue> + Send>>,
    batch_rows: u64,
    line: Vec<u8>,
    used: usize,
    /// The number of bytes of the file up to the last row.
    done: Arc<AtomicU64>,
    bytes: u64,
}

/// A column without repetition.
struct FlatColumn {
    index: usize,
    is_nullable: bool,
    kind: Kind,
}

/// The meaning of the values of a column.
#[derive(Clone, Copy)]
enum Kind {
    /// Plain values of their type.
    Plain,
    Unsigned,
    /// Days since 1970.
    Date,
    /// Fractions of a second since 1970, with this number of fractions per second.
    Time(i64),
    /// Integers with this number of decimals.
    Decimal(usize),
}

impl ParquetLines {
    /// Opens a file and reads only one of several equal ranges of its rows.
    pub fn open(file: File, (part, parts): (u64, u64)) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let file = guarded(|| SerializedFileReader::new(file))?;
        let groups = file.metadata().row_groups().iter().map(|group| u64::try_from(group.num_rows()).ok());
        let total = groups.sum::<Option<u64>>().filter(|rows| *rows <= i64::MAX as u64);
        let total = u128::from(total.ok_or_else(|| invalid("an impossible number of rows"))?);
        let start = |part: u64| (total * u128::from(part) / u128::from(parts)) as u64;
        if file.metadata().file_metadata().schema().get_fields().len() > MAX_COLUMNS / 2 {
            return Err(invalid(&format!("more than {} columns; remove those that are not needed", MAX_COLUMNS / 2)));
        }
        let mut columns = Vec::new();
        let (mut names, mut left_out) = (Vec::new(), Vec::new());
        for field in file.metadata().file_metadata().schema().get_fields() {
            let described = file.metadata().file_metadata().schema_descr().columns().iter().enumerate();
            let mut described = described;
            let found = described.find(|(_, column)| column.path().parts() == [field.name()]);
            let kind = found.filter(|(_, column)| column.max_rep_level() == 0).and_then(|(_, column)| kind_of(column));
            match found.zip(kind) {
                Some(((index, column), kind)) => {
                    columns.push(FlatColumn { index, is_nullable: column.max_def_level() > 0, kind });
                    names.push(field.name().to_owned());
                }
                None => left_out.push(field.name().to_owned()),
            }
        }
        if names.is_empty() {
            return Err(invalid("no column with numbers or strings"));
        }
        Ok(Self {
            file,
            columns,
            names: deduplicate_names(names),
            left_out,
            rows: start(part)..start(part + 1),
            next_group: 0,
            group_end: 0,
            readers: Vec::new(),
            batch: Vec::new(),
            batch_rows: 0,
            line: Vec::new(),
            used: 0,
            done: Arc::default(),
            bytes,
        })
    }

    /// Returns the number of rows before the first row that is read.
    pub fn rows_before(&self) -> u64 {
        self.rows.start
    }

    /// Takes the names of the columns that are not read.
    pub fn take_left_out(&mut self) -> Vec<String> {
        std::mem::take(&mut self.left_out)
    }

    /// Returns the number of bytes of the file up to the last row.
    pub fn done(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.done)
    }

    /// Opens the row group that contains the next row.
    fn open_group(&mut self) -> Result<()> {
        while self.group_end <= self.rows.start {
            let group = self.file.metadata().row_group(self.next_group);
            let start = self.group_end;
            self.group_end += group.num_rows() as u64;
            self.next_group += 1;
            if self.group_end > self.rows.start {
                let group = self.file.get_row_group(self.next_group - 1)?;
                let readers = self.columns.iter().map(|column| group.get_column_reader(column.index));
                self.readers = readers.collect::<Result<_>>()?;
                let before = self.rows.start - start;
                self.readers.iter_mut().try_for_each(|reader| skip(reader, before as usize))?;
            }
        }
        Ok(())
    }

    /// Reads the next rows of the row group from each column.
    fn read_batch(&mut self) -> Result<()> {
        self.open_group()?;
        self.batch_rows = BATCH_ROWS.min(self.group_end.min(self.rows.end) - self.rows.start);
        let rows = self.batch_rows as usize;
        let batches = self.columns.iter().zip(&mut self.readers).map(|(column, reader)| column.read(reader, rows));
        self.batch = batches.collect::<Result<_>>()?;
        Ok(())
    }

    /// Writes the next row as a line.
    fn write_line(&mut self) -> io::Result<()> {
        if self.batch_rows == 0 {
            let row = self.rows.start + 1;
            let failed = |error: io::Error| io::Error::new(error.kind(), format!("row {row}: {error}"));
            guarded(|| self.read_batch()).map_err(failed)?;
        }
        self.batch_rows -= 1;
        self.rows.start += 1;
        (self.used, self.line) = (0, Vec::new());
        let values: ReadRow = self.batch.iter_mut().map(|column| column.next().unwrap_or(Ok(Value::Null))).collect();
        match values {
            Ok(values) => write_json_line(&self.names, &values, &mut self.line)?,
            // A line that is not UTF-8 is an invalid record.
            Err(bytes) => {
                let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
                self.line.extend(bytes.iter().map(|byte| if is_break(byte) { b' ' } else { *byte }));
                self.line.push(b'\n');
            }
        }
        let rows_left = self.rows.end - self.rows.start;
        let (rows, left) = (u128::from(self.rows.end.max(1)), u128::from(rows_left));
        self.done.store((u128::from(self.bytes) * (rows - left.min(rows)) / rows) as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// The values of a row, or the bytes of a string that is not UTF-8.
type ReadRow = std::result::Result<Vec<Value>, Vec<u8>>;

impl Read for ParquetLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.line.len() && !self.rows.is_empty() {
            self.write_line()?;
        }
        let length = (&self.line[self.used..]).read(buffer)?;
        self.used += length;
        Ok(length)
    }
}

/// Returns the meaning of the values of a column; `None` if they cannot be read.
fn kind_of(column: &ColumnDescriptor) -> Option<Kind> {
    let logical = column.logical_type_ref();
    let converted = logical.map_or(column.converted_type(), |logical| Some(logical.clone()).into());
    match (column.physical_type(), converted) {
        (Physical::INT96, _) => Some(Kind::Plain),
        (Physical::INT32 | Physical::INT64, ConvertedType::DATE) => Some(Kind::Date),
        (Physical::INT64, ConvertedType::TIMESTAMP_MILLIS) => Some(Kind::Time(1_000)),
        (Physical::INT64, ConvertedType::TIMESTAMP_MICROS) => Some(Kind::Time(1_000_000)),
        (Physical::INT64, ConvertedType::NONE) if matches!(logical, Some(LogicalType::Timestamp(_))) => {
            Some(Kind::Time(1_000_000_000))
        }
        (Physical::FIXED_LEN_BYTE_ARRAY, _) if !(1..=DECIMAL_BYTES as i32).contains(&column.type_length()) => None,
        (Physical::INT32 | Physical::INT64 | Physical::FIXED_LEN_BYTE_ARRAY, ConvertedType::DECIMAL) => {
            Some(column.type_scale()).filter(|scale| (0..=MAX_SCALE).contains(scale)).map(|n| Kind::Decimal(n as usize))
        }
        (
            Physical::INT32 | Physical::INT64,
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64,
        ) => Some(Kind::Unsigned),
        (
            Physical::INT32 | Physical::INT64,
            ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 | ConvertedType::INT_64,
        )
        | (Physical::BYTE_ARRAY, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => Some(Kind::Plain),
        (Physical::FIXED_LEN_BYTE_ARRAY, _) => None,
        // A time of day is not supported.
        (_, ConvertedType::NONE) if !matches!(logical, Some(LogicalType::Time(_))) => Some(Kind::Plain),
        _ => None,
    }
}

impl FlatColumn {
    /// Reads the values of the next rows.
    fn read(&self, reader: &mut ColumnReader, rows: usize) -> Result<Box<dyn Iterator<Item = ReadValue> + Send>> {
        let (kind, nullable) = (self.kind, self.is_nullable);
        match reader {
            ColumnReader::BoolColumnReader(reader) => batch(reader, rows, nullable, |value| Ok(Value::Bool(*value))),
            ColumnReader::Int32ColumnReader(reader) => batch(reader, rows, nullable, move |value| {
                Ok(kind.integer(i64::from(*value), value.cast_unsigned().into()))
            }),
            ColumnReader::Int64ColumnReader(reader) => {
                batch(reader, rows, nullable, move |value| Ok(kind.integer(*value, value.cast_unsigned())))
            }
            ColumnReader::Int96ColumnReader(reader) => batch(reader, rows, nullable, |value| {
                let [low, high, day] = [0, 1, 2].map(|at| i64::from(value.data()[at]));
                let (nanos, second) = (low | high << 32, 1_000_000_000);
                let start = (i64::from(day as i32) - JULIAN_1970) * 86_400;
                Ok(Value::Text(time(start + nanos.div_euclid(second), nanos.rem_euclid(second), second)))
            }),
            ColumnReader::FloatColumnReader(reader) => batch(reader, rows, nullable, |value| {
                // The shortest decimal number that equals this one.
                Ok(value
                    .to_string()
                    .parse()
                    .ok()
                    .filter(|value: &f64| value.is_finite())
                    .map_or(Value::Null, Value::Float))
            }),
            ColumnReader::DoubleColumnReader(reader) => batch(reader, rows, nullable, |value| {
                Ok(if value.is_finite() { Value::Float(*value) } else { Value::Null })
            }),
            ColumnReader::ByteArrayColumnReader(reader) => batch(reader, rows, nullable, text),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                batch(reader, rows, nullable, move |value| Ok(kind.big_integer(value.data())))
            }
        }
    }
}

impl Kind {
    /// Returns the value of a number. `unsigned` contains the same bits as an unsigned number.
    fn integer(self, value: i64, unsigned: u64) -> Value {
        match self {
            Self::Plain => Value::Integer(value.into()),
            Self::Unsigned => Value::Integer(unsigned.into()),
            Self::Date => Value::Text(date(value)),
            Self::Time(per_second) => {
                Value::Text(time(value.div_euclid(per_second), value.rem_euclid(per_second), per_second))
            }
            Self::Decimal(scale) => decimal(value.into(), scale),
        }
    }

    /// Returns the value of a decimal number whose bytes are a signed big-endian integer.
    fn big_integer(self, bytes: &[u8]) -> Value {
        let Self::Decimal(scale) = self else { return Value::Null };
        let sign = if bytes.first().is_some_and(|byte| byte & 0x80 != 0) { -1 } else { 0 };
        decimal(bytes.iter().fold(sign, |value: i128, &byte| value << 8 | i128::from(byte)), scale)
    }
}

/// Returns the value of an integer with this number of decimals.
fn decimal(value: i128, scale: usize) -> Value {
    if scale == 0 {
        return Value::Integer(value);
    }
    let digits = format!("{:0width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, decimals) = digits.split_at(digits.len() - scale);
    Value::Json(format!("{}{whole}.{decimals}", if value < 0 { "-" } else { "" }))
}

/// Writes a point in time: seconds since 1970, and a fraction of the next second, in units of
/// `per_second`.
fn time(seconds: i64, part: i64, per_second: i64) -> String {
    let (day, second) = (date(seconds.div_euclid(86_400)), seconds.rem_euclid(86_400));
    let time = format!("{day} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    let digits = per_second.ilog10() as usize;
    let decimals = format!(".{part:0digits$}");
    time + decimals.trim_end_matches('0').trim_end_matches('.')
}

/// Returns a string. If it makes its record too long, its end is not needed.
fn text(bytes: &ByteArray) -> ReadValue {
    let bytes = bytes.data();
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Value::Text(text[..text.floor_char_boundary(MAX_RECORD_BYTES + 1)].to_owned())),
        Err(_) => Err(bytes[..bytes.len().min(MAX_RECORD_BYTES)].to_vec()),
    }
}

/// Reads the values of the next rows of a column.
fn batch<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    is_nullable: bool,
    value: impl Fn(&T::T) -> ReadValue + Send + 'static,
) -> Result<Box<dyn Iterator<Item = ReadValue> + Send>> {
    let (mut levels, mut values) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    let (records, ..) = reader.read_records(rows, is_nullable.then_some(&mut levels), None, &mut values)?;
    if records != rows {
        return Err(ParquetError::EOF("a column has too few values".to_owned()));
    }
    if !is_nullable {
        levels = vec![1; rows];
    }
    let mut values = values.into_iter();
    let next =
        move |level| if level == 0 { Ok(Value::Null) } else { values.next().map_or(Ok(Value::Null), |v| value(&v)) };
    Ok(Box::new(levels.into_iter().map(next)))
}

/// Skips the first rows of a row group.
fn skip(reader: &mut ColumnReader, rows: usize) -> Result<()> {
    let skipped = match reader {
        ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
    };
    if skipped? == rows { Ok(()) } else { Err(ParquetError::EOF("a column has too few values".to_owned())) }
}

thread_local! {
    /// Whether this thread is running code whose panics are file errors.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Suppresses the panic messages of guarded code from now on.
fn silence_guarded_panics() {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                report(info);
            }
        }));
    });
}

/// Runs code of the Parquet library. The library checks the contents of files, but panics in a few
/// places; such a panic becomes a file error.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> io::Result<T> {
    silence_guarded_panics();
    IS_GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    let result = result.unwrap_or_else(|_| Err(ParquetError::General("its parts contradict each other".to_owned())));
    result.map_err(|error| match error {
        ParquetError::External(error) => error.downcast().map_or_else(io::Error::other, |error| *error),
        error => invalid(&error.to_string()),
    })
}

fn invalid(problem: &str) -> io::Error {
    let text = match problem.split_once("Disabled feature at compile time: ") {
        Some((_, codec)) => {
            format!("the Parquet compression {codec} is not supported; use zstd, snappy or gzip")
        }
        None => format!("not a valid Parquet file: {}", problem.trim_start_matches("Parquet error: ")),
    };
    io::Error::new(io::ErrorKind::InvalidData, text)
}
