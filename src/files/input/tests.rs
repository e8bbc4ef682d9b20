//! Tests of reading all kinds of files.

use std::fs;
use std::io::Write as _;

use morello_core::game::{ParsedRecord, Playable, any_game};
use morello_core::{morris, othello};
use proptest::prelude::*;

use super::*;
use crate::output::Value;

type Othello4 = othello::SizedPosition<4>;
type Nine = morris::Position<morris::NineMensMorris>;

const START: &str = "-----OX--XO----- X";

/// A short form of a record: its line, then the text of its position or the moves of its game, or
/// the location of the error.
type ReadOutcome = (u64, Result<String, (u64, usize, String)>);

fn read_with<P: Playable>(bytes: &[u8], form: &InputFormat) -> (Vec<Record>, Columns) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let reader = Reader::open(any_game::<P>(), vec![Input::File(file.path().to_owned())], form).unwrap();
    let columns = reader.columns().clone();
    let records: Vec<_> = reader.map(Result::unwrap).collect();
    assert!(records.iter().map(|record| record.bytes_read).is_sorted());
    assert!(records.iter().map(|record| record.line).is_sorted());
    assert!(records.last().is_none_or(|last| last.bytes_read <= bytes.len() as u64));
    assert!(records.iter().all(|record| record.extra.len() == columns.names().len()));
    (records, columns)
}

fn said(record: &Record) -> ReadOutcome {
    let content = match &record.content {
        Ok(ParsedRecord::Position(entry)) => Ok(entry.position.to_string()),
        Ok(ParsedRecord::Games(games)) => Ok(games
            .iter()
            .map(|game| game.game.start().game().write_moves(&game.game))
            .collect::<Vec<_>>()
            .join(" | ")),
        Err(error) => Err((error.line, error.column, error.to_string())),
    };
    (record.line, content)
}

fn read(bytes: &[u8]) -> Vec<ReadOutcome> {
    read_with::<Othello4>(bytes, &InputFormat::default()).0.iter().map(said).collect()
}

/// Returns the parts of the text of each record that were left out, with their places.
fn left_out(text: &str) -> Vec<String> {
    let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    let note = |record: &Record| match &record.content {
        Ok(content) => unread_note(0, content.unread()).unwrap_or_default(),
        Err(_) => "error".to_owned(),
    };
    records.iter().map(note).collect()
}

#[test]
fn headings_are_labels_or_left_out() {
    let names = |text: &str| {
        let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        let games = records.into_iter().flat_map(|record| record.into_games().unwrap());
        games.map(|game| game.tags.names.map(Option::unwrap_or_default).join("/")).collect::<Vec<_>>()
    };
    let text = "Anna - Maria 6-10\n\nc4d2\nPartie 2\n12.05.2024\nBlack: Bob\nWhite: Eva\nc4\nb1\n";
    assert_eq!(names(text), ["Anna/Maria", "Bob/Eva", "/"]);
    assert_eq!(left_out(text), ["", "", ""]);
    assert_eq!(
        left_out(&format!("My games, spring 2024\n\nb1\nEndgames:\n{START}\n(;GM[Othello]")),
        ["line 1, column 1: left out: `My games, spring 2024`", "line 4, column 1: left out: `Endgames:`", "error"]
    );
    // The heading of an invalid game is not the label of the next one.
    assert_eq!(left_out("Anna - Maria\nb1b1\nb1"), ["error", "line 1, column 1: left out: `Anna - Maria`"]);
    assert_eq!(names("b1 Anna - Maria\n[Black \"Eva\"]\n\n1. b1 *"), ["Anna/Maria", "Eva/"]);
    // Words without a game are an error.
    let places =
        |text: &str| read(text.as_bytes()).into_iter().map(|(line, read)| (line, read.is_err())).collect::<Vec<_>>();
    assert_eq!(places("Anna - Maria\n"), [(1, true)]);
    assert_eq!(places("b1\nThe end of it\nof all"), [(1, false), (2, true), (3, true)]);
}

#[test]
fn a_line_that_is_no_game_may_continue_one() {
    let moves = "c4d2b1b4a4a1";
    for end in ["a4a1", "a4 a1 4-12", "a4\na1\n"] {
        let text = format!("c4d2b1b4\n{end}");
        let records = read(text.as_bytes());
        assert_eq!((records.len(), records[0].1.as_deref().ok()), (1, Some(moves)), "{text}: {records:?}");
        assert!(left_out(&text)[0].starts_with("line 2, column 1: read as more moves"), "{text}");
    }
    for text in ["c4d2\nc4d2", "c4d2b1b4\n\na4a1", "c4d2b1b4\nc4", "c4d2 4-12\nb1b4", "c4d2b1b4\n% a\na4a1"] {
        assert_eq!(read(text.as_bytes()).len(), 2, "{text}");
    }
}

