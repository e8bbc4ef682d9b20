//! Tests of tables: columns with positions or games, and copied columns.

use super::*;

#[test]
fn sides_may_be_in_a_column_of_their_own() {
    let csv = "board,Turn\n-----OX--XO-----,white\n-----OX--XO-----,X\n-----OX--XO-----,?\n";
    let records = read(csv.as_bytes());
    assert_eq!(records[..2], [good(2, "-----OX--XO----- O"), good(3, START)]);
    assert!(records[2].1.is_err());
    let json = "{\"position\":\"-----OX--XO-----\",\"side\":\"Black\"}";
    assert_eq!(read(json.as_bytes()), [good(1, START)]);
}

#[test]
fn an_empty_cell_leaves_the_row_to_another_column() {
    let csv = format!("transcript,board\n,{START}\nb1,\nb1a1,{START}\n,\n");
    assert_eq!(read(csv.as_bytes()), [good(2, START), good(3, "b1"), good(4, "b1a1"), good(5, "")]);
    let csv = format!("position,moves\n,b1\n{START},\n,\n");
    let records = read(csv.as_bytes());
    assert_eq!(records[..2], [good(2, "b1"), good(3, START)]);
    assert!(records[2].1.is_err());
    let json = format!("{{\"moves\":\"\",\"board\":\"{START}\"}}");
    assert_eq!(read(json.as_bytes()), [good(1, START)]);
}

fn cell(text: &str) -> Value {
    Value::of_text(text)
}

#[test]
fn errors_in_columns_have_their_place_in_the_line() {
    let place = |text: &str| match read(text.as_bytes()).pop().unwrap().1 {
        Err((line, column, _)) => (line, column),
        Ok(text) => panic!("no error: {text}"),
    };
    assert_eq!(place("id,moves,n\né1,a2zz,3\n"), (2, 6));
    assert_eq!(place("id,moves\n\"a,b\", a2zz\n"), (2, 10));
    assert_eq!(place("{\"id\": 1, \"moves\": \"a2zz\"}\n"), (1, 23));
    assert_eq!(place("{\"moves\": [\"a2\", \"zz\"], \"id\": 1}\n"), (1, 19));
    assert_eq!(place("{\n  \"id\": 1,\n  \"moves\": \"a2zz\"\n}\n"), (3, 15));
}

#[test]
fn passes_other_columns_through() {
    let csv = format!("id,Position,remark\n7,{START},\"two\nlines, \"\"a\"\"\"\n8,b1,\n\n9,,x\n10,{START},a,b\n");
    let (records, columns) = read_with::<Othello4>(csv.as_bytes(), &InputFormat::default());
    assert_eq!(columns.names(), ["id", "remark"]);
    let said: Vec<_> = records.iter().map(said).collect();
    assert_eq!(said[..2], [good(2, START), good(4, "b1")]);
    assert_eq!(places(&said[2..]), [(6, Some((6, 1))), (7, Some((7, 1)))]);
    assert_eq!(*records[0].extra, [cell("7"), cell("two\nlines, \"a\"")]);
    assert_eq!(*records[1].extra, [cell("8"), Value::Null]);
    assert_eq!(*records[2].extra, [cell("9"), cell("x")]);
    for delimiter in [";", "\t"] {
        let text = ["id", "transcript"].join(delimiter) + "\n" + &["1", "b1a1"].join(delimiter);
        let (records, columns) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        assert_eq!((said_of(&records), columns.names()), (vec![good(2, "b1a1")], vec!["id"]));
    }
}

#[test]
fn columns_of_csv_have_the_type_of_their_values() {
    let rows = "7,0.50,true,2001-01-01,007,3\n-8,2,false,2001-12-31,8,x\n,,,,,\n9,1.5,true,2002-01-01,9,4\n";
    let text = format!("elo,share,won,day,id,mixed,position\n{}", rows.replace('\n', &format!(",{START}\n")));
    let (records, columns) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    let kinds: Vec<_> = columns.as_slice().iter().map(|column| column.kind).collect();
    use crate::output::FieldType::{Boolean, Date, Float, Integer, Text};
    assert_eq!(kinds, [Integer, Float, Boolean, Date, Text, Text]);
    let text = |text: &str| Value::Text(text.to_owned());
    let first = [Value::Integer(7), Value::Json("0.50".to_owned()), Value::Bool(true)];
    assert_eq!(*records[0].extra, [&first[..], &["2001-01-01", "007", "3"].map(text)].concat());
    assert!(records[2].extra.iter().all(|value| *value == Value::Null));
    // A later value of another type becomes text.
    let late = format!("elo,position\n{}unrated,{START}\n", format!("1500,{START}\n").repeat(4000));
    let (records, _) = read_with::<Othello4>(late.as_bytes(), &InputFormat::default());
    assert_eq!(*records[3999].extra, [Value::Integer(1500)]);
    assert_eq!(*records[4000].extra, [text("unrated")]);
}

