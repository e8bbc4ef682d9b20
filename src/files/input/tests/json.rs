//! Tests of JSON lines: keys, logs and moves that are objects.

use super::*;

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
    // Keys of objects far after the first ones.
    let late = format!("{{\"position\":\"{START}\"}}\n").repeat(2000) + "{\"moves\":\"b1\",\"late\":1}\n";
    let (records, columns) = read_with::<Othello4>(late.as_bytes(), &InputFormat::default());
    assert_eq!(columns.names(), ["more"]);
    assert_eq!((said(&records[2000]), &*records[2000].extra), (good(2001, "b1"), &[json("{\"late\":1}")][..]));
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
    // A player failed at once.
    assert_eq!(said_of(&read(&line("null", "d6 f4", ""))), [good(1, "d6 f4")]);
    let records = read(&line("\"7,7 a7,d7 g7,g4 B\"", "a1", ""));
    assert_eq!(said_of(&records), [good(1, "7,7 a7,d7 g4,g7 B moves a1")]);
    // The case of names is ignored.
    let other = line("null", "d6 f4", "d2 b4 g7 a7").replace("opening_moves", "Opening_Moves");
    assert_eq!(said_of(&read(&other)), [good(1, "d6 f4 d2 b4 g7 a7")]);
    // A converted log has whole games, and still the column with the opening. Its scores are for
    // the moves after the opening.
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
    // A transcript is the whole game, whatever other columns there are.
    let transcript = r#"{"transcript":"d6 f4 d2","opening_moves":"d6 f4"}"#;
    assert_eq!(said_of(&read(transcript)), [good(1, "d6 f4 d2")]);
    // Errors are at the place of the move.
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

/// A game: its moves, the names of the players, the date and the seconds of the moves.
type Served = (String, [Option<String>; 2], Option<String>, Vec<Option<f64>>);

/// Returns the games of the text.
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
    // The record's own values take precedence.
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
        game_columns::add_seconds(&mut game, &crate::input::json::seconds(moves));
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
fn players_have_colors_and_dates_may_be_numbers() {
    let tags = |text: &str| {
        let (records, _) = read_with::<Othello4>(text.as_bytes(), &InputFormat::default());
        let game = records.into_iter().next().unwrap().into_games().unwrap().remove(0);
        let [black, white] = game.tags.names.map(Option::unwrap_or_default);
        format!("{black}/{white} {}", game.tags.date.unwrap_or_default())
    };
    for (text, expected) in [
        ("\"players\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"created\":1717166400000", "a/b 2024-05-31 14:40:00"),
        (
            "\"players\":[{\"name\":\"a\",\"color\":\"white\"},{\"name\":\"b\"}],\"date\":\"31.05.2024\"",
            "b/a 2024-05-31",
        ),
        (
            "\"players\":[{\"name\":\"a\"},{\"name\":\"b\",\"color\":\"B\"}],\"date\":1717166400",
            "b/a 2024-05-31 14:40:00",
        ),
        ("\"players\":[{\"name\":\"a\",\"color\":\"Weiß\"}],\"date\":\"31.02.2024\"", "/a 31.02.2024"),
    ] {
        assert_eq!(tags(&format!("{{\"moves\":\"b1\",{text}}}")), expected, "{text}");
    }
}
