//! Parquet (<https://parquet.apache.org/docs/file-format/>): a columnar file with a schema.
//!
//! ```text
//! PAR1 | group: column, column, .. | group | .. | footer: schema, place of each column of each group | PAR1
//! ```
//!
//! Columns hold strings, signed 64-bit integers, doubles or booleans, are nullable, and are
//! compressed with zstd. The records of a group are buffered until it is full and then written
//! column by column. Memory use is that of one group, and some hundred bytes per column of each
//! group written, which the footer needs. A truncated file has no footer and cannot be read.

use std::io;
use std::mem::take;
use std::sync::Arc;

use morello_core::provenance;
use parquet::basic::{Compression, LogicalType, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use thiserror::Error;

use super::field::FieldType;
use super::{Encoder, Heading, RowSink, Value};

/// The memory for the records of a group, in bytes: some hundred thousand rows of an analysis, a
/// group size that suits most readers.
pub(super) const GROUP_BYTES: usize = 64 << 20;

/// The memory of a text besides its bytes: the handle and the overhead of the allocator.
const TEXT_BYTES: usize = size_of::<ByteArray>() + 16;

/// A value that a column cannot represent.
#[derive(Debug, Error)]
#[error(
    "record {record}, field `{field}`: `{value}` does not fit a Parquet column of {type_name}; csv and jsonl can \
        hold it"
)]
struct UnrepresentableValue {
    /// The number of the record, from 1.
    record: u64,
    field: String,
    value: Value,
    type_name: &'static str,
}

pub(super) struct ParquetEncoder<'a> {
    columns: Vec<ParquetColumn>,
    file: SerializedFileWriter<RowSink<'a>>,
    /// The number of records so far.
    records: u64,
    /// The memory of the records in the group.
    bytes: usize,
    /// The memory at which a group is full.
    group_bytes: usize,
}

/// The values of a field in the records of the group.
struct ParquetColumn {
    name: String,
    /// 1 for a value, 0 for null.
    levels: Vec<i16>,
    values: Values,
}

/// The values that are not null.
enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Float(Vec<f64>),
    Boolean(Vec<bool>),
}

impl<'a> ParquetEncoder<'a> {
    /// Starts a file whose groups take about `group_bytes` bytes of memory.
    pub(super) fn new(headings: &[&Heading], group_bytes: usize, sink: RowSink<'a>) -> io::Result<Self> {
        let columns: Vec<_> = headings.iter().map(|field| ParquetColumn::new(&field.name, field.kind)).collect();
        let types: Result<Vec<_>, _> = columns.iter().map(|column| column.schema().map(Arc::new)).collect();
        let schema = types.and_then(|types| Type::group_type_builder("record").with_fields(types).build());
        let metadata = provenance::of_process().entries().into_iter();
        let metadata: Vec<_> = metadata.map(|(name, value)| KeyValue::new(format!("morello.{name}"), value)).collect();
        let properties = WriterProperties::builder()
            .set_key_value_metadata((!metadata.is_empty()).then_some(metadata))
            .set_created_by(concat!("morello version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // The statistics and offsets of pages would be kept in memory until the footer is
            // written.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        let file = schema.and_then(|schema| SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties)));
        Ok(Self { columns, file: file.map_err(io_error)?, records: 0, bytes: 0, group_bytes })
    }

    /// Writes the buffered records as a group.
    fn write_group(&mut self) -> io::Result<()> {
        self.bytes = 0;
        let mut group = self.file.next_row_group().map_err(io_error)?;
        for column in &mut self.columns {
            let mut writer = group.next_column().map_err(io_error)?.expect("the schema has one entry per column");
            column.write(&mut writer).and_then(|()| writer.close()).map_err(io_error)?;
        }
        group.close().map_err(io_error)?;
        Ok(())
    }
}

impl Encoder for ParquetEncoder<'_> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.records += 1;
        for (column, value) in self.columns.iter_mut().zip(values) {
            let Some(bytes) = column.push(value) else {
                let (field, type_name) = (column.name.clone(), column.values.type_name());
                let misfit = UnrepresentableValue { record: self.records, field, value: value.clone(), type_name };
                return Err(io::Error::new(io::ErrorKind::InvalidData, misfit));
            };
            self.bytes += bytes;
        }
        if self.bytes >= self.group_bytes { self.write_group() } else { Ok(()) }
    }

    /// Flushes the complete groups.
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.bytes > 0 {
            self.write_group()?;
        }
        self.file.finish().map_err(io_error)?;
        Ok(())
    }
}

impl ParquetColumn {
    fn new(name: &str, kind: FieldType) -> Self {
        let values = match kind {
            FieldType::Text | FieldType::Any => Values::Text(Vec::new()),
            FieldType::Integer => Values::Integer(Vec::new()),
            FieldType::Float => Values::Float(Vec::new()),
            FieldType::Boolean => Values::Boolean(Vec::new()),
        };
        Self { name: name.to_owned(), levels: Vec::new(), values }
    }

    /// Returns the schema of the column. Primitive types are nullable by default.
    fn schema(&self) -> Result<Type, ParquetError> {
        let physical = |physical| Type::primitive_type_builder(&self.name, physical);
        match self.values {
            Values::Text(_) => physical(Physical::BYTE_ARRAY).with_logical_type(Some(LogicalType::String)),
            Values::Integer(_) => physical(Physical::INT64),
            Values::Float(_) => physical(Physical::DOUBLE),
            Values::Boolean(_) => physical(Physical::BOOLEAN),
        }
        .build()
    }

    /// Adds a value and returns the memory it takes, in bytes; `None` if the column cannot
    /// represent it.
    fn push(&mut self, value: &Value) -> Option<usize> {
        let bytes = match (&mut self.values, value) {
            (_, Value::Null) => 0,
            (Values::Text(values), Value::Text(text)) => {
                values.push(text.as_str().into());
                text.len() + TEXT_BYTES
            }
            (Values::Integer(values), &Value::Integer(number)) => {
                values.push(number.try_into().ok()?);
                size_of::<i64>()
            }
            (Values::Float(values), &Value::Float(number)) => {
                values.push(number);
                size_of::<f64>()
            }
            // The integers of a `Float` have 32 bits.
            (Values::Float(values), &Value::Integer(number)) => {
                values.push(i32::try_from(number).ok()?.into());
                size_of::<f64>()
            }
            (Values::Boolean(values), &Value::Bool(value)) => {
                values.push(value);
                size_of::<bool>()
            }
            // A field of any type.
            (Values::Text(values), value) => {
                let text = value.to_string();
                let bytes = text.len() + TEXT_BYTES;
                values.push(text.into_bytes().into());
                bytes
            }
            _ => return None,
        };
        self.levels.push(i16::from(*value != Value::Null));
        Some(bytes + size_of::<i16>())
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
        }
        .map(drop)
    }
}

impl Values {
    /// Returns the Parquet name of the type.
    fn type_name(&self) -> &'static str {
        match self {
            Self::Text(_) => "STRING",
            Self::Integer(_) => "INT64",
            Self::Float(_) => "DOUBLE",
            Self::Boolean(_) => "BOOLEAN",
        }
    }
}

/// Unwraps the error from the sink. A closed pipe must be distinguishable.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => error.downcast().map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests;
