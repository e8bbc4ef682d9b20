//! Tests of Parquet files.

use super::*;
use crate::output::{Field, FieldType, Output, OutputFormat};

fn text(number: u64) -> Option<&'static str> {
    match number {
        3 => Some("b9"),
        4 => None,
        number if number.is_multiple_of(2) => Some("-----OX--XO----- O"),
        _ => Some(START),
    }
}

/// Returns a file with one position per row. The position in row 3 is invalid, and the position in
/// row 4 is missing.
pub(super) fn file(rows: u64) -> Vec<u8> {
    let fields = vec![
        Field::<u64>::integer("id", |&number| number.into()),
        Field::<u64>::text("position", |&number| text(number).into()),
        Field::<u64>::float("weight", |&number| (number as f64 / 4.0).into()),
        Field::<u64>::boolean("is_even", |&number| (number % 3 > 0).then_some(number % 2 == 0).into()),
        Field::of_type("day", FieldType::Date, |number: &u64| Value::Text(format!("2024-02-{:02}", number % 29 + 1))),
    ];
    let mut bytes = Vec::new();
    let mut output = Output::new(OutputFormat::Parquet, fields, &mut bytes).unwrap();
    (1..=rows).for_each(|number| output.write(&number).unwrap());
    output.finish().unwrap();
    bytes
}

#[test]
fn rows_of_parquet_are_records() {
    let (records, columns) = read_with::<Othello4>(&file(3000), &InputFormat::default());
    assert_eq!(columns.names(), ["id", "weight", "is_even", "day"]);
    let kinds: Vec<_> = columns.as_slice().iter().map(|column| column.kind).collect();
    assert_eq!(kinds, [FieldType::Integer, FieldType::Float, FieldType::Boolean, FieldType::Date]);
    assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), (1..=3000).collect::<Vec<_>>());
    let problem = |row: usize| said(&records[row - 1]).1.unwrap_err();
    let (line, column, text) = problem(3);
    assert!((line, column) == (3, 2) && text.starts_with("expected 16 squares"), "{column} {text}");
    assert_eq!(problem(4), (4, 1, "no text in column `position`".to_owned()));
    assert!(records.iter().enumerate().all(|(at, record)| record.content.is_ok() || [2, 3].contains(&at)));
    let last = [Value::Integer(3000), Value::Float(750.0), Value::Null, Value::Text("2024-02-14".to_owned())];
    assert_eq!(records[2999].extra.to_vec(), last);
    assert_eq!(records[1].extra[2], Value::Bool(true));
    assert_eq!(read_with::<Othello4>(&file(0), &InputFormat::default()).0.len(), 0);
}

#[test]
fn parquet_is_read_from_memory_too() {
    let bytes = file(10);
    let of_file: Vec<_> = read(&bytes);
    let input = Input::Bytes("a.parquet".to_owned(), bytes.into());
    let reader = Reader::of(any_game::<Othello4>(), input).unwrap();
    assert_eq!(reader.map(|record| said(&record.unwrap())).collect::<Vec<_>>(), of_file);
}

#[test]
fn a_truncated_file_is_an_error() {
    let bytes = file(100);
    for end in [4, 11, bytes.len() / 2, bytes.len() - 1] {
        let error = refused::<Othello4>(&bytes[..end], &InputFormat::default());
        assert!(error.starts_with("not a valid Parquet file: "), "{error}");
    }
    let error = refused::<Othello4>(&bytes, &InputFormat::default().column("board".to_owned()));
    assert_eq!(error, "no column `board`; the columns are: id, position, weight, is_even, day");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_parquet_yields_errors_without_panics(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        rows in 1_u64..40,
    ) {
        let mut bytes = file(rows);
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        check::<Othello4>(&Input::File(file.path().to_owned()));
    }
}
