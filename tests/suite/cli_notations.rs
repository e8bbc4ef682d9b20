//! Notations that people bring: every command that reads games reads each of them.

use std::fs;

use crate::run_with;

/// Asserts that analyze, convert and `play --load` read a text as this game or position.
fn assert_read(game: &str, to: &str, text: &str, expected: &str) {
    let (code, converted, errors) = run_with(&["convert", game, "--to", to], text);
    assert_eq!((code, converted.trim_end()), (0, expected), "{text}: {errors}");
    let (code, rows, errors) =
        run_with(&["analyze", game, "--depth", "1", "--format", "csv", "--summary", "/dev/null"], text);
    assert_eq!(code, 0, "{text}: {rows}{errors}");
    let folder = tempfile::tempdir().unwrap();
    let (file, plain) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
    fs::write(&file, text).unwrap();
    fs::write(&plain, expected).unwrap();
    let [loaded, simple] = [&file, &plain].map(|file| {
        let (code, text, errors) = run_with(
            &["play", game, "--white", "human", "--black", "human", "--load", &file.display().to_string()],
            "board\nquit\n",
        );
        assert_eq!((code, text.is_empty()), (0, false), "{errors}");
        // One line names the file, and another one the result that it records.
        let lines = text.lines().filter(|line| !line.starts_with("Loaded `") && !line.starts_with("The file records"));
        lines.map(|line| line.to_owned() + "\n").collect::<String>()
    });
    assert_eq!(loaded, simple, "{text}");
}

/// Asserts that the referee accepts all moves of a text and reaches this position.
fn assert_accepted(game: &str, text: &str, position: &str) {
    let (code, answers, errors) = run_with(&["referee", game], text);
    assert_eq!(code, 0, "{text}: {answers}{errors}");
    assert!(answers.lines().last().unwrap().contains(position), "{text}: {answers}");
}

#[test]
fn numbers_need_no_dot() {
    let position = "------------------X--------XX------OXX-----O-------------------- O";
    for text in
        ["1 f5 d6 2 c3", "1) f5 d6 2) c3", "1: f5 d6 2: c3", "1 f5 d6\n2 c3\n", "1) f5 d6\n2) c3\n", "f5; d6; c3"]
    {
        assert_read("othello", "transcript", text, "f5d6c3");
        assert_accepted("othello", text, position);
    }
    for text in ["1 d2 f4 2 d6", "1) d2 f4 2) d6", "1: d2 f4 2: d6", "1 d2 f4\n2 d6\n", "1) d2 f4\n2) d6\n"] {
        assert_read("nine-mens-morris", "moves", text, "d2 f4 d6");
        assert_accepted("nine-mens-morris", text, "7,8 d2,d6 f4 B");
    }
    let (code, _, errors) = run_with(&["convert", "nine-mens-morris", "--to", "moves"], "1 d2 f4 3 d6");
    assert!(code == 1 && errors.contains("column 9: expected move number `2.`, found `3.`"), "{errors}");
}

#[test]
fn mill_games_may_have_names_and_other_separators() {
    for text in ["d2f4d6f2", "d2; f4; d6; f2", "Anna - Bob: d2 f4 d6 f2", "Anna - Bob: 1. d2 f4 2. d6f2", "d2f4 d6,f2"]
    {
        assert_read("nine-mens-morris", "moves", text, "d2 f4 d6 f2");
        assert_accepted("nine-mens-morris", text, "7,7 d2,d6 f2,f4 W");
    }
    let (_, rows, _) = run_with(&["convert", "nine-mens-morris", "--to", "csv"], "Anna - Bob: d2 f4\n");
    assert!(rows.lines().nth(1).is_some_and(|row| row.contains("Bob,Anna")), "{rows}");
    // White moves first, and black is the first column.
    assert!(rows.starts_with("file,") && rows.lines().next().unwrap().contains("black,white"), "{rows}");
    let captured = "a1 a7 d1 d7 g1xa7";
    for text in ["a1 a7 d1 d7 g1 xa7", "1. a1 a7 2. d1 d7 3. g1 xa7", "a1a7d1d7 g1 xa7"] {
        assert_read("six-mens-morris", "moves", text, captured);
        assert_accepted("six-mens-morris", text, "3,4 a1,d1,g1 d7 B");
    }
    let (code, _, errors) = run_with(&["convert", "nine-mens-morris", "--to", "moves"], "d2f4d2");
    assert!(code == 1 && errors.contains("column 5: illegal move `d2` at ply 3: a man stands on d2"), "{errors}");
}

