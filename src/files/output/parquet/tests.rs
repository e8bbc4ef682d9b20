use std::fs::File;
use std::io::Write;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Read;
use proptest::prelude::*;
use serde_json::Value as Json;

use super::super::headings;
use super::*;
use crate::output::{Field, Float, Integer, Output, OutputFormat};

#[derive(Debug, Clone)]
struct Record {
    text: Option<String>,
    integer: Option<i64>,
    float: Option<f64>,
    /// A score, with or without decimals.
    score: Option<Result<i32, f64>>,
    boolean: Option<bool>,
}

fn fields() -> Vec<Field<Record>> {
    fn score(score: &Result<i32, f64>) -> Float {
        score.map_or_else(Float::from, Float::from)
    }
    let made_at_run_time = vec![10, 20];
    let mut fields = vec![
        Field::text("text", |r: &Record| r.text.clone().into()),
        Field::integer("integer", |r: &Record| r.integer.into()),
        Field::float("float", |r: &Record| r.float.into()),
        Field::float("score", |r: &Record| r.score.as_ref().map(score).into()),
        Field::boolean("boolean", |r: &Record| r.boolean.into()),
    ];
    fields.extend(made_at_run_time.into_iter().map(|n| {
        Field::capturing(format!("integer + {n}"), move |r: &Record| {
            Integer::from(r.integer.and_then(|i| i.checked_add(n)))
        })
    }));
    fields
}

fn parquet(records: &[Record], group_bytes: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let fields = fields();
    let mut encoder = Box::new(ParquetEncoder::temporary(&headings(&fields), Box::new(&mut file)));
    encoder.group_bytes = group_bytes;
    let mut output = Output { fields, values: Vec::new(), encoder };
    for record in records {
        output.write(record).unwrap();
        output.flush().unwrap();
    }
    output.finish().unwrap();
    file
}

fn text(records: &[Record], format: OutputFormat) -> String {
    let mut text = Vec::new();
    let mut output = Output::new(format, fields(), &mut text).unwrap();
    records.iter().for_each(|record| output.write(record).unwrap());
    output.finish().unwrap();
    String::from_utf8(text).unwrap()
}

fn open(bytes: &[u8]) -> Result<SerializedFileReader<File>, ParquetError> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    SerializedFileReader::new(file)
}

fn read(file: &[u8]) -> Vec<Vec<(String, Read)>> {
    open(file).unwrap().get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns()).collect()
}

/// Returns whether a value that was read equals a JSON value. The JSON parser may differ in the
/// last bits.
fn is_json(read: &Read, json: &Json) -> bool {
    match (read, json) {
        (Read::Null, Json::Null) => true,
        (Read::Str(read), Json::String(json)) => read == json,
        (Read::Bool(read), Json::Bool(json)) => read == json,
        (&Read::Long(read), json) => json.as_i64() == Some(read),
        (&Read::Double(read), json) => json.as_f64().is_some_and(|json| json.to_bits().abs_diff(read.to_bits()) <= 2),
        _ => false,
    }
}

/// Returns whether a value that was read equals a CSV field. In CSV, null and the empty string are
/// the same.
fn is_csv(read: &Read, csv: &str) -> bool {
    match read {
        Read::Null => csv.is_empty(),
        Read::Str(read) => read == csv,
        Read::Bool(read) => csv == read.to_string(),
        Read::Long(read) => csv == read.to_string(),
        Read::Double(read) => csv.parse() == Ok(*read),
        _ => false,
    }
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let float = || any::<f64>().prop_filter("JSON has only finite numbers", |float| float.is_finite());
    let score = prop_oneof![any::<i32>().prop_map(Ok), float().prop_map(Err)];
    let text = "[ -~\\n\"é字]{0,12}";
    let record =
        (any::<Option<i64>>(), proptest::option::of(float()), proptest::option::of(score), any::<Option<bool>>());
    let record = (proptest::option::of(text), record).prop_map(|(text, (integer, float, score, boolean))| Record {
        text,
        integer,
        float,
        score,
        boolean,
    });
    proptest::collection::vec(record, 0..40)
}

proptest! {
    #[test]
    fn parquet_matches_csv_and_json(records in records(), group_bytes in 1_usize..4000) {
        let rows = read(&parquet(&records, group_bytes));
        prop_assert_eq!(rows.len(), records.len());
        let names: Vec<_> = fields().iter().map(|field| field.heading.name.clone()).collect();
        for (row, line) in rows.iter().zip(text(&records, OutputFormat::Jsonl).lines()) {
            let json: Json = serde_json::from_str(line).unwrap();
            prop_assert_eq!(row.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), &*names);
            prop_assert!(row.iter().all(|(name, read)| is_json(read, &json[name])), "{:?} {}", row, line);
        }
        let csv = text(&records, OutputFormat::Csv);
        let mut csv = csv::Reader::from_reader(csv.as_bytes());
        for (row, line) in rows.iter().zip(csv.records()) {
            let line = line.unwrap();
            prop_assert!(row.iter().zip(&line).all(|((_, read), csv)| is_csv(read, csv)), "{:?} {:?}", row, line);
        }
    }
}

fn numbered(count: i64) -> Vec<Record> {
    let record = |n: i64| Record {
        text: Some(format!("record {}", n % 7)),
        integer: Some(n),
        float: None,
        score: Some(Ok(1)),
        boolean: Some(n % 2 == 0),
    };
    (0..count).map(record).collect()
}

