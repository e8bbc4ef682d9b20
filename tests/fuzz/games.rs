//! Targets that read texts of positions, moves and games.

use morello::game::{AnnotatedPosition, AnyGame, EngineOptions, Game, Limits, ParsedRecord, Position as _, Protocol};
use morello::games;
use morello::input::{Input, InputFormat, Reader, read_text};
use morello::protocol::{self, Strength};
use morello::session::Session;
use morello::text::referee::{Referee, RulingFormat, adjudicate};

use super::{Target, folder, texts};

/// Games of both families, with small and large boards.
const GAMES: [&str; 5] = ["othello", "othello-4x4", "nine-mens-morris-flying", "three-mens-morris", "morabaraba"];

const WORDS: &[&str] = &[
    "f5d6c3",
    "pass",
    "pa",
    "--",
    "1. ",
    "1-0",
    "1/2-1/2",
    "[Event \"x\"]",
    "{",
    "}",
    "(;GM[Othello]",
    "(;FF[4]GM[2]",
    "(;W[d6]",
    ";W[]",
    "AB[d4][e5]",
    "{\"m\":\"f5\",\"t\":1}",
    "https://a/#",
    "BO[8 ",
    "B[F5]",
    ";)",
    "0,0 ",
    " W",
    " X",
    "% ",
    "//",
    "a7-a4xb6",
    "d2",
    "(9, 9)",
    "\u{202e}",
    "é",
    "\"moves\":",
    "position,",
    "\x1b[2J",
    "32-32",
    "+64",
    "-0.5",
];

/// Valid texts of every format of the games.
fn seeds() -> Vec<Vec<u8>> {
    let mut all = texts(&[
        "f5d6c3d3c4",
        "1. f5 d6 2. c3 {comment} d3 (2... c4) 1-0",
        "[Event \"a\"]\n[White \"b\"]\n\n1. f5 d6 *\n",
        "d2 f4 d6xa1",
        "moves,black\nf5d6,Anna\n\"f5\",\"B\nob\"\n",
        "{\"moves\":[\"f5\",\"d6\"],\"black\":\"x\"}\n{\"position\":\"x\"}\n",
        "[\n{\"moves\":\"f5d6\"},\n{\"moves\":\"f5\"}\n]",
        "moves\tx\n1. f5\ty\n",
    ]);
    for game in GAMES.map(|name| games::get(name).expect("a game")) {
        let played = game.random_game(7, 12);
        let position: AnnotatedPosition = (*played.position()).into();
        for format in game.formats() {
            let written = format.write_game(&played.clone().into()).or_else(|| format.write_position(&position));
            all.extend(written.and_then(Result::ok).map(String::into_bytes));
        }
    }
    all.extend(texts(&[
        "(;FF[4]GM[2]AP[edax:4.5.5]\nPC[Edax]DT[2026-10-07]\nPB[?]PW[?]\nSZ[8]AB[e4][d5]AW[d4][e5]PL[B]\n\
         RE[Void]\nB[f5];W[d6];\nB[c3];W[d3];\nB[c4];)",
        "(;GM[2]C[a \\] b]TM[300];B[fe]BL[290];W[tt](;W[d6]V[-1.5])(;W[f4]))(;GM[5];W[d2];B[f4])",
        "{\"id\":\"x\",\"created\":\"2024-05-01T12:33:18.000Z\",\"players\":[{\"name\":\"A\",\"rating\":1800},{\"id\":\"b\"}],\
         \"position\":{\"moves\":[{\"m\":\"f5\",\"t\":1200},{\"m\":\"-\"},{\"s\":\"TIMEUP\"}]}}",
        "[\n{\"m\":\"f5\",\"t\":1},\n{\"move\":\"d6\",\"seconds\":2}\n]",
        "https://www.eothello.com/#f5d6c3\nhttp://a/?x=1&moves=f5+d6#top",
        "  A B C D E F G H\n1 - - - - - - - - 1\n2 - - - - - - - - 2 * to move\n3 - - - - - - - - 3\n\
         4 - - - O * - - - 4\n5 - - - * O - - - 5\n6 - - - - - - - - 6\n7 - - - - - - - - 7\n8 - - - - - - - - 8\n",
    ]));
    // Defects that were found by such inputs: quadratic time, lost games, overflows, and lines that
    // went back.
    all.push(b"18446744073709551615. f5 d6 2. c3".to_vec());
    all.push(b"mGMoves,bla-1,0 ck\nf5d6: 0 men in,Anna\n\"f2147483648\"".to_vec());
    all.push(b"motes\tx\n1. f\xb5\ty\n".to_vec());
    all.push([b"a,moves\n".to_vec(), b"x\",\"y\n".repeat(200)].concat());
    all.push([b"moves".to_vec(), b",a".repeat(1000)].concat());
    all.push(
        b"(;GM[Othello]PB[]PW[]RE[2]TY[4]BO[4 -----O*--*O----- \
        *]B[A2]W[A1]B[C4]W[B4]B[A3]W[D2]B[D1]W[C1]B[B1]W[A4]B[D3]W[D4];)"
            .to_vec(),
    );
    all.push(
        b"(;GM[Othello]PB[a\nb]PW[c]TY[8]BO[8 \
        ---------------------------O*------*O--------------------------- *]B[F5];)"
            .to_vec(),
    );
    all
}

