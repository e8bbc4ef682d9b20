//! What is read from files of every kind.

use std::fs;
use std::io::Write as _;

use proptest::prelude::*;

use super::*;
use crate::game::{Held, Playable};
use crate::output::Value;
use crate::{morris, othello};

type Othello4 = othello::Position<4>;
type Nine = morris::Position<morris::NineMensMorris>;

const START: &str = "-----OX--XO----- X";

/// What a record says: its line, then the text of its position or of the moves of its game, or the place of what is wrong.
type Said = (u64, Result<String, (u64, usize, String)>);

fn read_with<P: Playable>(bytes: &[u8], form: &Form<P>) -> (Vec<Record<P>>, Columns) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let reader = Reader::open(vec![Input::File(file.path().to_owned())], form).unwrap();
    let columns = reader.columns().clone();
    let records: Vec<_> = reader.map(Result::unwrap).collect();
    assert!(records.iter().map(|record| record.bytes_read).is_sorted());
    assert!(records.iter().map(|record| record.line).is_sorted());
    assert!(records.last().is_none_or(|last| last.bytes_read <= bytes.len() as u64));
    assert!(records.iter().all(|record| record.beside.len() == columns.names().len()));
    (records, columns)
}

fn said<P: Playable>(record: &Record<P>) -> Said {
    let held = match &record.held {
        Ok(Held::Position(entry)) => Ok(entry.position.to_string()),
        Ok(Held::Games(games)) => {
            Ok(games.iter().map(|game| P::write_moves(&game.game)).collect::<Vec<_>>().join(" | "))
        }
        Err(error) => Err((error.line, error.column, error.to_string())),
    };
    (record.line, held)
}

fn read(bytes: &[u8]) -> Vec<Said> {
    read_with::<Othello4>(bytes, &Form::default()).0.iter().map(said).collect()
}

fn good(line: u64, text: &str) -> Said {
    (line, Ok(text.to_owned()))
}

fn cell(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn places(said: &[Said]) -> Vec<(u64, Option<(u64, usize)>)> {
    said.iter().map(|(line, held)| (*line, held.as_ref().err().map(|&(line, column, _)| (line, column)))).collect()
}

#[test]
fn blanks_and_comments_are_skipped_but_counted() {
    let expected = [good(2, START), good(5, "b1")];
    for end in ["\n", "\r\n"] {
        let text = ["% a", &format!("  {START}; # said"), "", " \t", "b1"].join(end);
        assert_eq!(read(text.as_bytes()), expected);
        assert_eq!(read(format!("\u{feff}{text}{end}").as_bytes()), expected);
    }
    assert_eq!(read(b""), []);
    assert_eq!(read(b"# no more\n\n"), []);
}

#[test]
fn reading_goes_on_behind_lines_that_are_no_text() {
    let bytes = [START.as_bytes(), b"\n  ab\xff\n\xe9 % comment\nb1 % caf\xe9\n"].concat();
    assert_eq!(places(&read(&bytes)), [(1, None), (2, Some((2, 5))), (3, Some((3, 1))), (4, None)]);
    let mut bytes = vec![b'x'; MAX_RECORD_BYTES];
    bytes.extend(b"\r\n");
    bytes.extend(vec![b'y'; 5 * MAX_RECORD_BYTES]);
    bytes.extend(b"\nb1 % ");
    bytes.extend(vec![b'y'; 5 * MAX_RECORD_BYTES]);
    let said = read(&bytes);
    assert_eq!(places(&said), [(1, Some((1, 18))), (2, Some((2, 1))), (3, None)]);
    assert!(matches!(&said[1].1, Err((_, _, text)) if text.contains("longer than")));
}

#[test]
fn what_is_compressed_reads_as_what_is_not() {
    let text = format!("{START}\nb1a1\nnone\n").repeat(1000);
    let plain = read(text.as_bytes());
    assert_eq!(plain.len(), 3000);
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    assert_eq!(read(&gzip(&text)), plain);
    assert_eq!(read(&zstd(&text)), plain);
    // Several streams one after the other are one file, as their tools have it.
    let (first, second) = text.split_at(text.len() / 3);
    assert_eq!(read(&[gzip(first), gzip(second)].concat()), plain);
    assert_eq!(read(&[zstd(first), zstd(second)].concat()), plain);
    assert_eq!(read(&gzip("")), []);
}

#[test]
fn a_broken_compression_is_an_error_after_what_was_read() {
    let text = format!("{START}\n").repeat(100_000);
    let mut bytes = zstd::encode_all(text.as_bytes(), 1).unwrap();
    bytes.truncate(bytes.len() / 2);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    let reader = Reader::<Othello4>::open(vec![Input::File(file.path().to_owned())], &Form::default());
    let last = reader.unwrap().last().unwrap();
    assert!(last.unwrap_err().to_string().starts_with("cannot read `"));
}

#[test]
fn what_stands_beside_is_passed_on() {
    let csv = format!("id,Position,remark\n7,{START},\"two\nlines, \"\"a\"\"\"\n8,b1,\n\n9,,x\n10,{START},a,b\n");
    let (records, columns) = read_with::<Othello4>(csv.as_bytes(), &Form::default());
    assert_eq!(columns.names(), ["id", "remark"]);
    let said: Vec<_> = records.iter().map(said).collect();
    assert_eq!(said[..2], [good(2, START), good(4, "b1")]);
    assert_eq!(places(&said[2..]), [(6, Some((6, 1))), (7, Some((7, 1)))]);
    assert_eq!(*records[0].beside, [cell("7"), cell("two\nlines, \"a\"")]);
    assert_eq!(*records[1].beside, [cell("8"), Value::Null]);
    assert_eq!(*records[2].beside, [cell("9"), cell("x")]);
    for delimiter in [";", "\t"] {
        let text = ["id", "transcript"].join(delimiter) + "\n" + &["1", "b1a1"].join(delimiter);
        let (records, columns) = read_with::<Othello4>(text.as_bytes(), &Form::default());
        assert_eq!((said_of(&records), columns.names()), (vec![good(2, "b1a1")], &["id".to_owned()][..]));
    }
}

fn said_of<P: Playable>(records: &[Record<P>]) -> Vec<Said> {
    records.iter().map(said).collect()
}

#[test]
fn keys_of_json_lines_are_passed_on() {
    let text = format!(
        "{{\"id\":7,\"position\":\"{START}\",\"w\":0.5}}\n{{\"position\":\"b1\",\"id\":[1],\"new\":true}}\n{{\n\n{{\"id\":1}}\n[]\n"
    );
    let (records, columns) = read_with::<Othello4>(text.as_bytes(), &Form::default());
    assert_eq!(columns.names(), ["id", "w", "more"]);
    assert_eq!(said_of(&records)[..2], [good(1, START), good(2, "b1")]);
    assert_eq!(places(&said_of(&records)[2..]), [(3, Some((3, 1))), (5, Some((5, 1))), (6, Some((6, 1)))]);
    assert_eq!(*records[0].beside, [Value::Integer(7), Value::Float(0.5), Value::Null]);
    assert_eq!(*records[1].beside, [cell("[1]"), Value::Null, cell("{\"new\":true}")]);
}

#[test]
fn columns_of_several_inputs_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        Input::File(path)
    };
    let inputs = vec![
        file("a.csv", format!("id,position\n1,{START}\n")),
        file("b.obf", format!("{START};\n")),
        file("c.csv", format!("position,note,id\n{START},x,3\n")),
    ];
    let reader = Reader::<Othello4>::open(inputs, &Form::default()).unwrap();
    assert_eq!(reader.columns().names(), ["id", "note"]);
    let beside: Vec<_> = reader.map(|record| record.unwrap().beside.to_vec()).collect();
    let (one, three, x) = (cell("1"), cell("3"), cell("x"));
    assert_eq!(beside, [[one, Value::Null], [Value::Null, Value::Null], [three, x]]);
}