#[test]
fn boards_that_play_prints_are_read() {
    for (game, moves) in [
        ("nine-mens-morris", "d2 f4 d6 f2"),
        ("morabaraba", "a7 b6 g7 f6 d1"),
        ("lasker-morris", "d2 f4 d2-d3"),
        ("six-mens-morris", "a1 a7 d1 d7 g1xa7"),
        ("three-mens-morris", "a1 b2 c3"),
    ] {
        let players = ["play", game, "--white", "human", "--black", "human", "--position"];
        let (_, printed, _) = run_with(&[&players[..], &[moves]].concat(), "quit\n");
        // The first line is the welcome.
        let diagram: Vec<_> = printed.lines().skip(1).take_while(|line| !line.starts_with("Your move")).collect();
        let (_, seeds, errors) = run_with(&["convert", game, "--to", "seed"], moves);
        let seed = seeds.lines().last().unwrap_or_else(|| panic!("{errors}"));
        assert_read(game, "seed", &diagram.join("\n"), seed);
        // The converted diagram is read, too, and two of them are two positions.
        let (_, written, _) = run_with(&["convert", game, "--to", "diagram"], seed);
        assert_read(game, "seed", &written, seed);
        let (_, two, _) = run_with(&["convert", game, "--to", "seed"], &format!("{written}\n{written}"));
        assert_eq!(two, format!("{seed}\n{seed}\n"), "{written}");
    }
    let board = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n";
    let (code, _, errors) = run_with(&["convert", "othello", "--to", "board"], board);
    assert!(
        code == 1 && errors.contains("expected the side to move in the line after the rows, such as `X to move`"),
        "{errors}"
    );
    let (code, _, errors) = run_with(&["convert", "three-mens-morris", "--to", "seed"], "+++\n+B+\nW++\n");
    assert!(code == 1 && errors.contains("such as `White to move`"), "{errors}");
}

#[test]
fn json_arrays_hold_records() {
    for text in [
        "[{\"moves\": \"f5d6c3\"}]",
        "[\n  {\n    \"moves\": [\"f5\", \"d6\", \"c3\"],\n    \"id\": 1\n  }\n]\n",
        "[\"f5d6c3\"]",
        "[\n\"f5d6c3\"\n]\n",
        "[[\"f5\", \"d6\", \"c3\"]]",
        "[\"f5\", \"d6\", \"c3\"]\n",
    ] {
        assert_read("othello", "transcript", text, "f5d6c3");
    }
    let (code, games, errors) =
        run_with(&["convert", "othello", "--to", "transcript"], "[\"f5d6\",\n\"f5f6\",\n\n\"f5f5\", \"f5f4\"]\n");
    assert_eq!((code, games.as_str()), (1, "f5d6\nf5f6\nf5f4\n"));
    assert!(errors.contains("line 4, column 4: illegal move `f5`"), "{errors}");
    // Any number of objects, in one line.
    let objects: Vec<_> = (0..20_000).map(|id| format!("{{\"id\": {id}, \"moves\": \"f5d6\"}}")).collect();
    let (code, rows, errors) = run_with(&["convert", "othello", "--to", "csv"], &format!("[{}]", objects.join(", ")));
    assert_eq!((code, rows.lines().count()), (0, 20_001), "{errors}");
    assert!(rows.lines().last().unwrap().contains(",19999"), "{:?}", rows.lines().last());
}