fn target(name: &'static str, cost: u64) -> Target {
    Target { words: WORDS, cost, ..Target::new(name, seeds()) }
}

/// Writes a record in every format and reads it back.
fn round_trips(game: &'static dyn AnyGame, record: &ParsedRecord) {
    match record {
        ParsedRecord::Position(entry) => {
            for format in game.formats() {
                let Some(Ok(text)) = format.write_position(&entry.position.into()) else { continue };
                match (format.parse)(&text) {
                    Ok(ParsedRecord::Position(read)) => {
                        assert_eq!(read.position, entry.position, "{}: {text}", format.name)
                    }
                    Ok(ParsedRecord::Games(_)) => panic!("{}: {text} is read as a game", format.name),
                    Err(error) => panic!("{}: {text}: {error}", format.name),
                }
            }
        }
        ParsedRecord::Games(all) => {
            for annotated in all {
                for format in game.formats() {
                    // Some formats have no other start positions, and hold no games without moves.
                    let Some(Ok(text)) = format.write_game(annotated) else { continue };
                    if annotated.game.moves().is_empty() {
                        continue;
                    }
                    let read = match (format.parse)(&text) {
                        Ok(ParsedRecord::Games(read)) => read,
                        Ok(ParsedRecord::Position(_)) => panic!("{}: {text} is read as a position", format.name),
                        Err(error) => panic!("{}: {text:?}: {error}", format.name),
                    };
                    assert_eq!(read.len(), 1, "{}: {text:?}", format.name);
                    assert_eq!(read[0].game.moves(), annotated.game.moves(), "{}: {text:?}", format.name);
                }
            }
        }
    }
}

#[test]
fn fuzz_formats() {
    target("formats", 2).run(|input| {
        let text = String::from_utf8_lossy(input);
        for game in GAMES.map(|name| games::get(name).expect("a game")) {
            if let Ok(record) = (game.format_of(&text).parse)(&text) {
                round_trips(game, &record);
            }
            if let Ok(position) = game.parse_position(&text) {
                assert_eq!(game.parse_position(&position.to_string()).ok(), Some(position));
            }
        }
    });
}

#[test]
fn fuzz_readers() {
    let folder = folder();
    let path = folder.path().join("input");
    target("readers", 3).run(|input| {
        let bytes = match input.first() {
            // Some inputs are compressed, and some of these damaged afterwards.
            Some(first) if first % 8 == 0 => zstd::bulk::compress(input, 1).expect("compression"),
            Some(first) if first % 8 == 1 => [&[0x28, 0xb5, 0x2f, 0xfd], input].concat(),
            Some(first) if first % 8 == 2 => [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], input].concat(),
            _ => input.to_vec(),
        };
        std::fs::write(&path, bytes).expect("a file");
        let game = games::get(GAMES[input.len() % GAMES.len()]).expect("a game");
        if let Ok(reader) = Reader::open(game, vec![Input::File(path.clone())], &InputFormat::default()) {
            // A carriage return alone ends a line in some formats, and each value of a JSON array
            // counts as a line.
            let lines = input.split(|byte| b"\n\r,]}\"".contains(byte)).count() as u64;
            let mut last = 1;
            for record in reader.map_while(Result::ok) {
                assert!(record.line >= last, "line {} after line {last}", record.line);
                last = record.line;
                // A damaged compressed file may have other lines.
                let may_be_other = input.first().is_some_and(|first| matches!(first % 8, 1 | 2));
                assert!(may_be_other || record.line <= 2 * lines + 2, "line {} of {lines}", record.line);
            }
        }
    });
}