#[test]
fn groups_are_bounded_and_independent_of_flushes() {
    let records = numbered(1000);
    let bytes: usize =
        records.iter().map(|r| r.text.as_ref().map_or(0, String::len) + TEXT_BYTES + 4 * 8 + 1 + 7 * 2).sum();
    let file = parquet(&records, bytes / 10 + 1);
    let reader = open(&file).unwrap();
    let rows: Vec<_> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows.len(), 10, "{rows:?}");
    assert!(rows[..9].iter().all(|rows| (100..=102).contains(rows)), "{rows:?}");
    assert_eq!(file, parquet(&records, bytes / 10 + 1), "the bytes are always the same");
    assert_eq!(open(&parquet(&records, usize::MAX)).unwrap().num_row_groups(), 1);
    assert_eq!(open(&parquet(&[], 1)).unwrap().num_row_groups(), 0);
}

#[test]
fn groups_have_a_bounded_number_of_rows() {
    let fields = vec![Field::<u64>::integer("n", |&n| n.into()).about("A number")];
    let mut file = Vec::new();
    let mut output = Output::new(OutputFormat::Parquet, fields, &mut file).unwrap();
    (0..GROUP_ROWS as u64 + 5).for_each(|n| output.write(&n).unwrap());
    output.finish().unwrap();
    let reader = open(&file).unwrap();
    let rows: Vec<_> = reader.metadata().row_groups().iter().map(|group| group.num_rows() as usize).collect();
    assert_eq!(rows, [GROUP_ROWS, 5]);
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let columns = metadata.iter().find(|entry| entry.key == COLUMNS_KEY).and_then(|entry| entry.value.as_deref());
    assert_eq!(columns, Some(r#"{"n":"A number"}"#));
}

#[test]
fn columns_of_all_types_have_bounds() {
    let reader = open(&parquet(&numbered(10), usize::MAX)).unwrap();
    let group = reader.metadata().row_group(0);
    for column in group.columns().iter().filter(|column| column.column_path().string() != "float") {
        let statistics = column.statistics().unwrap();
        assert!(statistics.min_bytes_opt().is_some() && statistics.max_bytes_opt().is_some(), "{statistics:?}");
    }
}

#[test]
fn an_unfinished_file_is_unreadable() {
    let file = parquet(&numbered(100), 1000);
    for end in [0, 4, file.len() / 2, file.len() - 1] {
        assert!(open(&file[..end]).is_err(), "{end}");
    }
}

/// Returns the types and values of a column of values.
fn column(kind: FieldType, values: &[&str]) -> Vec<Read> {
    let field = Field::of_type("x", kind, |text: &&str| Value::of_text(text)).only_if(false);
    let number = Field::<&str>::integer("n", |_| 1.into());
    let mut file = Vec::new();
    let mut output = Output::new(OutputFormat::Parquet, vec![field, number], &mut file).unwrap();
    values.iter().for_each(|text| output.write(text).unwrap());
    output.finish().unwrap();
    read(&file).into_iter().filter_map(|row| row.into_iter().find(|(name, _)| name == "x")).map(|(_, x)| x).collect()
}

#[test]
fn a_column_has_the_type_of_all_its_values() {
    let text = |text: &str| Read::Str(text.to_owned());
    for kind in [FieldType::Any, FieldType::Integer] {
        assert_eq!(column(kind, &["7", "", "-8"]), [Read::Long(7), Read::Null, Read::Long(-8)]);
        assert_eq!(column(kind, &["7", "2.50"]), [Read::Double(7.0), Read::Double(2.5)]);
        assert_eq!(column(kind, &["7", "x", "true"]), ["7", "x", "true"].map(text));
        // Too large for integers.
        assert_eq!(column(kind, &["1", "9223372036854775808"]), ["1", "9223372036854775808"].map(text));
    }
    assert_eq!(column(FieldType::Any, &["true", "false"]), [Read::Bool(true), Read::Bool(false)]);
    assert_eq!(column(FieldType::Any, &["1970-01-03"]), [Read::Date(2)]);
    assert_eq!(column(FieldType::Text, &["1", "2"]), ["1", "2"].map(text));
    assert!(column(FieldType::Any, &["", ""]).is_empty(), "a field without values");
}

#[test]
fn keeps_nan_infinity_and_negative_zero() {
    let fields = vec![Field::<f64>::float("x", |&x| x.into())];
    let mut file = Vec::new();
    let mut output = Output::new(OutputFormat::Parquet, fields, &mut file).unwrap();
    [f64::INFINITY, f64::NAN, -0.0].iter().for_each(|x| output.write(x).unwrap());
    output.finish().unwrap();
    let read: Vec<_> = read(&file).into_iter().map(|row| row[0].1.clone()).collect();
    assert!(matches!(
        read[..],
        [Read::Double(f64::INFINITY), Read::Double(x), Read::Double(y)] if x.is_nan() && y.is_sign_negative()
    ));
}

/// A pipe whose reader is gone.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn reports_a_closed_pipe_as_such() {
    let mut output = Output::new(OutputFormat::Parquet, fields(), Closed).unwrap();
    output.write(&numbered(1)[0]).unwrap();
    assert_eq!(output.finish().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