#[test]
fn json_records_may_span_lines() {
    let both = "f5d6\nf5f6\n";
    for (text, games) in [
        ("[\n \"f5\",\n \"d6\"\n]", "f5d6\n"),
        ("[\"f5\",\n\"d6\"]\n", "f5d6\n"),
        ("[\n \"1. f5 d6\",\n \"2. c3 d3\"\n]\n", "f5d6c3d3\n"),
        ("[\n \"f5\",\n \"d6\"\n]\n[\n \"f5\",\n \"f6\"\n]\n", both),
        ("[\n [\n  \"f5\",\n  \"d6\"\n ],\n [\n  \"f5\",\n  \"f6\"\n ]\n]\n", both),
        ("[\"f5d6\",\n\"f5f6\"]\n", both),
        ("[\n \"f5\",\n \"f5f6\"\n]\n", "f5\nf5f6\n"),
        ("{\n \"moves\": \"f5d6\"\n}\n", "f5d6\n"),
        ("{\n \"moves\": \"f5d6\"\n}\n{\n \"moves\": \"f5f6\"\n}\n", both),
        ("# a comment\n{\r\n \"moves\": [\r\n  \"f5\",\r\n  \"d6\"\r\n ]\r\n}\r\n", "f5d6\n"),
        ("\u{feff}[\n {\n \"moves\": \"f5d6\"\n}, {\n \"moves\": \"f5f6\"\n}\n]\n", both),
        ("[]\n", ""),
    ] {
        let (code, found, errors) = run_with(&["convert", "othello", "--to", "transcript"], text);
        assert_eq!((code, found.as_str()), (0, games), "{text}: {errors}");
    }
    for (text, message) in [
        ("[\n  \"f5\",\n  \"f6\",\n  \"f6\"\n]\n", "line 4, column 4: illegal move `f6`"),
        ("[\"f5\", \"f5\"]\n", "line 1, column 9: illegal move `f5`"),
        ("[\n  \"f5d6\",\n  \"f5d6d6\"\n]\n", "line 3, column 8: illegal move `d6`"),
        (
            "{\n \"moves\": \"f5d6\"\n}\n{\n \"moves\": oops\n}\n",
            "line 5, column 11: not a JSON object: expected value",
        ),
        ("{\n \"moves\": \"f5d6\",\n}\n", "line 3, column 1: not a JSON object: trailing comma"),
        (
            "{\n \"games\": [\n {\"moves\": \"f5d6\"}\n ]\n}\n",
            "the key `games` contains a list of objects; write only this list",
        ),
    ] {
        let (code, _, errors) = run_with(&["convert", "othello", "--to", "transcript"], text);
        assert!(code > 0 && errors.contains(message), "{text}: {errors}");
    }
    // A broken object does not hide the next one.
    let (code, games, errors) =
        run_with(&["convert", "othello", "--to", "transcript"], "{\n \"moves\": \"f5d6\n{\n \"moves\": \"f5f6\"\n}\n");
    assert_eq!((code, games.as_str()), (1, "f5f6\n"), "{errors}");
    // A large file is read in parts.
    let games: String = (0..20_000).map(|id| format!("{{\n  \"id\": {id},\n  \"moves\": \"f5d6\"\n}}\n")).collect();
    let (code, rows, errors) = run_with(&["convert", "othello", "--to", "csv"], &games);
    assert_eq!((code, rows.lines().count()), (0, 20_001), "{errors}");
    let last = rows.lines().last().unwrap();
    assert!(last.contains(",79997,,Perpendicular,,,,19999,"), "{last}");
}

#[test]
fn boards_may_be_written_as_in_fen() {
    let start = "---------------------------OX------XO--------------------------- X";
    for text in ["8/8/8/3OX3/3XO3/8/8/8 b", "8/8/8/3wb3/3bw3/8/8/8 b - - 0 1", "8/8/8/3OX3/3XO3/8/8/8 X"] {
        assert_read("othello", "board", text, start);
    }
}