/// A text compressed by bzip2, xz and gzip, also in two streams, and a zip archive.
fn archives() -> Vec<Vec<u8>> {
    vec![
        b"BZh91AY&SYQ\x94\xf6\xc7\0\0\n\xc9\0\0\x10\x03\0\x05\0 \x000\xcd\0\x8a\x1e\xa6\x8c\x84\xcc8\xf8\xbb\
        \x92)\xc2\x84\x82\x8c\xa7\xb68"
            .to_vec(),
        b"BZh91AY&SY\xc9s+\xbd\0\0\x03\xc9\0\0\x10\x03\0\x05\0 \0!\x83A\x9a\n\x86\x02\x9c]\xc9\x14\xe1BC%\
        \xcc\xae\xf4BZh9\x17rE8P\x90\0\0\0\0"
            .to_vec(),
        b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4F\x02\0!\x01\x0c\0\0\0\x8f\x98A\x9c\x01\0\x09f5d6\nf5f6\n\0\0\0\x1c-\
        !\xf4\xd6\x8d\xb5\xf8\0\x01\"\n\x15\x1a\xe1g\x1f\xb6\xf3}\x01\0\0\0\0\x04YZ"
            .to_vec(),
        b"\xfd7zXZ\0\0\x01i\"\xde6\x02\0!\x01\x0c\0\0\0\x8f\x98A\x9c\x01\0\x09f5d6\nf5f6\n\0\0\0\x14\xc1H\
        \x91\0\x01\x1e\n\xeac\x12\x14\x90B\x99\x0d\x01\0\0\0\0\x01YZ\xfd7zXZ\0\0\x01i\"\xde6\x02\0!\x01\
        \x0c\0\0\0\x8f\x98A\x9c\x01\0\x09f5d6\nf5f6\n\0\0\0\x14\xc1H\x91\0\x01\x1e\n\xeac\x12\x14\x90B\
        \x99\x0d\x01\0\0\0\0\x01YZ"
            .to_vec(),
        b"\x1f\x8b\x08\0\0\0\0\0\x02\x03K3M1\xe3J3M3\xe3\x02\0\x14\xc1H\x91\n\0\0\0".to_vec(),
        b"PK\x03\x04\x14\0\0\0\x08\0\0\0!\0\xbb\xe0\x01\x8a\x0d\0\0\0\x1e\0\0\0\x05\0\0\0a.txtK3M1\xe3J3M\
        \x03\x11\x98,\0PK\x03\x04\x14\0\0\0\0\0\0\0!\0\n\xa4|\xcf\x0e\0\0\0\x0e\0\0\0\x07\0\0\0b/c.ggf(;\
        GM[2];B[f5])PK\x01\x02\x14\x03\x14\0\0\0\x08\0\0\0!\0\xbb\xe0\x01\x8a\x0d\0\0\0\x1e\0\0\0\x05\0\
        \0\0\0\0\0\0\0\0\0\0\x80\x01\0\0\0\0a.txtPK\x01\x02\x14\x03\x14\0\0\0\0\0\0\0!\0\n\xa4|\xcf\x0e\
        \0\0\0\x0e\0\0\0\x07\0\0\0\0\0\0\0\0\0\0\0\x80\x010\0\0\0b/c.ggfPK\x05\x06\0\0\0\0\x02\0\x02\0h\
        \0\0\0c\0\0\0\0\0"
            .to_vec(),
    ]
}

#[test]
fn fuzz_archives() {
    let words = &["PK\x01\x02", "PK\x03\x04", "PK\x05\x06", "BZh9", "a.txt", "../", "\0\0\0\0"];
    Target { words, cost: 10, ..Target::new("archives", archives()) }.run(|input| {
        let game = games::get("othello").expect("a game");
        let archive = Input::Bytes("a".to_owned(), input.into());
        let Ok(reader) = Reader::of(game, archive) else { return };
        let read = reader.map_while(Result::ok).take(1000).collect::<Vec<_>>();
        assert!(read.iter().all(|record| record.file.starts_with('a') && record.bytes_read <= input.len() as u64));
    });
}

#[test]
fn fuzz_sessions_and_referees() {
    target("sessions", 50).run(|input| {
        let text = String::from_utf8_lossy(input);
        let game = games::get(GAMES[input.len() % GAMES.len()]).expect("a game");
        let mut session = Session::new(game);
        if session.load(&text).is_ok() {
            let view = serde_json::to_value(session.view()).expect("a view is JSON");
            let moves: Vec<String> = serde_json::from_value(view["moves"].clone()).expect("moves are texts");
            let start = view["start"].as_str().map(str::to_owned);
            let mut again = Session::new(game);
            if start.is_none() {
                again.resume(None, &moves).expect("the moves of a view are legal");
                assert_eq!(again.game().position(), session.game().position());
            }
        }
        let _ = session.play_text(&text);
        let points: Vec<usize> = input.iter().map(|&byte| byte.into()).take(4).collect();
        let _ = (session.targets(&points), session.select_points(&points), session.save(&text, [&text, ""]));
        let _ = session.resume(Some(&text), &[text.to_string()]);
        let _ = read_text(game, &text);
        for format in [RulingFormat::Text, RulingFormat::Json] {
            let mut output = Vec::new();
            let referee = Referee::new(game.start(), game.standard_draw_rules());
            adjudicate(referee, input, &mut output, format, false).expect("a vector can be written");
            let output = String::from_utf8(output).expect("text");
            // JSON is data, and escapes only control characters.
            let is_harmless =
                !output.contains('\x1b') && (format == RulingFormat::Json || !output.contains('\u{202e}'));
            assert!(is_harmless, "escapes are sanitized");
        }
    });
}