#[test]
fn sides_may_be_in_a_column_of_their_own() {
    let csv = "board,Turn\n-----OX--XO-----,white\n-----OX--XO-----,X\n-----OX--XO-----,?\n";
    let records = read(csv.as_bytes());
    assert_eq!(records[..2], [good(2, "-----OX--XO----- O"), good(3, START)]);
    assert!(records[2].1.is_err());
    let json = "{\"position\":\"-----OX--XO-----\",\"side\":\"Black\"}";
    assert_eq!(read(json.as_bytes()), [good(1, START)]);
}

fn good(line: u64, text: &str) -> ReadOutcome {
    (line, Ok(text.to_owned()))
}

fn cell(text: &str) -> Value {
    Value::of_text(text)
}

fn places(said: &[ReadOutcome]) -> Vec<(u64, Option<(u64, usize)>)> {
    said.iter()
        .map(|(line, content)| (*line, content.as_ref().err().map(|&(line, column, _)| (line, column))))
        .collect()
}

#[test]
fn skips_but_counts_blank_lines_and_comments() {
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
fn continues_after_lines_that_are_not_text() {
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
fn compressed_input_reads_like_plain_input() {
    let text = format!("{START}\nb1a1\nnone\n").repeat(1000);
    let plain = read(text.as_bytes());
    assert_eq!(plain.len(), 3000);
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    let bzip2 = |text: &str| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let small_xz = |text: &str| xz(text, 1 << 20);
    for encode in [&gzip as &dyn Fn(&str) -> Vec<u8>, &zstd, &bzip2, &small_xz] {
        assert_eq!(read(&encode(&text)), plain);
        // Concatenated streams are one file, as for the programs of these formats.
        let (first, second) = text.split_at(text.len() / 3);
        assert_eq!(read(&[encode(first), encode(second)].concat()), plain);
        assert_eq!(read(&encode("")), []);
    }
}

fn xz(text: &str, dictionary: u32) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(1);
    options.lzma_options.dict_size = dictionary;
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

/// Returns the error of an input, from its start or from any of its records.
fn error_of(name: &str, bytes: Vec<u8>) -> String {
    let input = Input::Bytes(name.to_owned(), bytes.into());
    let error = match Reader::of(any_game::<Othello4>(), input) {
        Ok(reader) => reader.last().unwrap().unwrap_err(),
        Err(error) => error,
    };
    format!("{error}: {}", error.source)
}

#[test]
fn xz_of_a_huge_dictionary_is_refused_before_it_is_allocated() {
    let mut bytes = xz("b1\n", 1 << 20);
    // The size of the dictionary in the header of the block, and the checksum of this header.
    let header = 12..12 + 4 * (usize::from(bytes[12]) + 1);
    let size = bytes[header.clone()].windows(2).position(|two| two == [0x21, 1]).unwrap() + header.start + 2;
    bytes[size] = 40;
    let checksum = crc32fast::hash(&bytes[header.start..header.end - 4]).to_le_bytes();
    bytes[header.end - 4..header.end].copy_from_slice(&checksum);
    assert_eq!(error_of("a.xz", bytes), "cannot read `a.xz`: the xz file needs more memory than 130 MiB: unpack it");
}

/// A zip archive of files with these names and contents, deflated or not.
fn zip(files: &[(&str, &[u8])], deflates: bool) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        let method = if deflates { rawzip::CompressionMethod::DEFLATE } else { rawzip::CompressionMethod::STORE };
        let (mut entry, config) = archive.new_file(*name).compression_method(method).start().unwrap();
        if deflates {
            let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast()));
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).unwrap();
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
    }
    archive.finish().unwrap()
}

/// Returns the files and records that are read from a zip archive in memory.
fn read_zip(bytes: Vec<u8>) -> Vec<(String, u64, bool)> {
    let reader = Reader::of(any_game::<Othello4>(), Input::Bytes("a.zip".to_owned(), bytes.into())).unwrap();
    let records = reader.map(Result::unwrap);
    records.map(|record| (record.file.to_string(), record.line, record.content.is_ok())).collect()
}

#[test]
fn an_archive_is_a_folder_of_files() {
    let gzipped = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"b1\nb1a1\n").unwrap();
        encoder.finish().unwrap()
    };
    let files: [(&str, &[u8]); 7] = [
        ("b.txt", b"b1\nz9\n"),
        ("more/a.txt.gz", &gzipped),
        ("image.png", b"\x89PNG\0"),
        (".hidden", b"b1"),
        ("__MACOSX/b.txt", b"b1"),
        ("WTH.JOU", b"b1"),
        ("empty.txt", b""),
    ];
    let expected = [("b.txt", 1, true), ("b.txt", 2, false), ("more/a.txt.gz", 1, true), ("more/a.txt.gz", 2, true)];
    let expected = expected.map(|(name, line, is_read)| (format!("a.zip/{name}"), line, is_read));
    for deflates in [false, true] {
        assert_eq!(read_zip(zip(&files, deflates)), expected);
    }
    let archive = Input::Bytes("a.zip".to_owned(), zip(&files, true).into());
    let skipped = expand(vec![archive]).unwrap().skipped;
    assert_eq!(skipped, [("a.zip/image.png".to_owned(), "a binary file")]);
}