#[test]
fn a_column_is_asked_for_or_found_by_its_name() {
    let text = format!("id,what\n1,{START}\n");
    let (records, columns) = read_with::<Othello4>(text.as_bytes(), &Form::default().column("what".into()));
    assert_eq!((said_of(&records), columns.names()), (vec![good(2, START)], &["id".to_owned()][..]));
    // Without the name it is no CSV that can be told from lines; asked to be CSV, it lacks the column.
    assert_eq!(places(&read(text.as_bytes()))[0], (1, Some((1, 8))));
    let open = |form: Form<Othello4>| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let error = Reader::open(vec![Input::File(file.path().to_owned())], &form).err().unwrap();
        error.source.to_string()
    };
    assert!(open(Form::default().named("csv").unwrap()).contains("the columns id, what; say which"));
    assert!(open(Form::default().column("that".into())).contains("none is named `that`"));
    let error = Form::<Othello4>::default().named("pgn").err().unwrap().to_string();
    assert!(error.contains("no format `pgn`; it has\n  ggf: "), "{error}");
}

#[test]
fn games_may_go_on_in_further_lines() {
    let text = "1 (;GM[Othello]PB[a # b]\n  BO[4 -----O*--*O----- *]\nB[b1]W[a1]\n;)\nb1\n(;BO[4 -----O*--*O----- *]\nB[b1]W[b1];)\n";
    let said = read(text.as_bytes());
    assert_eq!(said[..2], [good(1, "b1a1"), good(5, "b1")]);
    assert_eq!(places(&said[2..]), [(6, Some((7, 8)))]);
    let two = "2 (;BO[4 -----O*--*O----- *]B[b1];)(;BO[4 -----O*--*O----- *]B[d3];)";
    assert_eq!(read(two.as_bytes()), [good(1, "b1 | d3")]);
}

#[test]
fn a_format_that_is_asked_for_reads_every_line() {
    let form = || Form::<Othello4>::default().named("board").unwrap();
    let said = said_of(&read_with(format!("{START}\nb1\n{START};\n").as_bytes(), &form()).0);
    assert_eq!(places(&said), [(1, None), (2, Some((2, 3))), (3, Some((3, 19)))]);
    let said = said_of(&read_with::<Nine>(b"9,9 - - W\n0,0 a7 b2 B\n", &Form::default()).0);
    assert_eq!(said[0], good(1, "9,9 - - W"));
}

#[test]
fn the_input_that_cannot_be_read_is_named() {
    let inputs = vec![Input::File("/no/such/file".into()), Input::File("/none".into())];
    let error = Reader::<Othello4>::open(inputs, &Form::default()).err().unwrap();
    assert_eq!(error.to_string(), "cannot read `/no/such/file`");
}

proptest! {
    #[test]
    fn garbage_is_bad_records_and_no_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        head in prop::sample::select(vec!["", "id,position\n", "{\"position\":1}\n", "(;", "\u{14}\u{14}", "[Event \"x\"]\n", "\u{1f}\u{8b}"]),
    ) {
        let bytes = [head.as_bytes(), &bytes].concat();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let input = Input::File(file.path().to_owned());
        check::<othello::Position>(&input);
        check::<Nine>(&input);
    }
}

fn check<P: Playable>(input: &Input) {
    let Ok(reader) = Reader::<P>::open(vec![input.clone()], &Form::default()) else { return };
    for record in reader.map_while(Result::ok) {
        if let Err(error) = record.held {
            assert!(error.column >= 1 && error.line >= record.line);
        }
    }
}
