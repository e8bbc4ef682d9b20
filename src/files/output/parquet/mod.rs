//! Parquet (<https://parquet.apache.org/docs/file-format/>): a columnar file with a schema.
//!
//! ```text
//! PAR1 | group: column, column, .. | group | .. | footer: schema, place of each column of each group | PAR1
//! ```
//!
//! Columns hold strings, signed 64-bit integers, doubles, booleans or dates, are nullable, and are
//! compressed with zstd. The metadata records how the file was made, and describes each column. The
//! type of a column must be able to represent all its values, so records are kept in a file until
//! the end, and are then written in groups, column by column. Memory use is one group, plus a few
//! hundred bytes per column for each written group, which the footer needs. A truncated file has no
//! footer and cannot be read.

mod kept_rows;

use std::io;
use std::mem::take;
use std::sync::Arc;

use morello_core::provenance;
use parquet::basic::{Compression, LogicalType, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::column_type::{ColumnType, FieldType, days};
use super::{Encoder, Heading, RowSink, Value};
use kept_rows::{KeptRows, RowFile};

/// The memory for the records of a group, in bytes. This is a few hundred thousand rows of an
/// analysis, a group size that suits most readers.
pub(super) const GROUP_BYTES: usize = 64 << 20;

/// The maximum number of records in a group. Readers of a range of rows, or of some values, read
/// whole groups.
const GROUP_ROWS: usize = 1 << 17;

/// The metadata key of the column descriptions, which are a JSON object.
const COLUMNS_KEY: &str = "morello.columns";

/// The memory for a string besides its bytes: the handle and the allocator's overhead.
const TEXT_BYTES: usize = size_of::<ByteArray>() + 16;

/// The total size of records up to which they are kept in memory, in bytes.
const MEMORY_BYTES: usize = 64 << 20;

pub(super) struct ParquetEncoder<'a> {
    fields: Vec<ParquetField>,
    rows: KeptRows,
    sink: Option<RowSink<'a>>,
    /// The memory at which a group is full, in bytes.
    group_bytes: usize,
}

/// A field of the records.
struct ParquetField {
    name: String,
    about: &'static str,
    kind: FieldType,
    /// Whether the field is written only if a record has a value.
    is_optional: bool,
}

/// The values of a field in the records of a group.
struct ParquetColumn {
    name: String,
    about: &'static str,
    /// 1 for a value, 0 for null.
    levels: Vec<i16>,
    values: Values,
}

/// The non-null values.
enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Float(Vec<f64>),
    Boolean(Vec<bool>),
    /// Days from 1970-01-01.
    Date(Vec<i32>),
}

impl<'a> ParquetEncoder<'a> {
    /// Starts a file whose records are kept in memory and in a temporary file.
    pub(super) fn temporary(headings: &[&Heading], sink: RowSink<'a>) -> Self {
        Self::new(headings, Box::new(tempfile::spooled_tempfile(MEMORY_BYTES)), sink)
    }

    /// Starts a file whose records are kept in `rows`.
    pub(super) fn new(headings: &[&Heading], rows: Box<dyn RowFile>, sink: RowSink<'a>) -> Self {
        let field = |heading: &&Heading| ParquetField {
            name: heading.name.to_string(),
            about: heading.about,
            kind: heading.kind,
            is_optional: heading.is_optional,
        };
        let fields = headings.iter().map(field).collect();
        Self { fields, rows: KeptRows::new(rows), sink: Some(sink), group_bytes: GROUP_BYTES }
    }

    /// Returns the columns with the types of all values. A field that is written only with a value,
    /// and has none, gets no column.
    fn columns(&mut self) -> io::Result<Vec<Option<ParquetColumn>>> {
        let mut types = vec![ColumnType::default(); self.fields.len()];
        self.rows.read(&mut |values| {
            types.iter_mut().zip(values).for_each(|(column, value)| column.add(value));
            Ok(())
        })?;
        let column = |(field, found): (&ParquetField, ColumnType)| {
            let is_left_out = field.is_optional && found == ColumnType::default();
            (!is_left_out).then(|| ParquetColumn::new(field, found.join(field.kind.into()).kind()))
        };
        Ok(self.fields.iter().zip(types).map(column).collect())
    }
}

impl Encoder for ParquetEncoder<'_> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.rows.write(values)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rows.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(sink) = self.sink.take() else { return Ok(()) };
        let columns = self.columns()?;
        let mut file = ParquetFile::new(columns, self.group_bytes, sink).map_err(io_error)?;
        self.rows.read(&mut |values| file.write(values).map_err(io_error))?;
        file.finish().map_err(io_error)
    }
}

/// A file that is written group by group.
struct ParquetFile<'a> {
    /// The column of each field.
    columns: Vec<Option<ParquetColumn>>,
    file: SerializedFileWriter<RowSink<'a>>,
    /// The number of records in the group, and their memory in bytes.
    rows: usize,
    bytes: usize,
    group_bytes: usize,
}