#[test]
fn separates_columns_of_several_inputs() {
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
    let reader = Reader::open(any_game::<Othello4>(), inputs, &InputFormat::default()).unwrap();
    assert_eq!(reader.columns().names(), ["id", "note"]);
    let extra: Vec<_> = reader.map(|record| record.unwrap().extra.to_vec()).collect();
    let (one, three, x) = (cell("1"), cell("3"), cell("x"));
    assert_eq!(extra, [[one, Value::Null], [Value::Null, Value::Null], [three, x]]);
}

#[test]
fn selects_a_column_by_option_or_by_name() {
    let text = format!("id,what\n{START},{START}\n");
    let (records, columns) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default().column("what".into()));
    assert_eq!((said_of(&records), columns.names()), (vec![good(2, START)], vec!["id"]));
    // Without the option, either column is possible.
    let open = |form: InputFormat| refused::<Othello4>(text.as_bytes(), &form);
    assert!(open(InputFormat::default()).contains("the columns are: id, what"));
    assert!(
        open(InputFormat::default().named(any_game::<Othello4>(), "csv").unwrap())
            .contains("the columns are: id, what")
    );
    assert!(open(InputFormat::default().column("that".into())).contains("no column `that`; the columns are: id, what"));
    let error = InputFormat::default().named(any_game::<Othello4>(), "kif").err().unwrap().to_string();
    assert!(error.contains("unknown format `kif`; the formats of othello-4x4 are:\n  "), "{error}");
    assert!(error.contains("\n  ggf: ") && error.contains("\n  csv: "), "{error}");
}

#[test]
fn loses_no_csv_row() {
    let head = "a,position\n";
    // A quote within an unquoted field is ordinary text.
    let text = format!("{head}5\"\",{START}\n5\",b1\n\"6\"\"\",b1\n");
    let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    assert_eq!(said_of(&records), [good(2, START), good(3, "b1"), good(4, "b1")]);
    assert_eq!(records.iter().map(|record| record.extra[0].to_string()).collect::<Vec<_>>(), ["5\"\"", "5\"", "6\""]);
    // A carriage return ends a row; text after it is an error.
    let said = read(format!("{head}1,b1\r2,b1\n3,b1\r\n\"4\n5\"\r6,b1\n7,b1").as_bytes());
    assert_eq!(places(&said), [(2, Some((2, 5))), (3, None), (4, Some((5, 3))), (6, None)]);
    assert!(refused::<Othello4>(b"a,position\r1,b1\r\n", &InputFormat::default()).contains("line feed"));
    // In a file without line feeds, a carriage return ends every line.
    assert_eq!(read(b"a,position\r1,b1\r2,b1"), [good(2, "b1"), good(3, "b1")]);
    assert_eq!(read(b"# a\rb1\r\r(x\r"), read(b"# a\nb1\n\n(x\n"));
    // An unclosed quote does not affect other rows.
    let rows: String = (0..10_000).map(|row| format!("{row},b1\n")).collect();
    let (last, read_all) = (format!("{head}1,\"b1\n2,b1\n3,b1"), read(format!("{head}\"1,b1\n{rows}").as_bytes()));
    let said = read(last.as_bytes());
    assert_eq!(places(&said), [(2, Some((2, 3))), (3, None), (4, None)]);
    assert!(said[0].1.as_ref().unwrap_err().2.contains("close it"));
    assert_eq!((read_all.len(), places(&read_all[..2])), (10_001, vec![(2, Some((2, 1))), (3, None)]));
    // A field of many lines takes linear time.
    let long = format!("{head}\"{}\",b1\n2,b1\n", "\n".repeat(60_000));
    assert_eq!(read(long.as_bytes()), [good(2, "b1"), good(60_003, "b1")]);
}

