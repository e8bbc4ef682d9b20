//! Tests of reading all kinds of files.

mod columns;
mod json;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod shards;
mod sources;

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

/// A short form of a record: its line, then its position or the moves of its game as text, or the
/// place of the error.
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

fn good(line: u64, text: &str) -> ReadOutcome {
    (line, Ok(text.to_owned()))
}

fn places(said: &[ReadOutcome]) -> Vec<(u64, Option<(u64, usize)>)> {
    said.iter()
        .map(|(line, content)| (*line, content.as_ref().err().map(|&(line, column, _)| (line, column))))
        .collect()
}

fn said_of(records: &[Record]) -> Vec<ReadOutcome> {
    records.iter().map(said).collect()
}

/// Returns whether the games in the text are recognized as games, and as games with metadata.
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
    // Only the first file has players, and only the second one has a heading.
    let inputs = ["Anna - Bob: b1a1\n", "Game 1\nb1a1\n"].map(|text| Input::Text(text.to_owned()));
    let reader = Reader::open(any_game::<Othello4>(), inputs.into(), &InputFormat::default()).unwrap();
    assert!(reader.is_of_games() && reader.is_of_tagged_games());
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
fn gives_up_after_many_bad_lines_in_a_row() {
    let bad = "a1a1\n".repeat(30_000);
    // Blank lines and the lines of other parts do not count.
    let blank = format!("b1\n{}a1a1\na1a1\nb1", "\n".repeat(30_000));
    assert_eq!(read(blank.as_bytes()).len(), 4);
    let positions = format!("{}a1a1\na1a1\n", format!("{START}\n").repeat(30_000));
    for part in 0..2 {
        let reader = Reader::of(any_game::<Othello4>(), Input::Text(positions.clone())).unwrap().sharded(part, 2);
        assert_eq!(reader.map(|record| record.unwrap().content.is_ok()).filter(|is_ok| *is_ok).count(), 15_000);
    }
    assert_eq!(read(format!("{bad}b1\n{bad}").as_bytes()).len(), 60_001, "a good one lies between");
    let reader = Reader::of(any_game::<Othello4>(), Input::Text(format!("b1\n{bad}a1a1\n"))).unwrap();
    let read: Vec<_> = reader.collect();
    assert!(read.len() == 30_002 && read[30_001].is_err() && read[30_000].is_ok());
    let error = refused::<Othello4>(bad.repeat(2).as_bytes(), &InputFormat::default());
    let expected = "line 30001: the 30000 lines before it contain no position or game of othello-4x4; ";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn rejects_binary_files() {
    let of = |bytes: &[u8]| refused::<Othello4>(bytes, &InputFormat::default());
    assert!(of(b"PAR1\x15\x04").contains("Parquet"));
    assert!(of(b"\xff\xfe\0\0a\0\0\0").contains("UTF-32") && of(b"\xff\xfea\0").contains("UTF-16"));
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
    // An invalid game is one invalid record; games on other boards reject the whole file.
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
    assert!(refused::<Othello>(&wthor, &InputFormat::default()).contains("2 player or tournament names"));
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