impl<'a> ParquetFile<'a> {
    fn new(columns: Vec<Option<ParquetColumn>>, group_bytes: usize, sink: RowSink<'a>) -> Result<Self, ParquetError> {
        let types = columns.iter().flatten().map(|column| column.schema().map(Arc::new));
        let schema = Type::group_type_builder("record").with_fields(types.collect::<Result<_, _>>()?).build()?;
        let metadata = provenance::of_process().entries().into_iter();
        let mut metadata: Vec<_> =
            metadata.map(|(name, value)| KeyValue::new(format!("morello.{name}"), value)).collect();
        let described = columns.iter().flatten().filter(|column| !column.about.is_empty());
        let described: serde_json::Map<_, _> =
            described.map(|column| (column.name.clone(), column.about.into())).collect();
        if !described.is_empty() {
            metadata.push(KeyValue::new(COLUMNS_KEY.to_owned(), serde_json::Value::from(described).to_string()));
        }
        let properties = WriterProperties::builder()
            .set_key_value_metadata((!metadata.is_empty()).then_some(metadata))
            .set_created_by(concat!("morello version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Page statistics and offsets would be kept in memory until the footer is written.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        let file = SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { columns, file, rows: 0, bytes: 0, group_bytes })
    }

    fn write(&mut self, values: &[Value]) -> Result<(), ParquetError> {
        for (column, value) in self.columns.iter_mut().zip(values) {
            self.bytes += column.as_mut().map_or(0, |column| column.push(value));
        }
        self.rows += 1;
        if self.bytes >= self.group_bytes || self.rows >= GROUP_ROWS { self.write_group() } else { Ok(()) }
    }

    /// Writes the buffered records as a group.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        (self.rows, self.bytes) = (0, 0);
        let mut group = self.file.next_row_group()?;
        for column in self.columns.iter_mut().flatten() {
            let mut writer = group.next_column()?.expect("the schema has one entry per column");
            column.write(&mut writer).and_then(|()| writer.close())?;
        }
        group.close().map(drop)
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        if self.bytes > 0 {
            self.write_group()?;
        }
        self.file.finish().map(drop)
    }
}

impl ParquetColumn {
    fn new(field: &ParquetField, kind: FieldType) -> Self {
        let values = match kind {
            FieldType::Text | FieldType::Any => Values::Text(Vec::new()),
            FieldType::Integer => Values::Integer(Vec::new()),
            FieldType::Float => Values::Float(Vec::new()),
            FieldType::Boolean => Values::Boolean(Vec::new()),
            FieldType::Date => Values::Date(Vec::new()),
        };
        Self { name: field.name.clone(), about: field.about, levels: Vec::new(), values }
    }

    /// Returns the schema of the column. Primitive types are nullable by default.
    fn schema(&self) -> Result<Type, ParquetError> {
        let physical = |physical| Type::primitive_type_builder(&self.name, physical);
        match self.values {
            Values::Text(_) => physical(Physical::BYTE_ARRAY).with_logical_type(Some(LogicalType::String)),
            Values::Integer(_) => physical(Physical::INT64),
            Values::Float(_) => physical(Physical::DOUBLE),
            Values::Boolean(_) => physical(Physical::BOOLEAN),
            Values::Date(_) => physical(Physical::INT32).with_logical_type(Some(LogicalType::Date)),
        }
        .build()
    }

    /// Adds a value of the column's type. Returns the memory it takes, in bytes.
    fn push(&mut self, value: &Value) -> usize {
        let bytes = match (&mut self.values, value) {
            (_, Value::Null) => 0,
            (Values::Text(values), value) => {
                let text = value.to_string();
                let bytes = text.len() + TEXT_BYTES;
                values.push(text.into_bytes().into());
                bytes
            }
            (Values::Integer(values), value) => {
                values.push(value.as_integer().unwrap_or_default());
                size_of::<i64>()
            }
            (Values::Float(values), value) => {
                values.push(value.as_float().unwrap_or_default());
                size_of::<f64>()
            }
            (Values::Boolean(values), value) => {
                values.push(*value == Value::Bool(true));
                size_of::<bool>()
            }
            (Values::Date(values), value) => {
                values.push(days(&value.to_string()).unwrap_or_default());
                size_of::<i32>()
            }
        };
        self.levels.push(i16::from(*value != Value::Null));
        bytes + size_of::<i16>()
    }

    /// Writes the values of a group.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = take(&mut self.levels);
        let levels = Some(&*levels);
        match &mut self.values {
            Values::Text(values) => writer.typed::<ByteArrayType>().write_batch(&take(values), levels, None),
            Values::Integer(values) => writer.typed::<Int64Type>().write_batch(&take(values), levels, None),
            Values::Float(values) => writer.typed::<DoubleType>().write_batch(&take(values), levels, None),
            Values::Boolean(values) => writer.typed::<BoolType>().write_batch(&take(values), levels, None),
            Values::Date(values) => writer.typed::<Int32Type>().write_batch(&take(values), levels, None),
        }
        .map(drop)
    }
}

/// Unwraps the error from the sink, because a closed pipe must be distinguishable.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => error.downcast().map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests;