#[test]
fn a_text_that_is_no_position_has_a_short_answer_in_morris_text() {
    let (_, answers, _) = run_with(&["engine", "--protocol", "morris-text"], "position junk\nquit\n");
    let answer = answers.lines().find(|line| line.contains("junk")).unwrap_or_else(|| panic!("{answers}"));
    assert!(answer.len() < 200 && answer.contains("such as `9,9 - - W`"), "{answer}");
}

const TAGS: &str = "[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Black \"Anna\"]\n[White \"Bob\"]\n[Result \"40-24\"]\n";

#[test]
fn games_with_tags_are_read_and_written() {
    for moves in [
        "\n1. f5 d6 2. c3 d3 3. c4\n",
        "\n1. f5 d6\n2. c3 d3 {quiet}\n3. c4 40-24\n",
        "1. f5 d6 2. c3 d3 3. c4 *",
        "\n{a comment\nof two lines}\n1. f5 d6 2. c3 d3 3. c4\n40-24",
    ] {
        assert_read("othello", "transcript", &format!("{TAGS}{moves}"), "f5d6c3d3c4");
    }
    let pgn = format!("{TAGS}\n1. f5 d6 2. c3 d3 3. c4 40-24\n");
    let (code, written, errors) = run_with(&["convert", "othello", "--to", "pgn"], &pgn);
    assert_eq!((code, written.trim_end(), errors.as_str()), (0, pgn.trim_end(), ""));
    // Games one after another, with and without blank lines, results and moves.
    let others =
        ["[Black \"Eve\"]\n[Result \"1-0\"]\n1. f5 f6", "[Black \"C\"]\n\n1. f5 d6 2. c9", "[Result \"*\"]\n*"];
    let (code, rows, errors) = run_with(
        &["games", "list", "othello", "--format", "csv"],
        &format!("{pgn}{}\n{}\n\n{}\n\n{pgn}", others[0], others[1], others[2]),
    );
    assert_eq!((code, rows.lines().count()), (1, 5), "{rows}{errors}");
    assert!(errors.contains("line 13, column 13: expected a move such as `f5`, found `c9`"), "{errors}");
    let fen = "[SetUp \"1\"]\n[FEN \"8/8/8/3OX3/3XO3/8/8/8 w\"]\n\n1... f4 2. f3";
    let (code, written, errors) = run_with(&["convert", "othello", "--to", "pgn"], fen);
    assert!(code == 0 && written.contains("\n1... f4 2. f3 *\n"), "{written}{errors}");
}

#[test]
fn games_of_other_kinds_with_tags_are_reported() {
    let chess = "[Event \"Open\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n";
    let (code, _, errors) = run_with(&["convert", "othello", "--to", "transcript"], chess);
    assert!(code == 1 && errors.contains("line 6, column 4: illegal move `e4`"), "{errors}");
    assert!(errors.contains("is this a game of Othello?"), "{errors}");
    let othello = format!("{TAGS}\n1. f5 d6 2. c3 d3\n").replace("40-24", "*");
    let (code, _, errors) = run_with(&["convert", "nine-mens-morris", "--to", "moves"], &othello);
    assert!(code == 1 && errors.contains("line 7, column 4") && errors.contains("`f5`"), "{errors}");
    let (code, _, errors) = run_with(&["convert", "six-mens-morris", "--to", "moves"], &othello);
    assert!(code == 2 && errors.contains("this looks like a game with tags, as in PGN"), "{errors}");
}

#[test]
fn results_that_are_not_certain_are_left_out() {
    for (text, place) in [
        ("1. f5 d6 2. c3 d3 50-24", "line 1, column 19: left out: `50-24`"),
        ("Anna 50-24 Bob: f5d6", "line 1, column 6: left out: `50-24`"),
        ("f5d6c3 14:30", "line 1, column 8: left out: `14:30`"),
        ("Anna - Bob 5-3: f5d6", "line 1, column 12: left out: `5-3`"),
    ] {
        let (code, output, errors) = run_with(&["convert", "othello", "--to", "jsonl"], text);
        assert!(code == 0 && errors.contains(place), "{text}: {errors}");
        assert!(output.contains("\"result\":null") && output.contains("\"black_discs\":null"), "{text}: {output}");
    }
    let text = "Anna (W) - Bob (B) 24-40, 31.5.24: f5d6c3";
    let (code, output, errors) = run_with(&["convert", "othello", "--to", "ggf"], text);
    assert!(
        code == 0 && errors.is_empty() && output.contains("DT[2024-05-31]PB[Bob]PW[Anna]RE[+16]"),
        "{output}{errors}"
    );
}