#[test]
fn archives_that_cannot_be_read_are_errors() {
    let text = "b1\n".repeat(1000);
    let good = zip(&[("a.txt", text.as_bytes()), ("b.txt", b"b1")], true);
    let change = |from: &[u8], offset: usize, to: &[u8]| {
        let mut bytes = good.clone();
        let at = bytes.windows(from.len()).position(|part| part == from).unwrap() + offset;
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let directory = b"PK\x01\x02";
    let nested = zip(&[("inner.zip", &good)], false);
    for (bytes, expected) in [
        (change(directory, 8, &[1, 0]), "`a.txt` in it is encrypted: unpack it"),
        (change(directory, 10, &[14, 0]), "`a.txt` in it is compressed by"),
        (change(directory, 16, &[1]), "damaged in its zip archive"),
        (change(directory, 24, &[1, 0, 0, 0]), "damaged in its zip archive"),
        (nested, "a zip archive, which is read only as a file that is named"),
        (good[..good.len() - 30].to_vec(), "a damaged zip archive"),
        (zip(&[(".hidden", b"b1")], false), "there are no files of positions or games in it"),
        (zip(&[], false), "there are no files of positions or games in it"),
    ] {
        let error = error_of("a.zip", bytes);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_folder_is_read_with_its_folders_in_the_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("b/c")).unwrap();
    fs::create_dir(path(".git")).unwrap();
    for (name, text) in [("z.txt", "b1"), ("b/y.txt", "b1"), ("b/c/x.txt", "b1"), ("a.TRN", "b1"), (".git/x", "b1")] {
        fs::write(path(name), text).unwrap();
    }
    fs::write(path("a.zip"), zip(&[("q.txt", b"b1")], true)).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), path("b/loop")).unwrap();
    let inputs = expand(vec![Input::File(folder.path().to_owned())]).unwrap().inputs;
    let names: Vec<_> = inputs.iter().map(Input::name).collect();
    let expected = ["a.zip/q.txt", "b/c/x.txt", "b/y.txt", "z.txt"].map(|name| path(name).display().to_string());
    assert_eq!(names, expected);
    assert_eq!(Reader::of(any_game::<Othello4>(), Input::File(folder.path().to_owned())).unwrap().count(), 4);
    let error = expand(vec![Input::File(path(".git/.."))]).map(|found| found.inputs.len());
    assert_eq!(error.unwrap(), 4);
    fs::create_dir(path("empty")).unwrap();
    assert!(expand(vec![Input::File(path("empty"))]).is_err());
}

