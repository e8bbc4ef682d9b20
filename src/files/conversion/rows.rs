//! [`RowReader`]: reads rows written by [`Output`](crate::output::Output), to write them in another
//! format.

use std::io::{self, BufRead, BufReader, Read};

use crate::input::{Input, members, value_of_json};
use crate::output::{ColumnType, Field, FieldType, Value};

/// The number of CSV rows that decide the column types.
const SAMPLED_ROWS: usize = 256;

/// The rows of a CSV, JSON lines or Parquet file.
///
/// ```
/// use morello::conversion::RowReader;
/// use morello::input::Input;
/// use morello::output::Value;
///
/// let input = Input::Text("line,best_move,score\n1,d3,-0.5\n".to_owned());
/// let rows = RowReader::open(&input)?;
/// assert_eq!(rows.names(), ["line", "best_move", "score"]);
/// let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
/// assert_eq!(rows, [[Value::Integer(1), Value::Text("d3".to_owned()), Value::Float(-0.5)]]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct RowReader {
    names: Vec<String>,
    rows: Box<dyn Iterator<Item = io::Result<Vec<Value>>> + Send>,
}

morello_core::debug_fields!(RowReader { names });

impl RowReader {
    /// Opens a file. The first JSON line determines the keys of all lines.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or has no header.
    pub fn open(input: &Input) -> io::Result<Self> {
        let mut bytes = BufReader::new(input.reader().map_err(io::Error::other)?);
        let is_json = bytes.fill_buf()?.first() == Some(&b'{');
        if is_json { Self::json(bytes) } else { Self::csv(bytes) }
    }

    /// Returns the names of the fields.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the fields for writing the rows. Fields in `known` keep their types; the types of
    /// the others are inferred from their values.
    #[must_use]
    pub fn fields<R>(&self, known: &[Field<R>]) -> Vec<Field<Vec<Value>>> {
        let field = |(place, name): (usize, &String)| {
            let known = known.iter().find(|field| field.name() == name);
            let kind = known.map_or(FieldType::Any, Field::kind);
            let value = move |row: &Vec<Value>| match (kind, &row[place]) {
                (_, Value::Null) => Value::Null,
                (FieldType::Text, value) => Value::Text(value.to_string()),
                (_, value) => value.clone(),
            };
            Field::of_type(name.clone(), kind, value).only_if(known.is_none_or(|field| !field.is_optional()))
        };
        self.names.iter().enumerate().map(field).collect()
    }

    fn json(bytes: impl Read + Send + 'static) -> io::Result<Self> {
        let mut lines = BufReader::new(bytes).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let names: Vec<_> = members(&first)?.into_iter().map(|(name, _)| name).collect();
        let keys = names.clone();
        let row = move |line: io::Result<String>| {
            let line = line?;
            let members = members(&line)?;
            let value = |(place, name): (usize, &String)| {
                let is_there = members.get(place).filter(|(found, _)| found == name);
                let found = is_there.or_else(|| members.iter().find(|(found, _)| found == name));
                found.map_or(Value::Null, |(_, value)| value_of_json(value))
            };
            Ok(keys.iter().enumerate().map(value).collect())
        };
        Ok(Self { names, rows: Box::new(std::iter::once(Ok(first)).chain(lines).map(row)) })
    }

    fn csv(bytes: impl Read + Send + 'static) -> io::Result<Self> {
        let mut csv = ::csv::Reader::from_reader(bytes);
        let names: Vec<_> = csv.headers()?.iter().map(str::to_owned).collect();
        let mut records = csv.into_records();
        // As in the original output, the first values of a column decide its type.
        let head: Vec<::csv::StringRecord> = records.by_ref().take(SAMPLED_ROWS).collect::<Result<_, _>>()?;
        let mut types = vec![ColumnType::default(); names.len()];
        for record in &head {
            types.iter_mut().zip(record).for_each(|(column, cell)| column.add(&Value::of_text(cell)));
        }
        let value = |(column, cell): (&ColumnType, &str)| match column.kind() {
            FieldType::Any => Value::of_text(cell),
            kind => kind.value_of(cell),
        };
        let row = move |record: ::csv::Result<::csv::StringRecord>| Ok(types.iter().zip(&record?).map(value).collect());
        Ok(Self { names, rows: Box::new(head.into_iter().map(Ok).chain(records).map(row)) })
    }
}

impl Iterator for RowReader {
    type Item = io::Result<Vec<Value>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next()
    }
}