#[test]
fn impossible_results_and_skipped_numbers_are_errors() {
    let impossible = "impossible result `50-24`: the board has 64 squares; correct or remove the result";
    for (text, place, message) in [
        ("[Result \"50-24\"]\n1. f5", "line 1, column 10", impossible),
        ("{\"moves\":\"f5d6\",\"result\":\"50-24\"}", "line 1, column 26", impossible),
        ("moves,result\nf5d6,50-24\n", "line 2, column 6", impossible),
        ("1. f5 d6 3. c3", "line 1, column 10", "expected move number `2.`, found `3.`; are moves missing?"),
        ("1. f5 d6\n3. c3", "line 2, column 1", "expected move number `2.`, found `3.`"),
        ("f5d6c3d3 +2 e3", "line 1, column 13", "unexpected text `e3` after the result `+2`"),
        ("8/8/8/3OX3/3XO4/8/8/8 b", "line 1, column 15", "row 5 has 9 squares instead of 8"),
    ] {
        let (code, _, errors) = run_with(&["convert", "othello", "--to", "jsonl"], text);
        assert!(code == 1 && errors.contains(place) && errors.contains(message), "{text}: {errors}");
        assert_eq!(errors.matches("line ").count(), 1, "{text}: {errors}");
    }
}

#[test]
fn labels_have_a_result_between_the_names() {
    for (game, text) in [
        ("othello", "Anna 40-24 Bob: f5d6c3"),
        ("othello", "Anna 40:24 Bob: f5d6c3"),
        ("nine-mens-morris", "Anna 1-0 Bob: d2f4"),
    ] {
        let (code, row, errors) = run_with(&["convert", game, "--to", "jsonl"], text);
        assert!(code == 0 && row.contains("\"Anna\"") && row.contains("\"Bob\""), "{row}{errors}");
        assert!(row.contains("\"black_discs\":40") || row.contains("\"result\":\"white\""), "{row}");
    }
}

#[test]
fn diagrams_may_begin_with_the_side_and_wrong_rows_are_one_error() {
    let rows = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n";
    let start = "---------------------------OX------XO---------------------------";
    assert_read("othello", "board", &format!("Black to move\n{rows}"), &format!("{start} X"));
    assert_read("othello", "board", &format!("White to move\n\n{rows}"), &format!("{start} O"));
    assert_read("othello", "board", &format!("{rows}\nWhite to move\n"), &format!("{start} O"));
    assert_read("three-mens-morris", "seed", "White to move\nW+B\n.B.\nW++\n", "0,0 a1,a3 b2,c3 W");
    let wrong = rows.replace("...OX...", "...OQ...");
    let text = format!("{wrong}X to move\n{rows}X to move\nf5d6\n{wrong}X to move\nf5\n");
    let (code, boards, errors) = run_with(&["convert", "othello", "--to", "board"], &text);
    assert!(code == 1 && errors.contains("line 4, column 5: expected a row of 8 squares"), "{errors}");
    assert!(errors.contains("line 23, column 5") && errors.matches("line ").count() == 2, "{errors}");
    assert_eq!(boards.lines().next(), Some(format!("{start} X").as_str()));
}

#[test]
fn a_line_in_braces_is_a_comment() {
    assert_read("othello", "transcript", "{round 1: a - b}\n1. f5 d6\n{good}\n2. c3\n", "f5d6c3");
    assert_read("nine-mens-morris", "moves", "{comment}\nd2 f4\n", "d2 f4");
    let (code, _, errors) = run_with(&["convert", "othello", "--to", "transcript"], "{moves: 1}\n");
    assert!(code == 2 && errors.contains("JSON"), "{errors}");
}

