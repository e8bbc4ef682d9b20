//! [`KeptRows`]: keeps the records of a Parquet file until the file is written.
//!
//! ```text
//! record: count of values | value, value, ..
//! value: tag | nothing, a byte, an integer (16 bytes), a decimal (8 bytes), or length and text
//! ```

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use super::Value;

/// A file of records.
pub(in super::super) trait RowFile: Read + Write + Seek + Send {}

impl<F: Read + Write + Seek + Send> RowFile for F {}

pub(super) struct KeptRows {
    file: BufWriter<Box<dyn RowFile>>,
}

impl KeptRows {
    /// Creates a writer that appends to the records in a file.
    pub fn new(file: Box<dyn RowFile>) -> Self {
        Self { file: BufWriter::new(file) }
    }

    pub fn write(&mut self, values: &[Value]) -> io::Result<()> {
        self.file.write_all(&(values.len() as u32).to_le_bytes())?;
        values.iter().try_for_each(|value| write_value(value, &mut self.file))
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Reads all records, starting with the first.
    pub fn read(&mut self, on_row: &mut dyn FnMut(&[Value]) -> io::Result<()>) -> io::Result<()> {
        self.file.rewind()?;
        let mut file = BufReader::new(self.file.get_mut());
        let mut values = Vec::new();
        loop {
            let mut count = [0; 4];
            match file.read_exact(&mut count) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                read => read?,
            }
            values.clear();
            for _ in 0..u32::from_le_bytes(count) {
                values.push(read_value(&mut file)?);
            }
            on_row(&values)?;
        }
    }
}

fn write_value(value: &Value, file: &mut impl Write) -> io::Result<()> {
    let mut write = |tag: u8, parts: [&[u8]; 2]| {
        file.write_all(&[tag]).and_then(|()| parts.iter().try_for_each(|part| file.write_all(part)))
    };
    match value {
        Value::Null => write(0, [&[], &[]]),
        Value::Bool(value) => write(1, [&[u8::from(*value)], &[]]),
        Value::Integer(value) => write(2, [&value.to_le_bytes(), &[]]),
        Value::Float(value) => write(3, [&value.to_le_bytes(), &[]]),
        Value::Text(text) => write(4, [&(text.len() as u64).to_le_bytes(), text.as_bytes()]),
        Value::Json(text) => write(5, [&(text.len() as u64).to_le_bytes(), text.as_bytes()]),
    }
}

fn read_value(file: &mut impl Read) -> io::Result<Value> {
    let [tag] = read_bytes(file)?;
    Ok(match tag {
        0 => Value::Null,
        1 => Value::Bool(read_bytes(file)? == [1]),
        2 => Value::Integer(i128::from_le_bytes(read_bytes(file)?)),
        3 => Value::Float(f64::from_le_bytes(read_bytes(file)?)),
        4 => Value::Text(read_text(file)?),
        5 => Value::Json(read_text(file)?),
        _ => return Err(io::ErrorKind::InvalidData.into()),
    })
}

fn read_bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map(|()| bytes)
}

fn read_text(file: &mut impl Read) -> io::Result<String> {
    let length = u64::from_le_bytes(read_bytes(file)?);
    let mut text = String::new();
    let read = file.take(length).read_to_string(&mut text)?;
    if read as u64 == length { Ok(text) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