#[test]
fn line_breaks_in_quotes_are_kept() {
    for text in ["a\r\nb", "a\nb", "a\r\n\nb\n\r\n", "\r\n"] {
        let file = format!("a,position\r\n\"{text}\",b1\r\n2,b1\n\"{text}\",b1");
        let (records, _) = read_with::<Othello4>(file.as_bytes(), &InputFormat::default());
        let extra: Vec<_> = records.iter().map(|record| record.extra[0].to_string()).collect();
        assert_eq!(extra, [text, "2", text]);
    }
}

#[test]
fn makes_duplicate_column_names_unique() {
    let (records, columns) = read_with::<Othello4>(b"id,id,position,position\n1,2,b1,a1", &InputFormat::default());
    assert_eq!(columns.names(), ["id", "id_2", "position_2"]);
    assert_eq!(*records[0].extra, ["1", "2", "a1"].map(cell));
}

#[test]
fn accepts_comments_before_a_table() {
    let comments = "# made by hand\n\n  % twice\n";
    assert_eq!(read(format!("{comments}id,position\n1,b1\n").as_bytes()), [good(5, "b1")]);
    assert_eq!(read(format!("{comments}{{\"position\":\"b1\"}}\n").as_bytes()), [good(4, "b1")]);
    let many = "# no end of remarks\n".repeat(20_000);
    assert_eq!(read(format!("{many}id,position\n1,b1\n").as_bytes()), [good(20_002, "b1")]);
    assert_eq!(read(b"\xef\xbb\xbf# made by hand\nid,position\n1,b1\n"), [good(3, "b1")]);
    assert_eq!(read(b"; made by hand\nid,position\n1,b1\n"), [good(3, "b1")]);
}

#[test]
fn a_semicolon_may_begin_a_header() {
    // The index column of data frames has no name.
    for text in ["# a\n;position;id\n0;b1;x\n;b1;\n", "\u{feff}; a\n;position;id\r\n0;b1;x\r\n;b1;\r\n"] {
        let (records, columns) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        assert_eq!(said_of(&records), [good(3, "b1"), good(4, "b1")], "{text}");
        assert_eq!(columns.names(), ["", "id"]);
        assert_eq!(*records[0].extra, ["0", "x"].map(cell));
    }
    let format = InputFormat::default().column("game".into());
    assert_eq!(said_of(&read_with::<Othello4>(b";game\n0;b1\n", &format).0), [good(2, "b1")]);
}

#[test]
fn detects_the_record_column_from_the_first_row() {
    let (records, columns) = read_with::<Othello4>(format!("id;what\n1;{START}\n").as_bytes(), &InputFormat::default());
    assert_eq!((said_of(&records), columns.names()), (vec![good(2, START)], vec!["id"]));
    let error = refused::<Othello4>(b"file,game,black_points\na,1,2\n", &InputFormat::default());
    assert!(error.contains("the columns are: file, game, black_points"), "{error}");
    // The row also shows whether the column contains games.
    let holds_games = |text: &str, form: InputFormat| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let inputs = vec![Input::File(file.path().to_owned())];
        Reader::open(any_game::<Othello4>(), inputs, &form).unwrap().is_of_games()
    };
    let what = || InputFormat::default().column("what".into());
    assert!(holds_games("id;what\n1;b1\n", InputFormat::default()) && holds_games("id;what\n1;b1\n", what()));
    assert!(
        holds_games("{\"what\":[\"b1\"]}\n", what()) && !holds_games(&format!("{{\"what\":\"{START}\"}}\n"), what())
    );
    assert!(!holds_games(&format!("id;what\n1;{START}\n"), InputFormat::default()));
    // Lines are not a table, even if the first one is invalid.
    assert_eq!(places(&read(b"b1,a2,b1\nb1,a1\n")), [(1, Some((1, 4))), (2, None)]);
}

#[test]
fn reads_an_empty_cell_as_a_game_without_moves() {
    let (records, _) = read_with::<Othello4>(b"id,transcript\n1,\n2\n", &InputFormat::default());
    assert_eq!((&said_of(&records)[0], places(&said_of(&records))), (&good(2, ""), vec![(2, None), (3, Some((3, 1)))]));
}