#[test]
fn the_reason_of_an_early_end_is_kept_or_counted() {
    let unknown = "[Result \"1-0\"]\n[Termination \"resignation\"]\n\n1. f5 d6 1-0\n";
    let (code, written, errors) = run_with(&["convert", "othello", "--to", "pgn"], unknown);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(written.contains("[Termination \"resignation\"]\n"), "{written}");
    let (_, rows, errors) = run_with(&["convert", "othello", "--to", "jsonl"], unknown);
    assert!(errors.is_empty() && rows.contains("\"ending\":\"resignation\""), "{rows}{errors}");
    let dropped = |game: &str, to: &str, text: &str| run_with(&["convert", game, "--to", to], text).2;
    assert_eq!(dropped("othello", "ggf", unknown), "");
    assert_eq!(dropped("othello", "transcript", unknown), "dropped: the termination without a result of 1\n");
    let known = unknown.replace("1-0", "40-24");
    assert_eq!(dropped("othello", "ggf", &known), "");
    assert_eq!(dropped("othello", "transcript", &known), "dropped: the result of 1, the termination of 1\n");
    let mill = "[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. 5 13 1-0\n";
    assert_eq!(dropped("nine-mens-morris", "playok", mill), "");
    assert_eq!(dropped("nine-mens-morris", "moves", mill), "dropped: the termination of 1\n");
}

#[test]
fn contradicting_results_are_errors() {
    // White fills the board: 12 black discs and 52 white ones.
    let full = format!("[FEN \"XXXXXXXX/OOOOX1OO/XXXXOOOO/{} w\"]\n", ["OOOOOOOO"; 5].join("/"));
    let text = |result: &str, termination: &str| format!("[Result \"{result}\"]\n{termination}{full}\n1... f2\n");
    let message = "line 1, column 10: the result is `52-12`, but the moves end with 12-52 on the board; correct \
        or remove the result";
    for command in [&["convert", "othello", "--to", "jsonl"][..], &["analyze", "othello", "--depth", "1"]] {
        let (code, rows, errors) = run_with(command, &text("52-12", ""));
        assert!(code == 1 && (errors.clone() + &rows).contains(message), "{rows}{errors}");
        for (result, termination) in [("12-52", ""), ("52-12", "[Termination \"time forfeit\"]\n")] {
            let (code, rows, errors) = run_with(command, &text(result, termination));
            assert_eq!(code, 0, "{rows}{errors}");
        }
    }
    let (code, _, errors) = run_with(&["convert", "othello", "--to", "jsonl"], "[Result \"1-0\"]\n\n1. f5 d6 0-1\n");
    let message = "line 1, column 10: the moves end with `0-1`, but the `Result` tag is `1-0`; correct one of them";
    assert!(code == 1 && errors.contains(message), "{errors}");
}

#[test]
fn annotations_are_skipped_in_all_games() {
    let moves = "1. 5 $1 13 (1... 14 {)}\n2. 20) 2. 20 19 1-0";
    assert_read("nine-mens-morris", "moves", &format!("[White \"A\"]\n\n{moves}"), "d6 e4 d2 b2 1-0");
    let moves = "1. f5 $1 d6 (1... f6 {)}\n2. e6) 2. c3 d3";
    assert_read("othello", "transcript", &format!("[White \"A\"]\n\n{moves}"), "f5d6c3d3");
    assert_read("othello", "transcript", "1. f5 d6 {a comment\nof two lines}\n2. c3 {and\none more} d3\n", "f5d6c3d3");
    assert_read("othello", "transcript", &format!("{moves}\n"), "f5d6c3d3");
    for (game, text, place) in [
        ("othello", "[White \"A\"]\n\n1. f5 d6 {a comment\n2. c3", "line 3, column 10: unclosed comment: expected `}`"),
        ("othello", "1. f5 d6 (1... f6", "line 1, column 10: unclosed variation: expected `)`"),
        ("nine-mens-morris", "[White \"A\"]\n1. 5 (1. 6", "line 2, column 6: unclosed variation: expected `)`"),
    ] {
        let to = if game == "othello" { "transcript" } else { "moves" };
        let (code, _, errors) = run_with(&["convert", game, "--to", to], text);
        assert!(code == 1 && errors.contains(place) && errors.matches("line ").count() == 1, "{errors}");
    }
}