#[test]
fn reports_damaged_compression_after_the_readable_part() {
    let text = format!("{START}\n").repeat(100_000);
    let mut bytes = zstd::encode_all(text.as_bytes(), 1).unwrap();
    bytes.truncate(bytes.len() / 2);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    let reader =
        Reader::open(any_game::<Othello4>(), vec![Input::File(file.path().to_owned())], &InputFormat::default());
    let last = reader.unwrap().last().unwrap();
    assert!(last.unwrap_err().to_string().starts_with("cannot read `"));
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

fn said_of(records: &[Record]) -> Vec<ReadOutcome> {
    records.iter().map(said).collect()
}

#[test]
fn passes_other_json_keys_through() {
    let text = format!(
        "{{\"id\":7,\"position\":\"{START}\",\"w\":0.5}}\n{{\"position\":\"b1\",\"id\":[1],\"new\":true}}\n{{\n\n{{\"id\":1}}\n[]\n"
    );
    let (records, columns) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    assert_eq!(columns.names(), ["id", "w", "new", "more"]);
    assert_eq!(said_of(&records)[..2], [good(1, START), good(2, "b1")]);
    assert_eq!(places(&said_of(&records)[2..]), [(3, Some((3, 1))), (5, Some((5, 1))), (6, Some((6, 1)))]);
    assert_eq!(*records[0].extra, [Value::Integer(7), Value::Float(0.5), Value::Null, Value::Null]);
    let json = |text: &str| Value::Json(text.to_owned());
    assert_eq!(*records[1].extra, [json("[1]"), Value::Null, Value::Bool(true), Value::Null]);
    // A key named like that column gets its own column, and duplicate keys are kept.
    let text = format!("{{\"more\":1e5,\"position\":\"{START}\",\"more\":2,\"n\":18446744073709551616}}\n");
    let (records, columns) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    assert_eq!(columns.names(), ["more", "n", "more_2"]);
    assert_eq!(*records[0].extra, [json("1e5"), Value::Integer(1 << 64), json("{\"more\":2}")]);
    // Keys of objects far behind the first ones.
    let late = format!("{{\"position\":\"{START}\"}}\n").repeat(2000) + "{\"moves\":\"b1\",\"late\":1}\n";
    let (records, columns) = read_with::<Othello4>(late.as_bytes(), &InputFormat::default());
    assert_eq!(columns.names(), ["more"]);
    assert_eq!((said(&records[2000]), &*records[2000].extra), (good(2001, "b1"), &[json("{\"late\":1}")][..]));
}

/// Returns whether the games of a text are recognized as such, and as games with metadata.
fn kinds_of(text: &str) -> (bool, bool) {
    let reader = Reader::of(any_game::<Othello4>(), Input::Text(text.to_owned())).unwrap();
    (reader.is_of_games(), reader.is_of_tagged_games())
}

#[test]
fn the_first_record_does_not_decide_for_all() {
    let (none, games, tagged) = ((false, false), (true, false), (true, true));
    assert_eq!(kinds_of(&format!("{START}\n{START}\n")), none);
    assert_eq!(kinds_of("My games, spring 2024\n"), games);
    assert_eq!(kinds_of("My games, spring 2024\n\nb1a1\n"), games);
    assert_eq!(kinds_of(&format!("{START}\nb1a1\n")), games);
    assert_eq!(kinds_of("b1a1\nAnna - Bob: b1a1\n"), tagged);
    assert_eq!(
        kinds_of("(;GM[Othello]BO[4 -----O*--*O----- *]B[b1];)\n(;PB[a]BO[4 -----O*--*O----- *]B[b1];)\n"),
        tagged
    );
    assert_eq!(kinds_of("{\"moves\":\"b1\"}\n{\"moves\":\"b1\",\"white\":\"W\"}\n"), tagged);
    assert_eq!(kinds_of(&format!("{{\"x\":\"?\"}}\n{{\"x\":\"{START}\"}}\n{{\"position\":\"b1a1\"}}")), games);
    assert_eq!(kinds_of("[{\"moves\":\"b1\"},\n{\"moves\":\"b1\",\"date\":\"2001\"}]\n"), tagged);
    assert_eq!(kinds_of("id,board\n1,?\n2,b1a1\n"), games);
    // Only the first file has players, only the second one has a heading.
    let inputs = ["Anna - Bob: b1a1\n", "Game 1\nb1a1\n"].map(|text| Input::Text(text.to_owned()));
    let reader = Reader::open(any_game::<Othello4>(), inputs.into(), &InputFormat::default()).unwrap();
    assert!(reader.is_of_games() && reader.is_of_tagged_games());
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
    // A later value of another type is a text.
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
    // Without the option, either column may be meant.
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
fn reads_games_that_span_lines() {
    let text = "1 (;GM[Othello]PB[a # b]\n  BO[4 -----O*--*O----- *]\nB[b1]W[a1]\n;)\nb1\n(;BO[4 \
        -----O*--*O----- *]\nB[b1]W[b1];)\n";
    let said = read(text.as_bytes());
    assert_eq!(said[..2], [good(1, "b1a1"), good(5, "b1")]);
    assert_eq!(places(&said[2..]), [(6, Some((7, 8)))]);
    let two = "2 (;BO[4 -----O*--*O----- *]B[b1];)(;BO[4 -----O*--*O----- *]B[d3];)";
    assert_eq!(read(two.as_bytes()), [good(1, "b1 | d3")]);
}

#[test]
fn a_requested_format_reads_every_line() {
    let form = || InputFormat::default().named(any_game::<Othello4>(), "board").unwrap();
    let said = said_of(&read_with::<Othello4>(format!("{START}\nb1\n{START};\n").as_bytes(), &form()).0);
    assert_eq!(places(&said), [(1, None), (2, Some((2, 2))), (3, Some((3, 19)))]);
    let said = said_of(&read_with::<Nine>(b"9,9 - - W\n0,0 a7 b2 B\n", &InputFormat::default()).0);
    assert_eq!(said[0], good(1, "9,9 - - W"));
}

#[test]
fn names_an_unreadable_input() {
    let inputs = vec![Input::File("/no/such/file".into()), Input::File("/none".into())];
    let error = Reader::open(any_game::<Othello4>(), inputs, &InputFormat::default()).err().unwrap();
    assert_eq!(error.to_string(), "cannot read `/no/such/file`");
}

/// Returns the error that prevents an input from being read.
fn refused<P: Playable>(bytes: &[u8], form: &InputFormat) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let reader = Reader::open(any_game::<P>(), vec![Input::File(file.path().to_owned())], form);
    let error = match reader {
        Ok(mut reader) => reader.find_map(Result::err).expect("it is refused"),
        Err(error) => error,
    };
    error.source.to_string()
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
    // In a file without line feeds it ends every line.
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
fn a_comment_in_braces_may_begin_a_file() {
    assert_eq!(read(b"{opening} 1. b1 a1\nb1\n"), [good(1, "b1a1"), good(2, "b1")]);
    assert!(refused::<Othello4>(b"{}\n{\"id\":1}\n", &InputFormat::default()).contains("no column"));
}

#[test]
fn reads_logs_of_matches() {
    let line = |start: &str, opening: &str, moves: &str| {
        format!(
            r#"{{"black":"a","white":"b","result":"white","start":{start},"opening_moves":"{opening}","moves":"{moves}","scores":[0.25,null,-1.0]}}"#
        )
    };
    let read = |text: &str| read_with::<Nine>(text.as_bytes(), &InputFormat::default()).0;
    let records = read(&line("null", "d6 f4", "d2 b4 g7 a7"));
    let Ok(ParsedRecord::Games(games)) = &records[0].content else { panic!("{records:?}") };
    let evals: Vec<_> = games[0].notes.iter().map(|note| note.eval).collect();
    assert_eq!((said_of(&records), games[0].tags.result.unwrap().points), (vec![good(1, "d6 f4 d2 b4 g7 a7")], -1.0));
    assert_eq!(evals, [None, None, Some(0.25), None, Some(-1.0), None]);
    let records = read(&line("\"7,7 a7,d7 g7,g4 B\"", "a1", "d1 d2"));
    let Ok(ParsedRecord::Games(games)) = &records[0].content else { panic!("{records:?}") };
    assert_eq!(games[0].game.start().to_string(), "7,7 a7,d7 g4,g7 B");
    assert_eq!(said_of(&records), [good(1, "7,7 a7,d7 g4,g7 B moves a1 d1 d2")]);
    // The case of names does not count.
    let other = line("null", "d6 f4", "d2 b4 g7 a7").replace("opening_moves", "Opening_Moves");
    assert_eq!(said_of(&read(&other)), [good(1, "d6 f4 d2 b4 g7 a7")]);
    // A converted log has whole games, and still the column of the opening; its scores are those
    // after it.
    let records = read(&line("null", "d6 f4", "d6 f4 d2 b4 g7 a7"));
    let Ok(ParsedRecord::Games(games)) = &records[0].content else { panic!("{records:?}") };
    assert_eq!(said_of(&records), [good(1, "d6 f4 d2 b4 g7 a7")]);
    assert_eq!(games[0].notes.iter().map(|note| note.eval).collect::<Vec<_>>(), evals);
    let whole = line("\"7,7 a7,d7 g7,g4 B\"", "a1", "7,7 a7,d7 g4,g7 B moves a1 d1 d2");
    assert_eq!(said_of(&read(&whole)), [good(1, "7,7 a7,d7 g4,g7 B moves a1 d1 d2")]);
    // A log of another game is recognized.
    let other = line("null", "d6 f4", "d2 b4 g7 a7").replace("\"black\"", "\"rules\":\"lasker-morris\",\"black\"");
    let said = said_of(&read(&other));
    assert_eq!(places(&said), [(1, Some((1, 10)))]);
    assert!(said[0].1.as_ref().unwrap_err().2.contains("a game of lasker-morris, not of nine-mens-morris"), "{said:?}");
    assert_eq!(said_of(&read(&other.replace("lasker-morris", "nine-mens-morris"))), [good(1, "d6 f4 d2 b4 g7 a7")]);
    // The same games in CSV.
    let table = "opening_moves,start,moves,scores\nd6 f4,,d2 b4 g7 a7,\"[0.25,null]\"\na1,\"7,7 a7,d7 g7,g4 \
        B\",d1 d2,[]\nd6 f4,,d2 d2,[]\n";
    let records = read(table);
    let said = said_of(&records);
    assert_eq!(said[..2], [good(2, "d6 f4 d2 b4 g7 a7"), good(3, "7,7 a7,d7 g4,g7 B moves a1 d1 d2")]);
    assert_eq!(places(&said)[2], (4, Some((4, 11))));
    let Ok(ParsedRecord::Games(games)) = &records[0].content else { panic!("{records:?}") };
    assert_eq!(
        games[0].notes.iter().map(|note| note.eval).collect::<Vec<_>>(),
        [None, None, Some(0.25), None, None, None]
    );
    // A transcript is the whole game, whatever else is beside it.
    let transcript = r#"{"transcript":"d6 f4 d2","opening_moves":"d6 f4"}"#;
    assert_eq!(said_of(&read(transcript)), [good(1, "d6 f4 d2")]);
    // Errors are where the move is.
    let illegal = line("null", "d6 f4", "d2 d2");
    let column = 1 + illegal.find("d2 d2").unwrap() + 3;
    assert_eq!(places(&said_of(&read(&illegal))), [(1, Some((1, column)))]);
    let illegal = line("\"7,7 a7,d7 g7,g4 B\"", "a1", "d1 a1");
    let column = 1 + illegal.find("\"d1 a1").unwrap();
    assert_eq!(places(&said_of(&read(&illegal))), [(1, Some((1, column)))]);
    let illegal = line("null", "d6 d6", "d2");
    let column = 1 + illegal.find("\"d6 d6").unwrap();
    assert_eq!(places(&said_of(&read(&illegal))), [(1, Some((1, column)))]);
}

#[test]
fn accepts_bad_lines_before_the_first_json_object() {
    for begin in ["{\n", "{\"id\":1}\n"] {
        let said = read(format!("{begin}{{\"position\":\"b1\"}}\n").as_bytes());
        assert_eq!((said[0].1.is_err(), &said[1..]), (true, &[good(2, "b1")][..]));
    }
    let form = InputFormat::default().named(any_game::<Othello4>(), "jsonl").unwrap();
    let (records, _) = read_with::<Othello4>(b"oops\n{\"position\":\"b1\"}", &form);
    assert_eq!((places(&said_of(&records)), records.len()), (vec![(1, Some((1, 1))), (2, None)], 2));
    assert!(refused::<Othello4>(b"{\"id\":1}\n{\"id\":2}\n", &InputFormat::default()).contains("the columns are: id"));
}

#[test]
fn a_bad_game_does_not_affect_others() {
    let good_game = "(;BO[4 -----O*--*O----- *]B[b1];)";
    let said = read(format!("(;GM[Othello]BO[4 -----O*--*O----- *]B[b1\n\n{good_game}\n{good_game}\n").as_bytes());
    assert_eq!(
        (places(&said), &said[1..]),
        (vec![(1, Some((1, 38))), (3, None), (4, None)], &[good(3, "b1"), good(4, "b1")][..])
    );
    let said = read(format!("2 {good_game} (;BO[4 -----O*--*O----- *]B[d4];)\n{good_game}\n").as_bytes());
    assert_eq!((&said[0], places(&said)), (&good(1, "b1"), vec![(1, None), (1, Some((1, 65))), (2, None)]));
    // Names may contain characters that start comments.
    let text = "(;PB[a}#b]PW[c[d#e]BO[4 -----O*--*O----- *]B[b1];)";
    let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    let Ok(ParsedRecord::Games(games)) = &records[0].content else { panic!("{records:?}") };
    assert_eq!(games[0].tags.names, ["a}#b", "c[d#e"].map(|name| Some(name.to_owned())));
}

#[test]
fn reads_multi_line_mill_games() {
    let read = |text: &str| said_of(&read_with::<Nine>(text.as_bytes(), &InputFormat::default()).0);
    assert_eq!(
        read("1. d6 f4\n2. d2 b4\n3. g7 a7\n1. a1 a4\nd6 f4\n"),
        [good(1, "d6 f4 d2 b4 g7 a7"), good(4, "a1 a4"), good(5, "d6 f4")]
    );
    assert_eq!(places(&read("d6\n2. f4\n")), [(1, None), (2, Some((2, 1)))]);
    let blank = format!("[White \"a\"]{}1. 5 13\n[White \"a\"]\n1. 5 {{13 # a\n # 7}} 7", "\n".repeat(60_000));
    assert_eq!(read(&blank), [good(1, "d6 e4"), good(60_002, "d6 c5")]);
}

#[test]
fn accepts_padding_and_skippable_frames() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"b1\n").unwrap();
    let gzip = encoder.finish().unwrap();
    assert_eq!(read(&[gzip.as_slice(), &[0; 20_000]].concat()), [good(1, "b1")]);
    assert_eq!(read(&[gzip.as_slice(), &[0; 10_240], &gzip].concat()), [good(1, "b1"), good(2, "b1")]);
    let frame = zstd::encode_all("b1\n".as_bytes(), 1).unwrap();
    for first in [0x50, 0x5f] {
        let skipped = [first, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
        assert_eq!(read(&[&skipped, frame.as_slice(), &skipped].concat()), [good(1, "b1")]);
    }
    assert_eq!(places(&read(b"X*M\n")), [(1, Some((1, 3)))]);
}

#[test]
fn rejects_binary_files() {
    let of = |bytes: &[u8]| refused::<Othello4>(bytes, &InputFormat::default());
    assert!(of(b"PAR1\x15\x04").contains("Parquet"));
    let error = of(b"a\0b\n");
    assert!(error.contains("a binary file; the formats of othello-4x4 are "), "{error}");
    assert!([" ggf, ", " csv, ", " jsonl"].iter().all(|name| error.contains(name)), "{error}");
    let mut wthor = [20, 1, 1, 31, 1, 0, 0, 0, 0, 0, 0xd1, 7, 8, 0, 0, 0].to_vec();
    wthor.extend([0; 68]);
    assert!(of(&wthor).contains("WTHOR database"));
    assert!(refused::<Nine>(&wthor, &InputFormat::default()).contains("WTHOR database"));
    type Othello = othello::Position;
    let read = |bytes: &[u8]| places(&said_of(&read_with::<Othello>(bytes, &InputFormat::default()).0));
    assert_eq!(read(&wthor), [(1, None)]);
    // An invalid game is one bad record; games on other boards reject the whole file.
    wthor[16 + 8] = 11;
    assert_eq!(read(&wthor), [(1, Some((1, 9)))]);
    wthor[12] = 6;
    assert!(refused::<Othello>(&wthor, &InputFormat::default()).contains("6x6"));
    wthor[12] = 8;
    let form = |name: &str| InputFormat::default().named(any_game::<Othello>(), name).unwrap();
    assert!(refused::<Othello>(&wthor, &form("obf")).contains("expected `obf`, found a WTHOR database"));
    assert!(refused::<Othello>(&wthor[..9], &form("wthor")).contains("9 of 16 bytes"));
    wthor[4] = 0;
    wthor[8] = 2;
    assert!(refused::<Othello>(&wthor, &InputFormat::default()).contains("2 names of players or tournaments"));
}

#[test]
fn detects_formats_of_other_games() {
    assert!(refused::<Nine>(b"1 (;GM[Othello]", &InputFormat::default()).contains("GGF"));
    assert_eq!(places(&read(b"(;GM[Othello]\nb1")), [(1, Some((2, 2)))]);
    type Six = morris::Position<morris::SixMensMorris>;
    let error = refused::<Six>(b"\n[White \"a\"]\n", &InputFormat::default());
    assert!(error.contains("a game with tags, as in PGN") && error.contains("remove the lines of tags"), "{error}");
    let game = "[Event \"a\"]\n[Result \"10-6\"]\n\n1. b1 a1\n2. a2";
    assert_eq!(
        places(&read(format!("{game}\n{game} *\n\nb1\n{game}").as_bytes())),
        [(1, None), (6, None), (12, None), (13, None)]
    );
    assert_eq!(places(&read(format!("{game} c9\n{game}").as_bytes())), [(1, Some((5, 7))), (6, None)]);
}

#[test]
fn detects_the_record_column_from_the_first_row() {
    let (records, columns) = read_with::<Othello4>(format!("id;what\n1;{START}\n").as_bytes(), &InputFormat::default());
    assert_eq!((said_of(&records), columns.names()), (vec![good(2, START)], vec!["id"]));
    let error = refused::<Othello4>(b"file,game,black_points\na,1,2\n", &InputFormat::default());
    assert!(error.contains("the columns are: file, game, black_points"), "{error}");
    // The row also shows whether the column holds games.
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

proptest! {
    #[test]
    fn garbage_yields_bad_records_without_panics(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        head in prop::sample::select(vec!["", "id,position\n", "{\"position\":1}\n", "a,b\n", "(;", "1. d6 ", "\u{14}\u{14}", "\u{14}\u{1}\u{1}\u{1}", "[Event \"x\"]\n", "\u{1f}\u{8b}"]),
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
    let Ok(reader) = Reader::of(any_game::<P>(), input.clone()) else { return };
    for record in reader.map_while(Result::ok) {
        if let Err(error) = record.content {
            assert!(error.column >= 1 && error.line >= record.line);
        }
    }
}

/// A game: its moves, the names of the players, the date and the seconds of the moves.
type Served = (String, [Option<String>; 2], Option<String>, Vec<Option<f64>>);

/// Returns the games of a text.
fn served(text: &str) -> Vec<Served> {
    let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
    let games = records.into_iter().flat_map(|record| record.into_games().unwrap());
    games
        .map(|game| {
            let seconds = game.notes.iter().map(|note| note.seconds).collect();
            (any_game::<Othello4>().write_moves(&game.game), game.tags.names, game.tags.date, seconds)
        })
        .collect()
}

#[test]
fn reads_moves_that_are_objects() {
    let detail = r#"{"id": "1", "created": "2024-05-01T12:33:18.123Z", "tcb": 300000, "finalStatus": "SCORE",
        "players": [{"id": "anna", "name": "Anna", "oldR": 1800}, {"id": "bob"}],
        "position": {"moves": [{"m": "b1", "t": 1200}, {"m": "a1", "t": 500}, {"t": 3, "s": "TIMEUP"}]}}"#;
    let one_line = detail.replace('\n', "");
    let names = [Some("Anna".to_owned()), Some("bob".to_owned())];
    let expected = ("b1a1".to_owned(), names, Some("2024-05-01 12:33:18".to_owned()), vec![Some(1.2), Some(0.5)]);
    for text in [detail, &one_line, &format!("[{detail}]"), &format!("[\n{one_line}\n]")] {
        assert_eq!(served(text), std::slice::from_ref(&expected), "{text}");
    }
    assert_eq!(served(&format!("{one_line}\n{one_line}\n")).len(), 2);
    for (text, seconds) in [
        (r#"{"moves":[{"m":"b1","t":1200},{"m":"A1"}]}"#, vec![Some(1.2), None]),
        (r#"{"moves":[{"move":"b1","seconds":1.5},{"move":"a1","time_ms":20}]}"#, vec![Some(1.5), Some(0.02)]),
        (r#"{"position":{"moves":["b1","a1"]}}"#, vec![]),
        (r#"[{"m":"b1","t":1},{"m":"a1","t":2}]"#, vec![Some(0.001), Some(0.002)]),
        ("[\n{\"m\":\"b1\"},\n{\"m\":\"a1\"}\n]", vec![]),
        (r#"{"position":{"moves":"b1a1"},"black":{"name":"x"}}"#, vec![]),
    ] {
        let games = served(text);
        assert_eq!((games.len(), games[0].0.as_str()), (1, "b1a1"), "{text}");
        assert_eq!(games[0].3, seconds, "{text}");
    }
    let named = served(r#"{"position":{"moves":"b1a1"},"black":{"name":"x"},"white":"y"}"#);
    assert_eq!(named[0].1, ["x", "y"].map(|name| Some(name.to_owned())));
    // What the record says itself comes first.
    let text =
        r#"{"moves":"b1","black":"x","date":"2024","created":"2023-01-01T1:2:3Z","players":[{"id":"a"},{"id":"b"}]}"#;
    let own = served(text);
    assert_eq!(own[0].1, ["x", "b"].map(|name| Some(name.to_owned())));
    assert_eq!(own[0].2.as_deref(), Some("2024"));
}

#[test]
fn passes_of_objects_have_their_seconds() {
    // White must pass.
    let start = "XO-------------- O";
    for (moves, expected) in [
        (r#"[{"m":"-","t":1000},{"m":"c1","t":2000}]"#, [Some(1.0), Some(2.0)]),
        (r#"[{"m":"c1","t":2000}]"#, [None, Some(2.0)]),
    ] {
        let mut game = morello_core::game::Game::new(any_game::<Othello4>().parse_position(start).unwrap());
        for text in ["pa", "c1"] {
            use morello_core::game::Position as _;
            game.play(game.position().parse_move(text).unwrap()).unwrap();
        }
        let mut game = morello_core::game::AnnotatedGame::from(game);
        game_columns::add_seconds(&mut game, &json::seconds(moves));
        assert_eq!(game.notes.iter().map(|note| note.seconds).collect::<Vec<_>>(), expected, "{moves}");
    }
}

#[test]
fn errors_in_moves_that_are_objects_have_their_place() {
    let place = |text: &str| places(&read(text.as_bytes()));
    assert_eq!(place(r#"{"moves":[{"m":"b1"},{"m":"z9"}]}"#), [(1, Some((1, 28)))]);
    assert_eq!(place("{\n\"position\": {\"moves\":[\n  {\"m\":\"z9\"}]}}"), [(1, Some((3, 9)))]);
}

#[test]
fn reads_the_moves_in_links() {
    let links = "https://www.eothello.com/#b1a1\nhttp://a.b/?x=1&moves=B1+A1\nWWW.a.b#moves=b1%20a1 # text\n";
    assert_eq!(read(links.as_bytes()), [good(1, "b1a1"), good(2, "b1a1"), good(3, "b1a1")]);
    let links =
        ["https://www.eothello.com/game/123", "https://a/#how-to-play", "https://a/?p=b1a1#b1a1a2", "https://a"];
    for link in links {
        let Err((line, column, error)) = read(link.as_bytes()).remove(0).1 else { panic!("{link} is read") };
        assert!((line, column) == (1, 1) && error.contains("paste the moves, such as `"), "{link}: {error}");
    }
    assert_eq!(read(b"id,moves\n1,https://a/#b1a1\n"), [good(2, "b1a1")]);
    assert_eq!(places(&read(b"b1 https://a/#b1a1")), [(1, Some((1, 4)))]);
}

#[test]
fn sgf_and_ggf_are_told_apart() {
    let sgf = "(;FF[4]GM[2]SZ[4]PB[Anna % 1]\n;B[b1] # \n(;W[a1])\n(;W[c1]))\n(;GM[2];B[b1])(;GM[2];B[z9])\nb1a1\n";
    let ggf = "(;GM[Othello]PB[a]TY[4]BO[4 -----O*--*O----- *]B[b1];)\n";
    let said = read((sgf.to_owned() + ggf).as_bytes());
    assert_eq!(said[..2], [good(1, "b1a1"), good(5, "b1")]);
    assert!(matches!(&said[2], (5, Err((5, 25, error))) if error.contains("illegal move `z9`")), "{said:?}");
    assert_eq!(said[3..], [good(6, "b1a1"), good(7, "b1")]);
    let (records, _) = read_with::<Nine>(b"(;GM[5];W[d2];B[f4])\n(;GM[2];B[f5])\n", &InputFormat::default());
    assert!(records[0].content.is_ok());
    let error = records[1].content.as_ref().unwrap_err().to_string();
    assert_eq!(error, "the game is Othello (`GM[2]`), not Nine Men's Morris");
}