#[test]
fn fuzz_protocols() {
    let seeds = texts(&[
        "boardsize 4\nclear_board\nplay b b1\ngenmove w\nshowboard\nundo\n",
        "1 list_commands\n2 protocol_version\n3 time_settings 1 1 1\n4 known_command play\n5 final_score\n",
        "nboard 2\nset depth 1\nset game (;GM[Othello]PC[x]PB[a]PW[b]TY[8]BO[8 \
            ---------------------------O*------*O--------------------------- *]B[F5];)\nping 3\nmove D6\n",
        "mt 1\nnew three-mens-morris\nposition start\nmoves a1 b2\ngo depth 1\nstop\n",
    ]);
    let words = &[
        "play b f5\n",
        "genmove b\n",
        "hint 1\n",
        "analyze\n",
        "go\n",
        "go infinite\n",
        "ping 1\n",
        "position ",
        "moves ",
        "stop\n",
        "set depth 1\n",
        "level 1 1 1\n",
        "loadsgf x\n",
        "time_left b 1e300 NaN\n",
        "99999999999999999999",
        "-2",
        "#",
    ];
    Target { words, cost: 30, ..Target::new("protocols", seeds) }.run(|input| {
        // Deep searches would take long and find nothing.
        let mut text: Vec<u8> = Vec::new();
        for &byte in input {
            let follows_digit = text.last().is_some_and(u8::is_ascii_digit);
            if !(follows_digit && byte.is_ascii_digit()) {
                text.push(if matches!(byte, b'5'..=b'9') { byte - 4 } else { byte });
            }
        }
        let setup = |_: &'static dyn AnyGame| Ok(EngineOptions::new(1 << 16));
        for (protocol, game) in
            [(Protocol::Gtp, "othello-4x4"), (Protocol::NBoard, "othello"), (Protocol::MorrisText, "three-mens-morris")]
        {
            let strength = Strength { level: None, depth: Some(1), nodes: None, time: None };
            let mut output = Vec::new();
            let game = games::get(game).expect("a game");
            // The response to the last request shows that the session has survived.
            let (last, response) =
                if protocol == Protocol::Gtp { ("77 name", "=77 morello") } else { ("ping 77", "pong 77") };
            let all = [text.as_slice(), b"\n", last.as_bytes(), b"\nquit\n"].concat();
            let _ = protocol::serve(protocol, game, &setup, strength, std::io::Cursor::new(all), &mut output);
            let (input, output) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&output));
            let has_quit = input.to_lowercase().contains("quit");
            assert!(has_quit || output.lines().any(|line| line == response), "{protocol}: {output}");
        }
    });
}

/// Returns the score of a 4x4 position by plain minimax, in discs for the side to move.
fn minimax(game: &Game) -> i32 {
    let position = game.position();
    if position.is_over() {
        return position.final_score();
    }
    let values = position.legal_moves().map(|m| {
        let mut after = game.clone();
        after.play(m).expect("the move is legal");
        -minimax(&after)
    });
    values.max().expect("there is a legal move")
}

#[test]
fn fuzz_solver_against_minimax() {
    let game = games::get("othello-4x4").expect("a game");
    let mut searcher = game.searcher(&EngineOptions::new(1 << 16)).expect("a searcher");
    let seeds = texts(&["-----OX--XO----- X", "XXOO-OXXOXOX-XO- O", "OOOO-XXX-OX--XO- X"]);
    Target { words: &["X", "O", "-"], cost: 1, max_len: 18, ..Target::new("solver", seeds) }.run(|input| {
        // Any bytes make a board, most of them unreachable, of at most six empty squares.
        let mut empties = 0;
        let mut square = |&byte: &u8| match byte % 8 {
            0 if empties < 6 => {
                empties += 1;
                '-'
            }
            0..4 => 'X',
            _ => 'O',
        };
        let mut board: String = input.iter().take(16).map(&mut square).collect();
        board.extend(std::iter::repeat_n('X', 16 - board.len()));
        let side = if input.len() % 2 == 0 { 'X' } else { 'O' };
        let Ok(position) = game.parse_position(&format!("{board} {side}")) else { return };
        let game = Game::new(position);
        if game.position().is_over() {
            return;
        }
        let limits = Limits::exact();
        let report = searcher.best(&game, &limits);
        assert_eq!(report.best().score.points(), f64::from(minimax(&game)), "{position}");
    });
}