#[test]
fn a_game_that_is_too_long_is_one_error() {
    let comments = format!("{{{}}}\n", "a".repeat(43)).repeat(3000);
    let text = format!("{TAGS}\n1. f5 d6\n{comments}2. c3 *\n\n{TAGS}\n1. f5 f6 *\n");
    let (code, games, errors) = run_with(&["convert", "othello", "--to", "transcript"], &text);
    let message = "line 1, column 1: longer than 65536 bytes; split it, or shorten its comments";
    assert!(code == 1 && errors.contains(message) && errors.matches("line ").count() == 1, "{errors}");
    assert_eq!(games, "f5f6\n");
}

#[test]
fn games_of_sgf_and_servers_are_read_by_every_command() {
    for text in [
        "(;FF[4]GM[2]PB[anna]PW[bob];B[f5];W[d6])",
        "(\n;FF[4]GM[2]\n;B[fe]\n;W[df]\n)\n",
        "{\"moves\":[{\"m\":\"f5\",\"t\":1200},{\"m\":\"d6\"}]}",
        "[\n {\"m\": \"f5\", \"t\": 1200},\n {\"m\": \"d6\"}\n]\n",
        "https://www.eothello.com/#f5d6",
    ] {
        let text = text.replace("PB[anna]PW[bob]", "");
        assert_read("othello", "transcript", &text, "f5d6");
    }
    assert_read("nine-mens-morris", "moves", "(;GM[5];W[d2];B[f4](;W[d6])(;W[a1]))", "d2 f4 d6");
}

#[test]
fn sgf_keeps_what_other_formats_say() {
    let ggf = "(;GM[Othello]PC[Cup]DT[2024-05-01]PB[Anna \\]PW[B;b)]RB[1800.5]RE[+16:t]TY[8]BO[8 \
        ---------------------------O*------*O--------------------------- *]B[F5/1.5/2]W[D6//3];)";
    let (code, sgf, errors) = run_with(&["convert", "othello", "--to", "sgf"], ggf);
    assert_eq!((code, errors.as_str()), (0, ""), "{sgf}");
    let (code, back, errors) = run_with(&["convert", "othello", "--to", "ggf"], &sgf);
    assert_eq!((code, back.trim_end(), errors.as_str()), (0, ggf, ""), "{sgf}");
}

#[test]
fn a_folder_is_an_input_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir(path("b")).unwrap();
    fs::write(path("b/a.sgf"), "(;GM[2];B[f5];W[d6])").unwrap();
    fs::write(path("c.txt"), "f5f6\n").unwrap();
    fs::write(path("image.png"), "\0").unwrap();
    let name = folder.path().display().to_string();
    let skipped = format!("skipped {}: a binary file\n", path("image.png"));
    let book = path(".book");
    for arguments in [
        &["convert", "othello", &name, "--to", "transcript"][..],
        &["games", "list", "othello", &name],
        &["games", "openings", "othello", &name],
        &["analyze", "othello", &name, "--depth", "1"],
        &["book", "learn", "othello", &book, &name],
    ] {
        let (code, output, errors) = run_with(arguments, "");
        assert!(code == 0 && errors.starts_with(&skipped), "{arguments:?}: {output}{errors}");
    }
    let (_, games, _) = run_with(&["convert", "othello", &name, "--to", "transcript"], "");
    assert_eq!(games, "f5d6\nf5f6\n");
    let (code, _, errors) = run_with(&["convert", "othello", &path("b/none"), "--to", "transcript"], "");
    assert!(code == 2 && errors.contains("cannot read `"), "{code}: {errors}");
}
